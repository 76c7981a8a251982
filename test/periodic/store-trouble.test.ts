/** When the store, the clock or a schedule is not well: behaviours 44 to 50. */
import { describe, expect, test } from 'vitest';
import type { PeriodicTask } from '../../packages/carillon/src/periodic/task.ts';
import { scheduleArchetype } from '../../packages/carillon/src/scheduler/library.ts';
import { PeriodicStage } from './stage.ts';

const hourly: PeriodicTask = { id: 'report', cron: '0 * * * *' };

describe('the store', () => {
  test('down at due time means no job, an error in the log, and the job after it came back', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [hourly], nodes: 2 });
    await stage.advanceUntil('2026-01-05T10:59:00Z');
    stage.setFaults({ failBefore: 1 });
    await stage.advanceUntil('2026-01-05T11:20:00Z');
    expect(stage.ran).toEqual([]);
    expect(stage.lines).toContainEqual({
      level: 'error',
      message: 'Failed to process schedules',
      fields: { component: 'scheduler', instance: 'node-0', error: 'simulated: request lost' },
    });
    stage.clearFaults();
    await stage.advance('2m');
    expect(stage.times).toEqual(['11:00']);
    expect((await stage.periodic().state('report')).lateness).toBeGreaterThanOrEqual(20 * 60_000);
  });

  test('that loses its answer after the commit does not make a second job', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [{ ...hourly, cron: '* * * * *' }], nodes: 2 });
    stage.setFaults({ failAfter: 0.5 });
    await stage.advance('30m');
    stage.clearFaults();
    await stage.advance('5m');
    const { items } = await stage.store.runs({ limit: 1000 });
    const slots = items.map(({ options }) => (JSON.parse(options) as { nominal: number }).nominal);
    expect(new Set(slots).size).toBe(slots.length);
    expect(slots.length).toBeGreaterThanOrEqual(25);
  });

  test('lost by a crash right after the commit leaves the job to another instance, under the same id', async () => {
    const stage = await PeriodicStage.open({
      tasks: () => [hourly],
      nodes: 2,
      work: (context, { sleep, name }) => (name === 'node-0' ? sleep('10m', context.signal) : undefined),
    });
    stage.skew(1, -5000);
    await stage.advanceUntil('2026-01-05T11:00:01Z');
    expect(stage.ran).toMatchObject([{ node: 'node-0', attempt: 1 }]);
    stage.crash(0);
    await stage.advance('5m');
    expect(stage.ran).toMatchObject([{ attempt: 1 }, { node: 'node-1', attempt: 2 }]);
    expect(stage.ran[1]?.id).toBe(stage.ran[0]?.id);
    expect((await stage.store.runs({ limit: 10 })).items).toHaveLength(1);
  });
});

describe('a job that fails', () => {
  test('is retried under the same id with the error shown, and a success clears it', async () => {
    const stage = await PeriodicStage.open({
      tasks: () => [{ ...hourly, retry: { attempts: 3, initial: '1m' } }],
      work: ({ attempt }) => {
        if (attempt < 3) throw new Error(`no answer number ${attempt}`);
      },
    });
    await stage.advanceUntil('2026-01-05T11:00:30Z');
    expect(await stage.periodic().state('report')).toMatchObject({
      lastError: 'no answer number 1',
      lastSuccess: null,
      nextRun: Date.UTC(2026, 0, 5, 12),
    });
    await stage.advance('5m');
    expect(new Set(stage.ran.map(({ id }) => id)).size).toBe(1);
    expect(await stage.periodic().state('report')).toMatchObject({
      lastError: null,
      lastSuccess: expect.any(Number),
      counts: { runs: 1, successes: 1, failures: 0 },
    });
  });

  test('for good is counted as failed, and the next success clears its error but not the count', async () => {
    let broken = true;
    const stage = await PeriodicStage.open({
      tasks: () => [hourly],
      work: () => {
        if (broken) throw new Error('disk full');
      },
    });
    await stage.advance('2h');
    expect(await stage.periodic().state('report')).toMatchObject({
      lastError: 'disk full',
      counts: { runs: 2, successes: 0, failures: 2 },
    });
    broken = false;
    await stage.advance('1h');
    expect(await stage.periodic().state('report')).toMatchObject({
      lastError: null,
      counts: { runs: 3, successes: 1, failures: 2, countedSince: null },
    });
    const history = await stage.periodic().history('report');
    expect(history.map(({ decision }) => decision)).toEqual(['fired', 'failed', 'failed']);
    expect(history[1]?.reason).toContain('disk full');
  });
});

