/** Only for `@carillon/server` of the same version; may change without notice. */
export { expositionText, expositionType } from '../metrics/exposition.ts';
export type { Family, Labels } from '../metrics/family.ts';
export { by, counter, each, gauge, histogram } from '../metrics/family.ts';
export { Histogram } from '../metrics/histogram.ts';
export type { Timed } from '../metrics/schedule-families.ts';
export { scheduleFamilies } from '../metrics/schedule-families.ts';
export { ScheduleTally } from '../metrics/schedule-tally.ts';
