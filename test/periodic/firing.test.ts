/** When jobs are made, and when not: behaviours 22 to 40, in virtual time. */
import { describe, expect, test } from 'vitest';
import type { PeriodicTask, TaskMissed } from '../../packages/carillon/src/periodic/task.ts';
import { PeriodicStage } from './stage.ts';

const hourly: PeriodicTask = { id: 'report', cron: '0 * * * *', payload: { days: 30 }, priority: 'high' };
const minutely: PeriodicTask = { id: 'beat', cron: '* * * * *' };

describe('a task that was never seen', () => {
  test('registered at 10:20, hourly, runs first at 11:00', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [hourly] });
    await stage.advance('39m');
    expect(stage.ran).toEqual([]);
    await stage.advance('2h');
    expect(stage.times).toEqual(['11:00', '12:00']);
  });

  test('with runOnRegister runs once at 10:20, then at 11:00, and not again at the next deploy', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [{ ...hourly, runOnRegister: true }], nodes: 3 });
    await stage.advance('1m');
    expect(stage.times).toEqual(['10:20']);
    await stage.redeploy();
    await stage.advance('1h');
    expect(stage.times).toEqual(['10:20', '11:00']);
    expect(stage.ran.map(({ trigger }) => trigger)).toEqual(['manual', 'cron']);
  });

  test('of which code says that it is disabled does not run on register either', async () => {
    const task = { ...hourly, runOnRegister: true, enabled: false };
    const stage = await PeriodicStage.open({ tasks: () => [task] });
    await stage.advance('5h');
    expect(stage.ran).toEqual([]);
  });

  test('once a year does not run on the day it is deployed', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [{ id: 'yearly', cron: '@yearly' }] });
    await stage.advance('100d');
    expect(stage.ran).toEqual([]);
  });
});

describe('a due occurrence', () => {
  test('is one job with payload, priority, schedule, nominal time, actual time and trigger', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [hourly], nodes: 2 });
    await stage.advanceUntil('2026-01-05T11:00:30Z');
    expect(stage.ran).toEqual([
      {
        id: expect.any(String),
        schedule: 'report',
        payload: { days: 30 },
        priority: 100,
        trigger: 'cron',
        scheduledAt: Date.UTC(2026, 0, 5, 11),
        actualAt: Date.UTC(2026, 0, 5, 11),
        attempt: 1,
        node: expect.any(String),
      },
    ]);
    expect(stage.ran[0]?.id).not.toBe('');
  });

  test('is not made a little before its boundary, by a clock of any node, and once after', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [hourly], nodes: 3 });
    stage.skew(1, 900);
    stage.skew(2, -900);
    await stage.advanceUntil('2026-01-05T10:59:59.999Z');
    expect(stage.ran).toEqual([]);
    await stage.advance(1);
    await stage.advance('10s');
    expect(stage.times).toEqual(['11:00']);
    await stage.advance('20s');
    expect(stage.times).toEqual(['11:00']);
  });

  test('of a minutely task is made 60 times in an hour by ten instances, once per minute', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [minutely], nodes: 10 });
    // Their clocks are up to 20 ms apart and each answer takes a few milliseconds: they meet at every minute.
    for (let node = 0; node < 10; node += 1) stage.skew(node, ((node * 7) % 41) - 20);
    stage.setFaults({ delay: 0.5, longestDelayMs: 4 });
    await stage.advanceUntil('2026-01-05T11:20:30Z');
    expect(stage.ran).toHaveLength(60);
    expect(new Set(stage.times).size).toBe(60);
    expect(new Set(stage.ran.map(({ node }) => node)).size).toBeGreaterThan(1);
  });

  test('is made once in bad weather too: lost requests, lost answers, late answers, crashes', async () => {
    const faults = {
      failBefore: 0.05,
      failAfter: 0.05,
      delay: 0.2,
      longestDelayMs: 400,
      loseNotification: 0.3,
    };
    const stage = await PeriodicStage.open({
      tasks: () => [{ ...minutely, missed: 'all' }],
      nodes: 4,
      seed: 7,
    });
    stage.setFaults(faults);
    for (let round = 0; round < 12; round += 1) {
      await stage.advance('5m');
      stage.crash(round % 4);
      await stage.restart(round % 4);
    }
    stage.clearFaults();
    await stage.advance('2m');
    const first = stage.ran.filter(({ attempt }) => attempt === 1).map(({ scheduledAt }) => scheduledAt);
    expect(new Set(first).size).toBe(first.length);
    const slots = await stage.periodic().history('beat', 1000);
    expect(new Set(slots.map(({ nominal }) => nominal)).size).toBe(62);
    expect(slots.every(({ decision }) => decision === 'fired' || decision === 'skipped')).toBe(true);
  });

  test('that an instance stalled over is made by another, and still once when the first comes back', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [minutely], nodes: 2 });
    // Its answers take two minutes: longer than any lock would have lived.
    stage.setFaults({ delay: 1, longestDelayMs: 120_000 });
    await stage.advance('5m');
    stage.clearFaults();
    await stage.advance('10m');
    const times = stage.ran.filter(({ attempt }) => attempt === 1).map(({ scheduledAt }) => scheduledAt);
    expect(new Set(times).size).toBe(times.length);
    const decided = await stage.periodic().history('beat');
    expect(decided.reduce((sum, { count }) => sum + count, 0)).toBe(15);
  });
});

