/** How long a WAIT task waits: for a `duration` (`90s`, `2m`, `1h`, `1 day 2 hours`) or `until` a date. */
import type { Instant } from 'carillon/internal/base';
import { addTime, instant, parseInstant } from 'carillon/internal/base';
import { jsonText } from './json-text.ts';
import { msOf } from './seconds.ts';

export type WaitTime =
  | { readonly kind: 'at'; readonly at: Instant }
  /** The task waits until it is completed from outside. */
  | { readonly kind: 'signal' }
  | { readonly kind: 'invalid'; readonly field: string; readonly message: string; readonly fix: string };

const units: Readonly<Record<string, number>> = {
  d: 86_400_000,
  day: 86_400_000,
  days: 86_400_000,
  h: 3_600_000,
  hr: 3_600_000,
  hrs: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
  m: 60_000,
  min: 60_000,
  mins: 60_000,
  minute: 60_000,
  minutes: 60_000,
  s: 1000,
  sec: 1000,
  secs: 1000,
  second: 1000,
  seconds: 1000,
};

export function waitTime(input: Readonly<Record<string, unknown>>, now: Instant): WaitTime {
  const { duration, until } = input;
  if (isGiven(duration) && isGiven(until)) {
    return invalid('duration', 'a WAIT task has both duration and until', 'give one of them');
  }
  if (isGiven(duration)) {
    const ms = durationMs(jsonText(duration));
    if (ms === undefined) return badDuration(jsonText(duration));
    return { kind: 'at', at: addTime(now, msOf(ms / 1000)) };
  }
  if (isGiven(until)) {
    const at = untilTime(jsonText(until));
    if (at === undefined)
      return invalid(
        'until',
        `'${jsonText(until)}' is not a time`,
        "write e.g. '2027-01-31 18:00' or '2027-01-31 18:00 GMT+01:00'",
      );
    return { kind: 'at', at };
  }
  return { kind: 'signal' };
}

/** The problem of a time in the definition itself; undefined when the time is an expression, which is known only later. */
export function waitProblem(
  input: Readonly<Record<string, unknown>>,
): Extract<WaitTime, { kind: 'invalid' }> | undefined {
  const isLater = [input.duration, input.until].some(
    (text) => typeof text === 'string' && text.includes('${'),
  );
  const time = isLater ? undefined : waitTime(input, instant(0));
  return time?.kind === 'invalid' ? time : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

export function durationMs(text: string): number | undefined {
  const words = [...text.trim().matchAll(/\s*(\d+)\s*([a-z]+)\s*/gi)];
  if (words.length === 0 || words.map(([whole]) => whole).join('') !== text.trim()) return undefined;
  let ms = 0;
  for (const [, count, unit = ''] of words) {
    const each = units[unit.toLowerCase()];
    if (each === undefined) return undefined;
    ms += Number(count) * each;
  }
  return Number.isSafeInteger(ms) ? ms : undefined;
}

function badDuration(text: string): WaitTime {
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(text.trim());
  const right = (iso ?? [])
    .slice(1)
    .flatMap((count, index) => (count === undefined ? [] : [`${count}${'dhms'[index]}`]))
    .join(' ');
  const fix = right === '' ? "write e.g. '90s', '2m' or '1h'" : `write '${right}'`;
  return invalid('duration', `'${text}' is not a duration of a WAIT task`, fix);
}

/** `yyyy-MM-dd`, `yyyy-MM-dd HH:mm` and the latter with a zone: UTC, GMT, Z, or an offset such as GMT+02:00. */
function untilTime(text: string): Instant | undefined {
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?(?:\s*(?:Z|UTC|GMT)?([+-]\d{2}:?\d{2})?)?$/i.exec(
      text.trim(),
    );
  if (parts === null) return undefined;
  const [, day, clock = '00:00', offset] = parts;
  const zone =
    offset === undefined ? 'Z' : offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`;
  return parseInstant(`${day}T${clock}${zone}`);
}

function invalid(field: string, message: string, fix: string): WaitTime {
  return { kind: 'invalid', field, message, fix };
}
