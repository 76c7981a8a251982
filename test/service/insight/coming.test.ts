/** Slots that have no verdict yet: what is projected, counted ahead and explained about them. */
import { expect, test } from 'vitest';
import type { Instant } from '../../../packages/carillon/src/base/time.ts';
import { hour, minute } from '../../../packages/carillon/src/base/time.ts';
import { Carillon } from '../../../packages/carillon/src/embed/carillon.ts';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import type { ScheduleInput } from '../../../packages/carillon/src/service/schedule-input.ts';
import { MemoryStore } from '../../../packages/carillon/src/store/memory/index.ts';
import { CarillonWorld } from '../../../packages/carillon/src/testing/carillon-world.ts';
import { VirtualClock } from '../../../packages/carillon/src/testing/virtual-clock.ts';

const start = Date.UTC(2026, 10, 2) as Instant;
const at = (hours: number) => (start + hours * hour) as Instant;
const iso = (hours: number) => new Date(at(hours)).toISOString().replace('.000Z', 'Z');
const named = (id: string) => ({ namespace: 'default', id });

async function stage(schedules: Readonly<Record<string, Omit<ScheduleInput, 'run'>>>) {
  const clock = new VirtualClock(start);
  const store = new MemoryStore({ clock });
  const world = new CarillonWorld({ clock, store, setup: (carillon) => carillon.handle('work', () => null) });
  await world.start();
  for (const [id, input] of Object.entries(schedules))
    await world.carillon().schedules.create(id, { ...input, run: 'work' });
  // It reads also while no node is alive.
  const reader = new Carillon({ store, clock, steadyClock: clock, newId: () => 'reader', name: 'reader' });
  const { insight } = internalsOf(reader).services;
  return { world, insight };
}

test('the actions that are left are used up before a later range', async () => {
  const { world, insight } = await stage({ few: { cron: '0 * * * *', remaining: 3 } });
  const coming = async (from: number, to: number) => {
    const span = { from: at(from), to: at(to) };
    const { projected } = await insight.timeline(named('few'), { ...span, limit: 100 });
    const { bins } = await insight.bins(named('few'), { ...span, bin: '1h' });
    const load = await insight.load({ namespace: 'default', ...span, bin: '1h', zone: 'UTC' });
    return {
      shown: projected.map((slot) => slot.at),
      counted: bins.reduce((all, bin) => all + bin.projected, 0),
      load: load.bins.reduce((all, bin) => all + bin.starts, 0),
    };
  };
  expect(await coming(0, 10)).toEqual({ shown: [1, 2, 3].map(iso), counted: 3, load: 3 });
  expect(await coming(3, 10)).toEqual({ shown: [iso(3)], counted: 1, load: 1 });
  expect(await coming(5, 10)).toEqual({ shown: [], counted: 0, load: 0 });
  // What a pause passes over uses none.
  await world.carillon().schedules.pause('few', { until: at(4.5) });
  const { projected } = await insight.timeline(named('few'), { from: at(3), to: at(12), limit: 100 });
  expect(projected.map((slot) => [slot.at, slot.passedOver ?? false])).toEqual([
    [iso(3), true],
    [iso(4), true],
    [iso(5), false],
    [iso(6), false],
    [iso(7), false],
  ]);
  world.crash(0);
});

