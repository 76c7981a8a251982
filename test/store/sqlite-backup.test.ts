/** Backups of a SQLite store in use: consistent, bounded, and never mistaken for something else. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { copyInOneGo } from '../../packages/carillon/src/store/sqlite/backup.ts';
import { openDatabase } from '../../packages/carillon/src/store/sqlite/driver.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/index.ts';
import { startServer } from '../../packages/server/src/server/server.ts';
import { runProgram } from '../cli/program.ts';
import { aKey, anExecution, nextOf, write } from './store-fixture.ts';

const clock = new SystemClock();
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-backup-'));
  path = join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function open(): Promise<SqliteStore> {
  const store = new SqliteStore({ path, clock, durability: 'fast' });
  await store.migrate();
  return store;
}

describe('a copy made while commits go on', () => {
  it('is the state at one moment, and its progress ends at the whole', async () => {
    const store = await open();
    // Pairs that every commit changes together: a torn copy would hold two different numbers.
    const filler = 'x'.repeat(4000);
    const names = Array.from({ length: 500 }, (_, n) => `filler-${n}`);
    await write(store, { executions: names.map((id) => anExecution({ id, state: JSON.stringify(filler) })) });
    await write(store, {
      executions: ['left', 'right'].map((id) => anExecution({ id, state: '0' })),
    });
    let isDone = false;
    let commits = 0;
    const committing = (async () => {
      while (!isDone) {
        commits++;
        await store.transact<void>(
          { kind: 'keys', keys: [aKey('left'), aKey('right')] },
          {
            decide: ({ executions }) => ({
              writes: { executions: executions.map((row) => nextOf(row, { state: String(commits) })) },
              result: undefined,
            }),
          },
        );
      }
    })();
    const seen: (readonly [number, number])[] = [];
    const copy = join(folder, 'copy.db');
    const report = await store.backups.copyTo(copy, (done, total) => seen.push([done, total]));
    isDone = true;
    await committing;
    await store.close();
    expect(report).toEqual({ path: copy, bytes: statSync(copy).size });
    expect(commits).toBeGreaterThan(0);
    const [done, total] = seen.at(-1) as readonly [number, number];
    expect(total).toBeGreaterThan(500);
    expect(done).toBeGreaterThan(total - 101);
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
    expect((statSync(copy).mode & 0o777).toString(8)).toBe('600');
    const database = openDatabase(copy);
    expect(database.prepare('pragma integrity_check').all()).toEqual([['ok']]);
    expect(database.prepare("select value from meta where name = 'owner'").all()).toEqual([['']]);
    const pair = database
      .prepare("select state from executions where id in ('left', 'right')")
      .all()
      .map(([state]) => state);
    expect(pair).toHaveLength(2);
    expect(pair[0]).toBe(pair[1]);
    expect(database.prepare('select count(*) from executions').all()).toEqual([[502]]);
    database.close();
    const restored = new SqliteStore({ path: copy, clock });
    await restored.migrate();
    expect(await restored.count({})).toBe(502);
    await restored.close();
  });

  it('is refused where something is already, and leaves nothing behind', async () => {
    const store = await open();
    const there = join(folder, 'there.db');
    writeFileSync(there, 'precious');
    const none = () => {};
    await expect(store.backups.copyTo(there, none)).rejects.toMatchObject({ reason: 'BACKUP_EXISTS' });
    await expect(store.backups.copyTo(path, none)).rejects.toMatchObject({ reason: 'BACKUP_EXISTS' });
    await expect(store.backups.copyTo(`${path}-wal2-wal`, none)).rejects.toMatchObject({
      reason: 'BAD_BACKUP_NAME',
    });
    await expect(store.backups.copyTo(join(folder, 'no', 'where.db'), none)).rejects.toMatchObject({
      reason: 'NO_FOLDER',
    });
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    await store.close();
  });
});

describe('a copy where Node has none in steps', () => {
  it('is made by a thread, private and whole', async () => {
    const store = await open();
    await write(store, { executions: [anExecution()] });
    const copy = join(folder, 'copy.db');
    writeFileSync(copy, '');
    const seen: (readonly [number, number])[] = [];
    await copyInOneGo(path, copy, { progress: (done, total) => seen.push([done, total]) });
    await store.close();
    expect(seen).toEqual([[1, 1]]);
    expect((statSync(copy).mode & 0o777).toString(8)).toBe('600');
    const database = openDatabase(copy);
    expect(database.prepare('select count(*) from executions').all()).toEqual([[1]]);
    database.close();
  });
});

describe('the main file', () => {
  it('has every commit after five seconds without one', async () => {
    const store = await open();
    await write(store, { executions: [anExecution()] });
    const copy = join(folder, 'alone.db');
    // By another process's eyes: only the main file, without the log.
    const rows = () => {
      rmSync(copy, { force: true });
      writeFileSync(copy, readMain());
      const database = openDatabase(copy);
      try {
        return database.prepare('select count(*) from executions').all()[0]?.[0];
      } catch {
        return 'no table';
      } finally {
        database.close();
      }
    };
    // The owner's renewal makes up for the locks that this reading drops.
    const readMain = () => readFileSync(path);
    await expect.poll(rows, { interval: 500 }).toBe(1);
    await store.close();
  });
});

describe('carillon backup', () => {
  async function carillon(...words: readonly string[]) {
    let stdout = '';
    let stderr = '';
    const code = await runProgram(words, {
      now: clock.now(),
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
      colors: { stdout: false, stderr: false },
      env: {},
    });
    return { code, stdout, stderr };
  }

  it('asks a server for a copy below its folder, and only there', async () => {
    const server = await startServer({ carillon: await openCarillon(`sqlite:${path}`), port: 0 });
    try {
      const made = await carillon('backup', 'online.db', '--server', server.url);
      expect(made.stderr).toBe('');
      expect(made.stdout).toMatch(/^Backed up to .*online\.db, \d+ bytes\.\n$/);
      expect(existsSync(join(folder, 'online.db'))).toBe(true);
      symlinkSync(tmpdir(), join(folder, 'out'));
      for (const where of ['../out.db', '/tmp/out.db', 'out/out.db', 'nowhere/out.db']) {
        const refused = await carillon('backup', where, '--server', server.url);
        expect(refused.code, where).toBe(2);
        expect(refused.stderr).toContain('is not below the folder of the store');
      }
      const again = await carillon('backup', 'online.db', '--server', server.url);
      expect(again.code).toBe(1);
      expect(again.stderr).toContain('is there already');
      const inUse = await carillon('backup', join(folder, 'x.db'), '--db', path);
      expect(inUse.code).toBe(1);
      expect(inUse.stderr).toContain('is in use by');
    } finally {
      await server.stop();
    }
  });

  it('copies a file that no process has open', async () => {
    const first = await openCarillon(`sqlite:${path}`);
    await first.schedules.upsert('nightly', { cron: '0 2 * * *', run: 'report' });
    await first.stop();
    const made = await carillon('backup', join(folder, 'offline.db'), '--db', path, '--json');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(made.stdout)).toEqual({ path: join(folder, 'offline.db'), bytes: expect.any(Number) });
    const copy = await openCarillon(`sqlite:${join(folder, 'offline.db')}`);
    expect((await copy.schedules.describe('nightly')).id).toBe('nightly');
    await copy.stop();
  });

  it('is refused on a store that has nothing to copy', async () => {
    const carillonInMemory = await openCarillon('memory:');
    await expect(carillonInMemory.backup(join(folder, 'x.db'))).rejects.toMatchObject({
      reason: 'BACKUP_BY_DATABASE',
    });
    await carillonInMemory.stop();
  });
});
