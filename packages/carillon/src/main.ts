/**
 * The composition root and main entry point of the package: joins a store and all kinds of actions to one Carillon.
 *
 * ```ts
 * const carillon = await openCarillon('sqlite:./carillon.db');
 * carillon.handle('report', async ({ scheduledAt }) => { … });
 * await carillon.schedules.upsert('nightly', { cron: '0 2 * * *', zone: 'Europe/Berlin', run: 'report' });
 * await carillon.start();
 * ```
 */
import { actionQueues } from './action/action.ts';
import type { BullmqOptions } from './action/bullmq-action.ts';
import { bullmqAction } from './action/bullmq-action.ts';
import type { CommandOptions } from './action/command-action.ts';
import { commandAction } from './action/command-action.ts';
import type { ConductorOptions } from './action/conductor-action.ts';
import { conductorQueues } from './action/conductor-action.ts';
import type { HttpOptions } from './action/http-action.ts';
import { httpAction } from './action/http-action.ts';
import type { Secrets } from './action/secret.ts';
import type { SecretSource } from './action/secret-source.ts';
import { secretsFrom } from './action/secret-source.ts';
import type { TemporalOptions } from './action/temporal-action.ts';
import { temporalQueues } from './action/temporal-action.ts';
import { SteadyClock, SystemClock } from './base/clock.ts';
import { uniqueIds } from './base/unique-id.ts';
import type { CarillonParts } from './embed/carillon.ts';
import { Carillon } from './embed/carillon.ts';
import type { OptionNames } from './embed/check-options.ts';
import { checkOptions } from './embed/check-options.ts';
import type { CarillonWarning } from './embed/warnings.ts';
import { openStore } from './open-store.ts';
import { localProcesses } from './runs/process-table.ts';
import type { Store } from './store/store.ts';

/** The options of `openCarillon`. All have defaults. */
export interface CarillonOptions extends Omit<Partial<CarillonParts>, 'store' | 'clock' | 'newId'> {
  /** `sqlite:<file>`, `sqlite::memory:`, `postgres://…`, `redis://…`, `memory:`, or a store of your own. Default `sqlite:./carillon.db`. */
  readonly store?: string | Store;
  /** SQLite only. `full` (default): an acknowledged commit survives power loss. `fast`: it survives `kill -9`. */
  readonly durability?: 'full' | 'fast';
  /** Options of HTTP actions in this process; false leaves them to other processes. */
  readonly http?: HttpOptions | false;
  /** Options of commands in this process; false leaves them to other processes. */
  readonly command?: CommandOptions | false;
  /** Options of BullMQ jobs in this process. Default: they are left to other processes. */
  readonly bullmq?: BullmqOptions;
  /** The Conductor clusters of this process. Default: their schedules are left to other processes. */
  readonly conductor?: ConductorOptions;
  /** The Temporal clusters on which schedules start workflows. Absent: none. */
  readonly temporal?: TemporalOptions;
  /**
   * Whether commands may run. Default true, because a program that embeds Carillon can start processes anyway. When
   * false, every command fails to start with an error that says why.
   */
  readonly allowCommands?: boolean;
  /**
   * Whether HTTP actions that say `allowPrivate` may reach loopback and private addresses. Default true, because the
   * schedules are the program's own. A server, whose schedules come from other people, sets false.
   */
  readonly allowPrivateTargets?: boolean;
  /**
   * Where `${secret:NAME}` and `http.secret` find their values: a function, or a prefix of variables and a file. Default:
   * the variables that begin with `CARILLON_SECRET_`.
   */
  readonly secrets?: SecretSource | Secrets;
}

