/** Only for `@carillon/server` of the same version; may change without notice. */
export { actionSummary, commandLines } from '../action/kind.ts';
export { fieldNames } from '../service/schedule-fields.ts';
