/**
 * Reads a spec that matches the schema: parses texts and finds zones. Validation uses the problems, compiling uses
 * the entries; both use this code, so they cannot disagree.
 */
import type { Problem } from '../base/error.ts';
import { commentProblems, parseCalendarText } from './calendar-text.ts';
import { defaultDialect, parseCron } from './cron.ts';
import { parseDate } from './date.ts';
import { intervalProblems } from './interval-rules.ts';
import { maxEntries } from './limits.ts';
import type {
  Calendar,
  CalendarText,
  CronEntry,
  Exclusions,
  Interval,
  ScheduleSpec,
  StructuredCalendar,
} from './model.ts';
import { problem, within } from './parsed.ts';
import { parseRecurrence } from './rrule/parse.ts';
import type { Recurrence } from './rrule/recurrence.ts';
import { calendarFromStructured, rangeProblems } from './structured-calendar.ts';
import type { TableZone } from './zone/table.ts';
import { findZone } from './zone/zone.ts';
import { zoneFix } from './zone/zone-fix.ts';
import { zoneFromData } from './zone-data.ts';

export interface ZonedCalendar {
  readonly calendar: Calendar;
  /** The zone; the same object as `SpecEntries.zone` unless the entry names another. */
  readonly zone: TableZone;
  /** The text it was read from, when it was cron. */
  readonly cron?: CronEntry;
}

export interface ZonedRecurrence {
  readonly rule: Recurrence;
  readonly zone: TableZone;
}

export interface EntrySet {
  readonly calendars: readonly ZonedCalendar[];
  readonly intervals: readonly Interval[];
}

export interface SpecEntries {
  readonly zone: TableZone;
  readonly included: EntrySet;
  readonly excluded: EntrySet;
  readonly recurrences: readonly ZonedRecurrence[];
  /** Day numbers in `zone`. */
  readonly excludedDays: readonly number[];
}

export interface ReadOptions {
  /** The seed of `H` in cron texts. */
  readonly seed?: string;
}

/** Entries are complete only when there are no problems. */
export interface ReadSpec {
  readonly entries: SpecEntries;
  readonly problems: readonly Problem[];
}

const utc = () => findZone('UTC') as TableZone;

/** Problems before it that leave a zone its search for similar names; a spec may have a thousand wrong ones. */
const mostSearched = 10;

function unknownZone(path: string, name: string, before: readonly Problem[]): Problem {
  const plain = 'write an IANA name such as Europe/Berlin, or an offset such as +05:30';
  const fix = before.length < mostSearched ? zoneFix(name, plain) : plain;
  return problem(path, 'UNKNOWN_ZONE', `unknown time zone ${name}`, fix);
}

/** Reads the four calendar-like lists that a spec and its exclusions share. */
function readSet(
  lists: Pick<Exclusions, 'cron' | 'calendars' | 'structuredCalendars'>,
  context: {
    readonly zone: TableZone;
    readonly path: string;
    readonly seed: string;
    readonly problems: Problem[];
  },
): EntrySet {
  const { zone, path, seed, problems } = context;
  const calendars: ZonedCalendar[] = [];
  const intervals: Interval[] = [];

  const zoneOf = (entry: CronEntry, prefix: string | undefined, at: string): TableZone => {
    if (entry.zone !== undefined && prefix !== undefined && entry.zone !== prefix) {
      const message = `the text names the zone ${prefix}, the entry ${entry.zone}`;
      problems.push(problem(`${at}.zone`, 'ZONE_CONFLICT', message, 'name the zone once'));
    }
    const name = entry.zone ?? prefix;
    if (name === undefined) return zone;
    const found = findZone(name);
    if (found === undefined)
      problems.push(unknownZone(entry.zone === undefined ? `${at}.text` : `${at}.zone`, name, problems));
    return found ?? zone;
  };

  (lists.cron ?? []).forEach((entry, i) => {
    const at = `${path}cron[${i}]`;
    const parsed = parseCron(entry.text, entry.dialect ?? defaultDialect, { seed });
    if (!parsed.ok) {
      problems.push(...within(`${at}.text`, parsed.problems));
      return;
    }
    const entryZone = zoneOf(entry, parsed.value.zone, at);
    if (parsed.value.kind === 'calendar') {
      const { calendar } = parsed.value;
      problems.push(...commentProblems(calendar.comment).map((found) => ({ ...found, path: `${at}.text` })));
      calendars.push({ calendar, zone: entryZone, cron: entry });
    } else {
      const { interval } = parsed.value;
      problems.push(...intervalProblems(interval).map((found) => ({ ...found, path: `${at}.text` })));
      intervals.push(interval);
    }
  });
  (lists.calendars ?? []).forEach((text: CalendarText, i) => {
    const at = `${path}calendars[${i}]`;
    const parsed = parseCalendarText(text);
    problems.push(...within(at, commentProblems(text.comment)));
    if (parsed.ok) calendars.push({ calendar: parsed.value, zone });
    else problems.push(...within(at, parsed.problems));
  });
  (lists.structuredCalendars ?? []).forEach((input: StructuredCalendar, i) => {
    const at = `${path}structuredCalendars[${i}]`;
    const found = [...rangeProblems(input), ...commentProblems(input.comment)];
    if (found.length === 0) calendars.push({ calendar: calendarFromStructured(input), zone });
    else problems.push(...within(at, found));
  });
  return { calendars, intervals };
}

