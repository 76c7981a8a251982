/** What is shown, counted and logged, and how much of it there may be: behaviours 51 to 57. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SteadyClock, SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { duration, hour } from '../../packages/carillon/src/base/time.ts';
import { uniqueIds } from '../../packages/carillon/src/base/unique-id.ts';
import { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { periodicMetrics } from '../../packages/carillon/src/periodic/metrics.ts';
import { createPeriodic } from '../../packages/carillon/src/periodic/periodic.ts';
import type { PeriodicTask } from '../../packages/carillon/src/periodic/task.ts';
import type { RunContext } from '../../packages/carillon/src/runs/context.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/index.ts';
import { SkewedClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import { until } from '../support/until.ts';
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
  test('10,000 of which none is due are not looked at one by one', async () => {
    const carillon = await openCarillon({ store: 'sqlite::memory:', durability: 'fast' });
    onTestFinished(() => carillon.stop());
    const periodic = createPeriodic({ carillon });
    for (let index = 0; index < 10_000; index += 1)
      periodic.register({ id: `t${index}`, cron: '@yearly', job: 'x' });
    await periodic.sync();
    expect(await carillon.schedules.count()).toBe(10_000);
    // That the store finds this out from an index is tested with the store (`sqlite-file.test.ts`).
    const loaded = await internalsOf(carillon).runtime.store.transact(
      { kind: 'due', limit: 512 },
      { decide: ({ executions }) => ({ writes: {}, result: executions.length }) },
    );
    expect(loaded).toBe(0);
    const { due, now } = await internalsOf(carillon).runtime.store.wakeTimes({});
    expect(due).toBeGreaterThan(now);
  });

  test('1,000 due in the same second are made and done in few transactions', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'carillon-periodic-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const clock = new SkewedClock(new SystemClock());
    const store = new SqliteStore({ path: join(directory, 'a.db'), clock });
    await store.migrate();
    const carillon = new Carillon({
      store,
      clock,
      steadyClock: new SteadyClock(),
      newId: uniqueIds(clock),
      concurrency: 1000,
      // The node looks again soon after its clock was moved.
      tuning: { engine: { longestSleep: duration(20) } },
    });
    const periodic = createPeriodic({ carillon });
    onTestFinished(() => periodic.stop());
    const ran = new Map<string, number>();
    for (let index = 0; index < 1000; index += 1) {
      const id = `t${index}`;
      periodic.task({ id, every: '1h', maxRuns: 1, run: () => void ran.set(id, (ran.get(id) ?? 0) + 1) });
    }
    await periodic.start();
    const transact = vi.spyOn(store, 'transact');
    // The full hour comes for all of them at once.
    clock.skew = hour - (clock.now() % hour);
    await until(() => ran.size === 1000);
    const busy = transact.mock.calls.filter(([{ kind }]) => kind !== 'due').length;
    expect([...ran.values()].every((count) => count === 1)).toBe(true);
    // Ends travel in batches: far fewer than one transaction for each.
    expect(busy).toBeLessThan(200);
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
