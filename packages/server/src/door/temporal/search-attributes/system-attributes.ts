/**
 * The names that exist in every namespace. *System* attributes are facts about a workflow that no client can set. Clients may
 * send *predefined* ones; they mean nothing on a schedule, so the door drops them silently.
 */
import type { AttributeType, AttributeTypes } from 'carillon/internal/service';

export const systemAttributes: AttributeTypes = new Map<string, AttributeType>([
  ['WorkflowId', 'Keyword'],
  ['RunId', 'Keyword'],
  ['WorkflowType', 'Keyword'],
  ['StartTime', 'Datetime'],
  ['ExecutionTime', 'Datetime'],
  ['CloseTime', 'Datetime'],
  ['ExecutionStatus', 'Keyword'],
  ['TaskQueue', 'Keyword'],
  ['HistoryLength', 'Int'],
  ['ExecutionDuration', 'Int'],
  ['StateTransitionCount', 'Int'],
  ['HistorySizeBytes', 'Int'],
  ['ParentWorkflowId', 'Keyword'],
  ['ParentRunId', 'Keyword'],
  ['RootWorkflowId', 'Keyword'],
  ['RootRunId', 'Keyword'],
]);

export const predefinedAttributes: AttributeTypes = new Map<string, AttributeType>([
  ['TemporalChangeVersion', 'KeywordList'],
  ['BinaryChecksums', 'KeywordList'],
  ['BuildIds', 'KeywordList'],
  ['BatcherNamespace', 'Keyword'],
  ['BatcherUser', 'Keyword'],
  ['TemporalScheduledStartTime', 'Datetime'],
  ['TemporalScheduledById', 'Keyword'],
  ['TemporalSchedulePaused', 'Bool'],
  ['TemporalNamespaceDivision', 'Keyword'],
  ['TemporalPauseInfo', 'KeywordList'],
  ['TemporalReportedProblems', 'KeywordList'],
  ['TemporalWorkerDeploymentVersion', 'Keyword'],
  ['TemporalWorkflowVersioningBehavior', 'Keyword'],
  ['TemporalWorkerDeployment', 'Keyword'],
  ['TemporalUsedWorkerDeploymentVersions', 'KeywordList'],
  ['TemporalExternalPayloadCount', 'Int'],
  ['TemporalExternalPayloadSizeBytes', 'Int'],
]);

/** Names that only schedules have. No custom attribute may use them, because a query would then be ambiguous. */
const scheduleNames = [
  'TemporalScheduleId',
  'ScheduleNextActionTime',
  'ScheduleIdleCloseTime',
  'ScheduleRunningWorkflowCount',
  'ScheduleBufferedStartsCount',
];

export function isReserved(name: string): boolean {
  return systemAttributes.has(name) || predefinedAttributes.has(name) || scheduleNames.includes(name);
}
