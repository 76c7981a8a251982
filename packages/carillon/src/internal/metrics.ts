/** Only for `@carillon/server` of the same version; may change without notice. Metrics, and the closed lists that their labels come from. */
export { hostRunResults } from '../host/fact.ts';
export { blockKinds } from '../host/host.ts';
export { hostVerdicts } from '../host/verdict.ts';
export { expositionText, expositionType } from '../metrics/exposition.ts';
export type { Family, Labels } from '../metrics/family.ts';
export { by, counter, each, gauge, histogram } from '../metrics/family.ts';
export { Histogram } from '../metrics/histogram.ts';
export type { Timed } from '../metrics/schedule-families.ts';
export { scheduleFamilies } from '../metrics/schedule-families.ts';
export { ScheduleTally } from '../metrics/schedule-tally.ts';
export { conclusionKinds } from '../runs/lifecycle.ts';
export { isStoreError, storeTroubles } from '../store/error.ts';
export { selectionKinds } from '../store/store.ts';
