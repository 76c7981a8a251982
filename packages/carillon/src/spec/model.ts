/**
 * The types of the spec library. A spec is the set of nominal times at which a schedule is due: union(calendars, cron
 * texts, intervals, recurrence rules, single times) − exclusions, clipped to bounds. `ScheduleSpec` is what people
 * write and what is stored; `Calendar` is the one form that every calendar-like source is parsed into; `Source` is a
 * parsed entry bound to a zone.
 */
import type { Instant } from '../base/time.ts';
import type { Budget } from './budget.ts';

export type Dialect = 'temporal' | 'spring' | 'unix';

/** What to do with a wall-clock time that a forward change of the clock leaves out. */
export type GapRule =
  /** It does not fire that day. */
  | 'skip'
  /** It fires as much later as the clock jumped: 02:30 becomes 03:30. */
  | 'shift'
  /** It fires at the first instant after the gap: 02:30 becomes 03:00. */
  | 'gapEnd';

/** Which copy of a wall-clock time fires when a backward change of the clock repeats it. */
export type FoldRule = 'first' | 'last' | 'both';

export interface DstPolicy {
  readonly gap?: GapRule;
  /**
   * Default 'first', except that a calendar that matches in all 24 hours of the day (such as every 15 minutes) keeps
   * its interval through a fold when no rule is given.
   */
  readonly fold?: FoldRule;
}

export interface CronEntry {
  readonly text: string;
  /** Default 'unix'. Stored with the text: the same five fields mean different times elsewhere. */
  readonly dialect?: Dialect;
  /** Zone of this entry; the spec's zone when absent. */
  readonly zone?: string;
}

/** Calendar fields as text, e.g. `{ hour: '9-17', dayOfWeek: 'mon-fri' }`; absent: see reference 1.3. */
export interface CalendarText {
  readonly second?: string;
  readonly minute?: string;
  readonly hour?: string;
  readonly dayOfMonth?: string;
  readonly month?: string;
  readonly year?: string;
  readonly dayOfWeek?: string;
  readonly comment?: string;
}

/** `end` absent or below `start` means the single value `start`; `step` absent or 0 means 1. */
export interface RangeInput {
  readonly start?: number;
  readonly end?: number;
  readonly step?: number;
}

/** Every field must match; an empty list matches nothing, except `year`, where it means all years. */
export interface StructuredCalendar {
  readonly second?: readonly RangeInput[];
  readonly minute?: readonly RangeInput[];
  readonly hour?: readonly RangeInput[];
  readonly dayOfMonth?: readonly RangeInput[];
  readonly month?: readonly RangeInput[];
  readonly year?: readonly RangeInput[];
  readonly dayOfWeek?: readonly RangeInput[];
  readonly comment?: string;
}

/** Matches epoch + n·every + phase. Whole seconds count; fractions are cut off. */
export interface Interval {
  readonly everyMs: number;
  readonly phaseMs?: number;
}

/** RFC 5545: RRULE lines with optional DTSTART/EXDATE/RDATE, evaluated in the spec's zone. */
export interface RecurrenceRule {
  readonly text: string;
}

export interface Exclusions {
  readonly cron?: readonly CronEntry[];
  readonly calendars?: readonly CalendarText[];
  readonly structuredCalendars?: readonly StructuredCalendar[];
  /** Whole local days, `2026-12-25`. */
  readonly dates?: readonly string[];
}

export interface ScheduleSpec {
  readonly cron?: readonly CronEntry[];
  readonly calendars?: readonly CalendarText[];
  readonly structuredCalendars?: readonly StructuredCalendar[];
  readonly intervals?: readonly Interval[];
  readonly rrules?: readonly RecurrenceRule[];
  /** Single points in time. */
  readonly times?: readonly Instant[];
  readonly exclude?: Exclusions;
  /** Inclusive bounds on nominal times. */
  readonly startAt?: Instant;
  readonly endAt?: Instant;
  /** Longest deterministic delay added to a nominal time, never reaching the next one. */
  readonly jitterMs?: number;
  /** IANA name; default UTC. */
  readonly zone?: string;
  /** TZif bytes (base64) that override the data of `zone`. */
  readonly zoneData?: string;
  readonly dst?: DstPolicy;
}

/** Inclusive, `start <= end`, `step >= 1`. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** A day of the month that depends on the month: L, L-3, LW, 15W. */
export type MonthDay =
  | { readonly kind: 'last'; readonly before: number }
  | { readonly kind: 'lastWeekday' }
  | { readonly kind: 'nearestWeekday'; readonly day: number };

/** A weekday (0 = Sunday) that depends on the month: 5L, 5#2. */
export type MonthWeekday =
  | { readonly kind: 'lastWeekdayOf'; readonly weekday: number }
  | { readonly kind: 'nth'; readonly weekday: number; readonly nth: number };

/** The one form of every calendar-like source. `year: []` means all years; any other empty field matches nothing. */
export interface Calendar {
  readonly second: readonly Range[];
  readonly minute: readonly Range[];
  readonly hour: readonly Range[];
  readonly dayOfMonth: readonly Range[];
  readonly month: readonly Range[];
  readonly year: readonly Range[];
  readonly dayOfWeek: readonly Range[];
  /** Alternatives to `dayOfMonth`: a day matches when a range or one of these does. */
  readonly monthDays: readonly MonthDay[];
  /** Alternatives to `dayOfWeek`. */
  readonly monthWeekdays: readonly MonthWeekday[];
  /** How day-of-month and day-of-week combine. */
  readonly days: 'both' | 'either';
  readonly comment?: string;
}

/** Returned in place of a second when there is no such time. */
export const none = Number.NaN;

/**
 * A strictly increasing set of whole seconds (Unix time), bound to its zone and DST rule. `next` and `previous` are
 * strict and return `none` when there is no further time in the supported years (1970–2100), and `unfinished` when
 * the budget ends first: then `budget.reached` says how far they came. The caller pays for the query itself; a source
 * takes the units of further work from the budget before it does that work.
 */
export interface Source {
  next(afterSecond: number, budget: Budget): number;
  previous(beforeSecond: number, budget: Budget): number;
  /**
   * Whether the second is a time of the source. When the budget is below zero afterwards, the result is false and
   * means unknown.
   */
  matches(second: number, budget: Budget): boolean;
}

/** A time zone as integer arithmetic. All numbers are whole seconds. */
export interface Zone {
  readonly name: string;
  /** Seconds east of UTC at this instant. */
  offsetAt(second: number): number;
  /** First instant strictly after `second` at which the offset changes; Infinity when it never does again. */
  nextTransition(second: number): number;
  /** Last instant at or before `second` at which the offset changed; -Infinity when it never did. */
  previousTransition(second: number): number;
}
