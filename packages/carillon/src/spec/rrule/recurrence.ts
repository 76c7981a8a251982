/**
 * A parsed RFC 5545 recurrence. Lists are sorted and free of doubles, so two texts that say the same thing in
 * another order are the same value. Local times are wall-clock seconds (see `calendar-day.ts`), bound to a zone
 * only when the recurrence becomes a source.
 */

export const frequencies = [
  'SECONDLY',
  'MINUTELY',
  'HOURLY',
  'DAILY',
  'WEEKLY',
  'MONTHLY',
  'YEARLY',
] as const;
export type Frequency = (typeof frequencies)[number];

/** One entry of BYDAY: `MO` has nth 0, `-1FR` has nth −1. Weekday 0 is Sunday. */
export interface WeekdayChoice {
  readonly weekday: number;
  readonly nth: number;
}

/** A time as RFC 5545 writes it: on the wall clock, in UTC, or a whole local day. */
export type Moment =
  | { readonly kind: 'local'; readonly second: number }
  | { readonly kind: 'utc'; readonly second: number }
  | { readonly kind: 'date'; readonly day: number };

/** An empty list means that the part was not given. */
export interface Rule {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count?: number;
  /** Inclusive. A date includes that whole day. */
  readonly until?: Moment;
  readonly bySecond: readonly number[];
  readonly byMinute: readonly number[];
  readonly byHour: readonly number[];
  readonly byDay: readonly WeekdayChoice[];
  readonly byMonthDay: readonly number[];
  readonly byYearDay: readonly number[];
  readonly byWeekNumber: readonly number[];
  readonly byMonth: readonly number[];
  readonly bySetPosition: readonly number[];
  /** 0 = Sunday; RFC default Monday. */
  readonly weekStart: number;
}

export interface Recurrence {
  /**
   * DTSTART on the wall clock. When absent the rules are anchored at 1970-01-01T00:00:00 local, a Thursday: what
   * a rule leaves open comes from there, so `FREQ=DAILY` means midnight and `FREQ=WEEKLY` means Thursday.
   */
  readonly start?: number;
  /** Zone named by TZID, or `UTC` when DTSTART ends in Z. It wins over the zone of the spec. */
  readonly zone?: string;
  readonly rules: readonly Rule[];
  /** RDATE. A date takes the time of day of the anchor. */
  readonly dates: readonly Moment[];
  /** EXDATE. A date leaves out that whole local day. */
  readonly exceptDates: readonly Moment[];
}

/** Names as RFC 5545 writes them, by weekday number. */
export const weekdayCodes: readonly string[] = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
