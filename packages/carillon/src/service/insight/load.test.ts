import { expect, test } from 'vitest';
import type { Instant } from '../../base/time.ts';
import { day, minute } from '../../base/time.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import type { FleetSpecs } from './fleet-specs.ts';
import { readLoad } from './load.ts';

const from = Date.UTC(2026, 10, 16) as Instant;
const to = (from + day - 1) as Instant;
const query = { namespace: 'default', from, to, bin: '1m', zone: 'UTC' };
const seeds = Array.from({ length: 12 }, (_, place) => `seed-${place}`);

function fleetOf(jitterMs: number): FleetSpecs {
  const spec = {
    cron: [{ text: '0 0,2 * * *', dialect: 'unix' as const }],
    ...(jitterMs > 0 ? { jitterMs } : {}),
  };
  const definition = { spec, seed: seeds[0] } as unknown as ScheduleDefinition;
  const ids = seeds.map((_, place) => `job-${place}`);
  const group = {
    key: 'one',
    definition,
    ids,
    createdAt: ids.map(() => from),
    seeds,
    remaining: null,
  };
  return { groups: [group], paused: [], resuming: [], schedules: ids.length, truncated: false };
}

test('a herd starts at one moment', async () => {
  const { bins, peaks, counted } = await readLoad(fleetOf(0), query, from);
  expect(counted).toBe(12);
  expect(peaks).toMatchObject([{ starts: 12, count: 2 }]);
  expect(bins[120]).toMatchObject({ starts: 12, most: 12 });
});

test('a herd that jitter spreads is counted when each of it is due', async () => {
  const jitterMs = 10 * minute;
  const fleet = fleetOf(jitterMs);
  const { bins, peaks } = await readLoad(fleet, query, from);
  const [group] = fleet.groups;
  const compiled = compiledOf(group?.definition as ScheduleDefinition);
  const due = [from, from + 120 * minute].flatMap((at) =>
    seeds.map((seed) => at + compiled.jitterOf(at as Instant, seed)),
  );
  const byMinute = (at: number) => Math.floor((at - from) / minute);
  for (const [place, { starts }] of bins.entries())
    expect(starts, `minute ${place}`).toBe(due.filter((at) => byMinute(at) === place).length);
  expect(Math.max(...bins.map(({ most }) => most))).toBeLessThan(12);
  for (const { at, starts, schedules } of peaks) {
    const own = seeds.flatMap((seed, place) =>
      [from, from + 120 * minute].some((nominal) => {
        const time = nominal + compiled.jitterOf(nominal as Instant, seed);
        return time >= Date.parse(at) && time < Date.parse(at) + 1000;
      })
        ? [`job-${place}`]
        : [],
    );
    expect(starts).toBe(own.length);
    expect(schedules).toEqual(own.slice(0, 5));
  }
});

test('jitter brings starts into a range, and takes them out of it', async () => {
  const fleet = fleetOf(10 * minute);
  const whole = await readLoad(fleet, query, from);
  const later = { ...query, from: (from + 5 * minute) as Instant, to: (from + 125 * minute - 1) as Instant };
  const part = await readLoad(fleet, later, from);
  const sum = (bins: readonly { readonly starts: number }[]) =>
    bins.reduce((total, { starts }) => total + starts, 0);
  expect(sum(part.bins)).toBe(sum(whole.bins.slice(5, 125)));
});

test('a herd is counted as if it had a jitter, before anyone gives it one', async () => {
  const jitterMs = 10 * minute;
  const spread = { at: from, jitterMs };
  const tried = await readLoad(fleetOf(0), { ...query, spread }, from);
  expect(tried.spread).toHaveLength(12);
  const real = await readLoad(fleetOf(jitterMs), query, from);
  expect(tried.bins).toEqual(real.bins);
  // Those of another moment stay where they are.
  const other = await readLoad(
    fleetOf(0),
    { ...query, spread: { at: (from + minute) as Instant, jitterMs } },
    from,
  );
  expect(other.spread).toEqual([]);
  expect(other.bins).toEqual((await readLoad(fleetOf(0), query, from)).bins);
});

test('schedules whose pause ends by itself start after its end', async () => {
  const { groups, ...fleet } = fleetOf(0);
  const resuming = groups.map((group) => ({ ...group, from: (from + 120 * minute) as Instant }));
  const { bins, peaks, counted, schedules } = await readLoad({ ...fleet, groups: [], resuming }, query, from);
  expect({ counted, schedules }).toEqual({ counted: 12, schedules: 12 });
  expect(bins[0]).toMatchObject({ starts: 0, most: 0 });
  expect(bins[120]).toMatchObject({ starts: 12, most: 12 });
  expect(peaks).toMatchObject([{ starts: 12, count: 1 }]);
});
