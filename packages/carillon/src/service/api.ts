/**
 * What a Carillon offers to a program, whether it is embedded or reached over HTTP: one interface, two bodies
 * (`embed/`, `client/`), one suite over both (test/api). The answers have the same fields. Times are the one difference:
 * milliseconds embedded, RFC 3339 texts over HTTP; the type parameter says which.
 */
import type { Problem } from '../base/error.ts';
import type { Stopped } from '../runs/run-queue.ts';
import type { MissedWord, OverlapPolicy } from '../scheduler/definition.ts';
import type { Verdict } from '../scheduler/verdict.ts';
import type { RunOutcome, RunState } from '../store/records.ts';
import type { InstantInput, ScheduleInput } from './schedule-input.ts';

export type { MissedWord, OverlapPolicy, Stopped };

/** The shapes of the answers, with one or the other kind of time in them. */
export interface Views {
  readonly schedule: object;
  readonly summary: object;
  readonly occurrence: object;
  readonly explanation: object;
  readonly history: object;
  readonly slot: object;
  readonly run: object;
  readonly audit: object;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
}

export interface PageOptions {
  readonly after?: string;
  /** Default 100. */
  readonly limit?: number;
}

export interface ChangeOptions {
  /** Why; kept in the audit. */
  readonly note?: string;
  /** A call repeated under the same id changes nothing and gets the first answer again. */
  readonly requestId?: string;
  /** The token that was read: the change is refused when the schedule has another one by now. */
  readonly token?: number;
}

export interface Changed {
  /** Guards the next change: send it as `token`. */
  readonly token: number;
}

/** Inputs, progress and results are left out of lists unless they are asked for. */
export interface Including {
  readonly include?: 'payloads';
}

/** What writing a definition answers. */
export interface Written extends Changed {
  /** What is stored, but should be written differently; absent: nothing. Never repeats a value. */
  readonly warnings?: readonly Problem[];
}

export interface ScheduleFilters extends Including {
  readonly state?: 'running' | 'paused' | 'ended' | 'quarantined' | 'closed';
  /** All of them. */
  readonly tag?: readonly string[];
  readonly owner?: string;
  readonly queue?: string;
  /** Name of the handler. */
  readonly name?: string;
  /** The last run failed. */
  readonly failing?: boolean;
  /** Something runs or waits. */
  readonly busy?: boolean;
  /** It should have acted by now. */
  readonly late?: boolean;
  /** Part of id, handler, description, note or tags; case does not matter. */
  readonly text?: string;
  /** Beginning of the id. */
  readonly prefix?: string;
  readonly nextFrom?: InstantInput;
  readonly nextTo?: InstantInput;
  /** Custom attributes, each as `name=value`. */
  readonly attribute?: readonly string[];
  readonly includeClosed?: boolean;
}

export interface SlotFilters extends PageOptions {
  readonly from?: InstantInput;
  readonly to?: InstantInput;
  readonly verdict?: readonly Verdict[];
  /** `auto`, or that of a trigger or backfill. */
  readonly cause?: string;
  /** Default `descending`. */
  readonly order?: 'ascending' | 'descending';
}

export interface RunFilters extends PageOptions, Including {
  readonly state?: readonly RunState[];
  readonly outcome?: readonly RunOutcome[];
  readonly queue?: string;
  readonly name?: string;
}

/** The slots of a range, as far as they were found. */
export interface BackfillPreview<Occurrence, Time> {
  readonly items: readonly Occurrence[];
  /** There are more than these. */
  readonly truncated: boolean;
  /** Set when the search cost too much: `items` is complete only up to here. */
  readonly gaveUpAt?: Time;
}

export interface TimeRange {
  readonly from: InstantInput;
  readonly to: InstantInput;
}

/** Both ends are included. */
export interface BackfillRange extends TimeRange {
  /** Default `bufferAll`: one after the other, all of them. */
  readonly overlap?: OverlapPolicy;
  readonly ratePerMinute?: number;
}

/** Fields to change; null takes a field back to its default. */
export type SchedulePatchInput = { readonly [Field in keyof ScheduleInput]?: ScheduleInput[Field] | null };

export const bulkVerbs = ['pause', 'resume', 'trigger', 'delete'] as const;
export type BulkVerb = (typeof bulkVerbs)[number];

export interface BulkAnswer {
  /** In the order of the ids. */
  readonly items: readonly {
    readonly id: string;
    readonly ok: boolean;
    readonly reason: string | null;
    readonly message: string | null;
  }[];
  readonly failed: number;
}

