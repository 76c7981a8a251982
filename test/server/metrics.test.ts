import { expect, test } from 'vitest';
import { SystemClock } from '../../src/base/clock.ts';
import { Histogram } from '../../src/server/metrics/histogram.ts';
import { Tally } from '../../src/server/metrics/tally.ts';
import { StoreError } from '../../src/store/error.ts';
import { DoorStage } from '../door/door-stage.ts';

/** Values by name and labels, and the lines that are neither value nor comment. */
function read(text: string): { values: Map<string, number>; odd: string[] } {
  const values = new Map<string, number>();
  const odd: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const match = /^([a-z_][a-z0-9_]*(?:\{[^}]*\})?) ([\d.e+-]+|NaN)$/i.exec(line);
    if (match === null) odd.push(line);
    else values.set(match[1] as string, Number(match[2]));
  }
  return { values, odd };
}

test('tells what happened, in the form Prometheus reads', async () => {
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
  const { headers, body } = await stage.raw('/metrics');
  expect(headers.get('content-type')).toContain('text/plain');
  const { values, odd } = read(body);
  expect(odd).toEqual([]);
  expect(values.get('carillon_slots_total{verdict="started"}')).toBe(2);
  expect(values.get('scheduler_runs_total{schedule_id="a",status="completed"}')).toBe(1);
  expect(values.get('scheduler_runs_total{schedule_id="b",status="failed"}')).toBe(1);
  expect(values.get('scheduler_run_duration_seconds_count{status="completed"}')).toBe(1);
  expect(values.get('scheduler_run_duration_seconds_bucket{status="failed",le="+Inf"}')).toBe(1);
  expect(values.get('scheduler_last_run_timestamp{schedule_id="a"}')).toBeGreaterThan(1.7e9);
  expect(values.get('scheduler_next_run_timestamp')).toBeGreaterThan(1.7e9);
  expect(values.get('scheduler_lock_failures_total')).toBe(1);
  expect(values.get('carillon_schedules{state="running"}')).toBe(2);
  expect(values.get('carillon_schedules{state="paused"}')).toBe(1);
  expect(values.get('carillon_http_requests_total{status="201"}')).toBe(3);
  expect(values.has('process_cpu_seconds_total')).toBe(true);
  // A second scrape counts nothing twice.
  expect(
    read((await stage.raw('/metrics')).body).values.get(
      'scheduler_run_duration_seconds_count{status="completed"}',
    ),
  ).toBe(1);
});

test('without being asked, schedules are not told apart', () => {
  const tally = new Tally({ clock: new SystemClock() });
  for (const schedule of ['a', 'b']) {
    tally.event({ type: 'finished', namespace: 'n', schedule, runId: schedule, outcome: 'completed' });
  }
  expect([...tally.runs.values()]).toEqual([{ schedule: '', status: 'completed', count: 2 }]);
});

test('buckets count what is below them', () => {
  const histogram = new Histogram([1, 2]);
  for (const value of [0, 1, 1.5, 9]) histogram.observe(value);
  expect(histogram.buckets().map(({ count }) => count)).toEqual([2, 3, 4]);
  expect([histogram.count, histogram.sum]).toEqual([4, 11.5]);
});
