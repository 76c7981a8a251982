/**
 * Specs made to be hard to search, through everything a client can reach: writing, previews, steps. Work is counted, so
 * the bounds hold on any machine; one test reports how long the event loop was blocked.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import { type Instant, instant } from '../../packages/carillon/src/base/time.ts';
import {
  checkSearchable,
  SlicedWork,
  timesBetween,
  unitsPerSlice,
} from '../../packages/carillon/src/service/spec-search.ts';
import {
  budgetOf,
  type CompiledSpec,
  compileSpec,
  type ScheduleSpec,
} from '../../packages/carillon/src/spec/index.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

const now = instant(Date.parse('2026-01-01T00:00:00Z'));
const never = 'DTSTART:19700101T000000\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30';
const all = { second: '*', minute: '*', hour: '*' };
const halves = [
  { second: '*/2', minute: '*', hour: '*' },
  { second: '1-59/2', minute: '*', hour: '*' },
];
const everySecond = { intervals: [{ everyMs: 1000 }] };

function hostileSpec(random: SeededRandom): ScheduleSpec {
  const pick = <T>(of: readonly T[]): T => of[random.integer(0, of.length - 1)] as T;
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: random.integer(0, most) }, make);
  const list = (low: number, high: number) =>
    some(30, () => random.integer(low, high))
      .concat(low)
      .join(',');
  const rule = () =>
    pick([
      never,
      `FREQ=YEARLY;BYYEARDAY=${list(1, 366)};BYMONTH=2;BYMONTHDAY=30`,
      `DTSTART:19000101T000000\nRRULE:FREQ=SECONDLY;INTERVAL=${random.integer(1, 99)};BYSECOND=${list(0, 59)};BYMONTH=2;BYMONTHDAY=30`,
      `DTSTART:19000101T000000\nRRULE:FREQ=SECONDLY;COUNT=100000`,
      `FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYSETPOS=${list(1, 300)}`,
      `DTSTART:20250101T000000\nRRULE:FREQ=MINUTELY\nEXDATE:${some(
        300,
        () =>
          `2026${String(random.integer(1, 12)).padStart(2, '0')}${String(random.integer(1, 28)).padStart(2, '0')}`,
      )
        .concat('20260101')
        .join(',')}`,
      Array.from({ length: random.integer(1, 80) }, () => 'RRULE:FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31').join(
        '\n',
      ),
    ]);
  const calendar = () =>
    pick([
      { dayOfMonth: '30', month: '2' },
      { dayOfMonth: '29', month: '2', dayOfWeek: 'MON' },
      { ...all, year: '2026-2100' },
      { second: '*/2', minute: '*', hour: '*' },
      { second: '1-59/2', minute: '*', hour: '*' },
      { ...all, hour: `${random.integer(0, 23)}`, dayOfMonth: '2-10' },
    ]);
  return {
    ...(random.chance(0.7) ? everySecond : {}),
    rrules: some(pick([1, 2, 4]), () => ({ text: rule() })),
    calendars: some(pick([1, 5, 40]), calendar),
    exclude: { calendars: some(pick([1, 3, 30]), calendar) },
    zone: pick(['UTC', 'America/New_York', 'Australia/Lord_Howe']),
    ...(random.chance(0.5) ? { jitterMs: random.integer(1, 100_000_000) } : {}),
  };
}

/** The spec with a record of the largest share it ever spent at once. */
function watched(compiled: CompiledSpec, spent: (units: number) => void): CompiledSpec {
  return {
    ...compiled,
    walk: (...question) => {
      const walk = compiled.walk(...question);
      return {
        next: (budget) => {
          const before = budget.left;
          const result = walk.next(budget);
          spent(before - budget.left);
          expect(budget.left).toBeGreaterThanOrEqual(0);
          return result;
        },
      };
    },
  };
}

