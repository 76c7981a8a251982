/** Converts Temporal's canonical spec to Carillon's, with Temporal's literal rule for clock changes. */
import type { Problem } from '../base/error.ts';
import { type Instant, instant } from '../base/time.ts';
import { literalRule } from './calendar-source.ts';
import { millisecondsOf } from './go-duration.ts';
import type { ScheduleSpec } from './model.ts';
import type { Parsed } from './parsed.ts';
import { failure, problem, success } from './parsed.ts';
import { type CanonicalTemporalSpec, parseProtoDuration, type TemporalInterval } from './temporal-spec.ts';
import { isZoneName } from './zone/zone.ts';
import { zoneFix } from './zone/zone-fix.ts';
import { zoneFromData } from './zone-data.ts';

const grammar = /^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;

/** A proto JSON timestamp in milliseconds; finer digits are rounded in the given direction. */
export function parseTimestamp(text: string, rounding: 'up' | 'down'): Instant | undefined {
  const [, base, fraction = '', offset] = grammar.exec(text) ?? [];
  if (base === undefined || offset === undefined) return undefined;
  const seconds = Date.parse(base + offset);
  if (Number.isNaN(seconds)) return undefined;
  const nanoseconds = Number(fraction.padEnd(9, '0'));
  const part = nanoseconds / 1_000_000;
  return instant(seconds + (rounding === 'up' ? Math.ceil(part) : Math.floor(part)));
}

const toMs = (duration: string | undefined): number =>
  duration === undefined ? 0 : millisecondsOf(parseProtoDuration(duration) ?? 0n);

function interval({ interval: every, phase }: TemporalInterval) {
  const everyMs = toMs(every);
  const phaseMs = toMs(phase);
  return phaseMs === 0 ? { everyMs } : { everyMs, phaseMs };
}

/** Temporal takes names as its zone files are spelt, and refuses paths before it looks for a file. */
function zoneProblem(name: string): Problem {
  const isPath = name.includes('..') || name.startsWith('/') || name.startsWith('\\');
  const message = isPath ? 'time: invalid location name' : `unknown time zone ${name}`;
  return problem('timezoneName', 'UNKNOWN_ZONE', message, zoneFix(name));
}

/** Converts the output of `canonicalizeTemporalSpec`. Only the zone, its data or a timestamp can still be invalid. */
export function toScheduleSpec(spec: CanonicalTemporalSpec): Parsed<ScheduleSpec> {
  const problems: Problem[] = [];
  const zone = spec.timezoneName ?? '';
  const zoneData = spec.timezoneData ?? '';
  if (zoneData !== '') {
    if (zoneFromData(zone, zoneData) === undefined) {
      problems.push(problem('timezoneData', 'ZONE_DATA', 'malformed time zone information'));
    }
  } else if (zone !== '' && !isZoneName(zone)) problems.push(zoneProblem(zone));

  const time = (name: 'startTime' | 'endTime', rounding: 'up' | 'down'): Instant | undefined => {
    const text = spec[name];
    if (text === undefined) return undefined;
    const at = parseTimestamp(text, rounding);
    if (at === undefined) {
      problems.push(
        problem(name, 'TIMESTAMP', `${name} is not a valid timestamp: ${text}`, 'write 2026-01-31T09:00:00Z'),
      );
    }
    return at;
  };
  const startAt = time('startTime', 'up');
  const endAt = time('endTime', 'down');
  if (problems.length > 0) return failure(problems);
  const jitterMs = toMs(spec.jitter);
  return success({
    ...(spec.structuredCalendar === undefined ? {} : { structuredCalendars: spec.structuredCalendar }),
    ...(spec.interval === undefined ? {} : { intervals: spec.interval.map(interval) }),
    ...(spec.excludeStructuredCalendar === undefined
      ? {}
      : { exclude: { structuredCalendars: spec.excludeStructuredCalendar } }),
    ...(startAt === undefined ? {} : { startAt }),
    ...(endAt === undefined ? {} : { endAt }),
    ...(jitterMs > 0 ? { jitterMs } : {}),
    ...(zone === '' ? {} : { zone }),
    ...(zoneData === '' ? {} : { zoneData }),
    dst: literalRule,
  });
}