export function readSpec(spec: ScheduleSpec, { seed = '' }: ReadOptions = {}): ReadSpec {
  const problems: Problem[] = [];
  const { exclude = {}, rrules = [], times = [], intervals = [] } = spec;

  let total =
    [spec, exclude].reduce(
      (sum, lists) =>
        sum +
        (lists.cron?.length ?? 0) +
        (lists.calendars?.length ?? 0) +
        (lists.structuredCalendars?.length ?? 0),
      intervals.length + rrules.length + times.length,
    ) + (exclude.dates?.length ?? 0);
  const zone = readZone(spec, problems);
  const own = readSet(spec, { zone, path: '', seed, problems });
  intervals.forEach((interval, i) => {
    problems.push(...within(`intervals[${i}]`, intervalProblems(interval)));
  });
  const recurrences: ZonedRecurrence[] = [];
  rrules.forEach(({ text }, i) => {
    const path = `rrules[${i}].text`;
    const parsed = parseRecurrence(text);
    if (!parsed.ok) {
      problems.push(...parsed.problems.map((found) => ({ ...found, path })));
      return;
    }
    const named = parsed.rule.zone;
    const found = named === undefined ? zone : findZone(named);
    // One text may hold many rules, and each of them is searched like an entry.
    total += Math.max(0, parsed.rule.rules.length - 1);
    if (found === undefined) problems.push(unknownZone(path, named ?? '', problems));
    else recurrences.push({ rule: parsed.rule, zone: found });
  });
  if (total > maxEntries) {
    const message = `the spec has ${total} entries, more than ${maxEntries}`;
    problems.push(problem('', 'TOO_MANY_ENTRIES', message, 'split it into several schedules'));
  }
  const excluded = readSet(exclude, { zone, path: 'exclude.', seed, problems });
  const excludedDays: number[] = [];
  (exclude.dates ?? []).forEach((text, i) => {
    const day = parseDate(text);
    if (day === undefined) {
      const message = `${JSON.stringify(text)} is not a date between 1970 and 2100`;
      problems.push(
        problem(`exclude.dates[${i}]`, 'DATE', message, 'write year-month-day, such as 2026-12-25'),
      );
    } else excludedDays.push(day);
  });
  const included = { calendars: own.calendars, intervals: [...intervals, ...own.intervals] };
  return { entries: { zone, included, excluded, recurrences, excludedDays }, problems };
}

function readZone(spec: ScheduleSpec, problems: Problem[]): TableZone {
  const name = spec.zone ?? 'UTC';
  if (spec.zoneData !== undefined) {
    const zone = zoneFromData(name, spec.zoneData);
    if (zone !== undefined) return zone;
    const fix = 'send the bytes of a compiled time zone file (TZif), in base64';
    problems.push(problem('zoneData', 'ZONE_DATA', 'malformed time zone information', fix));
    return utc();
  }
  const zone = findZone(name);
  if (zone === undefined) problems.push(unknownZone('zone', name, problems));
  return zone ?? utc();
}
