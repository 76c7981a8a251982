/** A short English description of any spec. It never fails: a text that cannot be parsed is quoted. */

import { parseCalendarText } from '../calendar-text.ts';
import { defaultDialect, parseCron } from '../cron.ts';
import type {
  CronEntry,
  DstPolicy,
  Exclusions,
  FoldRule,
  GapRule,
  Interval,
  ScheduleSpec,
} from '../model.ts';
import { parseRecurrence } from '../rrule/parse.ts';
import { usesOwnZone } from '../spec-zone.ts';
import { calendarFromStructured } from '../structured-calendar.ts';
import { describeCalendar, describeExcluded } from './calendar.ts';
import { describeRecurrence } from './recurrence.ts';
import { dateTimeText, joinWords, lengthText, uncapital } from './words.ts';

/** More single times or dates than this are counted, not listed. */
const mostListed = 3;

export interface DescribeOptions {
  /** The seed of `H` in unix cron texts: `<namespace>-<id>` of a schedule. Without it the description says that `H` is spread. */
  readonly seed?: string;
}

export function describeSpec(spec: ScheduleSpec, options: DescribeOptions = {}): string {
  const entries = [
    ...(spec.cron ?? []).map((entry) => describeCron(entry, options)),
    ...(spec.calendars ?? []).map((text) => {
      const parsed = parseCalendarText(text);
      return parsed.ok ? describeCalendar(parsed.value) : 'An unreadable calendar';
    }),
    ...(spec.structuredCalendars ?? []).map((input) => describeCalendar(calendarFromStructured(input))),
    ...(spec.intervals ?? []).map(describeInterval),
    ...(spec.rrules ?? []).map(({ text }) => describeRule(text)),
  ];
  const times = [...(spec.times ?? [])].sort((a, b) => a - b);
  if (times.length > 0) entries.push(`Once at ${listed(times.map(utcText), 'time')}`);
  if (entries.length === 0) return 'Never on its own, only when triggered';
  const union = [...new Set(entries)].map((entry, index) => (index === 0 ? entry : uncapital(entry)));
  const parts = [union.join('; and ')];
  const excluded = describeExclusions(spec.exclude ?? {}, options);
  if (excluded !== '') parts.push(`except ${excluded}`);
  if (spec.startAt !== undefined) parts.push(`from ${utcText(spec.startAt)}`);
  if (spec.endAt !== undefined) parts.push(`until ${utcText(spec.endAt)}`);
  if (spec.jitterMs !== undefined && spec.jitterMs > 0)
    parts.push(`up to ${lengthText(spec.jitterMs)} later`);
  if (spec.zone !== undefined && spec.zone !== '' && usesOwnZone(spec)) parts.push(spec.zone);
  parts.push(...describeDst(spec));
  return parts.join(', ');
}

function describeCron({ text, dialect = defaultDialect, zone }: CronEntry, options: DescribeOptions): string {
  const parsed = parseCron(text, dialect, options);
  if (!parsed.ok) return `Cron "${text}"`;
  const { value } = parsed;
  const where = zone ?? value.zone;
  if (value.kind === 'interval') return describeInterval(value.interval);
  // The value of `H` is known only once the schedule has a name; until then the description mentions it.
  const isHashed = options.seed === undefined && dialect === 'unix' && /(^|[\s,])H/.test(text);
  const hashed = isHashed ? ' (H: spread by schedule)' : '';
  return `${describeCalendar(value.calendar)}${hashed}${where === undefined || where === '' ? '' : ` ${where} time`}`;
}

function describeRule(text: string): string {
  const parsed = parseRecurrence(text);
  if (!parsed.ok) return `Recurrence rule "${text}"`;
  const { zone } = parsed.rule;
  return `${describeRecurrence(parsed.rule)}${zone === undefined ? '' : ` ${zone} time`}`;
}

function describeInterval({ everyMs, phaseMs = 0 }: Interval): string {
  const offset = phaseMs >= 1000 ? `, offset ${lengthText(phaseMs)}` : '';
  return `Every ${everyText(Math.floor(everyMs / 1000))}${offset}`;
}

/** The length in the largest unit that divides it; a day is "24 hours", because an interval has no calendar. */
function everyText(seconds: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ];
  for (const [size, unit] of units) {
    if (seconds <= 0 || seconds % size !== 0 || seconds === 86_400 * Number(size === 86_400)) continue;
    const count = seconds / size;
    return count === 1 ? unit : `${count} ${unit}s`;
  }
  return seconds === 1 ? 'second' : `${seconds} seconds`;
}

function describeExclusions(exclude: Exclusions, options: DescribeOptions): string {
  const parts = [
    ...(exclude.cron ?? []).map(({ text, dialect = defaultDialect }) => {
      const parsed = parseCron(text, dialect, options);
      if (!parsed.ok) return `cron "${text}"`;
      if (parsed.value.kind === 'interval') return uncapital(describeInterval(parsed.value.interval));
      return describeExcluded(parsed.value.calendar);
    }),
    ...(exclude.calendars ?? []).map((text) => {
      const parsed = parseCalendarText(text);
      return parsed.ok ? describeExcluded(parsed.value) : 'an unreadable calendar';
    }),
    ...(exclude.structuredCalendars ?? []).map((input) => describeExcluded(calendarFromStructured(input))),
  ];
  const dates = exclude.dates ?? [];
  if (dates.length > 0) parts.push(`on ${listed(dates, 'date')}`);
  return joinWords(parts);
}

function listed(words: readonly string[], noun: string): string {
  return words.length > mostListed ? `${words.length} single ${noun}s` : joinWords(words);
}

function utcText(at: number): string {
  return `${dateTimeText(Math.floor(at / 1000))} UTC`;
}

const gapWords: Readonly<Record<GapRule, string>> = {
  skip: 'times the clock jumps over are skipped',
  shift: 'times the clock jumps over run later by the jump',
  gapEnd: 'times the clock jumps over run right after the jump',
};

const foldWords: Readonly<Record<FoldRule, string>> = {
  first: 'repeated times run the first time only',
  last: 'repeated times run the second time only',
  both: 'repeated times run twice',
};

/** The clock-change rule, only where it differs from the default of the dialect. */
function describeDst(spec: ScheduleSpec): readonly string[] {
  const { gap, fold }: DstPolicy = spec.dst ?? {};
  const crons = spec.cron ?? [];
  const literal = crons.length > 0 && crons.every(({ dialect = defaultDialect }) => dialect !== 'unix');
  const usual = literal ? { gap: 'skip', fold: 'both' } : { gap: 'shift', fold: 'first' };
  return [
    ...(gap === undefined || gap === usual.gap ? [] : [gapWords[gap]]),
    ...(fold === undefined || fold === usual.fold ? [] : [foldWords[fold]]),
  ];
}
