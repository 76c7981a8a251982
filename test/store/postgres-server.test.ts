/** What only a shared, real server can show: its clock, its restarts, several nodes at once, and what it says when it refuses. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../packages/carillon/src/base/clock.ts';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { addTime, instant } from '../../packages/carillon/src/base/time.ts';
import { loadDriver } from '../../packages/carillon/src/store/postgres/driver.ts';
import {
  PostgresStore,
  type PostgresStoreOptions,
} from '../../packages/carillon/src/store/postgres/index.ts';
import { loadMigrations } from '../../packages/carillon/src/store/postgres/migration.ts';
import { troubleOf } from '../../packages/carillon/src/store/postgres/trouble.ts';
import type { CommittedChange, Store } from '../../packages/carillon/src/store/store.ts';
import { startOwnPostgres } from '../support/postgres-server.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { until } from '../support/until.ts';
import { aKey, anEvent, anExecution, aPart, aRun, aSlot, look, nextOf, write } from './store-fixture.ts';

const conflict = { name: 'StoreError', trouble: 'conflict' };
const unavailable = { name: 'StoreError', trouble: 'unavailable' };

await describePostgres('postgres server', (server) => {
  const stores: Store[] = [];
  const aSchema = () => `s_${randomBytes(6).toString('hex')}`;
  const open = (options: Partial<PostgresStoreOptions> = {}) => {
    const store = new PostgresStore({ url: server.url, schema: aSchema(), poolSize: 4, ...options });
    stores.push(store);
    return store;
  };
  const opened = async (options: Partial<PostgresStoreOptions> = {}) => {
    const store = open(options);
    await store.migrate();
    return store;
  };
  const inDatabase = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client(server.url);
    client.on('error', () => {});
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });

  describe('refusals in words', () => {
    test('a server that takes no writes, when the store is opened', async () => {
      const schema = aSchema();
      await opened({ schema });
      const standby = open({
        schema,
        connection: { options: '-c default_transaction_read_only=on' },
      });
      await expect(standby.migrate()).rejects.toMatchObject({
        ...unavailable,
        reason: 'READ_ONLY',
        message: expect.stringContaining('connect to the primary'),
      });
    });

    test.each([
      ['25006', 'connect to the primary'],
      ['26000', 'prepare=false'],
      ['42P05', 'prepare=false'],
    ])('the code %s names its fix', (code, fix) => {
      const error = Object.assign(new Error('refused'), { code, severity: 'ERROR' });
      expect(troubleOf(error, 'PostgreSQL')).toMatchObject({
        ...unavailable,
        message: expect.stringContaining(fix),
      });
    });
  });

  describe('clock', () => {
    test('the database judges what is due', async () => {
      const store = await opened();
      const databaseNow = async () =>
        await inDatabase(async (client) => {
          const { rows } = await client.query('select extract(epoch from clock_timestamp()) * 1000 as now');
          return Number(rows[0].now);
        });
      const before = await databaseNow();
      const { now } = await store.wakeTimes({});
      expect(now).toBeGreaterThanOrEqual(Math.floor(before));
      expect(now).toBeLessThanOrEqual(await databaseNow());
      expect(Number.isInteger(now)).toBe(true);
      await write(store, {
        executions: [
          anExecution({ id: 'past', wakeAt: instant(now - 1) }),
          anExecution({ id: 'soon', wakeAt: instant(now + 400) }),
          anExecution({ id: 'later', wakeAt: instant(now + 3_600_000) }),
        ],
        newRuns: [
          aRun({ id: 'available', availableAt: instant(now) }),
          aRun({ id: 'not yet', availableAt: instant(now + 3_600_000) }),
          aRun({ id: 'lapsed', state: 'leased', checkAt: instant(now) }),
          aRun({ id: 'held', state: 'leased', checkAt: instant(now + 3_600_000) }),
        ],
      });
      const due = async () =>
        (await look(store, { kind: 'due', limit: 9 })).executions.map((row) => row.key.id);
      expect(await due()).toContain('past');
      expect(await due()).not.toContain('later');
      const seen = await until(async () => {
        const loaded = await look(store, { kind: 'due', limit: 9 });
        return loaded.executions.some((row) => row.key.id === 'soon') ? loaded : undefined;
      });
      expect(seen.now).toBeGreaterThanOrEqual(now + 400);
      const claimable = await look(store, { kind: 'claimable', queues: ['main'], limit: 9 });
      expect(claimable.runs.map((run) => run.id)).toEqual(['available']);
      const lapsed = await look(store, { kind: 'lapsed', limit: 9 });
      expect(lapsed.runs.map((run) => run.id)).toEqual(['lapsed']);
    });

    test('time never runs backwards over one row, however long a transaction waited for it', async () => {
      const schema = aSchema();
      const nodes = await Promise.all([opened({ schema }), opened({ schema })]);
      const [store] = nodes;
      await write(store, { executions: [anExecution({ state: '[]' })] });
      const stamp = (node: Store) =>
        node.transact(
          { kind: 'keys', keys: [aKey('one')] },
          {
            decide: ({ executions, now }) => ({
              writes: {
                executions: executions.map((row) =>
                  nextOf(row, { state: JSON.stringify([...JSON.parse(row.state), now]) }),
                ),
              },
              result: undefined,
            }),
          },
        );
      await Promise.all(Array.from({ length: 40 }, (_, i) => stamp(nodes[i % 2] as Store)));
      const [row] = await store.read({ keys: [aKey('one')] });
      const times = JSON.parse(row?.state ?? '[]') as number[];
      expect(times).toHaveLength(40);
      expect([...times].sort((a, b) => a - b)).toEqual(times);
    });

    test.each([
      [
        '-c TimeZone=Asia/Kathmandu -c DateStyle=SQL,DMY -c IntervalStyle=postgres_verbose -c bytea_output=escape',
      ],
      [
        '-c TimeZone=Pacific/Chatham -c standard_conforming_strings=off -c lc_messages=C -c search_path=pg_catalog',
      ],
    ])('settings of the session do not matter: %s', async (settings) => {
      const schema = aSchema();
      const odd = await opened({ schema, connection: { options: settings } });
      const plain = await opened({ schema });
      const row = anExecution({
        key: aKey("o'\\clock", 'n\\', 'a'),
        wakeAt: instant(-5),
        state: '{"back":"\\\\slash"}',
        signals: { pi: 0.1 + 0.2, big: 1e300 },
        attributes: { note: "it's \\ '" },
      });
      const run = aRun({ priority: 0.1 + 0.2, availableAt: instant(1) });
      await write(odd, {
        executions: [row],
        newRuns: [run],
        slots: [aSlot({ incarnation: row.incarnation })],
      });
      expect(await plain.read({ keys: [row.key] })).toEqual([row]);
      expect((await plain.runs({ limit: 1 })).items).toEqual([run]);
      expect(await odd.read({ keys: [row.key] })).toEqual([row]);
      expect((await odd.runs({ limit: 1 })).items).toEqual([run]);
      // One clock decides under all settings of the session: read by the stores in turn, it never goes back.
      const asked = [];
      for (const store of [plain, odd, plain]) asked.push((await store.wakeTimes({})).now);
      expect(asked).toEqual([...asked].sort((a, b) => a - b));
      expect(
        (await odd.list({ filter: { field: 'note', is: '=', value: "it's \\ '" }, limit: 9 })).items,
      ).toEqual([row]);
    });
  });

  describe('migration', () => {
    test('eight nodes that start at once all find the schema ready', async () => {
      const schema = aSchema();
      const nodes = Array.from({ length: 8 }, () => open({ schema, poolSize: 1 }));
      await Promise.all(nodes.map((node) => node.migrate()));
      await Promise.all(nodes.map((node, i) => write(node, { executions: [anExecution({ id: `e${i}` })] })));
      expect(await (nodes[0] as Store).count({})).toBe(8);
      await inDatabase(async (client) => {
        const { rows } = await client.query(`select version from "${schema}".migrations order by version`);
        expect(rows.map((row) => Number(row.version))).toEqual(
          loadMigrations().map(({ version }) => version),
        );
      });
    });

    test('a schema of a newer version, an edited migration and a foreign schema are refused by name', async () => {
      const schema = aSchema();
      await opened({ schema });
      await inDatabase(async (client) => {
        await client.query(`insert into "${schema}".migrations values (9999, 'from-the-future', 'x')`);
        await expect(open({ schema }).migrate()).rejects.toThrow(
          /newer version of Carillon.*9999 from-the-future/,
        );
        await client.query(`delete from "${schema}".migrations where version = 9999`);
        await client.query(`update "${schema}".migrations set checksum = 'x' where version = 1`);
        await expect(open({ schema }).migrate()).rejects.toMatchObject({ trouble: 'corrupt' });
        await client.query(`create schema "${schema}_foreign" create table invoices (id int)`);
      });
      await expect(open({ schema: `${schema}_foreign` }).migrate()).rejects.toThrow(
        /another program.*invoices/,
      );
    });

    test('using a store before its migration says what to do', async () => {
      await expect(open().count({})).rejects.toThrow(/call migrate\(\)/);
    });

    test('a role that owns the schema needs no right to create one, and a role that only works in it none to change it', async () => {
      const schema = aSchema();
      const worker = `${schema}_worker`;
      await inDatabase(async (client) => {
        await client.query(`create role "${schema}" login password 'x'`);
        await client.query(`create role "${worker}" login password 'x'`);
        await client.query(`create schema "${schema}" authorization "${schema}"`);
      });
      const as = async (role: string) => {
        const url = new URL(server.url);
        url.username = role;
        url.password = 'x';
        return await opened({ schema, url: url.href });
      };
      const owner = await as(schema);
      await write(owner, { executions: [anExecution()] });
      await inDatabase((client) =>
        client.query(`grant usage on schema "${schema}" to "${worker}";
          grant select, insert, update, delete on all tables in schema "${schema}" to "${worker}";
          grant usage on all sequences in schema "${schema}" to "${worker}"`),
      );
      const other = await as(worker);
      await write(other, {
        executions: [anExecution({ id: 'two' })],
        parts: [aPart()],
        slots: [aSlot()],
        newRuns: [aRun()],
        newEvents: [anEvent({ owner: 'two#1' })],
      });
      await write(other, { remove: ['one#1'] });
      await other.sweep({ limit: 9, eventsBefore: instant(5000), runsPerOwner: 1 });
      expect(await owner.count({})).toBe(1);
    });
  });

  describe('several nodes', () => {
    test('each due row is stepped once and each run claimed once by four nodes at work together', async () => {
      const schema = aSchema();
      const nodes = await Promise.all(Array.from({ length: 4 }, () => opened({ schema })));
      const first = nodes[0] as Store;
      const count = 600;
      await write(first, {
        executions: Array.from({ length: count }, (_, i) =>
          anExecution({ id: `e${i}`, wakeAt: instant(i), state: '0' }),
        ),
        newRuns: Array.from({ length: count }, (_, i) => aRun({ id: `r${i}`, priority: i % 3 })),
      });
      let stepped = 0;
      let claimed = 0;
      const step = async (node: Store) => {
        const taken = await node.transact<number>(
          { kind: 'due', limit: 17 },
          {
            decide: ({ executions }) => ({
              writes: {
                executions: executions.map((row) =>
                  nextOf(row, { wakeAt: null, state: String(Number(row.state) + 1) }),
                ),
                slots: executions.map((row) => aSlot({ incarnation: row.incarnation })),
              },
              result: executions.length,
            }),
          },
        );
        stepped += taken;
      };
      const claim = async (node: Store) => {
        const taken = await node.transact<number>(
          { kind: 'claimable', queues: ['main'], limit: 13 },
          {
            decide: ({ runs }) => ({
              writes: { runs: runs.map((run) => ({ ...run, state: 'leased', attempt: run.attempt + 1 })) },
              result: runs.length,
            }),
          },
        );
        claimed += taken;
      };
      await Promise.all(
        nodes.flatMap((node) => [
          (async () => {
            while (stepped < count) await step(node);
          })(),
          (async () => {
            while (claimed < count) await claim(node);
          })(),
        ]),
      );
      expect([stepped, claimed]).toEqual([count, count]);
      const { items } = await first.list({ limit: count + 1 });
      expect(new Set(items.map((row) => `${row.state}/${row.version}`))).toEqual(new Set(['1/2']));
      const { items: runs } = await first.runs({ limit: count + 1 });
      expect(new Set(runs.map((run) => `${run.state}/${run.attempt}`))).toEqual(new Set(['leased/1']));
    });

    test('updates of the same rows from several nodes lose nothing, whatever the order they name them in', async () => {
      const schema = aSchema();
      const nodes = await Promise.all(Array.from({ length: 3 }, () => opened({ schema })));
      const ids = ['a', 'b', 'c', 'd', 'e'];
      await write(nodes[0] as Store, { executions: ids.map((id) => anExecution({ id, state: '0' })) });
      const incrementAll = (node: Store, turn: number) => {
        const keys = ids.map((_, i) => aKey(ids[(i * 2 + turn) % ids.length] as string));
        return node.transact(
          { kind: 'keys', keys },
          {
            decide: ({ executions }) => ({
              writes: {
                executions: executions.map((row) => nextOf(row, { state: String(Number(row.state) + 1) })),
              },
              result: undefined,
            }),
          },
        );
      };
      await Promise.all(
        nodes.map(async (node) => {
          for (let turn = 0; turn < 20; turn++) await incrementAll(node, turn);
        }),
      );
      const rows = await (nodes[0] as Store).read({ keys: ids.map((id) => aKey(id)) });
      expect(rows.map((row) => row.state)).toEqual(ids.map(() => '60'));
    });

    test('of several nodes that create one key at once exactly one succeeds', async () => {
      const schema = aSchema();
      const nodes = await Promise.all(Array.from({ length: 4 }, () => opened({ schema })));
      for (let round = 0; round < 5; round++) {
        const created = await Promise.allSettled(
          nodes.map((node, i) =>
            write(node, { executions: [anExecution({ id: `k${round}`, incarnation: `k${round}#${i}` })] }),
          ),
        );
        expect(created.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
        for (const each of created)
          if (each.status === 'rejected') expect(each.reason).toMatchObject(conflict);
      }
      expect(await (nodes[0] as Store).count({})).toBe(5);
    });

    test('who waited for a row that was closed and succeeded by another meanwhile decides over the newest', async () => {
      const schema = aSchema();
      const [a, b] = [await opened({ schema }), await opened({ schema })];
      await write(a, { executions: [anExecution()] });
      const replaceOn = (node: Store, next: number) =>
        node.transact<string>(
          { kind: 'keys', keys: [aKey('one')] },
          {
            decide: ({ executions: [row] }) => {
              if (row === undefined || row.status === 'closed') throw new Error('not the newest');
              const closed = nextOf(row, { status: 'closed', closedAt: instant(1) });
              const opened = anExecution({ incarnation: `one#${next}` });
              return { writes: { executions: [closed, opened] }, result: row.incarnation };
            },
          },
        );
      const work = Array.from({ length: 30 }, (_, i) => replaceOn(i % 2 === 0 ? a : b, i + 2));
      const replaced = await Promise.all(work);
      expect(new Set(replaced).size).toBe(30);
      expect(await a.count({ status: 'open' })).toBe(1);
      expect(await a.count({})).toBe(31);
    });

    test('a commit is heard by other nodes, and by its own only once', async () => {
      const schema = aSchema();
      const [a, b, deaf] = [
        await opened({ schema }),
        await opened({ schema }),
        await opened({ schema, listen: false }),
      ];
      const heard = { a: [] as CommittedChange[], b: [] as CommittedChange[], deaf: [] as CommittedChange[] };
      a.subscribe((change) => heard.a.push(change));
      b.subscribe((change) => heard.b.push(change));
      deaf.subscribe((change) => heard.deaf.push(change));
      await Promise.all([a.listening(), b.listening()]);
      await write(a, { newRuns: [aRun({ id: 'running', state: 'leased' })] });
      await write(a, {
        executions: [anExecution({ wakeAt: instant(300) })],
        newRuns: [aRun({ queue: 'q1' })],
        runs: [aRun({ id: 'running', state: 'leased', cancel: 'cancel' })],
      });
      const expected = {
        keys: [aKey('one')],
        wakeAt: 300,
        queues: ['q1'],
        cancelledRuns: ['running'],
      };
      expect(await until(() => heard.b[0])).toEqual(expected);
      // Sent by b and received by a: everything that a sent before has arrived by then.
      await write(b, { executions: [anExecution({ id: 'two' })] });
      await until(() => heard.a.find((change) => change.keys[0]?.id === 'two'));
      expect(heard.a).toHaveLength(2);
      expect(heard.deaf).toEqual([]);
    });

    test('a change too large for a notification is announced without its keys', async () => {
      const schema = aSchema();
      const [a, b] = [await opened({ schema }), await opened({ schema })];
      const heard: CommittedChange[] = [];
      b.subscribe((change) => heard.push(change));
      await b.listening();
      await write(a, {
        executions: Array.from({ length: 300 }, (_, i) =>
          anExecution({ id: `a-rather-long-name-of-a-schedule-${i}`, wakeAt: instant(i) }),
        ),
        newRuns: [aRun({ queue: 'q1' })],
      });
      expect(await until(() => heard[0])).toEqual({
        keys: [],
        wakeAt: 0,
        queues: ['q1'],
        cancelledRuns: [],
      });
    });
  });

  describe('trouble', () => {
    test('a connection that is cut between the writes and the commit makes the caller doubt, and leaves nothing half done', async () => {
      const schema = aSchema();
      const store = await opened({ schema, applicationName: schema });
      await write(store, {
        executions: [anExecution({ state: '0' }), anExecution({ id: 'two', state: '0' })],
      });
      // Another session holds the second row, so the writes of the first wait for it in the middle of their transaction.
      await inDatabase(async (blocker) => {
        await blocker.query('begin');
        await blocker.query(`select 1 from "${schema}".executions where incarnation = 'two#1' for update`);
        const doubtful = store.transact(
          { kind: 'keys', keys: [aKey('one')] },
          {
            decide: ({ executions: [row] }) => ({
              writes: {
                executions: [
                  nextOf(row as never, { state: 'written' }),
                  anExecution({ id: 'two', version: 2, state: 'written' }),
                ],
              },
              result: undefined,
            }),
          },
        );
        const refused = expect(doubtful).rejects.toMatchObject(unavailable);
        await until(async () => {
          // A transaction sees the activity of its first look again and again, unless it drops it.
          await blocker.query('select pg_stat_clear_snapshot()');
          const { rows } = await blocker.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`,
            [schema],
          );
          return rows.length > 0 ? true : undefined;
        });
        await refused;
        await blocker.query('rollback');
      });
      expect((await store.read({ keys: [aKey('one'), aKey('two')] })).map((row) => row.state)).toEqual([
        '0',
        '0',
      ]);
      await write(store, { executions: [nextOf(anExecution(), { state: '1' })] });
      expect((await store.read({ keys: [aKey('one')] }))[0]?.state).toBe('1');
    });

    test('a statement that takes too long is given up, and the store goes on', async () => {
      const schema = aSchema();
      await write(await opened({ schema }), { executions: [anExecution()] });
      const store = open({ schema, statementTimeoutMs: 100 });
      /** A machine that is too slow even for a statement that waits for nothing asks again. */
      const answered = async <T>(ask: () => Promise<T>) =>
        await until(async () => {
          try {
            return { answer: await ask() };
          } catch (error) {
            expect(error).toMatchObject(unavailable);
            return undefined;
          }
        });
      await answered(() => store.migrate());
      await inDatabase(async (blocker) => {
        await blocker.query('begin');
        await blocker.query(`select 1 from "${schema}".executions for update`);
        await expect(look(store, { kind: 'keys', keys: [aKey('one')] })).rejects.toMatchObject({
          ...unavailable,
          message: expect.stringContaining('statementTimeoutMs'),
        });
        const { answer: due } = await answered(() => look(store, { kind: 'due', limit: 9 }));
        expect(due.executions).toEqual([]);
        await blocker.query('rollback');
      });
      const { answer: one } = await answered(() => look(store, { kind: 'keys', keys: [aKey('one')] }));
      expect(one.executions).toHaveLength(1);
    });

    test('text that PostgreSQL cannot store is refused with the reason, and alone', async () => {
      const store = await opened();
      const results = await Promise.allSettled([
        write(store, { executions: [anExecution({ id: 'fine' })] }),
        write(store, { executions: [anExecution({ id: 'nul', state: 'a\0b' })] }),
        write(store, { executions: [anExecution({ id: 'attribute', attributes: { note: 'a\0b' } })] }),
      ]);
      expect(results.map((each) => each.status)).toEqual(['fulfilled', 'rejected', 'rejected']);
      for (const each of results.slice(1)) {
        expect((each as PromiseRejectedResult).reason).toMatchObject({
          code: 'invalidArgument',
          reason: 'TEXT_NOT_STORABLE',
        });
      }
      expect(await store.count({})).toBe(1);
      expect(
        (await store.list({ filter: { field: 'note', is: '=', value: 'a\0b' }, limit: 1 })).items,
      ).toEqual([]);
    });

    test('bad URLs and schema names are refused before anything connects', () => {
      expect(() => new PostgresStore({ url: 'postgres//nowhere' })).toThrow(
        /postgres:\/\/user:password@host/,
      );
      expect(() => new PostgresStore({ url: 'postgres://h/d?pool_size=many' })).toThrow(
        /pool_size.*whole number/,
      );
      expect(() => new PostgresStore({ url: 'postgres://h/d?listen=maybe' })).toThrow(/true or false/);
      expect(() => new PostgresStore({ url: 'postgres://h/d', schema: 'x"; drop table' })).toThrow(/schema/);
    });

    test('an unreachable server, a wrong database and a wrong role are distinguished, without the password', async () => {
      const at = (change: (url: URL) => void) => {
        const url = new URL(server.url);
        url.password = 'geheim';
        change(url);
        return open({ url: url.href }).migrate();
      };
      const failures = await Promise.all(
        [
          at((url) => {
            url.port = '1';
          }),
          at((url) => {
            url.pathname = '/no_such_database';
          }),
          at((url) => {
            url.username = 'no_such_role';
          }),
        ].map((each) => each.catch((error: unknown) => error as Error)),
      );
      const messages = failures.map((error) => (error as Error).message);
      expect(messages[0]).toMatch(/127\.0\.0\.1:1\/.*ECONNREFUSED/);
      expect(messages[1]).toMatch(/no_such_database/);
      expect(messages[2]).toMatch(/no_such_role/);
      for (const failure of failures) {
        expect(failure).toMatchObject(unavailable);
        expect(String(failure)).not.toContain('geheim');
      }
    });

    test('without the driver the error says what to install', async () => {
      const absent = Object.assign(new Error("Cannot find package 'pg'"), { code: 'ERR_MODULE_NOT_FOUND' });
      await expect(loadDriver(() => Promise.reject(absent))).rejects.toMatchObject({
        code: 'failedPrecondition',
        reason: 'DRIVER_MISSING',
        message: expect.stringContaining('npm install pg'),
      });
    });

    test('nothing depends on the session: every transaction may have a connection of its own', async () => {
      const store = await opened({ listen: false, prepare: false, connection: { maxUses: 1 } });
      await write(store, { executions: [anExecution({ wakeAt: instant(1) })], parts: [aPart()] });
      const stepped = await store.transact<string>(
        { kind: 'due', limit: 9 },
        {
          need: () => ({ parts: [aPart()], events: [{ owner: 'one#1', topic: 'news', oldest: 1 }] }),
          decide: (loaded) => ({
            writes: {
              executions: loaded.executions.map((row) => nextOf(row, { wakeAt: null })),
              newRuns: [aRun({ owner: 'one#1', checkAt: instant(1) })],
              newEvents: [anEvent()],
            },
            result: loaded.part(aPart()),
          }),
        },
      );
      expect(stepped).toBe('cold');
      expect((await look(store, { kind: 'lapsed', limit: 9 })).executions).toHaveLength(1);
      expect((await look(store, { kind: 'runs', ids: ['run-1'] })).runs).toHaveLength(1);
      expect((await store.events({ owner: 'one#1', topic: 'news', limit: 9 })).items).toHaveLength(1);
    });

    test('options may stand in the URL', async () => {
      const schema = aSchema();
      const url = new URL(server.url);
      url.search = `schema=${schema}&pool_size=1&listen=false&prepare=false&statement_timeout_ms=5000`;
      const store = new PostgresStore({ url: url.href });
      stores.push(store);
      await store.migrate();
      await write(store, { executions: [anExecution()], parts: [aPart()], slots: [aSlot()] });
      await inDatabase(async (client) => {
        const { rows } = await client.query(`select count(*)::int as n from "${schema}".executions`);
        expect(rows[0].n).toBe(1);
      });
      const prepared = await look(store, { kind: 'keys', keys: [aKey('one')] });
      expect(prepared.executions).toHaveLength(1);
    });
  });
});

