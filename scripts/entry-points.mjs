// The published entry points and the source file of each. Aliases of the tests, `paths` of tsconfig.json and `exports` of
// the packages are all derived from, or compared with, this one table (test/architecture/packages.test.ts).

/** Entry points of `carillon`: subpath → source below packages/carillon/src. */
export const library = {
  '.': 'main.ts',
  './spec': 'spec/index.ts',
  './doctor': 'doctor/index.ts',
  './engine': 'engine/index.ts',
  './store': 'store/index.ts',
  './store/memory': 'store/memory/index.ts',
  './store/sqlite': 'store/sqlite/index.ts',
  './store/postgres': 'store/postgres/index.ts',
  './store/redis': 'store/redis/index.ts',
  './periodic': 'periodic/index.ts',
  './lock': 'lock/index.ts',
  './host': 'embed/host.ts',
  './client': 'client/index.ts',
  './testing': 'testing/index.ts',
};

/** What `@carillon/server` of the same version needs besides; not documented, no promises. */
export const internal = Object.fromEntries(
  ['action', 'archetype', 'base', 'cli', 'client', 'embed', 'metrics', 'service', 'spec', 'tracing'].map(
    (name) => [`./internal/${name}`, `internal/${name}.ts`],
  ),
);

/** Entry points of `@carillon/server`: subpath → source below packages/server/src. */
export const server = {
  '.': 'server/index.ts',
  './cli': 'cli/index.ts',
};

const named = (name, folder, entries) =>
  Object.entries(entries).map(([subpath, file]) => [
    `${name}${subpath.slice(1)}`,
    `packages/${folder}/src/${file}`,
  ]);

/** Import name → source file from the root of the repository. */
export const sources = Object.fromEntries([
  ...named('carillon', 'carillon', { ...library, ...internal }),
  ...named('@carillon/server', 'server', server),
]);

/** The `exports` of a package with these entry points. */
export const exportsOf = (entries) => ({
  ...Object.fromEntries(
    Object.entries(entries).map(([subpath, file]) => {
      const built = `./dist/${file.replace(/\.ts$/, '')}`;
      return [subpath, { types: `${built}.d.ts`, default: `${built}.js` }];
    }),
  ),
  './package.json': './package.json',
});