test('a schedule whose stored state cannot be read is reported, and the others go on', async () => {
  const stage = await PeriodicStage.open({ tasks: () => [hourly, { ...hourly, id: 'other' }] });
  const key = { namespace: 'default', archetype: scheduleArchetype, id: 'report' };
  await stage.store.transact(
    { kind: 'keys', keys: [key] },
    {
      decide: ({ executions: [row] }) => {
        if (row === undefined) throw new Error('it is not there');
        return {
          writes: { executions: [{ ...row, version: row.version + 1, state: '{"broken' }] },
          result: null,
        };
      },
    },
  );
  await stage.redeploy();
  await stage.advance('3h');
  expect(stage.ran.map(({ schedule }) => schedule)).toEqual(['other', 'other', 'other']);
  expect(
    stage.lines.filter(({ level, fields }) => level === 'error' && fields.schedule_id === 'report'),
  ).not.toEqual([]);
});

describe('the clock', () => {
  test('that steps back on a node makes no job twice', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [{ ...hourly, cron: '*/5 * * * *' }], nodes: 2 });
    await stage.advance('30m');
    stage.skew(0, -3_600_000);
    await stage.advance('90m');
    expect(new Set(stage.ran.map(({ scheduledAt }) => scheduledAt)).size).toBe(stage.ran.length);
    expect(stage.ran.length).toBeGreaterThanOrEqual(20);
  });

  test('that is an hour ahead on a node makes nothing early: the store decides what is due', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [hourly], nodes: 2 });
    stage.skew(0, 3_600_000);
    await stage.advanceUntil('2026-01-05T10:59:59Z');
    expect(stage.ran).toEqual([]);
    await stage.advance('90m');
    expect(stage.times).toEqual(['11:00', '12:00']);
  });

  test('that jumps an hour forward for all nodes means the misfire policy, then business as usual', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [{ ...hourly, cron: '*/10 * * * *' }] });
    await stage.advanceUntil('2026-01-05T10:31:00Z');
    stage.clock.moveTo(Date.UTC(2026, 0, 5, 11, 31) as never);
    await stage.advance('12m');
    expect(stage.times).toEqual(['10:30', '11:30', '11:40']);
    expect(await stage.decisions('report')).toEqual([
      '10:30 fired',
      '10:40-11:20×5 missed',
      '11:30 fired',
      '11:40 fired',
    ]);
  });
});

test('a stop while a job is under way lets it finish, and takes nothing new', async () => {
  let finished = 0;
  const stage = await PeriodicStage.open({
    tasks: () => [{ ...hourly, cron: '* * * * *', overlap: 'allow' }],
    work: async (_, { sleep }) => {
      await sleep('90s');
      finished += 1;
    },
  });
  await stage.advanceUntil('2026-01-05T10:21:30Z');
  const stopping = stage.periodic().stop({ drainMs: 300_000 });
  await stage.advance('5m');
  await stopping;
  expect(finished).toBe(1);
  expect(stage.ran).toHaveLength(1);
  const { items } = await stage.store.runs({ limit: 10 });
  // What came due meanwhile is a whole job for the next process, or none; nothing is half made.
  expect(items.map(({ state, outcome, worker }) => ({ state, outcome, worker }))).toEqual([
    { state: 'waiting', outcome: null, worker: '' },
    { state: 'done', outcome: 'completed', worker: 'node-0' },
  ]);
});
