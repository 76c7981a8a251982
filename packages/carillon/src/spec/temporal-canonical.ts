/**
 * Temporal's canonicalisation: calendars and cron strings become structured calendars and intervals, in the
 * order structured, calendars, cron; ranges leave out an `end` equal to `start` and a `step` of 1. The input is
 * not changed and a canonical spec comes back as it is.
 *
 * Two deliberate differences: `1-7` in the day of the week keeps Sunday, and structured exclusions are checked
 * like everything else (Temporal crashes on some of them later).
 */
import type { Problem } from '../base/error.ts';
import { commentProblems, parseCalendarText } from './calendar-text.ts';
import { parseTemporalCronString } from './cron-temporal.ts';
import { minTextYear } from './limits.ts';
import type { Calendar, CalendarText, Range, RangeInput } from './model.ts';
import type { Parsed } from './parsed.ts';
import { failure, problem, success } from './parsed.ts';
import { rangeProblems, structuredNames } from './structured-calendar.ts';
import type {
  CanonicalTemporalSpec,
  TemporalInterval,
  TemporalSpec,
  TemporalStructuredCalendar,
} from './temporal-spec.ts';
import { formatProtoDuration, parseProtoDuration } from './temporal-spec.ts';

const second = 1_000_000_000n;

export function shortRange({ start, end, step }: Range): RangeInput {
  return { start, ...(end === start ? {} : { end }), ...(step === 1 ? {} : { step }) };
}

function structuredFrom(calendar: Calendar): TemporalStructuredCalendar {
  const result: Record<string, unknown> = {};
  for (const name of structuredNames) {
    if (calendar[name].length > 0) result[name] = calendar[name].map(shortRange);
  }
  return calendar.comment === undefined ? result : { ...result, comment: calendar.comment };
}

/** All fields of one calendar in one text, as Temporal reports them. */
function joined(path: string, prefix: string, problems: readonly Problem[]): Problem {
  const message = prefix + problems.map((found) => found.message).join(', ');
  const [first] = problems;
  const field = problems.length === 1 && first !== undefined && first.path !== '' ? `.${first.path}` : '';
  return problem(path + field, first?.reason ?? 'INVALID', message, first?.fix);
}

function calendarProblems(path: string, calendar: TemporalStructuredCalendar): Problem[] {
  const found = [...rangeProblems(calendar, minTextYear), ...commentProblems(calendar.comment)];
  return found.length === 0 ? [] : [joined(path, 'invalid calendar spec: ', found)];
}

function temporalIntervalProblems(path: string, { interval, phase }: TemporalInterval): Problem[] {
  const every = interval === undefined ? 0n : parseProtoDuration(interval);
  const offset = phase === undefined ? 0n : parseProtoDuration(phase);
  const fix = 'write seconds, such as 5400s';
  if (every === undefined)
    return [problem(`${path}.interval`, 'DURATION', `interval is not a valid duration: ${interval}`, fix)];
  if (offset === undefined)
    return [problem(`${path}.phase`, 'DURATION', `phase is not a valid duration: ${phase}`, fix)];
  if (every < second)
    return [problem(`${path}.interval`, 'TOO_SMALL', 'interval is too small', 'write at least 1s')];
  if (offset < 0n)
    return [problem(`${path}.phase`, 'NEGATIVE', 'phase is negative', 'add the interval to it')];
  if (offset >= every) {
    const rest = `write the rest of the division: ${formatProtoDuration(offset % every)}`;
    return [problem(`${path}.phase`, 'TOO_LARGE', 'phase cannot be greater than Interval', rest)];
  }
  return [];
}

/** An entry of the canonical lists with its original path, so that a problem names what the client wrote. */
interface Located<T> {
  readonly path: string;
  readonly entry: T;
}

function located<T>(name: string, list: readonly T[] | undefined): Located<T>[] {
  return (list ?? []).map((entry, i) => ({ path: `${name}[${i}]`, entry }));
}

function placeCalendars(name: string, list: readonly CalendarText[] | undefined, problems: Problem[]) {
  return located(name, list).flatMap(({ path, entry }): Located<TemporalStructuredCalendar>[] => {
    const parsed = parseCalendarText(entry);
    if (parsed.ok) return [{ path, entry: structuredFrom(parsed.value) }];
    problems.push(joined(path, '', parsed.problems));
    return [];
  });
}

/**
 * The canonical spec, or the problems in the order in which Temporal looks for them: the message of the first is
 * the text Temporal would answer with.
 */
export function canonicalizeTemporalSpec(spec: TemporalSpec): Parsed<CanonicalTemporalSpec> {
  const problems: Problem[] = [];
  const structured = located('structuredCalendar', spec.structuredCalendar);
  const intervals = located('interval', spec.interval);
  structured.push(...placeCalendars('calendar', spec.calendar, problems));
  const excluded = [
    ...located('excludeStructuredCalendar', spec.excludeStructuredCalendar),
    ...placeCalendars('excludeCalendar', spec.excludeCalendar, problems),
  ];
  const zones = new Set<string>();
  for (const { path, entry } of located('cronString', spec.cronString)) {
    const parsed = parseTemporalCronString(entry);
    if (!parsed.ok) {
      problems.push(joined(path, '', parsed.problems));
      continue;
    }
    if (parsed.value.kind === 'interval') {
      const { interval, phase } = parsed.value.every;
      const every = { interval: formatProtoDuration(interval) };
      intervals.push({ path, entry: phase === 0n ? every : { ...every, phase: formatProtoDuration(phase) } });
      zones.add('');
    } else {
      structured.push({ path, entry: structuredFrom(parsed.value.calendar) });
      zones.add(parsed.value.zone);
    }
  }
  const [zone = ''] = zones;
  const given = spec.timezoneName ?? '';
  const hasData = spec.timezoneData !== undefined && spec.timezoneData !== '';
  if (zones.size > 1 || (zone !== '' && ((given !== '' && given !== zone) || hasData))) {
    const fix = 'name the zone once, in timezoneName, and leave it out of the cron strings';
    problems.push(problem('timezoneName', 'ZONE_CONFLICT', 'conflicting timezone names', fix));
  }
  for (const { path, entry } of [...structured, ...excluded]) problems.push(...calendarProblems(path, entry));
  for (const { path, entry } of intervals) problems.push(...temporalIntervalProblems(path, entry));
  if (problems.length > 0) return failure(problems);

  const {
    structuredCalendar,
    calendar,
    cronString,
    interval,
    excludeCalendar,
    excludeStructuredCalendar,
    ...kept
  } = spec;
  const entries = <T>(list: readonly Located<T>[]): T[] => list.map(({ entry }) => entry);
  return success({
    ...(structured.length === 0 ? {} : { structuredCalendar: entries(structured) }),
    ...(intervals.length === 0 ? {} : { interval: entries(intervals) }),
    ...(excluded.length === 0 ? {} : { excludeStructuredCalendar: entries(excluded) }),
    ...kept,
    ...(zone === '' ? {} : { timezoneName: zone }),
  });
}
