/** What is shown, counted and logged, and how much of it there may be: behaviours 51 to 57. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { periodicMetrics } from '../../packages/carillon/src/periodic/metrics.ts';
import { createPeriodic } from '../../packages/carillon/src/periodic/periodic.ts';
import type { PeriodicTask } from '../../packages/carillon/src/periodic/task.ts';
import type { RunContext } from '../../packages/carillon/src/runs/context.ts';
import { clockText, type Line, loggerTo, PeriodicStage } from './stage.ts';

const hourly: PeriodicTask = { id: 'report', cron: '0 * * * *', priority: 'low' };

describe('the state of a task', () => {
  test('says nothing where nothing has happened', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [hourly] });
    expect(await stage.periodic().state('report')).toEqual({
      id: 'report',
      status: 'running',
      enabled: true,
      lastRun: null,
      lastRunAt: null,
      lateness: null,
      nextRun: Date.UTC(2026, 0, 5, 11),
      lastSuccess: null,
      lastError: null,
      counts: { runs: 0, skipped: 0, missed: 0, successes: 0, failures: 0, countedSince: null },
    });
  });

  test('shows nominal and actual times, the next one, counts by outcome, the last error and lateness', async () => {
    const stage = await PeriodicStage.open({
      tasks: () => [{ ...hourly, jitter: '5m' }],
      work: ({ scheduledAt }) => {
        if (scheduledAt === Date.UTC(2026, 0, 5, 12)) throw new Error('no paper');
      },
    });
    await stage.advanceUntil('2026-01-05T12:30:00Z');
    const state = await stage.periodic().state('report');
    expect(state).toMatchObject({
      lastRun: Date.UTC(2026, 0, 5, 12),
      lastError: 'no paper',
      lateness: 0,
      counts: { runs: 2, successes: 1, failures: 1, skipped: 0, missed: 0 },
    });
    expect(state.lastRunAt).toBe(stage.ran[1]?.actualAt);
    expect(state.lastRunAt).toBeGreaterThan(Date.UTC(2026, 0, 5, 12));
    expect(state.lastSuccess).toBe(stage.ran[0]?.actualAt);
  });

  test('counts from where its records begin when retention took the rest, and says so', async () => {
    const stage = await PeriodicStage.open({
      tasks: () => [{ ...hourly, cron: '* * * * *' }],
      retention: { runsPerSchedule: 10, uncounted: 0 },
      tuning: { retentionPauseMs: 60_000 },
    });
    await stage.advance('5h');
    const { counts } = await stage.periodic().state('report');
    expect(counts.runs).toBe(300);
    expect(counts.successes).toBeLessThan(300);
    expect(counts.countedSince).not.toBeNull();
  });

  test('of all tasks comes by id, orphans included', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [hourly, { ...hourly, id: 'a', enabled: false }] });
    const states = await stage.periodic().states();
    expect(states.map(({ id, enabled }) => ({ id, enabled }))).toEqual([
      { id: 'a', enabled: false },
      { id: 'report', enabled: true },
    ]);
  });
});

test('the history has the last occurrences, each with its decision, trigger, job and reason', async () => {
  const stage = await PeriodicStage.open({ tasks: () => [hourly] });
  await stage.advance('1h');
  await stage.periodic().pause('report', 'holiday', { actor: 'ann' });
  await stage.advance('3h');
  await stage.periodic().resume('report');
  await stage.periodic().trigger('report');
  await stage.advance('1h');
  const history = await stage.periodic().history('report');
  expect(history.map(({ decision, trigger, count }) => ({ decision, trigger, count }))).toEqual([
    { decision: 'fired', trigger: 'cron', count: 1 },
    { decision: 'fired', trigger: 'manual', count: 1 },
    { decision: 'skipped', trigger: 'cron', count: 3 },
    { decision: 'fired', trigger: 'cron', count: 1 },
  ]);
  expect(history[2]?.reason).toContain('paused by ann');
  expect(history[0]).toMatchObject({ jobId: stage.ran.at(-1)?.id, outcome: 'completed', verdict: 'started' });
  expect(await stage.periodic().history('report', 2)).toHaveLength(2);
});

test('the metrics have the names and labels of the original, and skipped, missed and lateness beside', async () => {
  const stage = await PeriodicStage.open({
    tasks: () => [
      { ...hourly, cron: '*/10 * * * *' },
      { ...hourly, id: 'slow', cron: '*/10 * * * *' },
    ],
    work: ({ schedule, signal, scheduledAt }, { sleep }) => {
      if (schedule === 'slow') return sleep('15m', signal);
      if (scheduledAt === Date.UTC(2026, 0, 5, 10, 30)) throw new Error('once');
      return undefined;
    },
  });
  const metrics = periodicMetrics(stage.periodic());
  await stage.advanceUntil('2026-01-05T11:05:00Z');
  const text = await metrics.text();
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(samples).toEqual(
    expect.arrayContaining([
      'scheduler_runs_total{schedule_id="report",status="completed"} 3',
      'scheduler_runs_total{schedule_id="report",status="failed"} 1',
      'scheduler_run_duration_seconds_bucket{schedule_id="slow",le="900"} 2',
      'scheduler_run_duration_seconds_count{schedule_id="slow"} 2',
      `scheduler_last_run_timestamp{schedule_id="report"} ${Date.UTC(2026, 0, 5, 11) / 1000}`,
      `scheduler_next_run_timestamp{schedule_id="report"} ${Date.UTC(2026, 0, 5, 11, 10) / 1000}`,
      'scheduler_lock_failures_total{schedule_id="report"} 0',
      'scheduler_skipped_total{schedule_id="report"} 0',
      'scheduler_skipped_total{schedule_id="slow"} 2',
      'scheduler_missed_total{schedule_id="report"} 0',
      'scheduler_lateness_seconds_count{schedule_id="report"} 4',
    ]),
  );
  await stage.periodic().trigger('report');
  await stage.advanceUntil('2026-01-05T11:06:00Z');
  // When a job was made, not the occurrence it is for.
  expect(await metrics.text()).toContain(
    `scheduler_last_run_timestamp{schedule_id="report"} ${Date.UTC(2026, 0, 5, 11, 5) / 1000}\n`,
  );
  metrics.stop();
});