test('where there are too many coming slots to count, the rest of the time has them at the same rate', async () => {
  const { world, insight } = await stage({
    minutes: { cron: '* * * * *', endAt: at(24 * 40) },
    counted: { cron: '* * * * *', remaining: 30_000 },
  });
  const days = async (id: string) => {
    const { bins, truncated } = await insight.bins(named(id), {
      from: at(0),
      to: at(24 * 60 - 1),
      bin: '1d',
    });
    return { counts: bins.map((bin) => [bin.projected, bin.passedOver]), truncated };
  };
  const open = await days('minutes');
  expect(open.truncated).toBe(true);
  for (const [projected] of open.counts.slice(1, 39)) {
    expect(projected).toBeGreaterThanOrEqual(1439);
    expect(projected).toBeLessThanOrEqual(1441);
  }
  expect(open.counts.slice(41).flat()).toEqual(Array.from({ length: 38 }, () => 0));
  const limited = await days('counted');
  expect(limited.counts.reduce((sum, [projected = 0]) => sum + projected, 0)).toBe(30_000);
  expect(limited.counts[30]).toEqual([0, 0]);
  // A pause with an end passes over what comes before its end only.
  await world.carillon().schedules.pause('minutes', { until: at(24 * 20) });
  const paused = await days('minutes');
  expect(paused.counts[19]?.[0]).toBe(0);
  expect(paused.counts[19]?.[1]).toBeGreaterThanOrEqual(1439);
  expect(paused.counts[21]?.[0]).toBeGreaterThanOrEqual(1439);
  expect(paused.counts[21]?.[1]).toBe(0);
  world.crash(0);
});

test('the load of a range that begins within a bin has no starts before it', async () => {
  const { world, insight } = await stage({ even: { every: '10m' }, named: { cron: '*/10 * * * *' } });
  const load = await insight.load({
    namespace: 'default',
    from: at(5.5),
    to: at(7),
    bin: '1h',
    zone: 'UTC',
  });
  expect(load.bins.map(({ starts }) => starts)).toEqual([6, 12, 2]);
  world.crash(0);
});

test('a slot whose time has come and whose jitter has not is still coming', async () => {
  const { world, insight } = await stage({ late: { cron: '0 * * * *', jitter: '50m' } });
  const [first] = (await insight.timeline(named('late'), { from: at(0), to: at(1), limit: 10 })).projected;
  const due = Date.parse(first?.actual ?? '');
  expect(due).toBeGreaterThan(at(1) + minute);
  await world.advanceTo((due - 1000) as Instant);
  const { projected } = await insight.timeline(named('late'), { from: at(0), to: at(1.99), limit: 10 });
  expect(projected.map((slot) => slot.at)).toEqual([iso(1)]);
  const [explanation] = await insight.explain(named('late'), at(1));
  expect(explanation).toMatchObject({ answer: 'notYet', text: 'It is due in 1 s.' });
  world.crash(0);
});

test('a slot that no node has decided about for long is overdue wherever it is told', async () => {
  const { world, insight } = await stage({
    one: { cron: '0 * * * *' },
    used: { cron: '0 * * * *', remaining: 1 },
  });
  await world.advanceTo(at(1.5));
  world.crash(0);
  await world.advanceTo(at(3.5));
  const told = async (id: string) => {
    const { slots } = await insight.timeline(named(id), { from: at(1.6), to: at(3.5), limit: 10 });
    const explanations = await Promise.all([2, 3].map((hours) => insight.explain(named(id), at(hours))));
    return {
      slots: slots.map(({ verdict }) => verdict),
      answers: explanations.map(([explanation]) => explanation?.answer),
    };
  };
  expect(await told('one')).toEqual({ slots: ['overdue', 'overdue'], answers: ['overdue', 'overdue'] });
  const [explanation] = await insight.explain(named('one'), at(2));
  expect(explanation?.text).toBe(
    'It was due 1 h 30 min ago and has no verdict: no node has looked at it yet.',
  );
  // What no node can decide otherwise is told already.
  expect(await told('used')).toEqual({
    slots: ['limitReached', 'limitReached'],
    answers: ['limitReached', 'limitReached'],
  });
});

test('a slot of a pause that goes on is told beside the slot of a backfill', async () => {
  const { world, insight } = await stage({ one: { cron: '0 * * * *' } });
  const { schedules } = world.carillon();
  await schedules.pause('one', { actor: 'Mara' });
  await world.advanceTo(at(3.5));
  await schedules.backfill('one', { from: at(2), to: at(2) });
  await world.advanceTo(at(3.6));
  const explanations = await insight.explain(named('one'), at(2));
  expect(explanations.map(({ cause, answer }) => [cause, answer])).toEqual([
    [expect.stringMatching(/^backfill/), 'started'],
    ['auto', 'paused'],
  ]);
  world.crash(0);
});
