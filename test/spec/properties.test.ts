/** Properties of the search on random specs, zones and years, against the naive oracle. A failure prints its seed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instant, instant } from '../../packages/carillon/src/base/time.ts';
import { budgetOf } from '../../packages/carillon/src/spec/budget.ts';
import { formatCalendar, parseCalendarText } from '../../packages/carillon/src/spec/calendar-text.ts';
import { canonicalSpec } from '../../packages/carillon/src/spec/canonical.ts';
import { compileAlone, compileSpec } from '../../packages/carillon/src/spec/compile.ts';
import type { CompiledSpec } from '../../packages/carillon/src/spec/compiled.ts';
import { parseUnixCron } from '../../packages/carillon/src/spec/cron-unix.ts';
import type {
  Calendar,
  FoldRule,
  GapRule,
  ScheduleSpec,
  Zone,
} from '../../packages/carillon/src/spec/model.ts';
import { validateSpec } from '../../packages/carillon/src/spec/validate.ts';
import {
  changeWithCron,
  field,
  foldRule,
  gapRule,
  unixCron,
  unixCronSeconds,
  zonedMoment,
  zoneList,
  zoneNamed,
} from './arbitraries.ts';
import { naiveTimes } from './oracle.ts';
import { readVectors } from './vectors.ts';

/** Set SPEC_RUNS to multiply the number of random cases. */
const effort = Number(process.env.SPEC_RUNS ?? 1);

const ms = (second: number): Instant => instant(second * 1000);

function calendarOfText(text: string): Calendar {
  const parsed = parseUnixCron(text);
  if (!parsed.ok || parsed.value.kind !== 'calendar') throw new Error(text);
  return parsed.value.calendar;
}

function forward(compiled: CompiledSpec, from: number, to: number): number[] {
  return compiled
    .between({ from: ms(from), to: ms(to) }, 1_000_000)
    .times.map(({ nominal }) => nominal / 1000);
}

function backward(compiled: CompiledSpec, from: number, to: number): number[] {
  const found: number[] = [];
  let before = ms(to + 1);
  for (;;) {
    const previous = compiled.previous(before);
    if (previous === undefined || previous.nominal <= ms(from)) return found.reverse();
    found.push(previous.nominal / 1000);
    before = previous.nominal;
  }
}

interface Agreement {
  readonly text: string;
  readonly zone: Zone;
  readonly second: number;
  readonly length: number;
  readonly step: number;
  readonly gap: GapRule;
  readonly fold: FoldRule;
}

function agree({ text, zone, second, length, step, gap, fold }: Agreement) {
  const from = second;
  const to = from + length;
  const compiled = compileSpec({ cron: [{ text }], zone: zone.name, dst: { gap, fold } });
  const expected = naiveTimes({ calendar: calendarOfText(text), zone, gap, fold, from, to, step });
  const label = `${text} ${zone.name} ${gap} ${fold} (${from}, ${to}]`;
  expect({ label, times: forward(compiled, from, to) }).toEqual({ label, times: expected });
  expect({ label, times: backward(compiled, from, to) }).toEqual({ label, times: expected });
  const members = new Set(expected);
  for (let at = from + 1; at <= to; at += step === 1 ? 1 : 30) {
    if (compiled.matches(ms(at)) !== members.has(at))
      expect.fail(`${label}: matches(${at}) is ${!members.has(at)}`);
  }
}

describe("Temporal's fuzz properties", () => {
  const { zones } = readVectors<{ fuzzProperties: { zones: string[] } }>(
    'temporal-spec-vectors',
  ).fuzzProperties;

  it('next is later, constant over the way there, and advances', () => {
    const second = fc.integer({ min: 0, max: 4_000_000_000 });
    fc.assert(
      fc.property(unixCronSeconds, fc.constantFrom(...zones), second, (text, zone, from) => {
        const compiled = compileSpec({ cron: [{ text }], zone, dst: { gap: 'skip', fold: 'both' } });
        const next = compiled.nextSecond(from);
        if (Number.isNaN(next)) return;
        expect(next).toBeGreaterThan(from);
        const stride = Math.max(1, Math.floor((next - from) / 50));
        for (let at = from; at < next; at += stride) expect(compiled.nextSecond(at)).toBe(next);
        for (let at = next; at < next + 5 * 3600; at += 1234) {
          const later = compiled.nextSecond(at);
          if (!Number.isNaN(later)) expect(later).toBeGreaterThan(next);
        }
      }),
      { numRuns: 150 * effort },
    );
  });
});

describe('search against the naive walk', () => {
  it('minute texts over two days, every gap and fold rule', () => {
    fc.assert(
      fc.property(unixCron, zonedMoment, gapRule, foldRule, (text, moment, gap, fold) => {
        agree({ text, ...moment, length: 2 * 86_400, step: 30, gap, fold });
      }),
      { numRuns: 250 * effort },
    );
  });

  it.each(['gapEnd', 'shift', 'skip'] as const)('from every second around a gap, under %s', (gap) => {
    // Found by the property above: a search from the last second before the change lost what 'gapEnd' puts on it.
    for (const [name, change, text] of [
      ['Asia/Kathmandu', 504_901_800, '0,16 * * * *'],
      ['Europe/Berlin', 1_774_746_000, '0 2 * * *'],
      ['Europe/Berlin', 1_774_746_000, '30 2 * * *'],
      ['Europe/Berlin', 1_774_746_000, '0 3 * * *'],
    ] as const) {
      for (const before of [-1, 0, 1, 2, 60])
        agree({
          text,
          zone: zoneNamed(name),
          second: change - before,
          length: 86_400,
          step: 30,
          gap,
          fold: 'first',
        });
    }
  });

  it('appointments right at a change of the clock', () => {
    fc.assert(
      fc.property(changeWithCron, gapRule, foldRule, (change, gap, fold) => {
        agree({ ...change, length: 10 * 3600, step: 30, gap, fold });
      }),
      { numRuns: 200 * effort },
    );
  });

  it('second texts over two hours', () => {
    fc.assert(
      fc.property(unixCronSeconds, zonedMoment, gapRule, foldRule, (text, moment, gap, fold) => {
        agree({ text, ...moment, length: 5000, step: 1, gap, fold });
      }),
      { numRuns: 60 * effort },
    );
  });
});

