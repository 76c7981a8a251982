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

/** RFC 3339 in UTC; milliseconds only where there are any. */
export function formatInstant(at: Instant): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})$/;

/** Reads RFC 3339 with an explicit offset; anything else is undefined, never a guess at the local zone. */
export function parseInstant(text: string): Instant | undefined {
  if (!rfc3339.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : instant(at);
}
