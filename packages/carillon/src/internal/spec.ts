/** Only for `@carillon/server` of the same version; may change without notice. */
export { canonicalRanges } from '../spec/canonical.ts';
export { parseGoDuration } from '../spec/go-duration.ts';
export { structuredNames } from '../spec/structured-calendar.ts';
export type { TemporalStructuredCalendar } from '../spec/temporal-spec.ts';
export { parseProtoDuration } from '../spec/temporal-spec.ts';
