/** Rules of the library's code that its users depend on, whatever tool loads or bundles it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { library, sources } from '../../scripts/entry-points.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(root, folder, name));
}

const libraryFiles = filesOf('packages/carillon/src');
const allFiles = [...libraryFiles, ...filesOf('packages/server/src')];

describe('the library', () => {
  test('has no top-level await: require() of it would fail', () => {
    // The compiler that makes CommonJS refuses exactly that.
    const refused = libraryFiles.filter((file) => {
      try {
        transformSync(readFileSync(file, 'utf8'), { loader: 'ts', format: 'cjs', logLevel: 'silent' });
        return false;
      } catch {
        return true;
      }
    });
    expect(refused.map((file) => relative(root, file))).toEqual([]);
    expect(() => transformSync('await 1', { loader: 'ts', format: 'cjs', logLevel: 'silent' })).toThrow();
  });

  test('recognises its public classes by their marks: a second copy of the library has classes of its own', async () => {
    const classes = new Set<string>();
    for (const subpath of Object.keys(library)) {
      const source = sources[`carillon${subpath.slice(1)}`] as string;
      const entry = (await import(join(root, source))) as Readonly<Record<string, unknown>>;
      for (const [name, value] of Object.entries(entry)) if (isClass(value)) classes.add(name);
    }
    expect([...classes]).toEqual(
      expect.arrayContaining([
        'ServiceError',
        'StoreError',
        'RunInterrupted',
        'CarillonError',
        'ActionFailed',
      ]),
    );
    const wrong = allFiles.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\binstanceof (\w+)/g)]
        .filter(([, name = '']) => classes.has(name) || name === 'Parking')
        .map(([text]) => `${relative(root, file)}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });
});

function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}
