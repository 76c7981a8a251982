// Which folder imports which, read from the sources. As a program it prints the graph as a table for the docs:
//   node scripts/import-graph.mjs [repository]
// The architecture test compares the same edges with what the design grants.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutComments } from './without-comments.mjs';

/** Folders whose sub-folders are parts of their own: one door must not know another, one store no other store. */
const split = new Set(['door', 'store']);

/** @param {string} repository */
function packagesOf(repository) {
  const packages = join(repository, 'packages');
  // Before the workspace there was one package at the root.
  if (!existsSync(packages)) return [{ name: 'carillon', source: join(repository, 'src') }];
  return readdirSync(packages)
    .map((name) => ({ name, source: join(packages, name, 'src') }))
    .filter(({ source }) => existsSync(source));
}

/** The source files of all packages, without tests: `name` is `package/path/file.ts`, `part` the folder in the graph. */
export function sourceFiles(repository) {
  return packagesOf(repository).flatMap(({ name: packageName, source }) =>
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .sort()
      .map((path) => ({
        file: join(source, path),
        name: `${packageName}/${path.split(sep).join('/')}`,
        package: packageName,
        part: partOf(path),
      })),
  );
}

/** The part of the graph that a path below `src` belongs to: its folder, or the file itself at the top. */
function partOf(path) {
  const [first = '', second, third] = path.split(sep);
  if (second === undefined) return first.replace(/\.ts$/, '');
  return split.has(first) && third !== undefined ? `${first}/${second}` : first;
}

/**
 * The imports of a text: statements, re-exports, `import()` calls and `import()` types; none of those in comments.
 * `import { type A } from` keeps its module at runtime (verbatimModuleSyntax), so it counts as a runtime import.
 */
export function importsOf(text) {
  const code = withoutComments(text);
  const statements = [
    ...code.matchAll(/^\s*(?:import|export)\b(\s+type\b)?[^'";]*?\bfrom\s*['"]([^'"]+)['"]/gm),
  ];
  const bare = [...code.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm)];
  // A module as a type is `typeof import(…)` or `import(…).Name`; every other call loads the module.
  const calls = [...code.matchAll(/(\btypeof\s+)?\bimport\(\s*['"`]([^'"`]+)['"`]\s*\)(\.[A-Z])?/g)];
  return [
    ...statements.map(([, type, target]) => ({ target, typeOnly: type !== undefined })),
    ...bare.map(([, target]) => ({ target, typeOnly: false })),
    ...calls.map(([, before, target, member]) => ({
      target,
      typeOnly: before !== undefined || member !== undefined,
    })),
  ];
}

/** The part that an import leads to, or undefined outside this repository. Entry points of packages are parts as named. */
function targetPart(file, target) {
  if (/^(?:@carillon\/server|carillon)(?:\/|$)/.test(target)) return target;
  if (!target.startsWith('.')) return undefined;
  const path = resolve(dirname(file.file), target);
  const source = file.file.slice(0, file.file.length - file.name.length + file.package.length);
  return partOf(relative(source, path));
}

/** Every import that crosses from one part to another: `{ package, name, from, to, typeOnly }` with the importing file's name. */
export function crossings(repository) {
  return sourceFiles(repository).flatMap((file) =>
    importsOf(readFileSync(file.file, 'utf8')).flatMap(({ target, typeOnly }) => {
      const to = targetPart(file, target);
      return to === undefined || to === file.part
        ? []
        : [{ package: file.package, name: file.name, from: file.part, to, typeOnly }];
    }),
  );
}

function print(repository) {
  const found = crossings(repository);
  const parts = new Map(sourceFiles(repository).map((file) => [`${file.package} ${file.part}`, file]));
  console.log('| Package | Folder | At runtime (imports) | Types only (imports) |\n|---|---|---|---|');
  for (const { package: packageName, part } of [...parts.values()]) {
    const row = new Map();
    for (const { package: owner, from, to, typeOnly } of found) {
      if (owner !== packageName || from !== part) continue;
      const { count, isRuntime } = row.get(to) ?? { count: 0, isRuntime: false };
      row.set(to, { count: count + 1, isRuntime: isRuntime || !typeOnly });
    }
    const edges = [...row].sort(([a], [b]) => (a < b ? -1 : 1));
    const list = (isRuntime) =>
      edges
        .filter(([, edge]) => edge.isRuntime === isRuntime)
        .map(([to, edge]) => `${to} ${edge.count}`)
        .join(', ') || '–';
    console.log(`| ${packageName} | ${part} | ${list(true)} | ${list(false)} |`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  print(resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url))));
}
