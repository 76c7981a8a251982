/** For `@carillon/server` of the same version only; no promises. */
export { canonicalRanges } from '../spec/canonical.ts';
export { wallTimeOf } from '../spec/civil.ts';
export { describeSpec } from '../spec/describe/spec.ts';
export { millisecondsOf, parseGoDuration } from '../spec/go-duration.ts';
export type { Dialect } from '../spec/model.ts';
export { parseRecurrence } from '../spec/rrule/parse.ts';
export { structuredNames } from '../spec/structured-calendar.ts';
export type { TemporalStructuredCalendar } from '../spec/temporal-spec.ts';
export { parseProtoDuration } from '../spec/temporal-spec.ts';
