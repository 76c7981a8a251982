/** The budget of a search: shared, never exceeded, and never a reason for another answer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instant, instant } from '../base/time.ts';
import { budgetOf } from './budget.ts';
import { compileAlone } from './compile.ts';
import type { CompiledSpec, SearchResult } from './compiled.ts';
import type { ScheduleSpec } from './model.ts';

const never = 'DTSTART:19700101T000000\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30';
const at = (text: string) => instant(Date.parse(text));
const now = at('2026-06-01T00:00:00Z');

/** Searches in slices; answers the result and how many slices it took. */
function inSlices(
  units: number,
  start: Instant,
  search: (from: Instant, budget: { left: number; reached: number }) => SearchResult,
): { readonly result: SearchResult; readonly slices: number } {
  let from = start;
  for (let slices = 1; ; slices += 1) {
    const budget = budgetOf(units);
    const result = search(from, budget);
    expect(budget.left).toBeGreaterThanOrEqual(0);
    if (result.kind !== 'unfinished' || slices > 5000) return { result, slices };
    from = result.reached;
  }
}

const rules = fc.constantFrom(
  never,
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYHOUR=3',
  'DTSTART:20200101T000000\nRRULE:FREQ=MINUTELY;INTERVAL=7;BYHOUR=5;BYDAY=FR;BYMONTH=2',
  'DTSTART:20200101T013000\nRRULE:FREQ=YEARLY;BYYEARDAY=1,200,366',
  'DTSTART:20250101T023000\nRRULE:FREQ=DAILY;COUNT=700',
  'DTSTART:20250101T020000\nRRULE:FREQ=HOURLY;INTERVAL=5\nEXDATE:20260601,20260602,20260603T090000',
  'RRULE:FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31\nRRULE:FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=2;BYMINUTE=30',
  'RDATE:20270101T000000,20280101T000000Z',
);
const crons = fc.constantFrom('0 0 30 2 *', '*/20 * * * *', '30 2 * * 0', '0 0 29 2 1', '0 9 * * 1-5');
const exclusions = fc.constantFrom('* * * * 6,0', '*/2 * * * *', '0 2 * * *', '* 0-22 * * *', '* * 1-27 * *');

const anySpec: fc.Arbitrary<ScheduleSpec> = fc
  .record({
    rrules: fc.array(rules, { maxLength: 3 }),
    cron: fc.array(crons, { maxLength: 3 }),
    excluded: fc.array(exclusions, { maxLength: 2 }),
    zone: fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe', 'Europe/Dublin'),
    gap: fc.constantFrom('skip' as const, 'shift' as const, 'gapEnd' as const),
    fold: fc.constantFrom('first' as const, 'last' as const, 'both' as const),
    jitterMs: fc.constantFrom(0, 5000, 86_400_000),
  })
  .map(({ rrules, cron, excluded, zone, gap, fold, jitterMs }) => ({
    rrules: rrules.map((text) => ({ text })),
    cron: cron.map((text) => ({ text })),
    exclude: { cron: excluded.map((text) => ({ text })) },
    zone,
    dst: { gap, fold },
    jitterMs,
  }));

const threeYears = 3 * 365 * 86_400_000;
const moments = fc
  .integer({ min: 1_700_000_000, max: 2_200_000_000 })
  .map((second) => instant(second * 1000));