const interval = fc
  .record({ every: fc.integer({ min: 1, max: 400_000 }), phase: fc.integer({ min: 0, max: 400_000 }) })
  .map(({ every, phase }) => ({ everyMs: every * 1000, phaseMs: (phase % every) * 1000 }));

const calendarText = fc.record(
  {
    minute: field(0, 59),
    hour: field(0, 23),
    dayOfMonth: field(1, 31, 8),
    month: field(1, 12, 8),
    year: field(2000, 2100, 12),
    dayOfWeek: field(0, 7, 8),
  },
  { requiredKeys: [] },
);

const anySpec: fc.Arbitrary<ScheduleSpec> = fc.record(
  {
    cron: fc.array(fc.record({ text: unixCron }), { maxLength: 2 }),
    calendars: fc.array(calendarText, { maxLength: 2 }),
    intervals: fc.array(interval, { maxLength: 2 }),
    times: fc.array(fc.integer({ min: 0, max: 4_000_000_000_000 }).map(instant), { maxLength: 3 }),
    exclude: fc.record(
      {
        calendars: fc.array(calendarText, { maxLength: 1 }),
        dates: fc.array(fc.constantFrom('2026-12-25', '2030-01-01', '1999-02-28'), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    startAt: fc.integer({ min: 0, max: 1_000_000_000_000 }).map(instant),
    zone: fc.constantFrom(...zoneList),
  },
  { requiredKeys: [] },
);

describe('any spec', () => {
  it('gives strictly increasing times; splitting a range changes nothing', () => {
    fc.assert(
      fc.property(
        anySpec,
        fc.integer({ min: 0, max: 4_000_000_000 }),
        fc.nat(86_400 * 20),
        (spec, from, cut) => {
          const compiled = compileSpec(spec);
          const to = from + 86_400 * 20;
          const { times, truncated } = compiled.between({ from: ms(from), to: ms(to) }, 3000);
          const whole = times.map(({ nominal }) => nominal / 1000);
          expect(whole.every((time, i) => i === 0 || time > (whole[i - 1] as number))).toBe(true);
          expect(whole.every((time) => compiled.matches(ms(time)))).toBe(true);
          if (truncated) return;
          const parts = [...forward(compiled, from, from + cut), ...forward(compiled, from + cut, to)];
          expect(parts).toEqual(whole);
          // Bounded below, so that an over-excluded spec is not searched back to 1970.
          const startAt = instant(Math.max(spec.startAt ?? 0, ms(from) + 1000));
          expect(backward(compileSpec({ ...spec, startAt }), from, to)).toEqual(whole);
        },
      ),
      { numRuns: 150 * effort },
    );
  });

  it('previous leads back to where next came from', () => {
    fc.assert(
      fc.property(anySpec, fc.integer({ min: 0, max: 4_100_000_000 }), (spec, after) => {
        const compiled = compileSpec(spec);
        // An over-excluded spec gives up, which is tested elsewhere.
        const next = compiled.search(ms(after), { budget: budgetOf(100_000) });
        if (next.kind !== 'found') return;
        expect(compiled.previous(instant(next.nominal + 1))?.nominal).toBe(next.nominal);
        const bounded = compileSpec({
          ...spec,
          startAt: instant(Math.max(spec.startAt ?? 0, ms(after) - 86_400_000)),
        });
        const previous = bounded.previous(next.nominal);
        if (previous !== undefined) {
          expect(previous.nominal).toBeLessThanOrEqual(ms(after));
          expect(compiled.next(previous.nominal)?.nominal).toBe(next.nominal);
        }
      }),
      { numRuns: 300 * effort },
    );
  });

  it('has a canonical form that is idempotent, valid and equivalent', () => {
    fc.assert(
      fc.property(anySpec, fc.integer({ min: 0, max: 4_000_000_000 }), (spec, from) => {
        const canonical = canonicalSpec(spec);
        expect(canonicalSpec(canonical)).toEqual(canonical);
        expect(JSON.stringify(canonicalSpec(canonical))).toBe(JSON.stringify(canonical));
        expect(validateSpec(JSON.parse(JSON.stringify(canonical)))).toMatchObject({ ok: true });
        const window = { from: ms(from), to: ms(from + 86_400 * 40) };
        const expected = compileAlone(spec, '').between(window, 500);
        expect(compileSpec(canonical).between(window, 500)).toEqual(expected);
      }),
      { numRuns: 200 * effort },
    );
  });

  it('reads a formatted calendar back', () => {
    fc.assert(
      fc.property(calendarText, (text) => {
        const first = parseCalendarText(text);
        if (!first.ok) return;
        const formatted = formatCalendar(first.value);
        expect(formatted && parseCalendarText(formatted)).toEqual(first);
      }),
      { numRuns: 300 * effort },
    );
  });
});
