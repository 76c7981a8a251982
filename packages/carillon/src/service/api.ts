/**
 * The API of a Carillon for programs, embedded or over HTTP: one interface, two implementations (`embed/`,
 * `client/`), one test suite for both (test/api). The answers have the same fields. Only times differ: milliseconds
 * when embedded, RFC 3339 texts over HTTP; the type parameter says which.
 */
import type { Problem } from '../base/error.ts';
import type { Stopped } from '../runs/run-queue.ts';
import type { MissedWord, OverlapPolicy } from '../scheduler/definition.ts';
import type { Verdict } from '../scheduler/verdict.ts';
import type { RunOrder, RunOutcome, RunState } from '../store/records.ts';
import type { InstantInput, ScheduleInput } from './schedule-input.ts';

export type { MissedWord, OverlapPolicy, Stopped };

/** The types of the answers, with either kind of time. */
export interface Views {
  readonly schedule: object;
  readonly summary: object;
  readonly occurrence: object;
  readonly explanation: object;
  readonly history: object;
  readonly slot: object;
  readonly run: object;
  readonly line: object;
  readonly audit: object;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; null after the last one. */
  readonly next: string | null;
}

export interface PageOptions {
  /** The cursor of the page before. Default: the first page. */
  readonly after?: string;
  /** The most items of a page. Default 100. */
  readonly limit?: number;
}

export interface ChangeOptions {
  /** The reason of the change, for the audit log. */
  readonly note?: string;
  /** The idempotency key: a repeated call with the same key changes nothing and returns the first answer. */
  readonly requestId?: string;
  /** The token that the caller has read: the change is refused when the schedule has another token by now. */
  readonly token?: number;
}

export interface Changed {
  /** The token for the next change: send it as `token`. */
  readonly token: number;
}

/** Lists leave out inputs, progress and results unless `include` asks for them. */
export interface Including {
  /** `payloads` adds inputs and results to each row. Default: they are left out. */
  readonly include?: 'payloads';
}

/** Whether the call changed anything: what is repeated or has no effect leaves the token and the audit as they are. */
export interface Acted {
  readonly isChanged: boolean;
}

/** What became of a trigger. */
export interface Triggered {
  /** Its cause in the ledger. */
  readonly cause: string;
  /** `started`, or why it did not start: `skippedOverlap`, `buffered`, …; null when the slot was not decided. */
  readonly verdict: Verdict | null;
  /** The run that it started, or the run that prevented its start. */
  readonly runId: string | null;
}

/** What happens to the runs of a deleted schedule that have not begun. */
export type WaitingRuns = 'cancel' | 'keep';

export interface Deleted {
  /** The number of runs that were cancelled because they had not begun. */
  readonly cancelled: number;
}

/** The answer to a write of a definition. */
export interface Written extends Changed {
  /**
   * Parts of the stored definition that should be written differently; absent when there are none. Warnings never
   * repeat a value.
   */
  readonly warnings?: readonly Problem[];
}

/** What a list of schedules is narrowed to; all given conditions must hold. */
export interface ScheduleFilters extends Including {
  /** Only schedules in one of these states. */
  readonly state?: 'running' | 'paused' | 'ended' | 'quarantined' | 'closed';
  /** Tags that a schedule must all have. */
  readonly tag?: readonly string[];
  /** Only schedules of this owner. */
  readonly owner?: string;
  /** Only schedules whose runs go to this queue. */
  readonly queue?: string;
  /** The name of the handler. */
  readonly name?: string;
  /** Whether the last run failed. */
  readonly failing?: boolean;
  /** Whether a run is running or waiting. */
  readonly busy?: boolean;
  /** Whether the schedule is overdue. */
  readonly late?: boolean;
  /** A part of the id, handler, description, note or tags; case does not matter. */
  readonly text?: string;
  /** Only the schedules with these ids. */
  readonly id?: readonly string[];
  /** The beginning of the id. */
  readonly prefix?: string;
  /** Only schedules whose next time is at or after this one. */
  readonly nextFrom?: InstantInput;
  /** Only schedules whose next time is at or before this one. */
  readonly nextTo?: InstantInput;
  /** Custom attributes, each as `name=value`. */
  readonly attribute?: readonly string[];
  /** Whether closed schedules are listed too. Default false. */
  readonly includeClosed?: boolean;
}