const optionNames: OptionNames<CarillonOptions> = {
  store: true,
  durability: true,
  http: true,
  command: true,
  bullmq: true,
  conductor: true,
  temporal: true,
  allowCommands: true,
  allowPrivateTargets: true,
  secrets: true,
  namespace: true,
  name: true,
  concurrency: true,
  actions: true,
  archetypes: true,
  callbackSecret: true,
  onWarning: true,
  onFailed: true,
  onTrouble: true,
  steadyClock: true,
  processes: true,
  retention: true,
  scheduler: true,
  aroundEffect: true,
  tuning: true,
};

/** Opens the store, migrates its schema and creates a Carillon on it. Call `start()` to run schedules. */
export async function openCarillon(options: string | CarillonOptions = {}): Promise<Carillon> {
  const {
    store: where = 'sqlite:./carillon.db',
    durability,
    http = {},
    command = {},
    bullmq,
    conductor,
    temporal,
    allowCommands = true,
    allowPrivateTargets = true,
    secrets: source = {},
    ...parts
  } = checkOptions(typeof options === 'string' ? { store: options } : options, optionNames);
  const clock = new SystemClock();
  const secrets = typeof source === 'function' ? source : secretsFrom(source, environment);
  const { callbackSecret } = parts;
  const signing = callbackSecret === undefined ? {} : { callbackSecret };
  const actions = actionQueues([
    ...(http === false ? [] : [httpAction({ ...http, ...signing, clock, secrets, allowPrivateTargets })]),
    ...(command === false
      ? []
      : [commandAction({ ...command, clock, environment, secrets, allowed: allowCommands })]),
    ...(bullmq === undefined ? [] : [bullmqAction({ ...bullmq, clock })]),
  ]);
  const store =
    typeof where === 'string'
      ? await openStore(where, { clock, ...(durability === undefined ? {} : { durability }) })
      : where;
  await store.migrate();
  const processes = parts.processes ?? localProcesses();
  return new Carillon({
    onWarning: processWarning,
    ...parts,
    actions: {
      ...actions,
      ...(conductor === undefined ? {} : conductorQueues({ ...conductor, clock })),
      ...(temporal === undefined ? {} : temporalQueues({ ...temporal, clock })),
      ...parts.actions,
    },
    store,
    clock,
    steadyClock: parts.steadyClock ?? new SteadyClock(),
    ...(processes === undefined ? {} : { processes }),
    newId: uniqueIds(clock),
  });
}

function processWarning({ code, message }: CarillonWarning): void {
  process.emitWarning(message, { type: 'CarillonWarning', code: `CARILLON_${code}` });
}

function environment(name: string): string | undefined {
  return process.env[name];
}

