/** `carillon/client`: talks to a Carillon server. */

export type { ScheduleInput } from '../service/schedule-input.ts';
export type {
  AuditJson,
  ExplanationJson,
  HistoryJson,
  OccurrenceJson,
  PageJson,
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
export type { RunFilters, RunsClient, Stopped, Work } from './runs.ts';
export type {
  BackfillInput,
  BulkAnswer,
  Changed,
  Paging,
  ScheduleFilters,
  SchedulesClient,
  SlotFilters,
  Time,
  UpdateOptions,
  Written,
} from './schedules.ts';
export type { CallOptions, ClientOptions, QueryValue, Request, Transport } from './transport.ts';