describe('down from 01:10 to 06:10, hourly', () => {
  async function down(
    missed: TaskMissed | undefined,
    more: Partial<PeriodicTask> = {},
  ): Promise<PeriodicStage> {
    const task: PeriodicTask = { ...hourly, ...(missed === undefined ? {} : { missed }), ...more };
    const stage = await PeriodicStage.open({ tasks: () => [task], start: '2026-01-05T00:30:00Z' });
    await stage.advanceUntil('2026-01-05T01:10:00Z');
    stage.crash(0);
    await stage.advanceUntil('2026-01-05T06:10:00Z');
    await stage.redeploy();
    await stage.advance('10m');
    return stage;
  }

  test('by default one job for 06:00, and four recorded as missed', async () => {
    const stage = await down(undefined);
    expect(stage.times).toEqual(['01:00', '06:00']);
    expect(stage.ran[1]?.actualAt).toBe(Date.UTC(2026, 0, 5, 6, 10));
    expect(await stage.decisions('report')).toEqual(['01:00 fired', '02:00-05:00×4 missed', '06:00 fired']);
    expect(await stage.periodic().state('report')).toMatchObject({
      lateness: 600_000,
      counts: { runs: 2, missed: 4, skipped: 0 },
    });
  });

  test('with skip none, and the next at 07:00', async () => {
    const stage = await down('skip');
    expect(stage.times).toEqual(['01:00']);
    expect((await stage.periodic().state('report')).counts.missed).toBe(5);
    await stage.advance('1h');
    expect(stage.times).toEqual(['01:00', '07:00']);
  });

  test('with catchUp 3 the three newest, oldest first', async () => {
    const stage = await down({ catchUp: 3 });
    expect(stage.times).toEqual(['01:00', '04:00', '05:00', '06:00']);
    expect((await stage.periodic().state('report')).counts).toMatchObject({ runs: 4, missed: 2 });
  });

  test('with catchUp 3 of every second, which is more than one look takes, still the three newest', async () => {
    const bounds = { startAt: '2026-01-05T01:09:50Z', endAt: '2026-01-05T06:09:59Z' };
    const stage = await down({ catchUp: 3 }, { cron: '* * * * * *', ...bounds });
    const late = stage.ran.filter(({ actualAt }) => actualAt >= Date.UTC(2026, 0, 5, 6, 10));
    expect(late.map(({ scheduledAt }) => scheduledAt)).toEqual(
      [57, 58, 59].map((second) => Date.UTC(2026, 0, 5, 6, 9, second)),
    );
    const { counts } = await stage.periodic().state('report');
    expect(counts).toMatchObject({ missed: 5 * 3600 - 1 - 3 });
  });

  test('with all every one of them, oldest first', async () => {
    expect((await down('all')).times).toEqual(['01:00', '02:00', '03:00', '04:00', '05:00', '06:00']);
  });

  test('with a misfire window of five minutes none, and that is recorded', async () => {
    const stage = await down('once', { misfireWindow: '5m' });
    expect(stage.times).toEqual(['01:00']);
    expect(await stage.decisions('report')).toEqual(['01:00 fired', '02:00-06:00×5 missed']);
    const [newest] = await stage.periodic().history('report');
    expect(newest?.reason).toContain('past its catch-up window of 5 min');
  });
});

describe('enabled', () => {
  test('false is never due; true later means the next occurrence to come, however long it was', async () => {
    let enabled = false;
    const stage = await PeriodicStage.open({ tasks: () => [{ ...hourly, enabled, missed: 'all' }] });
    await stage.advance('30d');
    expect(stage.ran).toEqual([]);
    enabled = true;
    await stage.redeploy();
    await stage.advance('30m');
    expect(stage.ran).toEqual([]);
    await stage.advance('30m');
    expect(stage.times).toEqual(['11:00']);
  });
});