describe('two thousand hostile specs', () => {
  test('are accepted or refused, previewed and stepped, in slices that keep their bound', async () => {
    const random = new SeededRandom(20_260_101);
    let longest = 0;
    let turns = 0;
    const turn = async () => {
      turns += 1;
    };
    const answers = { accepted: 0, refused: 0 };
    for (let count = 0; count < 2000; count += 1) {
      const spec = hostileSpec(random);
      const seed = `hostile-${count}`;
      try {
        await checkSearchable(spec, { seed, now }, { turn, units: 5000 });
        answers.accepted += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalidArgument' });
        expect(JSON.stringify((error as { problems: unknown }).problems)).toContain('SPEC_BUDGET_EXCEEDED');
        answers.refused += 1;
      }
      if (count % 50 !== 0) continue;
      const compiled = watched(compileSpec(spec, { seed }), (units) => {
        longest = Math.max(longest, units);
      });
      const window = { from: now, to: instant(now + 365 * 86_400_000) };
      const found = await timesBetween(
        compiled,
        { window, limit: 100, seed },
        new SlicedWork({ units: 40_000, turn }),
      );
      if (found.gaveUpAt !== undefined)
        expect(found.gaveUpAt).toBeGreaterThanOrEqual(found.times.at(-1)?.nominal ?? now);
      const budget = budgetOf(unitsPerSlice);
      compiled.walk(now, { seed }).next(budget);
    }
    expect(longest).toBeLessThanOrEqual(unitsPerSlice);
    expect(answers.refused).toBeGreaterThan(100);
    expect(answers.accepted).toBeGreaterThan(100);
    expect(turns).toBeGreaterThan(0);
  });

  test('block the event loop for a moment at most (reported, not judged)', async () => {
    const random = new SeededRandom(7);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    for (let count = 0; count < 20; count += 1) {
      await checkSearchable(hostileSpec(random), { seed: '', now }).catch(() => undefined);
    }
    delay.disable();
    console.log(`longest block of the event loop: ${(delay.max / 1e6).toFixed(1)} ms`);
    expect(delay.max).toBeGreaterThan(0);
  });
});

describe('the five reproductions', () => {
  const aWorld = () =>
    CarillonWorld.start({
      start: '2026-01-01T00:00:00Z',
      setup: (carillon) => {
        carillon.handle('work', () => 'done');
      },
    });

  test('(a) one request with an interval, a rule that never matches and everything excluded is answered', async () => {
    await using world = await aWorld();
    const spec = { ...everySecond, rrules: [{ text: never }], exclude: { calendars: [all] } };
    const hard = { ...spec, exclude: { calendars: halves } };
    await expect(
      world.carillon().schedules.create('whole days', { run: 'work', spec }),
    ).rejects.toMatchObject({
      code: 'invalidArgument',
      problems: [{ reason: 'NEVER', message: expect.stringContaining('excludes') }],
    });
    await expect(
      world.carillon().schedules.create('by halves', { run: 'work', spec: hard }),
    ).rejects.toMatchObject({
      code: 'invalidArgument',
      problems: [{ path: 'exclude', reason: 'SPEC_BUDGET_EXCEEDED' }],
    });
  });

  test('(b) exclusions that begin in two minutes are refused now', async () => {
    await using world = await aWorld();
    const later = halves.map((each) => ({ ...each, year: '2026-2100', month: '2-12' }));
    const spec = { ...everySecond, rrules: [{ text: never }], exclude: { calendars: later } };
    await expect(world.carillon().schedules.create('s', { run: 'work', spec })).rejects.toMatchObject({
      problems: [{ path: 'exclude', reason: 'SPEC_BUDGET_EXCEEDED' }],
    });
  });

  test('(c) 990 impossible calendars cost one question each', async () => {
    await using world = await aWorld();
    const calendars = Array.from({ length: 990 }, () => ({ dayOfMonth: '30', month: '2' }));
    await world.carillon().schedules.create('s', { run: 'work', spec: { ...everySecond, calendars } });
    await world.advance('3s');
    const { counters } = await world.carillon().schedules.describe('s');
    expect(counters.actions).toBe(3);
    await expect(
      world.carillon().schedules.create('t', {
        run: 'work',
        spec: { ...everySecond, calendars, exclude: { calendars: halves.slice(0, 2) } } as never,
      }),
    ).rejects.toMatchObject({ code: 'invalidArgument' });
  });

  test('(d, e) a preview and a backfill over 73 years answer', async () => {
    await using world = await aWorld();
    const exclude = {
      calendars: [
        { ...all, hour: '1-23' },
        { ...all, minute: '1-59' },
        { second: '1-59', minute: '*', hour: '*' },
        { ...all, dayOfMonth: '2-10,12-20,22-31' },
      ],
    };
    await world.carillon().schedules.create('s', { run: 'work', spec: { ...everySecond, exclude } as never });
    const range = { from: '2027-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    const found = await world.carillon().schedules.previewBackfill('s', { ...range, limit: 1000 });
    expect(found.items).toHaveLength(1000);
    expect((found.items[1]?.nominal as Instant) - (found.items[0]?.nominal as Instant)).toBe(10 * 86_400_000);
    const { id } = await world.carillon().schedules.backfill('s', {
      from: '2026-02-01T00:00:00Z',
      to: '2099-01-01T00:00:00Z',
    });
    expect(id).not.toBe('');
  });
});
