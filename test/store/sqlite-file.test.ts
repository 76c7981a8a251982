/** What is particular to the SQLite store: who owns the file, what its schema is, how large its log gets. */
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { StoreError } from '../../packages/carillon/src/store/error.ts';
import { Connection } from '../../packages/carillon/src/store/sqlite/connection.ts';
import type { SqlValue } from '../../packages/carillon/src/store/sqlite/driver.ts';
import { openDatabase } from '../../packages/carillon/src/store/sqlite/driver.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/index.ts';
import { loadMigrations, migrate } from '../../packages/carillon/src/store/sqlite/migration.ts';
import { RunPages } from '../../packages/carillon/src/store/sqlite/run-pages.ts';
import { RunRows } from '../../packages/carillon/src/store/sqlite/run-rows.ts';
import type { RunQuery } from '../../packages/carillon/src/store/store.ts';
import { startChild } from './child-process.ts';
import { anExecution, aPart, aRun, aSlot, nextOf, write } from './store-fixture.ts';

const clock = new SystemClock();
const warn = (message: string) => {
  throw new Error(message);
};
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-sqlite-'));
  path = join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('ownership of the file', () => {
  it('is refused to a second store in the same process, until the first is closed', async () => {
    const store = new SqliteStore({ path, clock });
    await store.migrate();
    expect(() => new SqliteStore({ path, clock })).toThrow(
      expect.objectContaining({
        trouble: 'unavailable',
        message: expect.stringContaining(`pid ${process.pid}`),
      }),
    );
    await write(store, { executions: [anExecution()] });
    await store.close();
    const second = new SqliteStore({ path, clock });
    await second.migrate();
    expect(await second.count({})).toBe(1);
    await second.close();
  });

  it('is refused while another process has it, naming file and process, and ends with a kill', async () => {
    const child = startChild('hold', path);
    expect(await child.firstLine).toBe('open');
    expect(() => new SqliteStore({ path, clock })).toThrow(
      expect.objectContaining({
        trouble: 'unavailable',
        message: expect.stringMatching(
          new RegExp(`store\\.db is in use by the process with pid ${child.process.pid} `),
        ),
      }),
    );
    await child.kill();
    const store = new SqliteStore({ path, clock });
    await store.migrate();
    const other = startChild('hold', path);
    expect(await other.firstLine).toContain(`pid ${process.pid}`);
    await other.kill();
    await store.close();
  });

  it('holds before migrate too', async () => {
    const store = new SqliteStore({ path, clock });
    expect(() => new SqliteStore({ path, clock })).toThrow(/in use/);
    await expect(store.count({})).rejects.toMatchObject({ trouble: 'unavailable' });
    await store.close();
  });

  it('leaves one file behind after closing', async () => {
    const store = new SqliteStore({ path, clock });
    await store.migrate();
    await write(store, { executions: [anExecution()] });
    await store.close();
    for (const suffix of ['-wal', '-shm', '-owner']) expect(existsSync(path + suffix)).toBe(false);
  });

  it('says which folder is missing rather than failing later', () => {
    const lost = join(folder, 'absent', 'store.db');
    expect(() => new SqliteStore({ path: lost, clock })).toThrow(
      expect.objectContaining({ trouble: 'unavailable', message: expect.stringContaining(lost) }),
    );
  });
});

describe('migrations', () => {
  const now = instant(1);
  const tamper = (sql: string) => {
    const database = openDatabase(path);
    database.exec(sql);
    database.close();
  };
  const fresh = async () => {
    const store = new SqliteStore({ path, clock });
    await store.migrate();
    await store.close();
  };

  it('are numbered without gaps', () => {
    expect(loadMigrations().map(({ version }) => version)).toEqual(loadMigrations().map((_, i) => i + 1));
  });

  it('apply once, in order, and only what is new', () => {
    const connection = new Connection({ path, durability: 'full', warn });
    const one = { version: 1, name: 'one', sql: 'create table t1 (a)' };
    const two = { version: 2, name: 'two', sql: 'create table t2 (a)' };
    migrate(connection, [one], { now });
    migrate(connection, [one, two], { now });
    migrate(connection, [one, two], { now });
    expect(connection.all('select version, name from migrations')).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
    connection.close();
  });

  it('leave nothing behind when one fails', () => {
    const connection = new Connection({ path, durability: 'full', warn });
    const broken = { version: 1, name: 'broken', sql: 'create table t1 (a); create nonsense' };
    expect(() => migrate(connection, [broken], { now })).toThrow();
    expect(connection.all('select name from sqlite_master')).toEqual([]);
    connection.close();
  });

  it('refuse a file that a newer version wrote', async () => {
    await fresh();
    tamper("insert into migrations values (9999, 'future', 'x', 0)");
    const store = new SqliteStore({ path, clock });
    await expect(store.migrate()).rejects.toMatchObject({
      trouble: 'unavailable',
      message: expect.stringMatching(/newer version of Carillon.*9999/),
    });
    await store.close();
  });

  it('refuse a file whose migrations differ from ours', async () => {
    await fresh();
    tamper("update migrations set checksum = 'other' where version = 1");
    const store = new SqliteStore({ path, clock });
    await expect(store.migrate()).rejects.toMatchObject({ trouble: 'corrupt' });
    await store.close();
  });

  it('refuse a file of another program', async () => {
    tamper('create table invoices (a)');
    const store = new SqliteStore({ path, clock });
    await expect(store.migrate()).rejects.toMatchObject({ message: expect.stringContaining('invoices') });
    await store.close();
  });

  it('refuse what is no database', () => {
    writeFileSync(path, 'Dear diary, '.repeat(1000));
    expect(() => new SqliteStore({ path, clock })).toThrow(expect.objectContaining({ trouble: 'corrupt' }));
  });
});

