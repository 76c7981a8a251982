/**
 * Compiles a spec to the functions that search it. Equal specs share one compiled object: a thousand schedules at `0
 * 9 * * 1-5` in New York need one. The seed of the jitter, which differs between them, is passed per call.
 */
import { ServiceError } from '../base/error.ts';
import { calendarSource, defaultGap } from './calendar-source.ts';
import { canonicalSpec } from './canonical.ts';
import type { CompiledSpec } from './compiled.ts';
import { mayDependOnSeed } from './cron-hash.ts';
import {
  allExclusions,
  type CombinedExclusions,
  calendarExclusion,
  dayExclusion,
  intervalExclusion,
} from './exclusion.ts';
import { intervalSource, timesSource } from './interval-source.ts';
import type { ScheduleSpec, Source } from './model.ts';
import type { Recurrence } from './rrule/recurrence.ts';
import { recurrenceSources } from './rrule/source.ts';
import { createSearch } from './search.ts';
import { readSpec, type SpecEntries } from './spec-entries.ts';
import { timeZoneVersion, zoneGeneration } from './zone/zone.ts';

export interface CompileOptions {
  /** The seed of `H` in unix cron texts. It does not affect the jitter. Default empty. */
  readonly seed?: string;
}

/** Enough for every distinct spec of a large installation; a compiled spec takes a few hundred bytes. */
const cacheLimit = 4096;

/** Least recently used goes first: a `Map` keeps the order of insertion. */
const byCanonical = new Map<string, CompiledSpec>();
/** The spec as it was written, so that a repeated spec skips canonicalisation. */
const byText = new Map<string, CompiledSpec>();
let generation = -1;

function recall(cache: Map<string, CompiledSpec>, key: string): CompiledSpec | undefined {
  const found = cache.get(key);
  if (found !== undefined) {
    cache.delete(key);
    cache.set(key, found);
  }
  return found;
}

function remember(cache: Map<string, CompiledSpec>, key: string, compiled: CompiledSpec): void {
  if (cache.size >= cacheLimit) {
    for (const oldest of cache.keys()) {
      cache.delete(oldest);
      break;
    }
  }
  cache.set(key, compiled);
}

function dependsOnSeed(spec: ScheduleSpec): boolean {
  const crons = [...(spec.cron ?? []), ...(spec.exclude?.cron ?? [])];
  return crons.some((entry) => (entry.dialect ?? 'unix') === 'unix' && mayDependOnSeed(entry.text));
}

/** Throws a `ServiceError` (`invalidArgument`, with every problem) when the spec is not valid. */
export function compileSpec(spec: ScheduleSpec, options: CompileOptions = {}): CompiledSpec {
  if (generation !== zoneGeneration()) {
    generation = zoneGeneration();
    byText.clear();
    byCanonical.clear();
  }
  const seed = options.seed !== undefined && dependsOnSeed(spec) ? options.seed : '';
  const tail = seed === '' ? '' : `\n${seed}`;
  const text = JSON.stringify(spec) + tail;
  const known = recall(byText, text);
  if (known !== undefined) return known;

  const canonical = canonicalSpec(spec);
  const key = JSON.stringify(canonical) + tail;
  let compiled = recall(byCanonical, key);
  if (compiled === undefined) {
    compiled = compileAlone(canonical, seed);
    remember(byCanonical, key, compiled);
  }
  remember(byText, text, compiled);
  return compiled;
}

/** Compiles the spec as it stands, without the shared cache. */
export function compileAlone(spec: ScheduleSpec, seed: string): CompiledSpec {
  const { entries, problems } = readSpec(spec, { seed });
  if (problems.length > 0) throw ServiceError.invalid(problems);
  const dst = spec.dst ?? {};
  const sources: Source[] = [
    ...entries.included.calendars.map(({ calendar, zone }) => calendarSource(calendar, zone, dst)),
    ...entries.included.intervals.map(intervalSource),
    ...entries.recurrences.flatMap(({ rule, zone }) =>
      recurrenceSources(rule, zone, {
        gap: dst.gap ?? defaultGap,
        fold: dst.fold ?? (isRhythm(rule) ? 'both' : 'first'),
      }),
    ),
  ];
  if (spec.times !== undefined && spec.times.length > 0) sources.push(timesSource(spec.times));
  return createSearch({
    sources,
    exclusions: exclusionsOf(entries),
    startAt: spec.startAt,
    endAt: spec.endAt,
    jitterMs: spec.jitterMs ?? 0,
    timeZoneVersion: timeZoneVersion(),
  });
}

/**
 * Whether the rules have times in every hour of the day. As with a calendar, such rules keep their interval through a
 * fold.
 */
function isRhythm({ rules }: Recurrence): boolean {
  const quick = new Set<string>(['SECONDLY', 'MINUTELY', 'HOURLY']);
  return rules.length > 0 && rules.every((rule) => quick.has(rule.frequency) && rule.byHour.length === 0);
}

function exclusionsOf({ excluded, excludedDays, zone }: SpecEntries): CombinedExclusions | undefined {
  return allExclusions([
    ...excluded.calendars.map(({ calendar, zone: own }) => calendarExclusion(calendar, own)),
    ...excluded.intervals.map(intervalExclusion),
    ...(excludedDays.length > 0 ? [dayExclusion(excludedDays, zone)] : []),
  ]);
}
