/** Converts protobuf's timestamps and durations to milliseconds and proto JSON texts, and back. */

import type { Instant } from 'carillon/internal/base';
import { ServiceError } from 'carillon/internal/base';
import type { Duration, Timestamp } from './protocol.ts';

/** The parts of a decoded timestamp or duration; seconds may be a Long. */
interface Parts {
  readonly seconds?: number | { toNumber(): number } | null;
  readonly nanos?: number | null;
}

function secondsOf({ seconds }: Parts): number {
  if (seconds === null || seconds === undefined) return 0;
  return typeof seconds === 'number' ? seconds : seconds.toNumber();
}

export function toTimestamp(at: Instant): Timestamp {
  const seconds = Math.floor(at / 1000);
  // protobufjs also encodes plain numbers; the declared type describes decoded messages only.
  return { seconds: seconds as unknown as Long, nanos: (at - seconds * 1000) * 1_000_000 };
}

export function toDuration(milliseconds: number): Duration {
  const seconds = Math.trunc(milliseconds / 1000);
  return { seconds: seconds as unknown as Long, nanos: Math.round((milliseconds % 1000) * 1_000_000) };
}

type Long = NonNullable<Timestamp['seconds']>;

/** Protobuf's range of timestamps, years 1 to 9999. */
const earliest = -62_135_596_800;
const latest = 253_402_300_799;
const mostNanos = 999_999_999;

/** Truncates to whole milliseconds. */
export function readTimestamp(path: string, timestamp: Timestamp): Instant {
  const seconds = secondsOf(timestamp);
  const nanos = timestamp.nanos ?? 0;
  if (seconds < earliest || seconds > latest || nanos < 0 || nanos > mostNanos) {
    throw refused(path, 'is not a valid timestamp');
  }
  return (seconds * 1000 + Math.floor(nanos / 1_000_000)) as Instant;
}

/** Protobuf's longest duration, about 10,000 years. */
const longest = 315_576_000_000;

/** Undefined for a duration that protobuf does not allow. */
export function durationMs(duration: Duration): number | undefined {
  if (durationFault(duration) !== undefined) return undefined;
  return secondsOf(duration) * 1000 + (duration.nanos ?? 0) / 1_000_000;
}

/** Why protobuf does not allow a duration, in the words of its Go library; undefined when it does. */
export function durationFault(duration: Duration): string | undefined {
  const seconds = secondsOf(duration);
  const nanos = duration.nanos ?? 0;
  const parts = [seconds === 0 ? '' : `seconds:${seconds}`, nanos === 0 ? '' : `nanos:${nanos}`];
  // The no-break space and the two blanks are that library's.
  const says = (what: string) =>
    `proto:\u00a0duration (${parts.filter((part) => part !== '').join('  ')}) ${what}`;
  if (seconds < -longest) return says('exceeds -10000 years');
  if (seconds > longest) return says('exceeds +10000 years');
  if (Math.abs(nanos) > mostNanos) return says('has out-of-range nanos');
  if ((seconds > 0 && nanos < 0) || (seconds < 0 && nanos > 0)) {
    return says('has seconds and nanos with different signs');
  }
  return undefined;
}

/** Returns undefined for zero, which clients send for an unset duration. */
export function readDuration(path: string, duration: Duration | null | undefined): number | undefined {
  if (duration === null || duration === undefined) return undefined;
  const milliseconds = durationMs(duration);
  if (milliseconds === undefined) throw refused(path, 'is not a valid duration');
  return milliseconds === 0 ? undefined : milliseconds;
}

function refused(path: string, what: string): ServiceError {
  return new ServiceError({
    code: 'invalidArgument',
    reason: 'INVALID',
    message: `${path} ${what}`,
    problems: [{ path, reason: 'INVALID', message: what }],
  });
}

/** Proto JSON, `1.5s`. A malformed duration becomes a text that the spec's parser refuses. */
export function durationText(duration: Duration): string {
  const seconds = secondsOf(duration);
  const nanos = duration.nanos ?? 0;
  const fault = durationFault(duration);
  if (fault !== undefined) return fault;
  const digits = Math.abs(nanos).toString().padStart(9, '0').replace(/0+$/, '');
  const sign = seconds < 0 || nanos < 0 ? '-' : '';
  return `${sign}${Math.abs(seconds)}${digits === '' ? '' : `.${digits}`}s`;
}

/** Proto JSON, RFC 3339 with nanoseconds. */
export function timestampText(path: string, timestamp: Timestamp): string {
  const at = readTimestamp(path, timestamp);
  const whole = new Date(Math.floor(at / 1000) * 1000).toISOString().slice(0, -5);
  const digits = (timestamp.nanos ?? 0).toString().padStart(9, '0').replace(/0+$/, '');
  return `${whole}${digits === '' ? '' : `.${digits}`}Z`;
}
