/** Temporal's own test data and cases derived from its code, section by section. */
import { describe, expect, it } from 'vitest';
import { formatInstant, type Instant, instant } from '../../packages/carillon/src/base/time.ts';
import { budgetOf } from '../../packages/carillon/src/spec/budget.ts';
import { monthLength } from '../../packages/carillon/src/spec/calendar-day.ts';
import { parseTemporalCronString } from '../../packages/carillon/src/spec/cron-temporal.ts';
import { fingerprint32 } from '../../packages/carillon/src/spec/farmhash.ts';
import { forEachValue } from '../../packages/carillon/src/spec/field-table.ts';
import { jitterInput } from '../../packages/carillon/src/spec/jitter.ts';
import { canonicalizeTemporalSpec, shortRange } from '../../packages/carillon/src/spec/temporal-canonical.ts';
import {
  parseTemporalField,
  parseTemporalValue,
  type TemporalField,
} from '../../packages/carillon/src/spec/temporal-field.ts';
import { toScheduleSpec } from '../../packages/carillon/src/spec/temporal-schedule.ts';
import type { TemporalSpec } from '../../packages/carillon/src/spec/temporal-spec.ts';
import { at, compileTemporal, readVectors } from './vectors.ts';

interface Named {
  readonly name: string;
}
interface NextCase extends Named {
  readonly mode: 'raw' | 'full';
  readonly spec: TemporalSpec;
  readonly after: string;
  readonly jitterSeed?: string;
  readonly expectNext: readonly string[];
  readonly expectNominal?: readonly string[];
  readonly expectExhaustedAfter?: boolean;
  readonly property?: string;
}
interface FieldCase {
  readonly expr: string;
  readonly min: number;
  readonly max: number;
  readonly mode: TemporalField['mode'];
  readonly expectError?: boolean;
  readonly upstreamMessage?: string;
}
interface DerivedCase extends Named {
  readonly spec: TemporalSpec;
  readonly upstreamPredicted?: unknown;
  readonly upstreamError?: string;
}

interface Vectors {
  readonly next: readonly NextCase[];
  readonly matches: readonly (Named & { spec: TemporalSpec; cases: { at: string; match: boolean }[] })[];
  readonly canonicalize: readonly (Named & {
    spec: TemporalSpec;
    expect?: TemporalSpec;
    expectError?: boolean;
    upstreamMessage?: string;
  })[];
  readonly parseCron: readonly (Named & {
    cron: string;
    expect?: { structuredCalendar?: object; interval?: object; timezoneName: string };
    upstreamMessage?: string;
  })[];
  readonly ranges: readonly (FieldCase & { expect?: unknown })[];
  readonly matchers: readonly (FieldCase & { matches: number[]; notMatches: number[] })[];
  readonly values: readonly (FieldCase & { expect?: number })[];
  readonly daysInMonth: readonly { month: number; year: number; days: number }[];
  readonly computeLimit: readonly (Named & {
    spec: TemporalSpec;
    after: string;
    warnIterations: number;
    maxIterations: number;
    expectError?: string;
    expectWarning?: boolean;
    expectNext?: string[];
  })[];
  readonly identifiers: {
    fingerprint32: { text: string; expect: number }[];
    jitterHashInput: { nominal: string; seed: string; hex: string; fingerprint32: number }[];
  };
  readonly derivedDst: readonly (Named & {
    spec: TemporalSpec;
    after: string;
    through: string;
    expectLiteral: string[];
  })[];
  readonly derivedCanonicalisation: readonly DerivedCase[];
  readonly derivedEvaluation: readonly (Named & {
    spec: TemporalSpec;
    jitterSeed: string;
    after: string;
    upstreamPredicted: ({ nominal: string; next: string } | null)[];
  })[];
}

const vectors = readVectors<Vectors>('temporal-spec-vectors');
const named = <T extends Named>(cases: readonly T[]) => cases.map((c) => [c.name, c] as const);
/** Timestamps in the vectors may have nanoseconds; a search floors them. */
const floor = (text: string): Instant => at(text.replace(/(\.\d{3})\d+Z$/, '$1Z'));

