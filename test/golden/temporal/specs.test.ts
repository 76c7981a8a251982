/** Random specs: canonical form, nominal times and jitter of a real server's own spec package. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { addTime } from '../../../packages/carillon/src/base/time.ts';
import { compileSpec } from '../../../packages/carillon/src/spec/compile.ts';
import { canonicalizeTemporalSpec } from '../../../packages/carillon/src/spec/temporal-canonical.ts';
import { toScheduleSpec } from '../../../packages/carillon/src/spec/temporal-schedule.ts';
import type { TemporalSpec } from '../../../packages/carillon/src/spec/temporal-spec.ts';
import { at } from '../../spec/vectors.ts';
import { readGolden } from './golden.ts';

interface Case {
  readonly spec: TemporalSpec;
  readonly seed: string;
  readonly after: string;
  readonly canonical?: TemporalSpec;
  readonly error?: string;
  readonly nominal?: readonly number[];
  readonly offsetMs?: readonly number[];
  readonly ends?: boolean;
}

interface Found {
  readonly error?: string;
  readonly canonical?: unknown;
  readonly nominal?: readonly number[];
  readonly offsetMs?: readonly number[];
}

/** As many times as were recorded; `ends` is known only where they are all. */
function answer({ spec, seed, after: from, nominal: recorded = [], ends: isWhole = false }: Case): Found {
  const canonical = canonicalizeTemporalSpec(spec);
  if (!canonical.ok) return { error: canonical.problems[0]?.message ?? '' };
  const read = toScheduleSpec(canonical.value);
  if (!read.ok) return { error: read.problems[0]?.message ?? '' };
  const compiled = compileSpec(read.value);
  const nominal: number[] = [];
  const offsetMs: number[] = [];
  let after = at(from);
  for (;;) {
    const next = isWhole || nominal.length < recorded.length ? compiled.next(after, { seed }) : undefined;
    if (next === undefined || nominal.length > recorded.length) {
      return { canonical: cleaned(canonical.value), nominal, offsetMs };
    }
    nominal.push(next.nominal / 1000);
    offsetMs.push(next.actual - next.nominal);
    after = addTime(next.nominal, 0);
  }
}

/** The package writes out an end below its start and a step of zero; zeros are left out in JSON. */
function cleaned(spec: TemporalSpec): unknown {
  return JSON.parse(JSON.stringify(spec), (name, value: unknown) => {
    if (name === 'startTime' || name === 'endTime') return Date.parse(value as string);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const range = value as { start?: number; end?: number; step?: number };
    if (typeof range.start !== 'number' && typeof range.end !== 'number' && typeof range.step !== 'number') {
      return value;
    }
    const { start = 0, end = 0, step = 1 } = range;
    return { start, end: Math.max(start, end), step: step === 0 ? 1 : step };
  });
}

function expected({ canonical, error, nominal, offsetMs }: Case): Found {
  if (error !== undefined) return { error };
  return { canonical: cleaned(canonical ?? {}), nominal: nominal ?? [], offsetMs: offsetMs ?? [] };
}

interface Different extends Case {
  readonly difference: 'times' | 'error' | 'text';
}

const { cases } = readGolden<{ cases: readonly Case[] }>('specs');
const { cases: different } = readGolden<{ cases: readonly Different[] }>('specs-different');

test(`all ${cases.length} recorded specs have the recorded form, times and jitter, or the recorded error`, () => {
  const misses = cases
    .map((each) => ({ spec: each.spec, found: answer(each), wanted: expected(each) }))
    .filter(
      ({ spec, found, wanted }) => !isDeepStrictEqual(keepsSunday(spec) ? lessSunday(found) : found, wanted),
    );
  expect(misses).toEqual([]);
});

test('of the cases kept apart, those about names and texts are equal', () => {
  for (const each of different.filter(({ difference }) => difference !== 'times')) {
    expect({ spec: each.spec, ...answer(each) }).toEqual({ spec: each.spec, ...expected(each) });
  }
});

test('of the cases kept apart, the rest have the recorded form and other times: newer zones, or repeated hours', () => {
  const zones = new Set<string>();
  for (const each of different.filter(({ difference }) => difference === 'times')) {
    const { canonical, ...times } = answer(each);
    const { canonical: wanted, ...others } = expected(each);
    expect({ spec: each.spec, canonical }).toEqual({ spec: each.spec, canonical: wanted });
    if (!isDeepStrictEqual(times, others)) zones.add(each.spec.timezoneName ?? '');
  }
  expect([...zones].sort()).toEqual(['Africa/Casablanca', 'America/Havana', 'Antarctica/Troll']);
});

/** `1-7` and `1/1` in the day of the week keep Sunday here. */
function keepsSunday({ cronString = [], calendar = [] }: TemporalSpec): boolean {
  const texts = [...cronString, ...calendar.map(({ dayOfWeek = '' }) => dayOfWeek)];
  return texts.some((text) => /(^|[\s,])(1|mon|monday)(-7|\/1)($|[\s,/])/i.test(text));
}

/** The form without the Sunday that goes before Monday to Saturday. */
function lessSunday(found: Found): Found {
  return JSON.parse(JSON.stringify(found), (name, value: unknown) => {
    if (name !== 'dayOfWeek') return value;
    const ranges = value as readonly { readonly start: number; readonly end: number }[];
    return ranges.filter(({ end }, i) => !(end === 0 && ranges[i + 1]?.start === 1));
  }) as Found;
}
