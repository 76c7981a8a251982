/**
 * Shows a spec that came through another door as a Temporal spec, as far as Temporal can express it. What it cannot express
 * (a recurrence rule, the last Friday, an entry with its own zone) appears as text among the cron strings. A client that
 * sends such a text back is refused, so that it does not change the schedule unknowingly.
 */
import type { Instant } from 'carillon/internal/base';
import { canonicalRanges, structuredNames } from 'carillon/internal/spec';
import type { Calendar, CronEntry, ScheduleSpec, StructuredCalendar as Structured } from 'carillon/spec';
import { canonicalSpec, findZone, parseCron, zoneFromTzif } from 'carillon/spec';
import { toDuration, toTimestamp } from './proto-time.ts';
import type { Spec } from './protocol.ts';
import { structuredMessage } from './spec-message.ts';

export function nativeSpec(spec: ScheduleSpec, seed: string): Spec {
  const canonical = canonicalSpec(spec);
  const { intervals = [], startAt, endAt, jitterMs, zone, zoneData, exclude } = canonical;
  const included = calendarsOf(canonical.cron ?? [], seed);
  const excluded = calendarsOf(exclude?.cron ?? [], seed);
  const structured = (list: readonly Structured[]) => list.map((each) => cleaned(each));
  return {
    structuredCalendar: structured([
      ...(canonical.structuredCalendars ?? []),
      ...included.calendars,
      ...(canonical.times ?? []).map((at) => momentOf(at, canonical)),
    ]),
    cronString: [...included.texts, ...(canonical.rrules ?? []).map(({ text }) => text)],
    interval: intervals.map(({ everyMs, phaseMs }) => ({
      interval: toDuration(everyMs),
      ...(phaseMs === undefined ? {} : { phase: toDuration(phaseMs) }),
    })),
    excludeStructuredCalendar: structured([
      ...(exclude?.structuredCalendars ?? []),
      ...excluded.calendars,
      ...(exclude?.dates ?? []).map(dayOf),
    ]),
    ...(startAt === undefined ? {} : { startTime: toTimestamp(startAt) }),
    ...(endAt === undefined ? {} : { endTime: toTimestamp(endAt) }),
    ...(jitterMs === undefined ? {} : { jitter: toDuration(jitterMs) }),
    ...(zone === undefined ? {} : { timezoneName: zone }),
    ...(zoneData === undefined ? {} : { timezoneData: Buffer.from(zoneData, 'base64') }),
  };
}

function cleaned(calendar: Structured) {
  const message = structuredMessage(calendar);
  for (const name of structuredNames) {
    for (const range of message[name] ?? []) range.end = Math.max(range.end ?? 0, range.start ?? 0);
  }
  return message;
}

/**
 * Turns cron texts that the canonical form keeps as text into calendars; "this day of the month or that weekday" becomes two.
 * Texts that calendars cannot express stay texts.
 */
function calendarsOf(entries: readonly CronEntry[], seed: string) {
  const calendars: Structured[] = [];
  const texts: string[] = [];
  for (const entry of entries) {
    const found = entry.zone === undefined ? structuredOf(entry, seed) : undefined;
    if (found === undefined)
      texts.push(entry.zone === undefined ? entry.text : `CRON_TZ=${entry.zone} ${entry.text}`);
    else calendars.push(...found);
  }
  return { calendars, texts };
}

function structuredOf(
  { text, dialect = 'unix' }: CronEntry,
  seed: string,
): readonly Structured[] | undefined {
  const parsed = parseCron(text, dialect, { seed });
  if (!parsed.ok || parsed.value.kind !== 'calendar') return undefined;
  const { calendar } = parsed.value;
  if (calendar.monthDays.length > 0 || calendar.monthWeekdays.length > 0) return undefined;
  if (calendar.days === 'both') return [rangesOf(calendar)];
  return [
    { ...rangesOf(calendar), dayOfWeek: [{ start: 0, end: 6 }] },
    { ...rangesOf(calendar), dayOfMonth: [{ start: 1, end: 31 }] },
  ];
}

function rangesOf(calendar: Calendar): Structured {
  return Object.fromEntries(structuredNames.map((name) => [name, canonicalRanges(calendar[name])]));
}

const anyDay = { dayOfWeek: [{ start: 0, end: 6 }] };

/** A single time as a calendar on the wall clock of the spec's zone. */
function momentOf(at: Instant, { zone: name, zoneData }: ScheduleSpec): Structured {
  const zone =
    zoneData === undefined
      ? findZone(name ?? 'UTC')
      : zoneFromTzif(name ?? '', Buffer.from(zoneData, 'base64'));
  const second = at / 1000;
  const local = new Date((second + (zone?.offsetAt(second) ?? 0)) * 1000);
  return {
    second: [{ start: local.getUTCSeconds() }],
    minute: [{ start: local.getUTCMinutes() }],
    hour: [{ start: local.getUTCHours() }],
    dayOfMonth: [{ start: local.getUTCDate() }],
    month: [{ start: local.getUTCMonth() + 1 }],
    year: [{ start: local.getUTCFullYear() }],
    ...anyDay,
  };
}

function dayOf(date: string): Structured {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return {
    second: [{ start: 0, end: 59 }],
    minute: [{ start: 0, end: 59 }],
    hour: [{ start: 0, end: 23 }],
    dayOfMonth: [{ start: day }],
    month: [{ start: month }],
    year: [{ start: year }],
    ...anyDay,
  };
}
