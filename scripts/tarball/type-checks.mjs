// Declarations as TypeScript users read them: three compilers, three ways to resolve modules, every declaration checked,
// no driver installed; the same for the server package, and for code that takes both by `require`.
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportsOf, library, server } from '../entry-points.mjs';
import { unexportedTypes } from './public-types.mjs';
import { run, succeed } from './run.mjs';
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

/** Writes a configuration for one file; returns its name. */
function configure(folder, name, options, file) {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'esnext.disposable'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    ...options,
  };
  writeFileSync(join(folder, name), JSON.stringify({ compilerOptions, files: [file] }));
  return name;
}

const byCompiler = Object.entries(compilers).map(([alias, name]) => ({
  name: `${name} reads the declarations: ${Object.keys(modules).join(', ')}`,
  run: async (projects) => {
    const { folder, tools } = await typed(projects);
    for (const [way, options] of Object.entries(modules)) {
      const file = way === 'bundler' ? 'types.ts' : 'types.mts';
      const config = configure(
        folder,
        `tsconfig.${alias}.${way}.json`,
        { ...options, skipLibCheck: false },
        file,
      );
      cpSync(join(folder, 'types.ts'), join(folder, 'types.mts'));
      await succeed(process.execPath, [join(tools, alias, 'bin', 'tsc'), '-p', config], { cwd: folder });
    }
  },
}));

const wrong = fileURLToPath(new URL('./wrong/inputs.ts', import.meta.url));

/** The errors that a file announces with a caret below each wrong line, as `line:column code`. */
function announced(text) {
  return text.split('\n').flatMap((line, at) => {
    const caret = /^ *\/\/ +(?=\^ (TS\d+)$)/.exec(line);
    return caret === null ? [] : [`${at}:${caret[0].length + 1} ${caret[1]}`];
  });
}

/** The first error of each place that a compiler reported. */
function reported(stdout) {
  return [...stdout.matchAll(/^[^\s(]+\((\d+),(\d+)\): error (TS\d+)/gm)].map(
    ([, line, column, code]) => `${line}:${column} ${code}`,
  );
}

const wrongInputs = Object.entries(compilers).map(([alias, name]) => ({
  name: `${name} reports a wrong input where it was written`,
  run: async (projects) => {
    const { folder, tools } = await typed(projects);
    cpSync(wrong, join(folder, 'wrong.mts'));
    const options = { ...modules.nodenext, skipLibCheck: true };
    const config = configure(folder, `tsconfig.${alias}.wrong.json`, options, 'wrong.mts');
    const tsc = join(tools, alias, 'bin', 'tsc');
    const said = await run(process.execPath, [tsc, '-p', config, '--pretty', 'false'], { cwd: folder });
    const expected = announced(readFileSync(wrong, 'utf8'));
    assert.ok(expected.length > 10, 'carets are found in the file');
    assert.deepEqual(reported(said.stdout), expected, said.stdout);
  },
}));

/** The library is read where nothing else is; what the server needs for its types comes with it, but for those of Node. */
const withServer = ['carillon', '@carillon/server', '@types/node@20'];

const ofServer = Object.entries(compilers).map(([alias, name]) => ({
  name: `${name} reads the declarations of the server: ${Object.keys(modules).join(', ')}`,
  run: async (projects) => {
    const { folder } = await projects.installed(24, withServer);
    const tools = await typescripts();
    for (const [way, options] of Object.entries(modules)) {
      const file = way === 'bundler' ? 'server-types.ts' : 'server-types.mts';
      const config = configure(
        folder,
        `tsconfig.${alias}.${way}.json`,
        { ...options, skipLibCheck: false },
        file,
      );
      cpSync(join(folder, 'server-types.ts'), join(folder, 'server-types.mts'));
      await succeed(process.execPath, [join(tools, alias, 'bin', 'tsc'), '-p', config], { cwd: folder });
    }
  },
}));

const required = `
import library = require('carillon');
import server = require('@carillon/server');
export const open: (url: string) => Promise<library.Carillon> = library.openCarillon;
export const start: (options: server.ServerOptions) => Promise<server.Server> = server.startServer;
`;

/** Older compilers, and the module setting node16, do not let CommonJS take an ES module. */
const byRequire = ['ts59', 'ts7'].map((alias) => ({
  name: `${compilers[alias]} reads both packages taken by require`,
  run: async (projects) => {
    const { folder } = await projects.installed(24, withServer);
    const tools = await typescripts();
    writeFileSync(join(folder, 'required.cts'), required);
    const options = { ...modules.nodenext, skipLibCheck: true };
    const config = configure(folder, `tsconfig.${alias}.required.json`, options, 'required.cts');
    await succeed(process.execPath, [join(tools, alias, 'bin', 'tsc'), '-p', config], { cwd: folder });
  },
}));

const publicTypes = [
  ['carillon', library],
  ['@carillon/server', server],
].map(([name, entryPoints]) => ({
  name: `every type that a public signature of ${name} mentions is exported`,
  run: async (projects) => {
    const { folder } = await projects.installed(24, withServer);
    const entries = Object.values(exportsOf(entryPoints)).flatMap(({ types }) =>
      types === undefined ? [] : [types],
    );
    const place = join(folder, 'node_modules', name);
    assert.ok(existsSync(place));
    assert.deepEqual(unexportedTypes(await typescripts(), place, entries), []);
  },
}));

export const typeChecks = [...byCompiler, ...ofServer, ...byRequire, ...wrongInputs, ...publicTypes];
