/** The packages fit together: entry points, versions, assets, and what the server takes from the library. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { exportsOf, internal, library, server, sources } from '../../scripts/entry-points.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly version: string;
  readonly exports: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as Manifest;

const carillon = manifestOf('carillon');
const serverPackage = manifestOf('server');
const sqlite = manifestOf('sqlite-node20');

describe('entry points', () => {
  test('exports of the packages are those of the table', () => {
    expect(carillon.exports).toEqual(exportsOf({ ...library, ...internal }));
    expect(serverPackage.exports).toEqual(exportsOf(server));
  });

  test('paths of tsconfig.json are those of the table', () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
      readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
    };
    const paths = Object.fromEntries(Object.entries(sources).map(([name, file]) => [name, [`./${file}`]]));
    expect(compilerOptions.paths).toEqual(paths);
  });

  test('a file is called index.ts only where it is one', () => {
    const entries = new Set(Object.values(sources));
    const found = ['carillon', 'server'].flatMap((name) =>
      readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((file) => basename(file) === 'index.ts')
        .map((file) => `packages/${name}/src/${file}`),
    );
    expect(found.filter((file) => !entries.has(file))).toEqual([]);
    expect(found.length).toBeGreaterThan(5);
  });

  test('files made from SQL, Lua and versions are up to date', () => {
    const checked = spawnSync(process.execPath, [join(root, 'scripts/embed-assets.mjs'), '--check'], {
      encoding: 'utf8',
    });
    expect(checked.stderr).toBe('');
    expect(checked.status).toBe(0);
  });
});

describe('versions', () => {
  test('all packages have the same, and name each other exactly', () => {
    const { version } = carillon;
    expect(serverPackage.version).toBe(version);
    expect(sqlite.version).toBe(version);
    expect(serverPackage.dependencies.carillon).toBe(version);
    expect(carillon.optionalDependencies).toEqual({ '@carillon/sqlite-node20': version });
  });

  test('nothing of ours runs when a user installs', () => {
    for (const { scripts = {} } of [carillon, serverPackage, sqlite]) {
      expect(Object.keys(scripts).filter((name) => name !== 'prepack')).toEqual([]);
    }
  });

  test('neither lock file nor manifests name a registry', () => {
    const files = ['package-lock.json', 'package.json', ...packageFiles()];
    const naming = files.filter((file) =>
      /"(resolved|tarball|registry)": "https?:/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(naming).toEqual([]);
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toContain('omit-lockfile-registry-resolved=true');
  });
});

describe('what a package imports', () => {
  test.each([
    ['carillon', carillon],
    ['server', serverPackage],
  ] as const)('%s declares every package that its sources import', (folder, manifest) => {
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    const declared = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    expect(importedBy(folder).filter((name) => !declared.includes(name))).toEqual([]);
  });
});

/** The packages that the sources of one package import as values; type imports are erased. */
function importedBy(folder: string): readonly string[] {
  const sources = join(root, 'packages', folder, 'src');
  const found = new Set<string>();
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const text = readFileSync(join(sources, file), 'utf8');
    for (const [, name] of text.matchAll(
      /^(?:import|export) (?!type\b)[^;]*?from '((?:@[\w-]+\/)?[\w-]+)[^']*';/gm,
    )) {
      if (name !== undefined && name !== 'node') found.add(name);
    }
  }
  return [...found].sort();
}

function packageFiles(): readonly string[] {
  return readdirSync(join(root, 'packages')).map((folder) => `packages/${folder}/package.json`);
}

describe('what the server takes from carillon/internal', () => {
  const taken = takenByServer();

  test.each(Object.entries(internal))('%s exports what is taken, and nothing else', (subpath, file) => {
    const exported = exportedNames(readFileSync(join(root, 'packages/carillon/src', file), 'utf8'));
    const used = taken.get(`carillon${subpath.slice(1)}`) ?? new Set();
    expect([...used].filter((name) => !exported.has(name)).sort()).toEqual([]);
    expect([...exported].filter((name) => !used.has(name)).sort()).toEqual([]);
  });

  test('only entry points of the table are named', () => {
    const unknown = [...taken.keys()].filter((name) => sources[name] === undefined);
    expect(unknown).toEqual([]);
  });
});

/** By entry point: the names that the server, its bin included, imports from it. */
function takenByServer(): ReadonlyMap<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const folder = join(root, 'packages/server/src');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    const statics = text.matchAll(
      /(?:import|export) (?:type )?\{([^}]*)\} from '(carillon\/internal\/[^']+)'/g,
    );
    const dynamics = text.matchAll(/\{([^{}]*)\} =\s+await import\('(carillon\/internal\/[^']+)'\)/g);
    const members = text.matchAll(/\(await import\('(carillon\/internal\/[^']+)'\)\)\.(\w+)/g);
    for (const [, names = '', entry = ''] of [...statics, ...dynamics]) note(found, entry, namesOf(names));
    for (const [, entry = '', name = ''] of members) note(found, entry, [name]);
    const whole = /import \* as \w+ from '(carillon\/internal[^']*)'/.exec(text);
    if (whole !== null)
      throw new Error(`${relative(root, file)} takes all of ${whole[1]}: name what it needs`);
  }
  return found;
}

function note(found: Map<string, Set<string>>, entry: string, names: readonly string[]): void {
  const known = found.get(entry) ?? new Set();
  for (const name of names) known.add(name);
  found.set(entry, known);
}

function exportedNames(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) => namesOf(names)),
  );
}

/** `type A, b as c, d: e`: the names on the side of the library. */
function namesOf(list: string): readonly string[] {
  return list
    .split(',')
    .map(
      (each) =>
        each
          .trim()
          .replace(/^type /, '')
          .split(/ as |:/)[0]
          ?.trim() ?? '',
    )
    .filter((name) => name !== '');
}
