// Declarations as TypeScript users read them: three compilers, three ways to resolve modules, every declaration checked,
// no driver installed.
import assert from 'node:assert/strict';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportsOf, library } from '../entry-points.mjs';
import { unexportedTypes } from './public-types.mjs';
import { succeed } from './run.mjs';
import { typescripts } from './tools.mjs';

const compilers = { ts54: 'TypeScript 5.4', ts59: 'TypeScript 5.9', ts7: 'TypeScript 7' };
const modules = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

async function typed(projects) {
  const { folder } = await projects.installed(24);
  const tools = await typescripts();
  const types = join(folder, 'node_modules', '@types');
  try {
    symlinkSync(join(tools, '@types'), types);
    // Types of Node need a package of their own.
    cpSync(join(tools, 'undici-types'), join(folder, 'node_modules', 'undici-types'), { recursive: true });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  return { folder, tools };
}

const byCompiler = Object.entries(compilers).map(([alias, name]) => ({
  name: `${name} reads the declarations: ${Object.keys(modules).join(', ')}`,
  run: async (projects) => {
    const { folder, tools } = await typed(projects);
    for (const [way, options] of Object.entries(modules)) {
      const config = `tsconfig.${alias}.${way}.json`;
      writeFileSync(
        join(folder, config),
        JSON.stringify({
          compilerOptions: {
            ...options,
            target: 'es2022',
            lib: ['es2023', 'esnext.disposable'],
            types: ['node'],
            strict: true,
            exactOptionalPropertyTypes: true,
            skipLibCheck: false,
            noEmit: true,
          },
          files: [way === 'bundler' ? 'types.ts' : 'types.mts'],
        }),
      );
      cpSync(join(folder, 'types.ts'), join(folder, 'types.mts'));
      await succeed(process.execPath, [join(tools, alias, 'bin', 'tsc'), '-p', config], { cwd: folder });
    }
  },
}));

const publicTypes = {
  name: 'every type that a public signature mentions is exported',
  run: async (projects) => {
    const { folder, tools } = await typed(projects);
    const entries = Object.values(exportsOf(library)).flatMap(({ types }) =>
      types === undefined ? [] : [types],
    );
    const place = join(folder, 'node_modules', 'carillon');
    assert.deepEqual(unexportedTypes(tools, place, entries), []);
  },
};

export const typeChecks = [...byCompiler, publicTypes];
