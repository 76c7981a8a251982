/**
 * Only for `@carillon/server` of the same version; may change without notice. The port for doors: `Services`, and the words that its
 * requests and answers are made of. Types and closed lists of other folders are such words; a function of another folder is pure and
 * reads what the services hand out (`test/architecture/service-port.test.ts` lists them).
 */

export { redactAction, redactRunInput } from '../action/redaction.ts';
export { runKind } from '../action/run-kind.ts';
export { conclusionOfResult } from '../runs/conclusion.ts';
export type { Failure } from '../runs/failure.ts';
export { failureOf, failureTypes } from '../runs/failure.ts';
export type { Conclusion } from '../runs/lifecycle.ts';
export { claimedAt } from '../runs/lifecycle.ts';
export { largestPriority, longestProgress, longestResult } from '../runs/limits.ts';
export { isFinal } from '../runs/retry.ts';
export { optionsOf } from '../runs/run.ts';
export type { DoneBy } from '../runs/run-audit.ts';
export type { WorkerView } from '../runs/worker-records.ts';
export type { NodeView } from '../runtime/nodes.ts';
export type { BackfillRequest, TriggerRequest } from '../scheduler/changes.ts';
export { compiledOf } from '../scheduler/compiled-of.ts';
export type {
  Injected,
  Origin,
  OverlapPolicy,
  RunSettings,
  ScheduleAction,
  ScheduleDefinition,
  SchedulePolicy,
} from '../scheduler/definition.ts';
export { defaultPolicy, lateAfter, overlapPolicies, unlimitedWindow } from '../scheduler/definition.ts';
export type { SchedulePatch } from '../scheduler/patch.ts';
export { verdicts } from '../scheduler/verdict.ts';
export type { ActionInput } from '../service/action-input.ts';
export { queuedWork, readAction } from '../service/action-input.ts';
export { bulkVerbs } from '../service/api.ts';
export type { AttributeType, AttributeTypes } from '../service/attribute-type.ts';
export { attributeTypes } from '../service/attribute-type.ts';
export type { BatchWork, JobDocument } from '../service/batch-jobs.ts';
export { bulkChange, mostBulkIds } from '../service/bulk-change.ts';
export type { DefinitionDraft } from '../service/definition-draft.ts';
export type { CarillonEvent } from '../service/event.ts';
export { eventTypes } from '../service/event.ts';
export type { NodeEvents } from '../service/events.ts';
export type { HostSubject } from '../service/hosts/host-effects.ts';
export type { HostEvent } from '../service/hosts/host-events.ts';
export {
  hostEventJson,
  hostExplanationJson,
  hostJson,
  hostRunJson,
  hostSlotJson,
  hostSummaryJson,
} from '../service/hosts/host-wire.ts';
export { attentionKinds } from '../service/insight/attention.ts';
export { binNames } from '../service/insight/bin-edges.ts';
export { scheduleSorts } from '../service/insight/fleet-list.ts';
export { momentNames } from '../service/insight/load.ts';
export { seriesBins } from '../service/insight/series.ts';
export { mostTimelineItems } from '../service/insight/timeline.ts';
export { largestPage, largestPayload, longestId, serviceLimits } from '../service/limits.ts';
export { patchDefinition } from '../service/merge-patch.ts';
export type { Namespace, NamespaceDetails } from '../service/namespaces.ts';
export { payloadProblems } from '../service/payload-bounds.ts';
export { recordEffects } from '../service/record-effects.ts';
export { runListQuery } from '../service/run-list.ts';
export type { CustomAttributes, RunSearch } from '../service/run-search/run-search.ts';
export type { RunStatus, SearchedRun } from '../service/run-search/searched-run.ts';
export { runKeys, searchedRun } from '../service/run-search/searched-run.ts';
export type { SearchPosition } from '../service/run-search/walk.ts';
export type { RunWatch } from '../service/run-watch.ts';
export { longestViewName, longestViewQuery } from '../service/saved-views.ts';
export { aboutOf, policyShape, scheduleInput } from '../service/schedule-fields.ts';
export { filteredQuery, scheduleStatuses } from '../service/schedule-filter.ts';
export { readScheduleInput, writeScheduleInput } from '../service/schedule-input.ts';
export type { NamedSchedule, ScheduleOutline } from '../service/schedule-outline.ts';
export type { ScheduleName } from '../service/schedule-reads.ts';
export type { Caller, ScheduleService } from '../service/schedule-service.ts';
export type { ScheduleSnapshot } from '../service/schedule-snapshot.ts';
export type { Services } from '../service/services.ts';
export { SlicedWork } from '../service/spec-search.ts';
export { storeTrouble } from '../service/store-trouble.ts';
export type { StoredKey } from '../service/stored-keys.ts';
export { keysNamespace } from '../service/stored-keys.ts';
export { withSuggestions } from '../service/suggestions.ts';
export {
  attemptJson,
  auditJson,
  explanationJson,
  historyJson,
  logLineJson,
  occurrenceJson,
  pageJson,
  runJson,
  runPageJson,
  scheduleJson,
  slotJson,
  summaryJson,
  timeJson,
} from '../service/wire.ts';
export { shownHolder } from '../service/workers/holder.ts';
export type {
  LeaseKept,
  LeaseName,
  LeaseReport,
  WorkerConclusion,
  WorkerService,
} from '../service/workers/worker-service.ts';
export { workerLimits } from '../service/workers/worker-service.ts';
export { writtenBack } from '../service/write-back.ts';
export type { CursorPart } from '../store/cursor.ts';
export { decodeCursor, encodeCursor } from '../store/cursor.ts';
export type { DocumentChange } from '../store/documents.ts';
export { matchesFilter } from '../store/filter.ts';
export type { Attributes, AttributeValue, RunOutcome, RunRow } from '../store/records.ts';
export { eventStates, runOrders, runOutcomes } from '../store/records.ts';
export type { Filter } from '../store/store.ts';