export interface SchedulesApi<V extends Views> {
  /** Refused when an open schedule has the id. */
  create(id: string, schedule: ScheduleInput, options?: ChangeOptions): Promise<Written>;
  /** Replaces the whole definition of a schedule that exists; a pause survives unless `paused` is given. */
  update(id: string, schedule: ScheduleInput, options?: ChangeOptions): Promise<Written>;
  /** Creates it or replaces it: what a deploy wants. */
  upsert(
    id: string,
    schedule: ScheduleInput,
    options?: ChangeOptions,
  ): Promise<Written & { readonly created: boolean }>;
  /** Changes what is named and keeps the rest. */
  patch(id: string, changes: SchedulePatchInput, options?: ChangeOptions): Promise<Written>;
  describe(id: string): Promise<V['schedule']>;
  /** The definition in the words of `create`, to be changed and sent back. */
  definition(id: string): Promise<ScheduleInput>;
  /** By id. */
  list(filters?: ScheduleFilters & PageOptions): Promise<Page<V['summary']>>;
  /** All pages, one schedule after the other. */
  each(filters?: ScheduleFilters & PageOptions): AsyncGenerator<V['summary'], void, undefined>;
  count(filters?: ScheduleFilters): Promise<number>;
  pause(id: string, options?: ChangeOptions & { readonly until?: InstantInput }): Promise<Changed>;
  /** `missed` says what becomes of the slots of the pause; default `skip`. */
  resume(id: string, options?: ChangeOptions & { readonly missed?: MissedWord }): Promise<Changed>;
  /** Starts a run now, whatever the spec and the pause say. */
  trigger(
    id: string,
    options?: ChangeOptions & { readonly overlap?: OverlapPolicy; readonly scheduledAt?: InstantInput },
  ): Promise<Changed & { readonly cause: string }>;
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
  /** One verb over up to 1000 schedules; what fails is told and does not hold up the others. */
  bulk(
    verb: BulkVerb,
    ids: readonly string[],
    options?: Omit<ChangeOptions, 'token'> & { readonly missed?: MissedWord },
  ): Promise<BulkAnswer>;
  /** Lets a quarantined schedule go on where it stopped. */
  release(id: string, options?: ChangeOptions): Promise<void>;
  /** Closes it. Runs that go on are left alone. */
  delete(id: string, options?: ChangeOptions): Promise<void>;
  /** The coming times: five after now, unless told otherwise. */
  next(
    id: string,
    options?: { readonly count?: number; readonly after?: InstantInput },
  ): Promise<readonly V['occurrence'][]>;
  /** Why it did, or did not, run at that time. */
  explain(id: string, at: InstantInput): Promise<V['explanation']>;
  /** The same for every cause that has to do with that time: its own first, then triggers and backfills. */
  explainAll(id: string, at: InstantInput): Promise<readonly V['explanation'][]>;
  /** Every stored version of when it runs, oldest first, and how far it has come. */
  versions(id: string): Promise<V['history']>;
  /** The ledger: one verdict per slot, equal neighbours as one row; newest first. */
  slots(id: string, filters?: SlotFilters): Promise<Page<V['slot']>>;
  /** Its runs, newest first. */
  runs(id: string, options?: PageOptions & Including): Promise<Page<V['run']>>;
  /** Who changed what, newest first. */
  audit(id: string, options?: PageOptions): Promise<Page<V['audit']>>;
}

export interface RunStopOptions {
  readonly reason?: string;
}

export interface RunsApi<V extends Views, Work> {
  get(id: string): Promise<V['run']>;
  /** Newest first. */
  list(filters?: RunFilters): Promise<Page<V['run']>>;
  /** All pages, one run after the other. */
  each(filters?: RunFilters): AsyncGenerator<V['run'], void, undefined>;
  /** Queues work without a schedule. */
  enqueue(work: Work): Promise<V['run']>;
  /** Resolves when the run has ended, however it ended. */
  wait(id: string, options?: { readonly signal?: AbortSignal }): Promise<V['run']>;
  /** Asks its handler to stop by aborting its signal; a waiting run ends at once. */
  cancel(id: string, options?: RunStopOptions): Promise<Stopped>;
  /** Ends it at once; what its handler still does counts for nothing. */
  terminate(id: string, options?: RunStopOptions): Promise<Stopped>;
}
