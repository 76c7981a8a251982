/** Temporal's `ScheduleSpec` as proto JSON: camelCase names, durations such as `5400s`, RFC 3339 timestamps. */
import type { CalendarText, RangeInput } from './model.ts';

export interface TemporalStructuredCalendar {
  readonly second?: readonly RangeInput[];
  readonly minute?: readonly RangeInput[];
  readonly hour?: readonly RangeInput[];
  readonly dayOfMonth?: readonly RangeInput[];
  readonly month?: readonly RangeInput[];
  readonly year?: readonly RangeInput[];
  readonly dayOfWeek?: readonly RangeInput[];
  readonly comment?: string;
}

export interface TemporalInterval {
  readonly interval?: string;
  readonly phase?: string;
}

export interface TemporalSpec {
  readonly structuredCalendar?: readonly TemporalStructuredCalendar[];
  readonly calendar?: readonly CalendarText[];
  readonly cronString?: readonly string[];
  readonly interval?: readonly TemporalInterval[];
  readonly excludeCalendar?: readonly CalendarText[];
  readonly excludeStructuredCalendar?: readonly TemporalStructuredCalendar[];
  readonly startTime?: string;
  readonly endTime?: string;
  readonly jitter?: string;
  readonly timezoneName?: string;
  /** Base64, as proto JSON writes bytes. */
  readonly timezoneData?: string;
}

/** The fields of a canonical spec. */
export type CanonicalTemporalSpec = Omit<TemporalSpec, 'calendar' | 'cronString' | 'excludeCalendar'>;

const billion = 1_000_000_000n;

/** About 10,000 years: what a protobuf duration may hold. */
const mostProtoSeconds = 315_576_000_000;

/** Nanoseconds of a proto JSON duration (`1.500s`, `-5s`); undefined when malformed. */
export function parseProtoDuration(text: string): bigint | undefined {
  const [, sign, seconds, fraction = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(text) ?? [];
  if (seconds === undefined || Number(seconds) > mostProtoSeconds) return undefined;
  const size = BigInt(seconds) * billion + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -size : size;
}

/** A duration as proto JSON writes it: no fraction, or 3, 6 or 9 digits. */
export function formatProtoDuration(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const digits = (size % billion)
    .toString()
    .padStart(9, '0')
    .replace(/(000)+$/, '');
  return `${nanoseconds < 0n ? '-' : ''}${size / billion}${digits === '' ? '' : `.${digits}`}s`;
}