describe('next', () => {
  it.each(named(vectors.next))('%s', (_, c) => {
    const compiled = compileTemporal(c.spec);
    const found: string[] = [];
    const nominals: string[] = [];
    let after = floor(c.after);
    for (const _expected of c.expectNext) {
      if (c.mode === 'raw') {
        const second = compiled.nextRawSecond(Math.floor(after / 1000));
        after = instant(second * 1000);
        found.push(formatInstant(after));
      } else {
        const next = compiled.next(after, { seed: c.jitterSeed ?? '' });
        if (next === undefined) break;
        found.push(formatInstant(next.actual));
        nominals.push(formatInstant(next.nominal));
        after = next.actual;
      }
    }
    expect(found).toEqual(c.expectNext);
    if (c.expectNominal !== undefined) expect(nominals).toEqual(c.expectNominal);
    if (c.expectExhaustedAfter) expect(compiled.next(after)).toBeUndefined();
  });

  it.each(named(vectors.next.filter((c) => c.property !== undefined)))('is stable in between: %s', (_, c) => {
    const compiled = compileTemporal(c.spec);
    let from = Math.floor(at(c.after) / 1000);
    for (const text of c.expectNext) {
      const next = at(text) / 1000;
      for (let second = from; second < next; second++) {
        if (compiled.nextSecond(second) !== next) expect.fail(`${second} leads elsewhere than ${next}`);
      }
      from = next;
    }
  });
});

describe('matches', () => {
  it.each(named(vectors.matches))('%s', (_, c) => {
    const compiled = compileTemporal(c.spec);
    for (const { at: time, match } of c.cases)
      expect([time, compiled.matches(at(time))]).toEqual([time, match]);
  });
});

describe('canonicalize', () => {
  it.each(named(vectors.canonicalize))('%s', (_, c) => {
    const result = canonicalizeTemporalSpec(c.spec);
    if (c.expectError) {
      expect(result.ok).toBe(false);
      expect(result.ok ? '' : result.problems[0]?.message).toBe(c.upstreamMessage);
    } else {
      expect(result).toEqual({ ok: true, value: c.expect });
      expect(result.ok && canonicalizeTemporalSpec(result.value)).toEqual(result);
    }
  });
});

describe('parseCron', () => {
  it.each(named(vectors.parseCron))('%s', (_, c) => {
    const parsed = parseTemporalCronString(c.cron);
    if (c.expect === undefined) {
      expect(parsed.ok ? '' : parsed.problems[0]?.message).toBe(c.upstreamMessage);
      return;
    }
    if (!parsed.ok) expect.fail(parsed.problems[0]?.message);
    const canonical = canonicalizeTemporalSpec({ cronString: [c.cron] });
    if (!canonical.ok) expect.fail('not canonical');
    const { structuredCalendar, interval, timezoneName = '' } = canonical.value;
    expect({
      ...(structuredCalendar && { structuredCalendar: structuredCalendar[0] }),
      ...(interval && { interval: interval[0] }),
      timezoneName,
    }).toEqual(c.expect);
  });
});

const fieldOf = (c: FieldCase): TemporalField => ({
  title: 'Test',
  fallback: '*',
  min: c.min,
  max: c.max,
  mode: c.mode,
});

describe('fields', () => {
  it.each(vectors.ranges.map((c) => [`${c.expr} in ${c.min}-${c.max}`, c] as const))('range %s', (_, c) => {
    const parsed = parseTemporalField(c.expr, fieldOf(c));
    if (c.expectError) expect(parsed.ok ? '' : parsed.problems[0]?.message).toBe(c.upstreamMessage);
    else expect(parsed.ok && parsed.value.map(shortRange)).toEqual(c.expect);
  });

  it.each(vectors.matchers.map((c) => [c.expr, c] as const))('matcher %s', (_, c) => {
    const parsed = parseTemporalField(c.expr, fieldOf(c));
    const members = new Set<number>();
    if (parsed.ok) forEachValue(parsed.value, (value) => members.add(value));
    expect(c.matches.filter((value) => !members.has(value))).toEqual([]);
    expect(c.notMatches.filter((value) => members.has(value))).toEqual([]);
  });

  it.each(vectors.values.map((c) => [c.expr, c] as const))('value %s', (_, c) => {
    expect(parseTemporalValue(c.expr, c)).toBe(c.expectError ? undefined : c.expect);
  });

  it.each(vectors.daysInMonth)('$month/$year has $days days', ({ month, year, days }) => {
    expect(monthLength(year, month)).toBe(days);
  });
});