export type { Action, ActionQueue } from './action/action.ts';
export { actionQueues } from './action/action.ts';
export type { ActionFailure } from './action/action-failed.ts';
export { ActionFailed, isActionFailed } from './action/action-failed.ts';
export type { BullmqOptions } from './action/bullmq-action.ts';
export type { BullmqInput } from './action/bullmq-kind.ts';
export type { BullmqConnection } from './action/bullmq-queues.ts';
export type { CallbackHandlerOptions, CallbackReceiver } from './action/callback-handler.ts';
export { callbackHandler } from './action/callback-handler.ts';
export type { CommandOptions, CommandResult } from './action/command-action.ts';
export type { CommandInput } from './action/command-kind.ts';
export type { ConductorOptions } from './action/conductor-action.ts';
export type { ConductorTarget } from './action/conductor-cluster.ts';
export type { Resolve, ResolvedAddress } from './action/guarded-lookup.ts';
export type { HttpOptions } from './action/http-action.ts';
export type { HttpInput } from './action/http-kind.ts';
export type { KindName } from './action/kind.ts';
export { redacted } from './action/redaction.ts';
export type { Secrets } from './action/secret.ts';
export type { SecretSource } from './action/secret-source.ts';
export type { SignatureCheck } from './action/signature.ts';
export { isSigned } from './action/signature.ts';
export type { TemporalCluster, TemporalOptions } from './action/temporal-action.ts';
export type { Brand } from './base/brand.ts';
export type { Clock } from './base/clock.ts';
export type { ErrorCode, ErrorFields, Problem } from './base/error.ts';
export { isServiceError, ServiceError } from './base/error.ts';
export type { LogLine } from './base/log-lines.ts';
export type {
  JsonHasNoUndefinedInLists,
  JsonWouldChangeThis,
  NotPlain,
  Plain,
  PlainData,
  PlainItem,
} from './base/plain-data.ts';
export type { Instant } from './base/time.ts';
export type { CarillonObserver, CarillonParts, FailedEvent } from './embed/carillon.ts';
export { Carillon } from './embed/carillon.ts';
export type { HandlerDefinition, HandlerOptions } from './embed/define-handler.ts';
export { defineHandler } from './embed/define-handler.ts';
export type { HandleOptions, HandlerSettings, Reloaded } from './embed/handlers.ts';
export type { EmbedHostOptions, EmbedHostViews, Hosts } from './embed/hosts.ts';
export type {
  EmbedStopOptions,
  RunOf,
  Runs,
  RunsOptions,
  TypedWork,
  WorkInput,
} from './embed/runs.ts';
export type {
  EmbedChangeOptions,
  EmbedViews,
  Occurrence,
  Schedules,
  TypedSchedule,
} from './embed/schedules.ts';
export type { InputFor, ResultOf, Runnable, TypedInput } from './embed/typed-run.ts';
export type { CarillonWarning, WarningCode } from './embed/warnings.ts';
export type { Rehearsed } from './engine/options.ts';
export type { Slot } from './ledger/ledger.ts';
export type { StoreOptions } from './open-store.ts';
export { openStore } from './open-store.ts';
export type { CallbackOutcome, CallbackPayload } from './runs/callback.ts';
export { callbackToken } from './runs/callback.ts';
export type { ClaimGate, Passage } from './runs/claim-gate.ts';
export type { Handler, Handlers, Interruption, RunContext } from './runs/context.ts';
export { isRunInterrupted, RunInterrupted } from './runs/context.ts';
export type { BackoffFunction, FailedAttempt } from './runs/custom-backoff.ts';
export type { RunEnqueued, RunFact, RunFinished, RunStarted } from './runs/fact.ts';
export type { Failure, StopReason } from './runs/failure.ts';
export { NonRetryable } from './runs/failure.ts';
export type { KnowsRun } from './runs/lapsed-runs.ts';
export type { Conclusion } from './runs/lifecycle.ts';
export type { Enqueue } from './runs/new-runs.ts';
export type { NodeLease, NodeLeaseOptions, ProcessTable } from './runs/node-lease.ts';
export type { ProcessMark } from './runs/node-row.ts';
export type { WorkerObserver } from './runs/observer.ts';
export type { WorkerQueue } from './runs/offered-queues.ts';
export type { OwnLease } from './runs/own-lease.ts';
export type { Parking } from './runs/parking.ts';
export { park } from './runs/parking.ts';
export type { Report, ReportOutcome } from './runs/report.ts';
export type { RetryPolicy } from './runs/retry.ts';
export type { NewRun, Priority, RunOptions, SentFields } from './runs/run.ts';
export type { DoneBy } from './runs/run-audit.ts';
export type { RunControl, StopOwned } from './runs/run-control.ts';
export type {
  Answered,
  Checkpoint,
  Claimed,
  ClaimRequest,
  Held,
  Holder,
  RunHeartbeat,
  RunQueue,
  RunQueueOptions,
} from './runs/run-queue.ts';
export type { RunTuning } from './runs/tuning.ts';
export type { StopOptions } from './runs/worker.ts';

