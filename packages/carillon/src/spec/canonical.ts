/**
 * The canonical form of a spec: only the fields that decide its times, in one form. Comments and defaults are
 * removed, lists are sorted without duplicates, and everything that a structured calendar can express becomes one.
 * Two specs with the same JSON here have the same times; it is the key under which compiled specs are shared.
 */
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { defaultGap } from './calendar-source.ts';
import { defaultDialect } from './cron.ts';
import { mayDependOnSeed } from './cron-hash.ts';
import { forEachValue } from './field-table.ts';
import type {
  Calendar,
  CronEntry,
  DstPolicy,
  Exclusions,
  Interval,
  Range,
  RangeInput,
  ScheduleSpec,
  StructuredCalendar,
} from './model.ts';
import { type EntrySet, readSpec, type SpecEntries } from './spec-entries.ts';
import { structuredNames } from './structured-calendar.ts';
import type { TableZone } from './zone/table.ts';

/** The same values in the fewest ranges: one progression, or runs of neighbours. */
export function canonicalRanges(ranges: readonly Range[]): readonly RangeInput[] {
  const [only] = ranges;
  if (only !== undefined && ranges.length === 1 && only.step === 1) {
    return [only.start === only.end ? { start: only.start } : { start: only.start, end: only.end }];
  }
  const members = new Set<number>();
  forEachValue(ranges, (value) => members.add(value));
  const values = [...members].sort((a, b) => a - b);
  const [first = 0, second = 0] = values;
  const step = second - first;
  if (values.length > 2 && step > 1 && values.every((value, i) => value === first + i * step)) {
    return [{ start: first, end: first + (values.length - 1) * step, step }];
  }
  const runs: { start: number; end: number }[] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last !== undefined && last.end === value - 1) last.end = value;
    else runs.push({ start: value, end: value });
  }
  return runs.map(({ start, end }) => (end === start ? { start } : { start, end }));
}

/** Returns undefined when a structured calendar cannot express the calendar. */
function structuredFrom(calendar: Calendar): StructuredCalendar | undefined {
  const { days, monthDays, monthWeekdays } = calendar;
  if (days === 'either' || monthDays.length > 0 || monthWeekdays.length > 0) return undefined;
  return Object.fromEntries(structuredNames.map((name) => [name, canonicalRanges(calendar[name])]));
}

/** Sorted by their JSON, without duplicates; undefined instead of an empty list. */
function sortedList<T>(items: readonly T[]): readonly T[] | undefined {
  if (items.length === 0) return undefined;
  const byText = new Map(items.map((item) => [JSON.stringify(item), item]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

function canonicalInterval({ everyMs, phaseMs = 0 }: Interval): Interval {
  const every = Math.trunc(everyMs / 1000);
  const phase = Math.trunc(phaseMs / 1000) % every;
  return phase === 0 ? { everyMs: every * 1000 } : { everyMs: every * 1000, phaseMs: phase * 1000 };
}

interface CanonicalLists {
  readonly cron: readonly CronEntry[];
  readonly structuredCalendars: readonly StructuredCalendar[];
  readonly intervals: readonly Interval[];
}

function canonicalLists({ calendars, intervals }: EntrySet, specZone: TableZone): CanonicalLists {
  const cron: CronEntry[] = [];
  const structuredCalendars: StructuredCalendar[] = [];
  for (const { calendar, zone, cron: entry } of calendars) {
    const dialect = entry?.dialect ?? defaultDialect;
    const seeded = entry !== undefined && dialect === 'unix' && mayDependOnSeed(entry.text);
    const structured = seeded || zone !== specZone ? undefined : structuredFrom(calendar);
    if (structured !== undefined) structuredCalendars.push(structured);
    else if (entry !== undefined) {
      const text = entry.text
        .trim()
        .replace(/^(CRON_)?TZ=\S* +/, '')
        .replace(/ +/g, ' ');
      cron.push({ text, dialect, ...(zone === specZone ? {} : { zone: zone.name }) });
    }
  }
  return { cron, structuredCalendars, intervals: intervals.map(canonicalInterval) };
}

function compact<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, content]) => content !== undefined)) as T;
}

function canonicalDst({ gap, fold }: DstPolicy = {}): DstPolicy | undefined {
  const dst = {
    ...(gap === undefined || gap === defaultGap ? {} : { gap }),
    ...(fold === undefined ? {} : { fold }),
  };
  return Object.keys(dst).length === 0 ? undefined : dst;
}

function canonicalExclude(entries: SpecEntries, dates: readonly string[]): Exclusions | undefined {
  const lists = canonicalLists(entries.excluded, entries.zone);
  // Exclusions have no intervals, so an @every stays a text.
  const every = lists.intervals.map(({ everyMs, phaseMs = 0 }) => ({
    text: `@every ${everyMs / 1000}s${phaseMs === 0 ? '' : `/${phaseMs / 1000}s`}`,
    dialect: defaultDialect,
  }));
  const result = compact<Exclusions>({
    cron: sortedList([...lists.cron, ...every]),
    calendars: undefined,
    structuredCalendars: sortedList(lists.structuredCalendars),
    dates: sortedList(dates),
  });
  return Object.keys(result).length === 0 ? undefined : result;
}

/** Throws a `ServiceError` (`invalidArgument`, with every problem) when the spec is not valid. */
export function canonicalSpec(spec: ScheduleSpec): ScheduleSpec {
  const { entries, problems } = readSpec(spec);
  if (problems.length > 0) throw ServiceError.invalid(problems);
  const zone = entries.zone.name;
  const lists = canonicalLists(entries.included, entries.zone);
  const seconds = (time: number): Instant => (Math.ceil(time / 1000) * 1000) as Instant;
  const times = [...new Set((spec.times ?? []).map(seconds))].sort((a, b) => a - b);
  const { startAt, endAt, jitterMs = 0 } = spec;
  return compact<ScheduleSpec>({
    cron: sortedList(lists.cron),
    calendars: undefined,
    structuredCalendars: sortedList(lists.structuredCalendars),
    intervals: sortedList(lists.intervals),
    rrules: sortedList((spec.rrules ?? []).map(({ text }) => ({ text: text.trim() }))),
    times: times.length === 0 ? undefined : times,
    exclude: canonicalExclude(entries, spec.exclude?.dates ?? []),
    startAt: startAt === undefined ? undefined : seconds(startAt),
    endAt: endAt === undefined ? undefined : ((Math.floor(endAt / 1000) * 1000) as Instant),
    jitterMs: jitterMs >= 1 ? Math.trunc(jitterMs) : undefined,
    zone: zone === 'UTC' && spec.zoneData === undefined ? undefined : zone,
    zoneData: spec.zoneData,
    dst: canonicalDst(spec.dst),
  });
}
