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
export type { AuditFilters } from './audit.ts';
export type { BackupInfo } from './backups.ts';
export type { About, NodeInfo } from './client.ts';
export { CarillonClient } from './client.ts';
export type { ClientProblem } from './error.ts';
export { CarillonError, isCarillonError } from './error.ts';
export type { RunFilters, Stopped, Work } from './runs.ts';
export type {
  BackfillInput,
  BulkAnswer,
  Changed,
  Paging,
  ScheduleFilters,
  SlotFilters,
  Time,
  UpdateOptions,
  Written,
} from './schedules.ts';
export type { CallOptions, ClientOptions } from './transport.ts';
