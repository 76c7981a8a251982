/** How PostgreSQL keeps runs: unfinished ones apart, finished ones by day. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { addTime, day, instant } from '../../packages/carillon/src/base/time.ts';
import { runId } from '../../packages/carillon/src/runs/run-id.ts';
import { PostgresStore } from '../../packages/carillon/src/store/postgres/index.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { aRun, look, write } from './store-fixture.ts';

await describePostgres('runs in postgres', (server) => {
  const stores: PostgresStore[] = [];
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });
  const today = instant(20_000 * day + 1);
  const at = { now: today };
  const clock = { now: () => at.now, wakeAt: () => () => {} };
  const opened = async (schema = `s_${randomBytes(6).toString('hex')}`) => {
    const store = new PostgresStore({ url: server.url, schema, poolSize: 4, listen: false, clock });
    stores.push(store);
    await store.migrate();
    return { store, schema };
  };
  const query = async (sql: string) => {
    const client = new pg.Client(server.url);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const runOf = (nominal: Instant, name: string, more: Partial<RunRow> = {}) =>
    aRun({ id: runId(nominal, name), ...more });
  const done = (run: RunRow, finishedAt: Instant): RunRow => ({
    ...run,
    state: 'done',
    outcome: 'completed',
    finishedAt,
  });
  const placesOf = async (schema: string) => {
    const rows = await query(`select tableoid::regclass::text as place, id from ${schema}.runs order by id`);
    return rows.map(({ place }) => (place as string).split('.').at(-1));
  };

  test('are moved to the partition of their day by their end, and to the rest without one', async () => {
    at.now = today;
    const { store, schema } = await opened();
    const runs = [runOf(today, 'a'), runOf(addTime(today, day), 'b'), runOf(addTime(today, -9 * day), 'c')];
    await write(store, { newRuns: runs });
    expect(await placesOf(schema)).toEqual([]);
    await write(store, { runs: runs.map((run) => done(run, today)) });
    expect(await placesOf(schema)).toEqual(['runs_other', 'runs_20241004', 'runs_20241005']);
    expect(await query(`select count(*)::int as count from ${schema}.open_runs`)).toEqual([{ count: 0 }]);
    const { items } = await store.runs({ limit: 9 });
    expect(items.map(({ state, outcome }) => [state, outcome])).toEqual(Array(3).fill(['done', 'completed']));
  });

  test('are removed one by one from the partition of their day, and from the rest', async () => {
    at.now = today;
    const { store, schema } = await opened();
    const days = [today, today, addTime(today, -9 * day)];
    const runs = days.map((nominal, n) => done(runOf(nominal, `run-${n}`), today));
    await write(store, { newRuns: runs });
    const [gone, , old] = runs.map(({ id }) => id);
    await write(store, { removeRuns: [gone as string, old as string] });
    expect(await placesOf(schema)).toEqual(['runs_20241004']);
  });

  test('of a day are dropped together, when the last of them has been finished for long enough', async () => {
    at.now = today;
    const { store, schema } = await opened();
    const early = Array.from({ length: 30 }, (_, n) => done(runOf(today, `early-${n}`), today));
    const late = done(runOf(today, 'late'), addTime(today, 5 * day));
    const waiting = runOf(today, 'waiting');
    const line = { attempt: 1, lease: 't', place: 0, at: today, text: 'said' };
    await write(store, {
      newRuns: [...early, late, waiting],
      logs: [early[0] as RunRow, waiting].map(({ id }) => ({ runId: id, ...line })),
    });
    at.now = addTime(today, 8 * day);
    const sweep = (runsFinishedBefore: Instant) => store.sweep({ limit: 10, runsFinishedBefore });
    expect((await sweep(addTime(today, 4 * day))).rows).toBe(0);
    expect(await placesOf(schema)).toHaveLength(31);
    expect((await sweep(addTime(today, 6 * day))).rows).toBe(31);
    expect(await placesOf(schema)).toEqual([]);
    expect(await query(`select run_id from ${schema}.run_logs`)).toEqual([{ run_id: waiting.id }]);
    const days = await query(
      `select count(*)::int as count from pg_inherits where inhparent = '${schema}.runs'::regclass`,
    );
    // The rest, and those of the days ahead.
    expect(days).toEqual([{ count: 8 }]);
  });

  describe('an id that is finished at the same moment', () => {
    test('is refused: the insert waits for the end, and then sees it in the history', async () => {
      at.now = today;
      const { store, schema } = await opened();
      const run = runOf(today, 'a');
      await write(store, { newRuns: [run] });
      const client = new pg.Client(server.url);
      await client.connect();
      try {
        await client.query(`begin; with gone as (delete from ${schema}.open_runs returning *)
          insert into ${schema}.runs select * from gone; update ${schema}.runs set state = 2, finished_at = 1, outcome = 0`);
        const refused = expect(write(store, { newRuns: [run] })).rejects.toMatchObject({
          taken: [{ id: run.id, finished: true }],
        });
        const waits = `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and query like '%${schema}%'`;
        while ((await query(waits))[0]?.count === 0);
        await client.query('commit');
        await refused;
      } finally {
        await client.end();
      }
    });
  });

  test('are found by a late report, though they are history', async () => {
    at.now = today;
    const { store } = await opened();
    const [open, over] = [runOf(today, 'a'), done(runOf(today, 'b'), today)];
    await write(store, { newRuns: [open, over] });
    const ids = [over.id, 'absent', open.id];
    expect((await look(store, { kind: 'runs', ids })).runs).toEqual([over, open]);
    const due = { kind: 'due', limit: 9 } as const;
    expect((await look(store, { kind: 'step', due, runs: ids })).runs).toEqual([over, open]);
  });
});
