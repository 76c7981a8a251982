/** For `@carillon/server` of the same version only; no promises. */

export type { BackfillRequest, TriggerRequest } from '../scheduler/changes.ts';
export { compiledOf } from '../scheduler/compiled-of.ts';
export type {
  Origin,
  OverlapPolicy,
  RunSettings,
  ScheduleAction,
  ScheduleDefinition,
  SchedulePolicy,
} from '../scheduler/definition.ts';
export { Definition, defaultPolicy, lateAfter, overlapPolicies } from '../scheduler/definition.ts';
export { scheduleArchetype } from '../scheduler/library.ts';
export type { SchedulePatch } from '../scheduler/patch.ts';
export { verdicts } from '../scheduler/verdict.ts';
