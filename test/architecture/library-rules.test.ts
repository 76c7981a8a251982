/** Rules of the library's code that its users depend on, with every tool that loads or bundles it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type StdinOptions, transformSync } from 'esbuild';
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

  test.each(['carillon/spec', 'carillon/doctor', 'carillon/client'])(
    '%s needs nothing of Node, modules and globals alike: web pages load it',
    async (name) => {
      expect(await nodeParts(join(root, sources[name] as string))).toEqual([]);
    },
  );

  test.each([
    ['export const a = Buffer.from("b");', ['Buffer']],
    ['export const a = () => process.cwd();', ['process']],
    ["import { hostname } from 'node:os'; export const a = hostname();", ['node:os']],
    ['export const { process } = globalThis; export const a = "Buffer";', []],
  ])('%s needs %j', async (contents, parts) => {
    expect(await nodeParts({ contents, loader: 'ts' })).toEqual(parts);
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

const nodeGlobals = ['Buffer', 'process', 'setImmediate', 'global', 'require', '__dirname', '__filename'];

/** What a bundle for browsers takes from Node. The bundler renames globals and nothing else: no property, no string. */
async function nodeParts(entry: string | StdinOptions): Promise<readonly string[]> {
  const mark = 'ofNode_';
  const { outputFiles, metafile } = await build({
    ...(typeof entry === 'string' ? { entryPoints: [entry] } : { stdin: entry }),
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
    external: ['node:*'],
    define: Object.fromEntries(nodeGlobals.map((name) => [name, `${mark}${name}`])),
  });
  const modules = Object.values(metafile.inputs)
    .flatMap((input) => input.imports.map(({ path }) => path))
    .filter((path) => path.startsWith('node:'));
  const code = outputFiles.map(({ text }) => text).join('');
  const globals = nodeGlobals.filter((name) => code.includes(`${mark}${name}`));
  return [...new Set([...modules, ...globals])].sort();
}