export interface SlotFilters extends PageOptions {
  readonly from?: InstantInput;
  readonly to?: InstantInput;
  readonly verdict?: readonly Verdict[];
  /** The cause: `auto`, or that of a trigger or backfill. */
  readonly cause?: string;
  /** The order by time. Default `descending`. */
  readonly order?: 'ascending' | 'descending';
}

/** What a list of runs is narrowed to; all given conditions must hold. */
export interface RunFilters extends PageOptions, Including {
  /** Only runs in one of these states. */
  readonly state?: readonly RunState[];
  /** Only runs that ended in one of these ways. */
  readonly outcome?: readonly RunOutcome[];
  /** Only runs of this queue. */
  readonly queue?: string;
  /** Only runs of this handler. */
  readonly name?: string;
  /** The order: by the time of the slot, or by that of the start. Default `start`. */
  readonly by?: RunOrder;
  /** Only runs that repeat this one, at the request of a person. */
  readonly againOf?: string;
}

/** The slots of a range that were found. */
export interface BackfillPreview<Occurrence, Time> {
  readonly items: readonly Occurrence[];
  /** Whether there are more than these. */
  readonly truncated: boolean;
  /** Set when the search exceeded its budget: `items` is complete only up to this time. */
  readonly gaveUpAt?: Time;
}

export interface TimeRange {
  readonly from: InstantInput;
  readonly to: InstantInput;
}

/** A range of a backfill; both ends are included. */
export interface BackfillRange extends TimeRange {
  /** The overlap policy. Default `bufferAll`: all slots run, one after the other. */
  readonly overlap?: OverlapPolicy;
  /** Slots of the range to leave out, by their nominal times; at most 200. */
  readonly except?: readonly InstantInput[];
  readonly ratePerMinute?: number;
}

/** Fields to change; null resets a field to its default. */
export type SchedulePatchInput = { readonly [Field in keyof ScheduleInput]?: ScheduleInput[Field] | null };

export const bulkVerbs = ['pause', 'resume', 'trigger', 'delete'] as const;
export type BulkVerb = (typeof bulkVerbs)[number];

export interface BulkOptions {
  /** When the schedules resume by themselves, for `pause`. */
  readonly until?: InstantInput;
  /** What happens to the slots of the pause, for `resume`. Default `skip`. */
  readonly missed?: MissedWord;
}

export interface BulkAnswer {
  /** The results, in the order of the ids. */
  readonly items: readonly {
    readonly id: string;
    readonly ok: boolean;
    /** False when it was as asked before: a paused schedule that is to be paused keeps its note and its end. */
    readonly isChanged: boolean;
    readonly reason: string | null;
    readonly message: string | null;
  }[];
  readonly failed: number;
}