describe('the log', () => {
  test('of a job has the fields of the original, the nominal time and the instance', async () => {
    const stage = await PeriodicStage.open({ tasks: () => [hourly] });
    await stage.advanceUntil('2026-01-05T11:00:01Z');
    expect(stage.lines).toContainEqual({
      level: 'info',
      message: 'Scheduled job enqueued',
      fields: {
        component: 'scheduler',
        instance: 'node-0',
        schedule_id: 'report',
        job_name: 'report',
        job_id: stage.ran[0]?.id,
        priority: 'low',
        next_run: '2026-01-05T12:00:00Z',
        nominal_time: '2026-01-05T11:00:00Z',
        late_ms: 0,
        trigger_type: 'cron',
      },
    });
  });

  test('tells of start and stop with the count, of failed jobs, and in detail of what was skipped', async () => {
    const stage = await PeriodicStage.open({
      tasks: () => [hourly, { ...hourly, id: 'slow', cron: '*/10 * * * *' }],
      work: (context, { sleep }) => {
        if (context.schedule === 'slow') return sleep('15m', context.signal);
        throw new Error('no paper');
      },
    });
    await stage.advance('1h');
    const stopping = stage.periodic().stop({ drainMs: 0 });
    await stage.advance('1m');
    await stopping;
    const told = stage.lines.map(({ level, message }) => `${level} ${message}`);
    expect(told.slice(0, 2)).toEqual(['info Schedules synced with code', 'info Cron scheduler started']);
    expect(told).toContain('info Cron scheduler stopping');
    expect(stage.lines.find(({ message }) => message === 'Cron scheduler started')?.fields).toMatchObject({
      count: 2,
      interval: 'event-driven',
    });
    expect(stage.lines.find(({ message }) => message === 'Scheduled job failed')).toMatchObject({
      level: 'error',
      fields: { schedule_id: 'report', error: 'no paper' },
    });
    expect(stage.lines.find(({ message }) => message === 'Schedule decided')).toMatchObject({
      level: 'debug',
      fields: { schedule_id: 'slow', decision: 'skippedOverlap' },
    });
  });
});

