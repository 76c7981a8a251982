/**
 * `carillon/spec`: when things happen. Cron dialects, calendars, intervals, recurrence rules, time zones and
 * jitter, as pure functions over data. Runs in Node and in browsers; needs no clock, no `Date` and no `Intl`.
 *
 * ```ts
 * const spec = { cron: [{ text: '0 9 * * mon-fri' }], zone: 'America/New_York' };
 * const compiled = compileSpec(spec);
 * compiled.next(now)?.nominal; // the next weekday at nine in New York
 * ```
 */
export type { Problem } from '../base/error.ts';
export type { Duration, Instant } from '../base/time.ts';
export { type Budget, budgetOf, defaultUnits, unitsPerTurn } from './budget.ts';
export { formatCalendar, parseCalendarText } from './calendar-text.ts';
export { canonicalSpec } from './canonical.ts';
export { type CompileOptions, compileSpec } from './compile.ts';
export {
  budgetExceeded,
  budgetReason,
  type CompiledSpec,
  isBudgetExceeded,
  type Occurrence,
  type SearchOptions,
  type SearchResult,
  type Times,
  type Walk,
  type Window,
} from './compiled.ts';
export { defaultDialect, dialects, parseCron } from './cron.ts';
export { cronSpan } from './cron-span.ts';
export { parseSpringCron } from './cron-spring.ts';
export { parseTemporalCron } from './cron-temporal.ts';
export { parseUnixCron, type UnixCronOptions } from './cron-unix.ts';
export { type DescribeOptions, describeSpec } from './describe/spec.ts';
export { jitterOffset } from './jitter.ts';
export {
  maxCommentBytes,
  maxEntries,
  maxTextLength,
  maxTimes,
  maxYear,
  minIntervalMs,
  minTextYear,
  minYear,
} from './limits.ts';
export type {
  Calendar,
  CalendarText,
  CronEntry,
  Dialect,
  DstPolicy,
  Exclusions,
  FoldRule,
  GapRule,
  Interval,
  MonthDay,
  MonthWeekday,
  Range,
  RangeInput,
  RecurrenceRule,
  ScheduleSpec,
  Source,
  StructuredCalendar,
  Zone,
} from './model.ts';
export type { Parsed, ParsedCron } from './parsed.ts';
export type { ParsedRecurrence } from './rrule/parse.ts';
export { parseRecurrence } from './rrule/parse.ts';
export type { Frequency, Moment, Recurrence, Rule, WeekdayChoice } from './rrule/recurrence.ts';
export { isManual, sourceNames } from './sources.ts';
export type { ReadOptions } from './spec-entries.ts';
export { zoneOfSpec } from './spec-zone.ts';
export { canonicalizeTemporalSpec } from './temporal-canonical.ts';
export { toScheduleSpec } from './temporal-schedule.ts';
export type {
  CanonicalTemporalSpec,
  TemporalInterval,
  TemporalSpec,
  TemporalStructuredCalendar,
} from './temporal-spec.ts';
export { type Validation, validateSpec } from './validate.ts';
export type { TableZone, ZoneTable } from './zone/table.ts';
export { zoneFromTzif } from './zone/tzif.ts';
export { findZone, loadZones, timeZoneVersion, type ZoneTables, zoneNames } from './zone/zone.ts';
export { zoneFix } from './zone/zone-fix.ts';