describe('an edited task', () => {
  test('in another zone gets a new next time from now on, and nothing for the past', async () => {
    let timezone = 'UTC';
    const stage = await PeriodicStage.open({
      tasks: () => [{ id: 'report', cron: '0 9 * * *', timezone }],
      start: '2026-01-05T10:20:00Z',
    });
    expect((await stage.periodic().state('report')).nextRun).toBe(Date.UTC(2026, 0, 6, 9));
    timezone = 'America/New_York';
    await stage.redeploy();
    expect((await stage.periodic().state('report')).nextRun).toBe(Date.UTC(2026, 0, 5, 14));
    expect(stage.ran).toEqual([]);
    await stage.advanceUntil('2026-01-05T14:00:01Z');
    expect(stage.times).toEqual(['14:00']);
  });

  test('counts from its next occurrence, and keeps its state', async () => {
    let cron = '0 * * * *';
    const stage = await PeriodicStage.open({ tasks: () => [{ ...hourly, cron }] });
    await stage.advance('2h');
    cron = '30 * * * *';
    await stage.redeploy();
    const state = await stage.periodic().state('report');
    expect(state).toMatchObject({ counts: { runs: 2, successes: 2 }, nextRun: Date.UTC(2026, 0, 5, 12, 30) });
    await stage.advance('15m');
    expect(stage.times).toEqual(['11:00', '12:00', '12:30']);
    expect((await stage.periodic().state('report')).counts.runs).toBe(3);
  });
});

test('a manual trigger is one job marked manual, and the schedule goes on as if nothing had happened', async () => {
  const stage = await PeriodicStage.open({ tasks: () => [hourly] });
  await stage.periodic().trigger('report', { actor: 'ann', note: 'wanted now' });
  await stage.advance('1m');
  expect(stage.ran).toMatchObject([{ trigger: 'manual', scheduledAt: Date.UTC(2026, 0, 5, 10, 20) }]);
  expect((await stage.periodic().state('report')).nextRun).toBe(Date.UTC(2026, 0, 5, 11));
  await stage.advance('1h');
  expect(stage.ran.map(({ trigger }) => trigger)).toEqual(['manual', 'cron']);
});

describe('while the job before is unfinished', () => {
  const slow = (overlap: NonNullable<PeriodicTask['overlap']>) =>
    PeriodicStage.open({
      tasks: () => [{ id: 'slow', cron: '*/10 * * * *', overlap }],
      work: (context, { sleep }) => sleep('25m', context.signal),
    });

  test('skip records the occurrence as skipped', async () => {
    const stage = await slow('skip');
    await stage.advance('35m');
    expect(stage.times).toEqual(['10:30']);
    expect(await stage.decisions('slow')).toEqual(['10:30 fired', '10:40-10:50×2 skipped']);
    expect((await stage.periodic().state('slow')).counts.skipped).toBe(2);
    const [newest] = await stage.periodic().history('slow');
    expect(newest?.reason).toMatch(/skipped because run .* was still going/);
  });

  test('queueOne lets one wait', async () => {
    const stage = await slow('queueOne');
    await stage.advance('34m');
    expect(await stage.decisions('slow')).toEqual(['10:30 fired', '10:40 waiting', '10:50 skipped']);
    await stage.advance('2m');
    expect(stage.times).toEqual(['10:30', '10:40']);
  });

  test('allow makes both', async () => {
    const stage = await slow('allow');
    await stage.advance('31m');
    expect(stage.times).toEqual(['10:30', '10:40', '10:50']);
  });
});

test('jitter starts within its bound, at the same moment on every node, under the nominal time', async () => {
  const task: PeriodicTask = { ...minutely, jitter: '30s' };
  const starts = async (seed: number) => {
    const stage = await PeriodicStage.open({ tasks: () => [task], nodes: 3, seed });
    await stage.advance('10m');
    return stage.ran.map(({ scheduledAt, actualAt }) => ({ scheduledAt, late: actualAt - scheduledAt }));
  };
  const first = await starts(1);
  expect(first.length).toBeGreaterThanOrEqual(9);
  for (const { scheduledAt, late } of first) {
    expect(scheduledAt % 60_000).toBe(0);
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThanOrEqual(30_000);
  }
  expect(new Set(first.map(({ late }) => late)).size).toBeGreaterThan(1);
  expect(await starts(2)).toEqual(first);
});

test('start, end and the number of runs are respected; then the task has ended', async () => {
  const bounds = { startAt: '2026-01-05T12:00:00Z', endAt: '2026-01-05T15:30:00Z' };
  const stage = await PeriodicStage.open({
    tasks: () => [
      { ...hourly, id: 'bounded', ...bounds },
      { ...hourly, id: 'thrice', maxRuns: 3 },
    ],
  });
  await stage.advance('10h');
  const of = (id: string) => stage.ran.filter(({ schedule }) => schedule === id).length;
  expect([of('bounded'), of('thrice')]).toEqual([4, 3]);
  for (const id of ['bounded', 'thrice']) {
    expect(await stage.periodic().state(id)).toMatchObject({ status: 'ended', nextRun: null });
  }
  // Weeks later a deploy repeats the declaration, which is not a reason to begin again.
  await stage.advance('30d');
  await stage.redeploy();
  await stage.advance('10h');
  expect([of('bounded'), of('thrice')]).toEqual([4, 3]);
});
