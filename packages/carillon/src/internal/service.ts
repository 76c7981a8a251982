/** For `@carillon/server` of the same version only; no promises. */
export type { ActionInput } from '../service/action-input.ts';
export { actionInput } from '../service/action-input.ts';
export { AuditService } from '../service/audit-service.ts';
export type { DefinitionDraft } from '../service/definition-draft.ts';
export type { DocumentChange } from '../service/documents.ts';
export { Documents } from '../service/documents.ts';
export type { CarillonEvent, ScheduleEvent } from '../service/event.ts';
export { eventTypes } from '../service/event.ts';
export { largestPage, largestPayload, longestId, longestNamespace } from '../service/limits.ts';
export type { Nodes, NodeView } from '../service/nodes.ts';
export { RunService } from '../service/run-service.ts';
export type { ScheduleInput } from '../service/schedule-input.ts';
export { readScheduleInput, scheduleInput } from '../service/schedule-input.ts';
export type { ScheduleName } from '../service/schedule-reads.ts';
export type { Caller, ScheduleService } from '../service/schedule-service.ts';
export type { ScheduleSnapshot } from '../service/schedule-snapshot.ts';
export type { ScheduleDescription } from '../service/schedule-view.ts';
export {
  auditJson,
  explanationJson,
  historyJson,
  occurrenceJson,
  pageJson,
  runJson,
  scheduleJson,
  slotJson,
  summaryJson,
  timeJson,
} from '../service/wire.ts';
export { writtenBack } from '../service/write-back.ts';
