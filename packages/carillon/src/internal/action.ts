/** Only for `@carillon/server` of the same version; may change without notice. What the server and its commands read from the table of kinds. */
export { actionSettings, actionSummary, commandLines, programQueues } from '../action/kind.ts';
export { fieldNames } from '../service/schedule-fields.ts';
