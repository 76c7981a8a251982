import { expect, test } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { CarillonEvent } from '../../packages/carillon/src/service/event.ts';
import { StoreError } from '../../packages/carillon/src/store/error.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import { Tally } from '../../packages/server/src/server/metrics/tally.ts';
import { DoorStage } from '../door/door-stage.ts';
import type { Scrape } from '../support/scrape.ts';
import { readScrape } from '../support/scrape.ts';

async function scrape(stage: DoorStage): Promise<Scrape> {
  const { headers, body } = await stage.raw('/metrics');
  expect(headers.get('content-type')).toContain('text/plain');
  return readScrape(body as string);
}

test('shows what happened, in the text format of Prometheus', async () => {
  const tally = new Tally({ clock: new SystemClock(), perSchedule: true });
  await using stage = await DoorStage.open({ tally });
  await stage.create('a');
  await stage.create('b', { run: 'fail' });
  await stage.create('c', { paused: true });
  await stage.call('/schedules/a:trigger', { method: 'POST' });
  await stage.call('/schedules/b:trigger', { method: 'POST' });
  for (const id of ['a', 'b'])
    await stage.until(`/schedules/${id}/runs`, ({ body }) => body.items[0]?.state === 'done');
  tally.trouble(new StoreError('conflict', 'lost'));
  const { values, problems, types } = await scrape(stage);
  expect(problems).toEqual([]);
  const of = (id: string) => `namespace="default",schedule_id="${id}"`;
  expect(values.get('carillon_slots_total{verdict="started"}')).toBe(2);
  expect(values.get('carillon_slots_total{verdict="missedWindow"}')).toBe(0);
  expect(values.get(`scheduler_runs_total{${of('a')},status="completed"}`)).toBe(1);
  expect(values.get(`scheduler_runs_total{${of('b')},status="failed"}`)).toBe(1);
  expect(values.get(`scheduler_skipped_total{${of('b')}}`)).toBe(0);
  expect(values.get(`scheduler_run_duration_seconds_count{${of('a')}}`)).toBe(1);
  expect(values.get(`scheduler_run_duration_seconds_bucket{${of('b')},le="+Inf"}`)).toBe(1);
  expect(values.get(`scheduler_last_run_timestamp{${of('a')}}`)).toBeGreaterThan(1.7e9);
  expect(values.get(`scheduler_next_run_timestamp{${of('a')}}`)).toBeGreaterThan(1.7e9);
  expect(values.has(`scheduler_next_run_timestamp{${of('c')}}`)).toBe(false);
  expect(values.get('carillon_store_troubles_total{kind="conflict"}')).toBe(1);
  expect(values.get(`scheduler_lock_failures_total{${of('a')}}`)).toBe(0);
  expect(values.get('carillon_attempts_total{conclusion="completed"}')).toBe(1);
  expect(values.get('carillon_attempts_total{conclusion="failed"}')).toBe(1);
  expect(values.get('carillon_schedules{state="running"}')).toBe(2);
  expect(values.get('carillon_schedules{state="paused"}')).toBe(1);
  expect(values.get('carillon_store_transaction_seconds_count{kind="keys"}')).toBe(5);
  expect(values.get('carillon_store_transaction_seconds_sum{kind="keys"}')).toBeGreaterThan(0);
  expect(values.get('carillon_http_requests_total{status="201"}')).toBe(3);
  expect(values.get('carillon_build_info{version="0.1.0",store="memory"}')).toBe(1);
  for (const name of ['runs_total', 'run_duration_seconds', 'last_run_timestamp', 'next_run_timestamp'])
    expect(types.has(`scheduler_${name}`)).toBe(true);
  expect(values.has('process_cpu_seconds_total')).toBe(true);
  // A second scrape counts nothing twice.
  const again = await scrape(stage);
  expect(again.values.get(`scheduler_run_duration_seconds_count{${of('a')}}`)).toBe(1);
});

test('shows what waits: by queue and age, and behind a running one', async () => {
  await using stage = await DoorStage.open();
  await stage.call('/runs', { body: { run: 'work', queue: 'absent' } });
  await stage.call('/runs', { body: { run: 'work', queue: 'absent', at: Date.now() + 3_600_000 } });
  await stage.create('slow', { run: 'long', overlap: 'bufferAll' });
  for (let n = 0; n < 3; n += 1) await stage.call('/schedules/slow:trigger', { method: 'POST' });
  await stage.until('/schedules/slow', ({ body }) => body.waiting.length === 2);
  const { values, problems } = await scrape(stage);
  expect(problems).toEqual([]);
  // What may only be taken in an hour is no backlog.
  expect(values.get('carillon_runs_waiting{queue="absent"}')).toBe(1);
  expect(values.get('carillon_runs_waiting_oldest_seconds{queue="absent"}')).toBeGreaterThan(0);
  expect(values.get('carillon_runs_waiting{queue="default"}')).toBe(0);
  expect(values.get('carillon_buffered_starts')).toBe(2);
  expect(values.get('carillon_runs_active')).toBe(1);
});