describe('computeLimit', () => {
  it.each(named(vectors.computeLimit))('%s', (_, c) => {
    const compiled = compileTemporal(c.spec);
    // We count work instead of excluded candidates, and pass excluded hours and days in one step: where Temporal gives
    // up after 10,000 seconds, so does a search with less work, and the whole search shows that there is no time at all.
    if (c.expectError !== undefined) {
      expect(compiled.search(at(c.after), { budget: budgetOf(100) }).kind).toBe('unfinished');
      expect(compiled.search(at(c.after)).kind).toBe('none');
    } else {
      const result = compiled.search(at(c.after), { budget: budgetOf(200) });
      const next = result.kind === 'found' ? [formatInstant(result.nominal)] : [];
      expect(next).toEqual(c.expectNext);
    }
  });
});

describe('hash', () => {
  it.each(vectors.identifiers.fingerprint32)('of $text', ({ text, expect: hash }) => {
    expect(fingerprint32(new TextEncoder().encode(text))).toBe(hash);
  });

  it.each(vectors.identifiers.jitterHashInput)('input for $nominal', (c) => {
    const bytes = jitterInput(at(c.nominal) / 1000, c.seed);
    expect(Buffer.from(bytes).toString('hex')).toBe(c.hex);
    expect(fingerprint32(bytes)).toBe(c.fingerprint32);
  });
});

describe('derivedDst: the literal contract, not the errors upstream', () => {
  it.each(named(vectors.derivedDst))('%s', (_, c) => {
    const window = { from: at(c.after), to: at(c.through) };
    const { times } = compileTemporal(c.spec).between(window, 1000);
    expect(times.map(({ nominal }) => formatInstant(nominal))).toEqual(c.expectLiteral);
  });
});

describe('derivedCanonicalisation', () => {
  /** Where we differ on purpose: Sunday stays in 1-7, and exclusions are validated. */
  const overruled: Readonly<Record<string, (spec: TemporalSpec) => void>> = {
    'exclude-structured-not-validated': (spec) => {
      const result = canonicalizeTemporalSpec(spec);
      const message = 'invalid calendar spec: Hour Start is not in range [0-23]';
      expect(result).toMatchObject({
        ok: false,
        problems: [{ path: 'excludeStructuredCalendar[0].hour[0].start', message }],
      });
    },
  };

  it.each(named(vectors.derivedCanonicalisation))('%s', (name, c) => {
    const own = overruled[name];
    if (own !== undefined) return own(c.spec);
    const canonical = canonicalizeTemporalSpec(c.spec);
    if (c.upstreamError !== undefined) {
      const result = canonical.ok ? toScheduleSpec(canonical.value) : canonical;
      expect(result.ok ? 'accepted' : result.problems[0]?.message).toBe(c.upstreamError);
    } else expect(canonical).toEqual({ ok: true, value: c.upstreamPredicted });
  });
});

describe('derivedEvaluation', () => {
  const time = (text: string) => ({ nominal: text, next: text });
  /** Rulings: a fractional start rounds up, and division of intervals is floored. */
  const overruled: Readonly<Record<string, readonly ({ nominal: string; next: string } | null)[]>> = {
    'start-time-fraction-leaks-earlier-second': [time('2022-03-23T13:00:00Z')],
    'interval-phase-larger-than-now': [time('2029-12-17T00:00:00Z'), null],
  };

  it.each(named(vectors.derivedEvaluation))('%s', (name, c) => {
    const compiled = compileTemporal(c.spec);
    let after = at(c.after);
    for (const expected of overruled[name] ?? c.upstreamPredicted) {
      const found = compiled.next(after, { seed: c.jitterSeed });
      const seen = found && { nominal: formatInstant(found.nominal), next: formatInstant(found.actual) };
      expect(seen ?? null).toEqual(expected);
      after = found?.actual ?? after;
    }
  });
});
