/** The zone in which the times of a spec are shown. It has no parser, so that lists can ask for every schedule. */
import type { ScheduleSpec } from './model.ts';

const inUtc = /^\s*DTSTART:\w+Z\s*$/im;

/** The zones that the wall-clock times of a spec are written in; `''` for the spec's own. */
function zonesNamed({ cron = [], rrules = [], calendars = [], structuredCalendars = [] }: ScheduleSpec) {
  return new Set([
    ...cron.map(({ text, zone }) => zone ?? /^\s*(?:CRON_)?TZ=(\S+)/.exec(text)?.[1] ?? ''),
    ...rrules.map(({ text }) => /;TZID=([^:;\s]+)/i.exec(text)?.[1] ?? (inUtc.test(text) ? 'UTC' : '')),
    ...[...calendars, ...structuredCalendars].map(() => ''),
  ]);
}

/**
 * The zone by whose clock the times of a spec are shown. A cron entry may name a zone of its own, as `zone` or as `TZ=`
 * before its text, and a recurrence rule as `TZID`: when all entries name the same zone, it is that one. Otherwise it
 * is the zone of the spec, and UTC without one.
 */
export function zoneOfSpec(spec: ScheduleSpec): string {
  const [named = '', ...others] = zonesNamed(spec);
  const own = spec.zone === undefined || spec.zone === '' ? 'UTC' : spec.zone;
  return named === '' || others.length > 0 ? own : named;
}

/** Whether the zone of the spec itself has a meaning: not when every entry names its own, and no day is left out. */
export function usesOwnZone(spec: ScheduleSpec): boolean {
  const named = zonesNamed(spec);
  return named.size === 0 || named.has('') || spec.exclude !== undefined;
}