/** Pauses are real, but its time stands still: no patience ends because a server takes its time to start. */
function endlessPatience(): Clock {
  const clock = new SystemClock();
  const start = clock.now();
  return { now: () => start, wakeAt: (at, wake) => clock.wakeAt(addTime(clock.now(), at - start), wake) };
}

await describePostgres('postgres restarts', (shared) => {
  test.runIf(shared.isOurs)(
    'a crash of the database in the middle of use loses no acknowledged commit, and the store goes on by itself',
    async () => {
      const server = await startOwnPostgres();
      if ('missing' in server) throw new Error(server.missing);
      const store = new PostgresStore({ url: server.url, timer: endlessPatience() });
      const hearer = new PostgresStore({ url: server.url });
      try {
        await store.migrate();
        const heard: CommittedChange[] = [];
        hearer.subscribe((change) => heard.push(change));
        await hearer.listening();
        await write(store, { executions: [anExecution({ state: '0', wakeAt: instant(1) })] });
        let acknowledged = 0;
        let doubtful = 0;
        let isRestarting = true;
        const working = (async () => {
          while (isRestarting || acknowledged === 0) {
            await store
              .transact<number>(
                { kind: 'due', limit: 1 },
                {
                  decide: ({ executions }) => ({
                    writes: {
                      executions: executions.map((row) =>
                        nextOf(row, { state: String(Number(row.state) + 1) }),
                      ),
                    },
                    result: executions.length,
                  }),
                },
              )
              .then(
                (stepped) => {
                  acknowledged += stepped;
                },
                (error: unknown) => {
                  expect(error).toMatchObject(unavailable);
                  doubtful += 1;
                },
              );
          }
        })();
        await until(() => (acknowledged > 20 ? true : undefined));
        await server.restart('immediate');
        await server.restart('fast');
        isRestarting = false;
        await working;
        const before = acknowledged;
        const [row] = await store.read({ keys: [aKey('one')] });
        expect(Number(row?.state)).toBeGreaterThanOrEqual(before);
        expect(Number(row?.state)).toBeLessThanOrEqual(before + doubtful);
        // One call is under way at a time: a restart cuts it, and the calls after it wait for the server.
        expect(doubtful).toBeLessThanOrEqual(2);
        // The listening connection was cut as well, and is made again.
        heard.length = 0;
        let after = 0;
        await until(async () => {
          await write(store, { newRuns: [aRun({ id: `after-${after++}`, queue: 'after' })] });
          return heard.some((change) => change.queues.includes('after')) ? true : undefined;
        });
      } finally {
        await Promise.all([store.close(), hearer.close()]);
        await server.stop();
      }
    },
  );
});