describe('many tasks', () => {
  test('10,000 of which none is due cost a look well under 50 ms', async () => {
    const carillon = await openCarillon({ store: 'sqlite::memory:', durability: 'fast' });
    onTestFinished(() => carillon.stop());
    const periodic = createPeriodic({ carillon });
    for (let index = 0; index < 10_000; index += 1)
      periodic.register({ id: `t${index}`, cron: '@yearly', job: 'x' });
    const syncing = performance.now();
    await periodic.sync();
    console.log(`10,000 tasks synced in ${((performance.now() - syncing) / 1000).toFixed(1)} s`);
    const looks: number[] = [];
    for (let look = 0; look < 20; look += 1) {
      const begun = performance.now();
      await carillon.store.transact(
        { kind: 'due', limit: 512 },
        { decide: () => ({ writes: {}, result: null }) },
      );
      await carillon.store.wakeTimes({});
      looks.push(performance.now() - begun);
    }
    looks.sort((a, b) => a - b);
    console.log(`a look at ${await carillon.schedules.count()} tasks: ${looks[10]?.toFixed(2)} ms`);
    expect(looks[10]).toBeLessThan(50);
  });

  test('1,000 due in the same minute are all made and done within seconds', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'carillon-periodic-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const carillon = await openCarillon({ store: `sqlite:${join(directory, 'a.db')}`, concurrency: 1000 });
    const periodic = createPeriodic({ carillon });
    onTestFinished(() => periodic.stop());
    let ran = 0;
    let last = 0;
    const done = new Promise<void>((resolve) => {
      for (let index = 0; index < 1000; index += 1) {
        periodic.task({
          id: `t${index}`,
          // All at the same second, far enough ahead that everything is there by then.
          every: '1h',
          maxRuns: 1,
          run: () => {
            ran += 1;
            last = performance.now();
            if (ran === 1000) resolve();
          },
        });
      }
    });
    await periodic.start();
    // Everything becomes due at one moment: a change of all of them to one time that is now.
    const at = Date.now() + 500;
    const due = new Date(Math.ceil(at / 1000) * 1000);
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        carillon.schedules.update(`t${index}`, { at: due, run: `t${index}`, owner: 'periodic' }),
      ),
    );
    await done;
    expect(ran).toBe(1000);
    console.log(
      `1,000 due at once: the last began ${(Date.now() - due.getTime()).toFixed(0)} ms after its time`,
    );
    expect(last).toBeGreaterThan(0);
    expect(Date.now() - due.getTime()).toBeLessThan(10_000);
  });

  test('of those that wait, high priority goes first, and within a priority the older occurrence', async () => {
    const order: string[] = [];
    const stage = await PeriodicStage.open({
      tasks: () => [
        { id: 'low', cron: '*/10 * * * *', priority: 'low', overlap: 'allow', job: 'work' },
        { id: 'high', cron: '*/10 * * * *', priority: 'high', overlap: 'allow', job: 'work' },
        { id: 'normal', cron: '*/10 * * * *', overlap: 'allow', job: 'work' },
        { id: 'busy', cron: '29 10 * * *', job: 'work' },
      ],
      setup: (carillon, { sleep }) => {
        const work = async ({ schedule, signal, scheduledAt }: RunContext) => {
          order.push(`${schedule} ${clockText(scheduledAt).slice(3)}`);
          if (schedule === 'busy') await sleep('25m', signal);
        };
        carillon.handle('work', work, { concurrency: 1 });
      },
    });
    await stage.advanceUntil('2026-01-05T10:55:00Z');
    expect(order).toEqual([
      'busy 29',
      ...['high', 'normal', 'low'].flatMap((id) => ['30', '40', '50'].map((minute) => `${id} ${minute}`)),
    ]);
  });
});

test('a whole service on one SQLite file: registered, run, stopped, and still there', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'carillon-periodic-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const store = `sqlite:${join(directory, 'jobs.db')}`;
  const lines: Line[] = [];
  const first = createPeriodic({
    carillon: await openCarillon({ store }),
    logger: loggerTo(lines),
    owner: 'billing',
  });
  const ran = new Promise<number>((resolve) => {
    first.task({
      id: 'tick',
      cron: '* * * * * *',
      payload: { n: 2 },
      run: ({ payload, scheduledAt }) => resolve(payload.n + (scheduledAt % 1000)),
    });
  });
  await first.start();
  expect(await ran).toBe(2);
  await first.stop();

  const second = createPeriodic({ carillon: await openCarillon({ store }), owner: 'billing' });
  second.task({ id: 'tick', cron: '* * * * * *', payload: { n: 2 }, run: () => {} });
  expect(await second.sync()).toMatchObject({ unchanged: ['tick'] });
  expect((await second.state('tick')).counts.runs).toBeGreaterThanOrEqual(1);
  await second.stop();
  expect(lines.some(({ message }) => message === 'Scheduled job enqueued')).toBe(true);
});
