/** A stored spec that is hard to search: the search continues over steps, delays no other schedule, and ends in quarantine. */
import { describe, expect, test, vi } from 'vitest';
import { scheduleFamilies } from '../../packages/carillon/src/metrics/schedule-families.ts';
import { ScheduleTally } from '../../packages/carillon/src/metrics/schedule-tally.ts';
import { mostUnitsPerSlot } from '../../packages/carillon/src/scheduler/generate.ts';
import * as specSearch from '../../packages/carillon/src/service/spec-search.ts';
import { aStage } from './stage.ts';

/** Times every second, left out one by one until the year 2100: each costs three units. */
const halves = [
  { second: '*/2', minute: '*', hour: '*' },
  { second: '1-59/2', minute: '*', hour: '*' },
];
const hostile = { intervals: [{ everyMs: 1000 }], exclude: { calendars: halves } };

/** Four hours left out second by second, then all are free. */
const fourHoursOut = {
  ...hostile,
  exclude: { calendars: halves.map((each) => ({ ...each, hour: '0-3', dayOfMonth: '1', month: '1' })) },
};

/** As if it had been stored by a version that did not check. */
async function storeHostile(stage: Awaited<ReturnType<typeof aStage>>, spec: object): Promise<void> {
  const spy = vi.spyOn(specSearch, 'checkSearchable').mockResolvedValue(undefined);
  try {
    await stage.create({ spec: spec as never, run: 'work' }, 'hostile');
  } finally {
    spy.mockRestore();
  }
}

describe('a spec that does not fit into one step', () => {
  test('is searched on from where the last step ended, and others fire on time', async () => {
    await using stage = await aStage();
    const heard: string[] = [];
    stage.carillon.subscribe(({ type }) => heard.push(type));
    await storeHostile(stage, fourHoursOut);
    await stage.create({ every: '1s', run: 'work' }, 'other');
    expect((await stage.describe('hostile')).next).toBeNull();
    await stage.advance('2s');
    expect((await stage.describe('hostile')).next).toBe(Date.parse('2026-01-01T04:00:00Z'));
    expect(heard.filter((type) => type === 'specSearchLong')).toHaveLength(1);
    const others = stage.performed.filter(({ context }) => context.schedule === 'other');
    expect(others.map(({ at, context }) => at - context.scheduledAt)).toEqual([0, 0]);
    await stage.advance('4h');
    expect(stage.performed.filter(({ context }) => context.schedule === 'hostile').length).toBeGreaterThan(0);
  });

  test('is counted in the metric of long searches, by schedule', async () => {
    const tally = new ScheduleTally({ most: 10, labels: ({ schedule }) => ({ schedule_id: schedule }) });
    await using stage = await aStage();
    stage.carillon.subscribe((event) => {
      if (event.schedule !== null) tally.count(event);
    });
    // Accepted: it has times, only far from now.
    await stage.create({ spec: fourHoursOut, run: 'work' }, 'far');
    await stage.create({ every: '1s', run: 'work' }, 'near');
    await stage.advance('2s');
    const family = scheduleFamilies(tally.counts, { next: [] }).find(
      ({ name }) => name === 'scheduler_long_searches_total',
    );
    expect(family).toMatchObject({ type: 'counter' });
    const counts = family?.samples.map(({ labels, value }) => [labels?.schedule_id, value]) ?? [];
    expect(Object.fromEntries(counts)).toEqual({ far: 1, near: 0 });
  });

  test('that never ends is set aside with an incident that names it, also after a restart, and an edit frees it', async () => {
    await using stage = await aStage();
    await storeHostile(stage, hostile);
    await stage.create({ every: '1s', run: 'work' }, 'other');
    await stage.advance('100ms');
    stage.world.crash(0);
    await stage.world.restart(0);
    // One slice per millisecond: the bound is reached within two seconds.
    await stage.advance(`${Math.ceil(mostUnitsPerSlot / 10_000)}ms`);
    const { incident } = await stage.describe('hostile');
    expect(incident).toContain('no time was found up to');
    expect(incident).toContain('"everyMs":1000');
    const others = stage.performed.filter(({ context }) => context.schedule === 'other');
    expect(others.length).toBeGreaterThan(0);
    await stage.schedules.update('hostile', { every: '1s', run: 'work' });
    await stage.advance('2s');
    expect((await stage.describe('hostile')).incident).toBeNull();
    expect(stage.performed.filter(({ context }) => context.schedule === 'hostile').length).toBeGreaterThan(0);
  });
});