export type {
  WorkerAbout,
  WorkerName,
  WorkerRecords,
  WorkerRecordsOptions,
  WorkerView,
} from './runs/worker-records.ts';
export type { Archetype, ArchetypePorts, StandIn } from './runtime/archetype.ts';
export type { NodeReport, Nodes, NodesOptions, NodeView } from './runtime/nodes.ts';
export type { RuntimeObserver } from './runtime/observer.ts';
export type { RetentionPolicy } from './runtime/retention-policy.ts';
export type { Roster, Sought } from './runtime/roster.ts';
export type { FactListener, Runtime, RuntimeParts, RuntimeTuning } from './runtime/runtime.ts';
export type { Silence, Silences, SilencesOptions } from './runtime/silences.ts';
export type { UnattendedWork } from './runtime/unattended.ts';
export type { BufferedStart } from './scheduler/buffered-start.ts';
export type { BackfillRequest, TriggerRequest } from './scheduler/changes.ts';
export type {
  DoorWords,
  Injected,
  MissedPolicy,
  MissedWord,
  Origin,
  OverlapPolicy,
  Pause,
  RunSettings,
  ScheduleAction,
  ScheduleDefinition,
  SchedulePolicy,
} from './scheduler/definition.ts';
export type { Answer, Explanation } from './scheduler/explain.ts';
export type {
  BackfillCompletedFact,
  ClosedFact,
  EditedFact,
  FinishedFact,
  PausedOnFailureFact,
  ScheduleFact,
  SlotFact,
  SpecSearchLongFact,
  StartedFact,
} from './scheduler/fact.ts';
export type { OperatorOptions, OperatorSettings } from './scheduler/operator-settings.ts';
export type { SchedulePatch } from './scheduler/patch.ts';
export type { Counters } from './scheduler/schedule.ts';
export type { Verdict, VerdictDetail } from './scheduler/verdict.ts';
export { verdicts } from './scheduler/verdict.ts';
export type { ActionInput, HandlerRef } from './service/action-input.ts';
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
} from './service/api.ts';
export type { BackupProgress } from './service/backup-service.ts';
export type {
  ClusterEvent,
  ClusterListener,
  EventOrigin,
  EventsMissed,
} from './service/cluster-events.ts';
export type { CarillonEvent, RunEvent, ScheduleEvent } from './service/event.ts';
export { eventTypes } from './service/event.ts';
export type { HostEventView } from './service/hosts/event-view.ts';
export type { HostExplanation } from './service/hosts/host-explain.ts';
export type { HostRunView } from './service/hosts/host-run-view.ts';
export type { HostSlotRun, HostSlotView } from './service/hosts/host-slot-view.ts';
export type {
  HostConsumerView,
  HostDescription,
  HostProducerView,
  HostStatus,
  HostSummary,
  HostTopicView,
  HostWorkView,
  LastRunView,
} from './service/hosts/host-view.ts';
export type {
  ChangeResolution,
  EventFilters,
  HandlerName,
  HostChangeOptions,
  HostFilters,
  HostQuestion,
  HostsApi,
  HostViews,
  OutsideMessage,
} from './service/hosts/hosts-api.ts';
export type { AuditView, SlotView } from './service/journal-view.ts';
export type { AttemptView } from './service/run-attempts.ts';
export type { RunListQuery } from './service/run-list.ts';
export type { LogLineView, LogPage, LogPageQuery } from './service/run-log.ts';
export type { RunName } from './service/run-not-found.ts';
export type { NamedWork, QueuedWork, RunService, RunServiceOptions } from './service/run-service.ts';
export type { Included, RunView } from './service/run-view.ts';
export type { Patience } from './service/run-watch.ts';
export type { ScheduleHistory, SpecVersion } from './service/schedule-history.ts';
export type { InstantInput, PlainSchedule, ScheduleInput } from './service/schedule-input.ts';
export type { ScheduleName } from './service/schedule-reads.ts';
export type {
  Caller,
  PauseCaller,
  ScheduleService,
  ScheduleServiceOptions,
} from './service/schedule-service.ts';
export type { BackfillView, ScheduleDescription, ScheduleSummary } from './service/schedule-view.ts';
export type { Store } from './store/store.ts';
