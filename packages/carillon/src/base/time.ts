/**
 * Time as the whole product counts it: milliseconds since the Unix epoch, in UTC. `Date` appears only here,
 * in codecs and at the edges.
 */
import type { Brand } from './brand.ts';

/** A point in time, whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = Brand<number, 'Instant'>;

/** A length of time in whole milliseconds. */
export type Duration = Brand<number, 'Duration'>;

export function instant(milliseconds: number): Instant {
  return Math.trunc(milliseconds) as Instant;
}

export function duration(milliseconds: number): Duration {
  return Math.trunc(milliseconds) as Duration;
}

export const millisecond = 1 as Duration;
export const second = 1000 as Duration;
export const minute = 60_000 as Duration;
export const hour = 3_600_000 as Duration;
export const day = 86_400_000 as Duration;

export function addTime(at: Instant, by: number): Instant {
  return (at + by) as Instant;
}

let formattedDay = Number.NaN;
let dayText = '';

/**
 * RFC 3339 in UTC; milliseconds only where there are any. Every start formats a time for its id, so the text of the
 * day is cached.
 */
export function formatInstant(at: Instant): string {
  const date = Math.floor(at / day);
  if (date !== formattedDay) {
    dayText = new Date(date * day).toISOString().slice(0, -'00:00:00.000Z'.length);
    formattedDay = date;
  }
  const ms = at - date * day;
  const seconds = Math.floor(ms / 1000);
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const rest = ms - seconds * 1000;
  return rest === 0 ? `${dayText}${clock}Z` : `${dayText}${clock}.${String(rest).padStart(3, '0')}Z`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})$/;

/** Parses RFC 3339 with an explicit offset. Returns undefined for any other text; it never assumes the local zone. */
export function parseInstant(text: string): Instant | undefined {
  if (!rfc3339.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : instant(at);
}
