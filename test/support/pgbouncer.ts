/** A real PgBouncer in front of a PostgreSQL of the tests, which hands out connections per transaction. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Missing, userToRunAs } from './postgres-server.ts';
import { findOnPath, freePort, isProgram } from './programs.ts';
import { until } from './until.ts';

export interface Pooler {
  /** The same database as this URL of the server, through the pooler. */
  urlOf(server: string): string;
  stop(): Promise<void>;
}

/** Debian installs it where only root looks. */
const besides = '/usr/sbin/pgbouncer';

export async function startPooler(server: string): Promise<Pooler | Missing> {
  if (process.env.CARILLON_TEST_WITHOUT_PGBOUNCER === '1')
    return { missing: 'CARILLON_TEST_WITHOUT_PGBOUNCER is set' };
  const named = process.env.CARILLON_TEST_PGBOUNCER;
  const program = named ?? findOnPath(['pgbouncer']) ?? (isProgram(besides) ? besides : undefined);
  if (program === undefined) return { missing: `neither pgbouncer on PATH nor ${besides}` };
  const { hostname, port: behind } = new URL(server);
  const home = mkdtempSync(join(tmpdir(), 'carillon-pgbouncer-'));
  const user = userToRunAs();
  if (user !== undefined) chownSync(home, user.uid, user.gid);
  const port = await freePort();
  const settings = join(home, 'pgbouncer.ini');
  const log = join(home, 'log');
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${behind} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
logfile = ${log}
`,
  );
  const child = spawn(program, [settings], { ...user, cwd: home, stdio: 'ignore' });
  const exit = once(child, 'exit');
  const urlOf = (url: string) => {
    const own = new URL(url);
    own.port = String(port);
    return own.href;
  };
  const stop = async () => {
    child.kill('SIGKILL');
    await exit;
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await until(
      () => answers(urlOf(server)),
      (isThere) => {
        if (child.exitCode !== null)
          throw new Error(`pgbouncer ended: ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`);
        return isThere;
      },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { urlOf, stop };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
