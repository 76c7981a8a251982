import { expect, test } from 'vitest';
import type { Instant } from '../../base/time.ts';
import { day, hour, second } from '../../base/time.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import type { ScheduleSpec } from '../../spec/index.ts';
import { binEdges } from './bin-edges.ts';
import { countPaused } from './paused-counts.ts';

const now = Date.UTC(2026, 10, 18, 12, 0, 30) as Instant;
const ago = (length: number) => (now - length) as Instant;

function groupOf(spec: ScheduleSpec, ...since: Instant[]) {
  const definition = { spec, seed: 'a', paused: { at: since[0], by: '', note: '' } };
  return { definition: definition as unknown as ScheduleDefinition, since };
}

test('schedules with one spec are counted together, each from its own pause on', async () => {
  const group = groupOf({ cron: [{ text: '0 * * * *' }] }, ago(3 * hour), ago(hour));
  const { bins, truncated } = await countPaused(
    [group],
    binEdges({ from: ago(5 * hour), to: now }, '1h', undefined),
    now,
  );
  // From 07:00 on; the second one only has the slot of 12:00.
  expect(bins).toEqual([0, 0, 0, 1, 1, 2]);
  expect(truncated).toBe(false);
});

/** Every second, once as an interval, which is computed, and once as a cron, which is walked over for a while. */
const interval = { intervals: [{ everyMs: second }] };
const cron = { cron: [{ text: '* * * * * *', dialect: 'spring' as const }] };

test('a year of an interval is counted exactly', async () => {
  const edges = binEdges({ from: ago(30 * day), to: now }, '1d', undefined);
  const { bins, truncated } = await countPaused([groupOf(interval, ago(365 * day))], edges, now);
  expect(truncated).toBe(false);
  expect(bins.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => day / second));
});

test('a year of every second is counted nearly exactly, with little work', async () => {
  const edges = binEdges({ from: ago(30 * day), to: now }, '1d', undefined);
  const group = groupOf(cron, ago(365 * day));
  const { bins, truncated } = await countPaused([group], edges, now);
  expect(truncated).toBe(true);
  expect(Math.abs((bins[0] as number) - day / second)).toBeLessThan(2);
  expect(Math.abs((bins[20] as number) - day / second)).toBeLessThan(2);
  const begin = edges[0] as number;
  expect(bins.reduce((sum, count) => sum + count)).toBeCloseTo((now - begin) / second, -1);
});

test.each([interval, cron])('a schedule that was paused later has none before: %j', async (spec) => {
  const edges = binEdges({ from: ago(30 * day), to: now }, '1d', undefined);
  const [one, both] = await Promise.all([
    countPaused([groupOf(spec, ago(365 * day))], edges, now),
    countPaused([groupOf(spec, ago(365 * day), ago(2 * day))], edges, now),
  ]);
  const more = both.bins.map((count, index) => count - (one.bins[index] as number));
  expect(more.slice(0, 28)).toEqual(Array.from({ length: 28 }, () => 0));
  expect(more.reduce((sum, count) => sum + count)).toBe((2 * day) / second);
});