test('a store that does not answer takes its own numbers away and no others', async () => {
  await using stage = await DoorStage.open();
  await stage.create('a');
  await internalsOf(stage.carillon).runtime.store.close();
  const { values, problems, types } = await scrape(stage);
  expect(problems).toEqual([]);
  expect(values.get('carillon_store_troubles_total{kind="unavailable"}')).toBeGreaterThan(0);
  expect(values.get('carillon_http_requests_total{status="201"}')).toBe(1);
  expect(types.has('carillon_schedules')).toBe(true);
  expect(values.has('carillon_due_lag_seconds')).toBe(false);
});

test('counts steps, their size and how late they started runs', async () => {
  await using stage = await DoorStage.open();
  await stage.create('tick', { every: '1s' });
  await stage.until('/schedules/tick/runs', ({ body }) => body.items[0]?.state === 'done');
  const { values } = await scrape(stage);
  expect(values.get('carillon_step_seconds_count')).toBeGreaterThanOrEqual(1);
  expect(values.get('carillon_step_executions_sum')).toBeGreaterThanOrEqual(1);
  expect(values.get('carillon_store_transaction_seconds_count{kind="due"}')).toBeGreaterThanOrEqual(1);
  expect(values.get('scheduler_lateness_seconds_count')).toBeGreaterThanOrEqual(1);
  expect(values.get('scheduler_next_run_timestamp')).toBeGreaterThan(1.7e9);
});

const slotOf = (schedule: string) => ({
  namespace: 'n',
  schedule,
  runId: schedule,
  workflowId: schedule,
  nominal: instant(Date.UTC(2026, 0, 1)),
  cause: 'auto',
  name: 'work',
});

function finished(schedule: string): CarillonEvent {
  return { type: 'finished', ...slotOf(schedule), outcome: 'completed', attempt: 1, durationMs: 20 };
}

function started(options: { readonly manual: boolean; readonly waited: boolean }): CarillonEvent {
  return { type: 'started', ...slotOf('a'), queue: 'default', priority: 0, lateByMs: 60_000, ...options };
}

const counts = (tally: Tally) => [...tally.schedules.counts];

test('by default metrics have no labels per schedule', () => {
  const tally = new Tally({ clock: new SystemClock() });
  for (const schedule of ['a', 'b']) tally.event(finished(schedule));
  expect(counts(tally).map(({ labels, runs }) => [labels, runs.get('completed')])).toEqual([[{}, 2]]);
});

test('a bounded number of schedules has labels, and a closed one makes room', () => {
  const tally = new Tally({ clock: new SystemClock(), perSchedule: true, mostSchedules: 2 });
  for (const schedule of ['a', 'b', 'c', 'd']) tally.event(finished(schedule));
  const names = () => counts(tally).map(({ labels }) => labels.schedule_id);
  expect(names()).toEqual(['a', 'b', 'other']);
  tally.event({ type: 'closed', reason: 'deleted', namespace: 'n', schedule: 'a' });
  tally.event({ type: 'closed', reason: 'deleted', namespace: 'n', schedule: 'b' });
  tally.event(finished('c'));
  expect(names()).toEqual(['other', 'c']);
});

test('what waited for an earlier run was not late', () => {
  const tally = new Tally({ clock: new SystemClock() });
  const [together] = counts(tally);
  tally.event(started({ manual: false, waited: true }));
  tally.event(started({ manual: true, waited: false }));
  expect(together?.lateness.count).toBe(0);
  tally.event(started({ manual: false, waited: false }));
  expect(together?.lateness.sum).toBe(60);
});

test('the last run is when one was started, and its end changes nothing', () => {
  const clock = new VirtualClock(instant(Date.UTC(2026, 0, 1)));
  const tally = new Tally({ clock, perSchedule: true });
  tally.event(started({ manual: false, waited: false }));
  const [counted] = counts(tally);
  expect(counted?.lastRun).toBe(Date.UTC(2026, 0, 1));
  clock.moveTo(instant(Date.UTC(2026, 0, 2)));
  tally.event(finished('a'));
  expect(counted?.lastRun).toBe(Date.UTC(2026, 0, 1));
});

test('a commit lost to another node is counted with its schedule, when metrics are per schedule', async () => {
  const tally = new Tally({ clock: new SystemClock(), perSchedule: true });
  await using stage = await DoorStage.open({ tally });
  await stage.create('a');
  const refused = new StoreError('conflict', 'another node was faster');
  const { store } = internalsOf(stage.carillon).runtime;
  const transact = store.transact.bind(store);
  let left = 1;
  store.transact = async (selection, decider) => {
    if (selection.kind !== 'keys' || left === 0) return await transact(selection, decider);
    left -= 1;
    throw refused;
  };
  await stage.call('/schedules/a:trigger', { method: 'POST' });
  const { values } = await scrape(stage);
  expect(values.get('scheduler_lock_failures_total{namespace="default",schedule_id="a"}')).toBe(1);
});