describe('the file', () => {
  it('keeps everything over closing and opening', async () => {
    const store = new SqliteStore({ path, clock, durability: 'fast' });
    await store.migrate();
    await write(store, { executions: [anExecution()] });
    await store.close();
    const again = new SqliteStore({ path, clock });
    await again.migrate();
    expect((await again.list({ limit: 9 })).items).toMatchObject([anExecution()]);
    await again.close();
  });

  it('that is committed at closing shows nothing before, keeps what a conflict leaves, and is empty after an interruption', async () => {
    const seen = () => {
      const database = openDatabase(path);
      const [row] = database.prepare('select count(*) from executions').all();
      database.close();
      return row?.[0];
    };
    const store = new SqliteStore({ path, clock, durability: 'atClose' });
    await store.migrate();
    await write(store, { executions: [anExecution()] });
    await expect(
      write(store, { executions: [anExecution({ id: 'two' }), anExecution()] }),
    ).rejects.toBeInstanceOf(StoreError);
    expect((await store.list({ limit: 9 })).items).toMatchObject([anExecution()]);
    expect(seen()).toBe(0);
    await store.close();
    expect(seen()).toBe(1);
    const connection = new Connection({ path, durability: 'atClose', warn });
    connection.begin();
    connection.run('delete from executions');
    connection.commit();
    // What is left when the process is killed: the file is closed, without a commit.
    connection.abandon();
    expect(seen()).toBe(1);
  });

  it('holds nothing of executions that were removed or swept', async () => {
    const store = new SqliteStore({ path, clock });
    await store.migrate();
    await write(store, {
      executions: [anExecution({ status: 'closed', closedAt: instant(1) }), anExecution({ id: 'two' })],
      parts: [aPart(), aPart({ incarnation: 'two#1' })],
      slots: [1, 2, 3, 4, 5].flatMap((n) =>
        ['one#1', 'two#1'].map((incarnation) => aSlot({ incarnation, nominal: instant(n) })),
      ),
    });
    await write(store, { remove: ['two#1'] });
    while ((await store.sweep({ limit: 2, closedBefore: instant(9) })).rows > 0);
    await store.close();
    const database = openDatabase(path);
    for (const table of ['executions', 'attributes', 'parts', 'slots']) {
      expect(database.prepare(`select count(*) from ${table}`).all(), table).toEqual([[0]]);
    }
    database.close();
  });

  it('has a log that stays bounded under sustained load', async () => {
    const store = new SqliteStore({ path, clock, durability: 'fast' });
    await store.migrate();
    let row = anExecution({ state: 'x'.repeat(200_000) });
    await write(store, { executions: [row] });
    let largest = 0;
    for (let i = 0; i < 300; i++) {
      row = nextOf(row);
      await write(store, { executions: [row] });
      largest = Math.max(largest, statSync(`${path}-wal`).size);
    }
    // 60 MB were written; the log begins anew after 4 MB and one commit.
    expect(largest).toBeLessThan(5 * 1024 * 1024);
    await store.close();
  });

  it.each([
    [
      'due',
      'select 1 from executions e where e.status = 0 and e.incident is null and e.wake_at <= 1 order by e.wake_at, e.row',
      /executions_due/,
    ],
    [
      'newest',
      "select 1 from executions where namespace = '' and archetype = '' and id = '' order by row desc limit 1",
      /executions_key/,
    ],
    [
      'list',
      "select 1 from executions e where e.namespace = '' and e.archetype = '' and (e.id, e.row) > ('', 1) order by e.namespace, e.archetype, e.id, e.row",
      /executions_key \(namespace=\? AND archetype=\? AND (id|\(id,rowid\))>/,
    ],
    [
      'list all',
      "select 1 from executions e where (e.namespace, e.archetype, e.id, e.row) > ('', '', '', 1) order by e.namespace, e.archetype, e.id, e.row",
      /executions_key/,
    ],
    [
      'claimable',
      "select * from runs where state = 0 and queue = '' and priority = 1 and available_at <= 1 order by available_at, id",
      /runs_waiting \(queue=\? AND priority=\? AND available_at<\?\)/,
    ],
    [
      'levels',
      "select priority from runs where state = 0 and queue = '' and priority < 1 order by priority desc limit 1",
      /runs_waiting \(queue=\? AND priority<\?\)/,
    ],
    ['lapsed', 'select * from runs where state < 2 and check_at <= 1 order by check_at, id', /runs_checked/],
    [
      'in turn',
      "select ordinal from runs where owner = '' and out_of_turn = 0 order by ordinal desc limit 1",
      /runs_owner \(owner=\? AND out_of_turn=\?\)/,
    ],
    [
      'owned',
      "select * from runs indexed by runs_open where state < 2 and owner = '' and ordinal <= 1 order by ordinal desc",
      /runs_open \(owner=\? AND ordinal<\?\)/,
    ],
    ['running', 'select * from runs where state in (0, 1) and state < 2 limit 9', /runs_open/],
    [
      'finished',
      'select rowid from runs where state = 2 and finished_at < 1 order by finished_at',
      /runs_finished/,
    ],
    [
      'closed',
      'select row from executions where status = 1 and closed_at < 1 order by closed_at',
      /executions_closed/,
    ],
    [
      'pending events',
      "select * from events where execution = 1 and topic = '' and state = 0 and sequence > 1 order by sequence",
      /events_line \(execution=\? AND topic=\? AND state=\? AND sequence>\?\)/,
    ],
    [
      'reserved events',
      "select * from events where execution = 1 and state = 1 and holder = ''",
      /events_held \(execution=\? AND holder=\?\)/,
    ],
    [
      'final events',
      'select rowid from events where state >= 2 and changed_at < 1 order by changed_at',
      /events_final/,
    ],
    [
      'a page of the audit of a namespace',
      "select * from audit where namespace = 'default' and sequence < 9 order by sequence desc limit 9",
      /audit_namespace \(namespace=\? AND rowid<\?\)/,
    ],
    [
      'the audit of a schedule',
      "select * from audit where namespace = 'default' and target = 'x' order by sequence desc limit 9",
      /audit_target \(namespace=\? AND target=\?\)/,
    ],
  ])('answers %s from an index', async (name, sql, index) => {
    const connection = new Connection({ path: ':memory:', durability: 'full', warn });
    migrate(connection, loadMigrations(), { now: instant(1) });
    const plan = connection
      .all(`explain query plan ${sql}`)
      .map((row) => String(row[3]))
      .join('\n');
    expect(plan).toMatch(index);
    // Ties of check times are sorted by id, everything else comes out of the index in order.
    if (name !== 'lapsed') expect(plan).not.toMatch(/TEMP B-TREE/);
    connection.close();
  });

  it.each<[string, Omit<RunQuery, 'limit' | 'after'>, readonly RegExp[]]>([
    ['all runs by slot', { by: 'slot' }, [/^SCAN runs USING INDEX sqlite_autoindex_runs_1$/]],
    ['all runs by start', { by: 'start' }, [/^SCAN runs$/]],
    [
      'the runs of an owner by slot',
      { owner: 'one#1', by: 'slot' },
      [/runs_owner \(owner=\? AND out_of_turn=\?\)$/, /runs_out_of_turn \(owner=\?\)$/],
    ],
    [
      'the runs of an owner by start',
      { owner: 'one#1', by: 'start' },
      [/runs_owner \(owner=\? AND out_of_turn=\?\)$/, /runs_owner \(owner=\? AND out_of_turn=\?\)$/],
    ],
  ])('lists %s from an index, in both directions and from any page on', async (_, query, plans) => {
    const connection = new Connection({ path: ':memory:', durability: 'full', warn });
    migrate(connection, loadMigrations(), { now: instant(1) });
    const runs = Array.from({ length: 6 }, (_, i) =>
      aRun({ id: `r${i % 2}${i}`, owner: 'one#1', ordinal: i }),
    );
    new RunRows(connection).insert(runs);
    const asked: (readonly [string, readonly SqlValue[]])[] = [];
    const listening = {
      all: (sql: string, ...values: SqlValue[]) => {
        asked.push([sql, values]);
        return connection.all(sql, ...values);
      },
    } as Connection;
    for (const order of ['ascending', 'descending'] as const) {
      const pages = new RunPages(listening);
      const first = pages.page({ ...query, order, limit: 2 });
      pages.page({ ...query, order, limit: 2, after: first.next as string });
    }
    const found = asked.map(([sql, values]) =>
      connection.all(`explain query plan ${sql}`, ...values).map((row) => String(row[3])),
    );
    expect(found).toHaveLength(4 * plans.length);
    for (const [place, lines] of found.entries()) {
      // One line: no sorting. A further page is a search from its position on instead of a scan.
      expect(lines).toHaveLength(1);
      const isFurther = Math.floor(place / plans.length) % 2 === 1;
      const line = String(lines[0]);
      if (!isFurther) expect(line).toMatch(plans[place % plans.length] as RegExp);
      else expect(line).toMatch(/^SEARCH runs USING (INDEX|INTEGER PRIMARY KEY).*[<>]\?/);
    }
    connection.close();
  });
});
