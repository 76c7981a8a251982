/** Requests that travel together in one transaction, and one of them is poison. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { Engine } from '../../packages/carillon/src/engine/index.ts';
import { PostgresStore } from '../../packages/carillon/src/store/postgres/index.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import { Errand, errandKey, errandLibrary, errandState } from '../engine/errand.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { until } from '../support/until.ts';
import { aKey, anAudit, anEvent, anExecution, aRun, look, nextOf, write } from './store-fixture.ts';

await describePostgres('postgres against itself', ({ url }) => {
  const schema = 'adversarial';
  const client = new pg.Client(url);
  beforeAll(async () => {
    await client.connect();
    const store = new PostgresStore({ url, schema });
    await store.migrate();
    await store.close();
  });
  afterAll(() => client.end());
  beforeEach(async () => {
    const tables = [
      'executions',
      'wakes',
      'attributes',
      'parts',
      'slots',
      'open_runs',
      'runs',
      'run_logs',
      'events',
      'audit',
    ];
    await client.query(tables.map((table) => `delete from ${schema}.${table}`).join('; '));
  });
  const open = (options: { readonly statementTimeoutMs?: number; readonly poolSize?: number } = {}) => {
    const store = new PostgresStore({ url, schema, ...options });
    onTestFinished(() => store.close());
    return store;
  };
  const increment = (store: Store, id: string) =>
    store.transact(
      { kind: 'keys', keys: [aKey(id)] },
      {
        decide: ({ executions: [row] }) => {
          if (row === undefined) throw new Error('absent');
          return {
            writes: { executions: [nextOf(row, { state: `${Number(row.state) + 1}` })] },
            result: null,
          };
        },
      },
    );
  const outcomes = async (calls: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(calls)).map((each) => each.status);
  /** Texts that no index takes and no compression makes short enough. */
  const endless = () =>
    Array.from({ length: 6000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join('');

  describe('one request that the database refuses does not fail those that travel with it', () => {
    const poisons: Record<string, (store: Store) => Promise<unknown>> = {
      'an id too long for an index': (store) =>
        write(store, { executions: [anExecution({ id: endless(), incarnation: 'x' })] }),
      'a run id too long for an index': (store) => write(store, { newRuns: [aRun({ id: endless() })] }),
      'a number out of range': (store) => write(store, { newRuns: [aRun({ availableAt: 1e300 as never })] }),
      'a number that is none': (store) =>
        write(store, { newRuns: [aRun({ availableAt: Number.NaN as never })] }),
      'a NUL': (store) => write(store, { newRuns: [aRun({ input: 'a\0b' })] }),
      'a used run id': (store) => write(store, { newRuns: [aRun({ id: 'used' })] }),
      'a text where a number belongs': (store) =>
        write(store, { newRuns: [aRun({ priority: 'high' as never })] }),
    };
    for (const [name, poison] of Object.entries(poisons)) {
      test(name, async () => {
        const store = open();
        await write(store, {
          executions: [anExecution({ id: 'a', state: '0' }), anExecution({ id: 'b', state: '0' })],
          newRuns: [aRun({ id: 'used' })],
        });
        const calls = [increment(store, 'a'), poison(store), increment(store, 'b')];
        expect(await outcomes(calls)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        const rows = await store.read({ keys: [aKey('a'), aKey('b')] });
        expect(rows.map((row) => [row.state, row.version])).toEqual([
          ['1', 2],
          ['1', 2],
        ]);
        expect((await store.runs({ limit: 9 })).items.map((run) => run.id)).toEqual(['used']);
      });
    }
  });

  test('a row that another transaction holds fails only the request that wants it', async () => {
    const store = open({ statementTimeoutMs: 400 });
    await write(open(), {
      executions: [anExecution({ id: 'held', state: '0' }), anExecution({ id: 'free', state: '0' })],
    });
    await client.query('begin');
    await client.query(`select 1 from ${schema}.executions where id = 'held' for update`);
    try {
      // They travel together each time; a machine too slow even for the free row sends them again.
      await until(async () => {
        const [held, free] = await outcomes([increment(store, 'held'), increment(store, 'free')]);
        expect(held).toBe('rejected');
        return free === 'fulfilled';
      });
    } finally {
      await client.query('rollback');
    }
    expect((await store.read({ keys: [aKey('free')] }))[0]?.state).toBe('1');
  });

  test('two nodes that create the same execution at once: one does, the other finds it', async () => {
    const { library, begin } = errandLibrary();
    let ids = 0;
    const engines = [open(), open()].map(
      (store) =>
        new Engine({ store, clock: new SystemClock(), libraries: [library], newId: () => `id-${++ids}` }),
    );
    for (let round = 0; round < 20; round += 1) {
      const name = { namespace: 'default', id: `e${round}` };
      const created = await Promise.all(
        engines.map((engine) =>
          engine.create(library, name, errandState(new SystemClock().now(), 3_600_000), begin, {
            requestId: `request-${round}`,
          }),
        ),
      );
      expect(created.map((each) => each.created).sort()).toEqual([false, true]);
      expect(created[0]?.incarnation).toBe(created[1]?.incarnation);
      await engines[0]?.read(Errand, errandKey(`e${round}`), () => undefined);
    }
  });

  test('a pool of one connection is enough for everything at once', async () => {
    const store = open({ poolSize: 1 });
    await write(store, { executions: [anExecution({ id: 'a', state: '0' })], newRuns: [aRun()] });
    const calls = Array.from({ length: 20 }, (_, i) => [
      increment(store, 'a'),
      look(store, { kind: 'due', limit: 5 }),
      look(store, { kind: 'claimable', queues: ['main'], limit: 5 }),
      look(store, { kind: 'lapsed', limit: 5 }),
      store.wakeTimes({ queues: ['main'] }),
      write(store, { newEvents: [anEvent({ owner: 'a#1', id: `${i}`, sequence: i })] }),
    ]).flat();
    expect(new Set(await outcomes(calls))).toEqual(new Set(['fulfilled']));
    expect((await store.read({ keys: [aKey('a')] }))[0]?.state).toBe('20');
  });

  test('no advisory lock and no open transaction is left behind', async () => {
    const store = open();
    await store.migrate();
    await Promise.allSettled([
      write(store, { audit: [anAudit()] }),
      write(store, { audit: [anAudit()], newRuns: [aRun(), aRun()] }),
      store.transact(
        { kind: 'keys', keys: [] },
        {
          decide: () => {
            throw new Error('no');
          },
        },
      ),
    ]);
    const { rows: locks } = await client.query("select * from pg_locks where locktype = 'advisory'");
    expect(locks).toEqual([]);
    const { rows: idle } = await client.query(
      "select state from pg_stat_activity where application_name = 'carillon' and state like 'idle in%'",
    );
    expect(idle).toEqual([]);
  });
});
