/** For `@carillon/server` of the same version only; no promises. */
export type { Failure } from '../runs/failure.ts';
export { failureTypes } from '../runs/failure.ts';
export type { Conclusion } from '../runs/lifecycle.ts';
export { conclusionKinds } from '../runs/lifecycle.ts';
export { largestPriority } from '../runs/limits.ts';
export type { RunOptions } from '../runs/run.ts';
export { optionsOf } from '../runs/run.ts';
export type { DoneBy } from '../runs/run-audit.ts';
