/** For `@carillon/server` of the same version only; no promises. */
export { actionSummary, commandLines } from '../action/kind.ts';
export { fieldNames } from '../service/schedule-fields.ts';
