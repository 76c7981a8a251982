/**
 * A real Redis for tests. Looked for in this order: the server that `CARILLON_TEST_REDIS` names, a program on PATH
 * (`redis-server`, `valkey-server`, `keydb-server`), Debian's packages unpacked into a cache of this project. A caller
 * that gives settings for the server always gets a server of its own.
 *
 * A server of our own listens on a free port of the loopback and keeps its files in a fresh folder. A small watchdog
 * holds the other end of a pipe: when our end closes, however this process ended, it kills the server and removes the
 * folder.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, describe, test } from 'vitest';
import { findOnPath, freePort } from './programs.ts';
import { watch } from './watchdog.ts';

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Whether it can be restarted: only a server of our own. */
  readonly isOurs: boolean;
  /** Ends the server and starts it again on its files: SIGTERM lets it finish, SIGKILL does not. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisMissing {
  readonly missing: string;
}

export interface RedisServerOptions {
  /** When the server writes to its disk what it acknowledges. Given: a server of our own. */
  readonly appendonly?: 'always' | 'everysec' | 'no';
  /** Further words of the command line, such as `--requirepass secret`. Given: a server of our own. */
  readonly settings?: readonly string[];
}

interface Program {
  readonly path: string;
  readonly libraries?: string;
}

let shared: Promise<RedisServer | RedisMissing> | undefined;

/** The server of this test thread when nothing is asked of it; otherwise one that no other test uses. */
export function startRedis(options?: RedisServerOptions): Promise<RedisServer | RedisMissing> {
  if (options !== undefined) return startOwn(options);
  const given = process.env.CARILLON_TEST_REDIS;
  shared ??= given ? connectTo(given) : startOwn({ appendonly: 'no' });
  return shared;
}

/**
 * A suite on a Redis. Where none can be had, it is one failing test that says what is missing, unless
 * `CARILLON_TEST_WITHOUT_REDIS=1` says that this is known.
 */
export async function describeWithRedis(
  name: string,
  suite: (server: RedisServer) => void,
  options?: RedisServerOptions,
): Promise<void> {
  const server = await startRedis(options);
  if (!('missing' in server)) {
    describe(name, () => {
      suite(server);
      if (options !== undefined) afterAll(() => server.stop());
    });
  } else if (process.env.CARILLON_TEST_WITHOUT_REDIS === '1') {
    console.warn(`skipped without a Redis: ${name} (${server.missing})`);
    describe.skip(name, () => {
      test('needs a Redis', () => {});
    });
  } else {
    describe(name, () => {
      test('has a Redis to run on', () => {
        throw new Error(`no Redis: ${server.missing}; CARILLON_TEST_WITHOUT_REDIS=1 leaves these tests out`);
      });
    });
  }
}

/** A prefix that no other test uses. */
export function freshPrefix(): string {
  return `test-${randomBytes(6).toString('hex')}`;
}

async function connectTo(url: string): Promise<RedisServer | RedisMissing> {
  if (!(await answers(url))) return { missing: 'CARILLON_TEST_REDIS names a server that does not answer' };
  const restart = async () => {
    throw new Error('a server that CARILLON_TEST_REDIS names is not ours to restart');
  };
  return { url, port: Number(new URL(url).port || 6379), isOurs: false, restart, stop: async () => {} };
}

async function startOwn(options: RedisServerOptions): Promise<RedisServer | RedisMissing> {
  const program = programOnPath() ?? (await unpackPackages());
  if ('missing' in program) return program;
  const home = mkdtempSync(join(tmpdir(), 'carillon-redis-'));
  const watchdog = watch(home, ending);
  const port = await freePort();
  const { appendonly = 'no', settings = [] } = options;
  const words = [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', home, '--pidfile', join(home, 'pid')],
    ...['--save', '', '--appendonly', appendonly === 'no' ? 'no' : 'yes', '--daemonize', 'no'],
    ...(appendonly === 'no' ? [] : ['--appendfsync', appendonly]),
    ...settings,
  ];
  const [, password] = / --requirepass (\S+)/.exec(` ${settings.join(' ')}`) ?? [];
  const url = `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`;
  const start = async () => {
    const log = openSync(join(home, 'log'), 'a');
    const child = spawn(program.path, words, {
      stdio: ['ignore', log, log],
      detached: true,
      env: { ...process.env, ...(program.libraries ? { LD_LIBRARY_PATH: program.libraries } : {}) },
    });
    child.unref();
    let isGone = false;
    const gone = new Promise<void>((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', () => resolve());
    }).then(() => {
      isGone = true;
    });
    while (!isGone) {
      if (await answers(url)) return { child, gone };
      await sleep(25);
    }
    throw new Error(readFileSync(join(home, 'log'), 'utf8').slice(-500));
  };
  const stop = async () => {
    watchdog.close();
    await watchdog.gone;
  };
  try {
    let { child, gone } = await start();
    const restart = async (signal: 'SIGTERM' | 'SIGKILL') => {
      child.kill(signal);
      await gone;
      ({ child, gone } = await start());
    };
    return { url, port, isOurs: true, restart, stop };
  } catch (error) {
    await stop();
    return { missing: `${program.path} does not start: ${String(error)}` };
  }
}

function programOnPath(): Program | undefined {
  const path = findOnPath(['redis-server', 'valkey-server', 'keydb-server']);
  return path === undefined ? undefined : { path };
}

const packages = ['redis-server', 'redis-tools', 'libatomic1', 'libjemalloc2', 'liblzf1', 'libsystemd0'];

/** Needs Debian and the network, but no rights: packages are unpacked, not installed. */
async function unpackPackages(): Promise<Program | RedisMissing> {
  const caches = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
  const cache = join(caches, 'carillon-redis');
  if (!existsSync(cache)) {
    mkdirSync(caches, { recursive: true });
    // Several test threads may do this at once: each unpacks for itself, and the first to finish publishes the result for all.
    const work = mkdtempSync(join(caches, 'carillon-redis-'));
    try {
      const run = promisify(execFile);
      await run('apt-get', ['download', ...packages], { cwd: work, timeout: 60_000 });
      for (const file of readdirSync(work).filter((name) => name.endsWith('.deb'))) {
        await run('dpkg-deb', ['-x', file, '.'], { cwd: work, timeout: 60_000 });
      }
      if (!existsSync(cache)) renameSync(work, cache);
    } catch (error) {
      const [reason] = String(error).split('\n');
      if (!existsSync(cache)) {
        return {
          missing: `neither CARILLON_TEST_REDIS nor redis-server, valkey-server or keydb-server on PATH, and Debian's packages cannot be had (${reason})`,
        };
      }
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  const folders = [join(cache, 'usr', 'lib'), join(cache, 'lib')].flatMap((lib) =>
    existsSync(lib) ? readdirSync(lib).map((name) => join(lib, name)) : [],
  );
  return { path: join(cache, 'usr', 'bin', 'redis-server'), libraries: folders.join(delimiter) };
}

/** The time of the server, in milliseconds. */
export async function redisNow(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

/** Whether a server is there that has its data loaded; a refused password is an answer too. */
async function answers(url: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

const ending = `
  pid=$(cat "$1/pid" 2> /dev/null)
  if [ -n "$pid" ]; then
    kill -KILL "$pid" 2> /dev/null
    n=0
    while kill -0 "$pid" 2> /dev/null && [ $n -lt 100 ]; do sleep 0.1; n=$((n + 1)); done
  fi`;