describe('a search in slices', () => {
  it('finds what a search in one piece finds, forwards and backwards, and never overspends', () => {
    fc.assert(
      fc.property(anySpec, moments, fc.integer({ min: 400, max: 3000 }), (spec, after, units) => {
        const startAt = instant(after - threeYears);
        const endAt = instant(after + threeYears);
        const fresh = (): CompiledSpec => compileAlone({ ...spec, startAt, endAt }, '');
        const whole = fresh().search(after, { seed: 's', budget: budgetOf(1e9) });
        const sliced = fresh();
        expect(
          inSlices(units, after, (from, budget) => sliced.search(from, { seed: 's', budget })).result,
        ).toEqual(whole);
        const before = fresh().searchBefore(after, { seed: 's', budget: budgetOf(1e9) });
        const back = fresh();
        expect(
          inSlices(units, after, (from, budget) => back.searchBefore(from, { seed: 's', budget })).result,
        ).toEqual(before);
        if (whole.kind === 'found') expect(fresh().matches(whole.nominal)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('walks through the same times as one search after the other', () => {
    fc.assert(
      fc.property(anySpec, moments, (spec, after) => {
        const last = instant(after + threeYears);
        const compiled = compileAlone({ ...spec, endAt: last }, '');
        const walk = compileAlone({ ...spec, endAt: last }, '').walk(after, { seed: 's' });
        let from = after;
        for (let count = 0; count < 20; count += 1) {
          const found = compiled.search(from, { seed: 's', budget: budgetOf(1e9) });
          let walked = walk.next(budgetOf(500));
          for (let slice = 0; walked.kind === 'unfinished' && slice < 5000; slice += 1) {
            walked = walk.next(budgetOf(500));
          }
          expect(walked).toEqual(found);
          if (found.kind !== 'found') return;
          from = found.nominal;
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('work is shared and counted', () => {
  it('a rule that never matches does not hide the source beside it, and costs little', () => {
    const compiled = compileAlone({ intervals: [{ everyMs: 1000 }], rrules: [{ text: never }] }, '');
    const budget = budgetOf(500);
    expect(compiled.search(now, { budget })).toMatchObject({ kind: 'found', nominal: now + 1000 });
  });

  it('a rule that reaches the end of its budget does not say that there are no more times', () => {
    const text = 'DTSTART:19700101T000000\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO';
    const compiled = compileAlone({ rrules: [{ text }] }, '');
    expect(compiled.search(now, { budget: budgetOf(300) })).toMatchObject({ kind: 'unfinished' });
    expect(compiled.search(now)).toMatchObject({ kind: 'found', nominal: at('2044-02-29T00:00:00Z') });
  });

  it('asks each of 990 impossible calendars once per walk, not once per time', () => {
    const calendars = Array.from({ length: 990 }, () => ({ dayOfMonth: '30', month: '2' }));
    const compiled = compileAlone({ intervals: [{ everyMs: 1000 }], calendars }, '');
    const walk = compiled.walk(now);
    const first = budgetOf(200_000);
    expect(walk.next(first).kind).toBe('found');
    const later = budgetOf(1000);
    for (let count = 0; count < 500; count += 1) expect(walk.next(later).kind).toBe('found');
  });

  it('counts a COUNT in slices and keeps the count', () => {
    const text = 'DTSTART:20200101T000000\nRRULE:FREQ=MINUTELY;COUNT=100000';
    const compiled = compileAlone({ rrules: [{ text }] }, '');
    const last = at('2020-01-01T00:00:00Z') + 99_999 * 60_000;
    const { result, slices } = inSlices(20_000, now, (from, budget) => compiled.search(from, { budget }));
    expect(result).toEqual({ kind: 'none' });
    expect(slices).toBeGreaterThan(5);
    expect(compiled.matches(instant(last), budgetOf(10))).toBe(true);
    expect(compiled.matches(instant(last + 60_000), budgetOf(10))).toBe(false);
    expect(compiled.previous(now)?.nominal).toBe(last);
  });

  it('a walk of rules with long lists pays for the lists', () => {
    const yearDays = Array.from({ length: 366 }, (_, index) => index + 1).join(',');
    const heavy = compileAlone(
      { rrules: [{ text: `FREQ=YEARLY;BYYEARDAY=${yearDays};BYMONTH=2;BYMONTHDAY=30` }] },
      '',
    );
    expect(heavy.search(now, { budget: budgetOf(20_000) }).kind).toBe('unfinished');
  });
});
