/** Who owns a SQLite file, with real processes: locks lost by copies, owners that stand still, files that vanish. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { openDatabase } from '../../packages/carillon/src/store/sqlite/driver.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/index.ts';
import { turnsOf } from '../support/turns.ts';
import { type OwnerProcess, startOwner } from './owner-process.ts';
import { anExecution, write } from './store-fixture.ts';

const clock = new SystemClock();
let folder: string;
let path: string;
let started: OwnerProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-owner-'));
  path = join(folder, 'data', 'store.db');
  mkdirSync(join(folder, 'data'));
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((each) => each.kill()));
  rmSync(folder, { recursive: true, force: true });
});

function start(host?: string): OwnerProcess {
  const owner = startOwner(path, host);
  started.push(owner);
  return owner;
}

async function owning(host?: string): Promise<OwnerProcess> {
  const owner = start(host);
  await owner.hear(/^open/);
  return owner;
}

function integrity(): unknown {
  const database = openDatabase(path);
  try {
    return database.prepare('pragma integrity_check').all();
  } finally {
    database.close();
  }
}

describe('a copy made by the owner', () => {
  it('of the database lets no second process in', async () => {
    const owner = await owning();
    owner.tell(`copy ${path} ${join(folder, 'copy.db')}`);
    await owner.hear(/copied/);
    expect(await start().hear(/./)).toMatch(new RegExp(`in use by the process with pid ${owner.pid} `));
    owner.tell('commit');
    await owner.hear(/^ack/);
  });

  it.each([0, 200, 900])('of the whole folder lets none in %i ms later', async (afterMs) => {
    const owner = await owning();
    owner.tell('commits');
    await owner.hear(/committing/);
    owner.tell(`copy ${join(folder, 'data')} ${join(folder, 'copy')}`);
    await owner.hear(/copied/);
    await pause(afterMs);
    // In this process, because starting another takes longer than the gap that is tried here.
    expect(() => new SqliteStore({ path, clock })).toThrow(/in use by the process with pid/);
    await owner.kill();
    expect(integrity()).toEqual([['ok']]);
  });

  it('lets none in from a machine that cannot see the process, because the heartbeat shows', async () => {
    const owner = await owning();
    owner.tell(`copy ${join(folder, 'data')} ${join(folder, 'copy')}`);
    await owner.hear(/copied/);
    const other = new SqliteStore({ path, clock, host: 'elsewhere' });
    await expect(other.migrate()).rejects.toMatchObject({
      trouble: 'unavailable',
      reason: 'IN_USE',
      message: expect.stringContaining(`pid ${owner.pid}`),
    });
    await other.close();
    // The owner's renewal met the lock of the opener meanwhile, and outlived it.
    await pause(1500);
    owner.tell('commit');
    await owner.hear(/^ack/);
  });
});

describe('an owner that stands still', () => {
  it('is replaced from elsewhere and stops at its first batch, before it writes', async () => {
    const owner = await owning('here');
    owner.tell('commit');
    await owner.hear(/^ack/);
    owner.tell(`copy ${join(folder, 'data')} ${join(folder, 'copy')}`);
    await owner.hear(/copied/);
    owner.signal('SIGSTOP');
    const next = start('elsewhere');
    await next.hear(/^open/);
    next.tell('commit');
    await next.hear(/^ack/);
    owner.tell('commit');
    owner.signal('SIGCONT');
    expect(await owner.hear(/^refused|ack/)).toBe('refused unavailable OWNER_LOST');
    await owner.hear(/^lost OWNER_LOST/);
    next.tell('commit');
    await next.hear(/^ack/);
    next.tell('close');
    await next.hear(/^closed/);
    expect(integrity()).toEqual([['ok']]);
    const store = new SqliteStore({ path, clock });
    await store.migrate();
    expect((await store.list({ limit: 9 })).items.map(({ state }) => state)).toEqual(['{"n":3}']);
    await store.close();
  });
});

describe('a file that vanishes', () => {
  it('by unlinking is noticed by an idle store, which answers nothing from then on', async () => {
    const owner = await owning();
    owner.tell('commit');
    await owner.hear(/^ack/);
    rmSync(path);
    await owner.hear(/^lost FILE_UNLINKED/);
    owner.tell('commit');
    expect(await owner.hear(/^refused|^ack/)).toBe('refused unavailable FILE_UNLINKED');
  });

  it('by unlinking ends the batch under way before it is acknowledged', async () => {
    const store = new SqliteStore({ path, clock });
    await store.migrate();
    rmSync(path);
    await expect(write(store, { executions: [anExecution()] })).rejects.toMatchObject({
      reason: 'FILE_UNLINKED',
      message: expect.stringContaining(path),
    });
    await expect(store.count({})).rejects.toMatchObject({ trouble: 'unavailable' });
    await store.close();
  });

  it.each(['renamed over', 'restored from an older copy'])('by being %s is noticed', async (how) => {
    const store = new SqliteStore({ path, clock });
    await store.migrate();
    await write(store, { executions: [anExecution()] });
    await store.close();
    copyFileSync(path, join(folder, 'older.db'));
    const again = new SqliteStore({ path, clock });
    const events: string[] = [];
    again.watch((event) => events.push(event.kind));
    await again.migrate();
    if (how === 'renamed over') renameSync(join(folder, 'older.db'), path);
    else {
      rmSync(path);
      copyFileSync(join(folder, 'older.db'), path);
    }
    for (let n = 0; n < 2; n++) {
      await expect(write(again, { executions: [anExecution({ id: 'two' })] })).rejects.toMatchObject({
        reason: 'FILE_REPLACED',
      });
    }
    expect(events).toEqual(['lost']);
    await again.close();
    expect(integrity()).toEqual([['ok']]);
  });

  it('leaves the lock file to be made again when only that was removed', async () => {
    const owner = await owning();
    rmSync(`${path}-owner`);
    while (!existsSync(`${path}-owner`) || statSync(`${path}-owner`).size === 0) await pause(50);
    expect(await start().hear(/./)).toMatch(/in use by the process with pid/);
    owner.tell('commit');
    await owner.hear(/^ack/);
  });
});

describe('a start', () => {
  it('after kill -9 is at once', async () => {
    const owner = await owning();
    owner.tell('commits');
    await owner.hear(/committing/);
    await owner.kill();
    const store = new SqliteStore({ path, clock });
    const migrated = store.migrate();
    // Watching for a heartbeat would wait for fifty timers.
    expect(await turnsOf(migrated)).toBeLessThan(20);
    await migrated;
    expect(await store.count({})).toBe(1);
    await store.close();
  });

  it('makes files that only their owner may read', async () => {
    const store = new SqliteStore({ path, clock });
    await store.migrate();
    await write(store, { executions: [anExecution()] });
    for (const name of readdirSync(join(folder, 'data'))) {
      expect((statSync(join(folder, 'data', name)).mode & 0o777).toString(8), name).toBe('600');
    }
    await store.close();
  });

  it('lets readers of other processes look at the file beside it', async () => {
    const owner = await owning();
    owner.tell('commit');
    await owner.hear(/^ack/);
    const reader = openDatabase(path);
    reader.exec('begin');
    expect(reader.prepare('select count(*) from executions').all()).toEqual([[1]]);
    owner.tell('commit');
    await owner.hear(/^ack/);
    reader.exec('commit');
    reader.close();
  });

  it('waits for another program that writes the file, and commits after it', async () => {
    const store = new SqliteStore({ path, clock });
    await store.migrate();
    const writer = openDatabase(path);
    writer.exec('begin immediate');
    let isCommitted = false;
    const committing = write(store, { executions: [anExecution()] }).then(() => {
      isCommitted = true;
    });
    await pause(100);
    expect(isCommitted).toBe(false);
    writer.exec('commit');
    writer.close();
    await committing;
    expect(await store.count({})).toBe(1);
    await store.close();
  });

  it('without shared memory opens the file for itself alone, and says so', async () => {
    // A folder at the place of the index: SQLite cannot make it.
    mkdirSync(`${path}-shm`);
    const warnings: string[] = [];
    const store = new SqliteStore({ path, clock, warn: (message) => warnings.push(message) });
    await store.migrate();
    await write(store, { executions: [anExecution()] });
    expect(warnings).toEqual([expect.stringContaining('no shared memory')]);
    expect(await store.count({})).toBe(1);
    await store.close();
  });
});