export interface SchedulesApi<V extends Views> {
  /** Creates a schedule. Refused when an open schedule has the id. */
  create(id: string, schedule: ScheduleInput, options?: ChangeOptions): Promise<Written>;
  /** Replaces the whole definition of an existing schedule. A pause is kept unless `paused` is given. */
  update(id: string, schedule: ScheduleInput, options?: ChangeOptions): Promise<Written>;
  /** Creates or replaces the schedule, as a deploy needs it. */
  upsert(
    id: string,
    schedule: ScheduleInput,
    options?: ChangeOptions,
  ): Promise<Written & Acted & { readonly created: boolean }>;
  /** Changes the given fields and keeps the rest. */
  patch(id: string, changes: SchedulePatchInput, options?: ChangeOptions): Promise<Written>;
  describe(id: string): Promise<V['schedule']>;
  /** The definition in the form that `create` and `update` accept. */
  definition(id: string): Promise<ScheduleInput>;
  /** Lists schedules in the order of their ids. */
  list(filters?: ScheduleFilters & PageOptions): Promise<Page<V['summary']>>;
  /** Iterates over the schedules of all pages. */
  each(filters?: ScheduleFilters & PageOptions): AsyncGenerator<V['summary'], void, undefined>;
  count(filters?: ScheduleFilters): Promise<number>;
  pause(id: string, options?: ChangeOptions & { readonly until?: InstantInput }): Promise<Changed>;
  /** Ends a pause. `missed` says what happens to the slots of the pause; default `skip`. */
  resume(id: string, options?: ChangeOptions & { readonly missed?: MissedWord }): Promise<Changed & Acted>;
  /** Starts a run now, regardless of the spec and of a pause. */
  trigger(
    id: string,
    options?: ChangeOptions & { readonly overlap?: OverlapPolicy; readonly scheduledAt?: InstantInput },
  ): Promise<Changed & Triggered>;
  /** Runs the slots of a range. */
  backfill(
    id: string,
    range: BackfillRange,
    options?: ChangeOptions,
  ): Promise<Changed & { readonly id: string }>;
  /** The exact slots that a backfill of the range would run. */
  previewBackfill(
    id: string,
    range: TimeRange & { readonly limit?: number },
  ): Promise<BackfillPreview<V['occurrence'], string | number>>;
  /** Cancels what a backfill has not started yet. */
  cancelBackfill(
    id: string,
    backfillId: string,
    options?: ChangeOptions,
  ): Promise<Changed & { readonly cancelled: number | null }>;
  /** Applies one operation to up to 1000 schedules. Failures are reported and do not stop the others. */
  bulk(
    verb: BulkVerb,
    ids: readonly string[],
    options?: Omit<ChangeOptions, 'token'> & BulkOptions,
  ): Promise<BulkAnswer>;
  /** Takes a schedule out of quarantine; it continues where it stopped. */
  release(id: string, options?: ChangeOptions): Promise<void>;
  /** Closes the schedule. Runs that have begun go on; those that have not are cancelled unless `waiting` is `keep`. */
  delete(id: string, options?: ChangeOptions & { readonly waiting?: WaitingRuns }): Promise<Deleted>;
  /** The coming times. Default: the next five from now. */
  next(
    id: string,
    options?: { readonly count?: number; readonly after?: InstantInput },
  ): Promise<readonly V['occurrence'][]>;
  /** Why the schedule did, or did not, run at that time. */
  explain(id: string, at: InstantInput): Promise<V['explanation']>;
  /** One explanation per cause at that time: the schedule's own first, then triggers and backfills. */
  explainAll(id: string, at: InstantInput): Promise<readonly V['explanation'][]>;
  /** Every stored version of the spec, oldest first, and how far the schedule has come. */
  versions(id: string): Promise<V['history']>;
  /** The ledger, newest first: one verdict per slot; neighbouring slots with equal verdicts share a row. */
  slots(id: string, filters?: SlotFilters): Promise<Page<V['slot']>>;
  /** The runs of the schedule, newest first. */
  runs(id: string, filters?: RunFilters): Promise<Page<V['run']>>;
  /** The audit log of the schedule, newest first. */
  audit(id: string, options?: PageOptions): Promise<Page<V['audit']>>;
}

export interface RunStopOptions {
  readonly reason?: string;
}

export interface LogOptions {
  /** Only the lines of this attempt. */
  readonly attempt?: number;
  /** Waits for further lines until the run has ended. Default: the lines that are there. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
}

export interface AgainOptions {
  /** The reason, for the audit log. */
  readonly note?: string;
  /** A repeated call with the same id within a day returns the same run. */
  readonly requestId?: string;
}

export interface RunsApi<V extends Views, Work> {
  get(id: string): Promise<V['run']>;
  /** Lists runs, newest first. */
  list(filters?: RunFilters): Promise<Page<V['run']>>;
  /** Iterates over the runs of all pages. */
  each(filters?: RunFilters): AsyncGenerator<V['run'], void, undefined>;
  /** Queues work without a schedule. */
  enqueue(work: Work): Promise<V['run']>;
  /** Resolves when the run has ended, however it ended. */
  wait(id: string, options?: { readonly signal?: AbortSignal }): Promise<V['run']>;
  /** The lines that the attempts of the run logged, oldest first. */
  log(id: string, options?: LogOptions): AsyncGenerator<V['line'], void, undefined>;
  /** Starts the work of a finished run again, with the same input, as a new run that names it in `againOf`. */
  again(id: string, options?: AgainOptions): Promise<V['run']>;
  /** Asks the run's handler to stop by aborting its signal. A waiting run ends at once. */
  cancel(id: string, options?: RunStopOptions): Promise<Stopped>;
  /** Ends the run at once and ignores what its handler still does. */
  terminate(id: string, options?: RunStopOptions): Promise<Stopped>;
  /** Removes a finished run with its log before retention does; refused for a run that has not ended. */
  delete(id: string, options?: RunStopOptions): Promise<void>;
}
