/** `carillon/client`: talks to a Carillon server. */

export type {
  BackfillPreview,
  BackfillRange,
  BulkAnswer,
  BulkVerb,
  Changed,
  ChangeOptions,
  Including,
  Page,
  PageOptions,
  RunFilters,
  RunStopOptions,
  RunsApi,
  ScheduleFilters,
  SchedulePatchInput,
  SchedulesApi,
  SlotFilters,
  Stopped,
  TimeRange,
  Views,
  Written,
} from '../service/api.ts';
export type { InstantInput, ScheduleInput } from '../service/schedule-input.ts';
export type {
  AuditJson,
  ExplanationJson,
  HistoryJson,
  JsonViews,
  OccurrenceJson,
  RunJson,
  ScheduleJson,
  SlotJson,
  SummaryJson,
} from '../service/wire.ts';
export type { AuditClient, AuditFilters } from './audit.ts';
export type { BackupInfo, BackupsClient } from './backups.ts';
export type { About, NodeInfo } from './client.ts';
export { CarillonClient } from './client.ts';
export type { ClientErrorFields, ClientProblem } from './error.ts';
export { CarillonError, isCarillonError } from './error.ts';
export type { RunsClient, Work } from './runs.ts';
export type { ClientChangeOptions, SchedulesClient } from './schedules.ts';
export type { CallOptions, ClientOptions, QueryValue, Request, Transport } from './transport.ts';
