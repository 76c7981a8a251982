/** `carillon/client`: talks to a Carillon server. */

export type {
  JsonHasNoUndefinedInLists,
  JsonWouldChangeThis,
  NotPlain,
  Plain,
  PlainData,
  PlainItem,
} from '../base/plain-data.ts';
export { isRunInterrupted, RunInterrupted } from '../base/run-interrupted.ts';
export type { Handler, Interruption, RunContext } from '../runs/context.ts';
export type { Failure } from '../runs/failure.ts';
export type {
  Acted,
  AgainOptions,
  BackfillPreview,
  BackfillRange,
  BulkAnswer,
  BulkOptions,
  BulkVerb,
  Changed,
  ChangeOptions,
  Deleted,
  Including,
  LogOptions,
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
  Triggered,
  Views,
  WaitingRuns,
  Written,
} from '../service/api.ts';
export type {
  HostEventJson,
  HostExplanationJson,
  HostJson,
  HostRunJson,
  HostSlotJson,
  HostSummaryJson,
} from '../service/hosts/host-wire.ts';
export type {
  ChangeResolution,
  EventFilters,
  EventState,
  HandlerName,
  HostChangeOptions,
  HostFilters,
  HostQuestion,
  HostsApi,
  HostViews,
  OutsideMessage,
} from '../service/hosts/hosts-api.ts';
export type { Alternative } from '../service/insight/alternatives.ts';
export type { Attention, AttentionKind } from '../service/insight/attention.ts';
export type { SlotBin, SlotBins, Unfinished } from '../service/insight/bins.ts';
export type { BulkOutcome, BulkOutcomes } from '../service/insight/bulk-outcomes.ts';
export type { ChainLink, LikelyOverlap, LinkSubject, LinkType } from '../service/insight/chain-link.ts';
export type { BulkEffects } from '../service/insight/change-effects.ts';
export type { ClockChange, ClockChanges, TouchedSchedule } from '../service/insight/clock-changes.ts';
export type { Days, ExcludedDay, PausedDays } from '../service/insight/days.ts';
export type { Durations } from '../service/insight/durations.ts';
export type {
  EffectStatus,
  Effects,
  RangePreview,
  RangeSlot,
  SlotCountIn,
} from '../service/insight/effects.ts';
export type { FieldChange } from '../service/insight/field-diff.ts';
export type { ScheduleCounts, ScheduleSort } from '../service/insight/fleet-list.ts';
export type { DecisionInputs, FullExplanation } from '../service/insight/full-explanation.ts';
export type { AttentionNeeds, ListedSchedule } from '../service/insight/insight.ts';
export type { Load, LoadBin, LoadPeak, MomentName } from '../service/insight/load.ts';
export type { NeedCause, NeedGroup } from '../service/insight/needs.ts';
export type { RuledOutAnswer } from '../service/insight/ruled-out.ts';
export type { Series, SeriesBin } from '../service/insight/series.ts';
export type {
  ClockChangeMark,
  PauseStretch,
  Stretches,
  VersionMark,
  VersionRef,
} from '../service/insight/stretches.ts';
export type { Strip, StripRun, StripSlot } from '../service/insight/strip.ts';
export type {
  Projection,
  Timeline,
  TimelineAttempt,
  TimelineRun,
  TimelineSlot,
} from '../service/insight/timeline.ts';
export type { Trial, TrialCounts } from '../service/insight/trial.ts';
export type { RecordEffects } from '../service/record-effects.ts';
export type { SavedView } from '../service/saved-views.ts';
export type { InstantInput, PlainSchedule, ScheduleInput } from '../service/schedule-input.ts';
export type {
  AttemptJson,
  AuditJson,
  ExplanationJson,
  HistoryJson,
  JsonViews,
  LogLineJson,
  OccurrenceJson,
  RunJson,
  ScheduleJson,
  SlotJson,
  SummaryJson,
} from '../service/wire.ts';
export type { WorkEffects } from '../service/work-effects.ts';
export type { AuditClient, AuditFilters } from './audit.ts';
export type { BackupInfo, BackupsClient } from './backups.ts';
export type { About, NodeInfo, SilenceInfo } from './client.ts';
export { CarillonClient } from './client.ts';
export { declaredNote } from './declared-note.ts';
export type { DryRunClient } from './dry-run.ts';
export type { ClientErrorFields, ClientProblem } from './error.ts';
export { CarillonError, isCarillonError } from './error.ts';
export type { ClientHostOptions, HostsClient, JsonHostViews } from './hosts.ts';
export type { CountFilters, FleetFilters, InsightClient, LoadOptions, PartFilters } from './insight.ts';
export type { PlainWork, RunsClient, WorkInput } from './runs.ts';
export type { ScheduleQuery } from './schedule-query.ts';
export { queryParts, queryToken, queryTokens, readScheduleQuery } from './schedule-query.ts';
export type { ClientChangeOptions, SchedulesClient } from './schedules.ts';
export type {
  KeyInfo,
  KeyRole,
  NamespaceChange,
  NamespaceDetails,
  NamespaceInfo,
  NamespaceOptions,
  ServerSettings,
  SettingInfo,
  SettingsClient,
} from './settings.ts';
export type { CallOptions, ClientOptions, QueryValue, Request, Transport } from './transport.ts';
export type { ViewsClient } from './views.ts';
export type { WorkerOptions } from './worker.ts';
export { createWorker, RemoteWorker } from './worker.ts';
export type { WorkerInfo, WorkersClient } from './workers.ts';
