/**
 * The rows every store keeps. They are generic: a store does not know schedules or components. Text columns
 * named `state`, `data`, `input`, … are opaque to it.
 */
import type { Instant } from '../base/time.ts';

/** The name of an execution. At most one open incarnation lives under a key. */
export interface ExecutionKey {
  readonly namespace: string;
  readonly archetype: string;
  readonly id: string;
}

/** Closed is final: a write that would open an execution again is a conflict. */
export type ExecutionStatus = 'open' | 'closed';

/** A value an execution can be found by. Instants are numbers. */
export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, AttributeValue>>;

/**
 * One execution: the hot row, rewritten by every step. Data that is large or changes rarely is stored in parts
 * (see `PartRow`), so that a step writes a few hundred bytes.
 */
export interface ExecutionRow {
  readonly key: ExecutionKey;
  /** Names this incarnation of the key; never reused. */
  readonly incarnation: string;
  /** 1 at creation, +1 with every commit; the compare-and-set of stores without row locks. */
  readonly version: number;
  readonly status: ExecutionStatus;
  /** When a step must look at it again; null: only an update wakes it. */
  readonly wakeAt: Instant | null;
  readonly state: string;
  /** Numbers that move with the state (next due time, running count …); `list` can filter by them. */
  readonly signals: Readonly<Record<string, number>>;
  /** Why it is quarantined; null when it is healthy. A quarantined execution has no wake time. */
  readonly incident: string | null;
  readonly createdAt: Instant;
  readonly closedAt: Instant | null;
}

/** What a listing returns: the row with what it can be found by. */
export interface ListedExecution extends ExecutionRow {
  readonly attributes: Attributes;
}

/** What a commit writes for one execution. `version` 1 inserts; n > 1 replaces version n − 1. */
export interface ExecutionWrite extends ExecutionRow {
  /** Absent: unchanged. Required when version is 1. */
  readonly attributes?: Attributes;
}

/** A cold piece of an execution. Immutable: a change is a part with a later stamp. */
export interface PartRef {
  readonly incarnation: string;
  readonly name: string;
  /** The execution version that wrote it. */
  readonly stamp: number;
}

export interface PartRow extends PartRef {
  readonly data: string;
  readonly at: Instant;
}

/**
 * One row of the slot ledger: the verdict over one nominal time, or over a stretch of `count` equal ones.
 * Identity is (incarnation, cause, nominal): writing the same identity again replaces the row, which is how a
 * buffered slot becomes a started one and how a stretch grows.
 */
export interface SlotRow {
  readonly incarnation: string;
  /** `auto`, or the id of the backfill or trigger that created the slot. */
  readonly cause: string;
  /** The nominal time; the first one of a stretch. */
  readonly nominal: Instant;
  /** Last nominal time of the stretch; equal to `nominal` for a single slot. */
  readonly until: Instant;
  /** How many slots the row covers: equal neighbours share one. */
  readonly count: number;
  /** What became of the slots. */
  readonly verdict: string;
  /** When the verdict was reached. */
  readonly at: Instant;
  /** The run that the slot started, or the run that prevented its start. */
  readonly runId: string | null;
  /** The inputs the decision saw, as JSON; null when the verdict says it all. */
  readonly detail: string | null;
}

export type RunState =
  /** A worker may claim it once `availableAt` has come. */
  | 'waiting'
  /** A worker holds its lease. */
  | 'leased'
  /** Finished; `outcome` says how. */
  | 'done';

export const runOutcomes = ['completed', 'failed', 'cancelled', 'terminated', 'timedOut'] as const;

export type RunOutcome = (typeof runOutcomes)[number];

/** The orders in which runs are listed. */
export const runOrders = [
  /**
   * By id, which begins with the time of the slot; for a run without a slot with the time at which it was asked for, or only the day
   * of that time where the request has an id.
   */
  'slot',
  /**
   * By ordinal among the runs of one owner, otherwise by `createdAt`, for which a store may take the order of insertion. Runs of the
   * same time are in an order of the store's choice that never changes.
   */
  'start',
] as const;

export type RunOrder = (typeof runOrders)[number];

/**
 * One unit of work on Carillon's own queue. Its identity (id, alias, exclusive, namespace, owner, ordinal, queue, name, priority, creation,
 * options, input) never changes; its state does.
 */
export interface RunRow {
  /** Unique; ids that sort by time keep related rows together. */
  readonly id: string;
  /** Another name to find it by, within its namespace; several runs may share one. Null: none. */
  readonly alias: string | null;
  /** Whether no other unfinished run of its namespace may be exclusive under the same alias. */
  readonly exclusive: boolean;
  readonly namespace: string;
  /** The incarnation that is informed when the run ends; null for a run without an owner. */
  readonly owner: string | null;
  /** The number of the run among its owner's runs in order of start, from 0; null without owner. */
  readonly ordinal: number | null;
  readonly queue: string;
  readonly name: string;
  /** Runs of a higher priority are claimed first. */
  readonly priority: number;
  readonly state: RunState;
  readonly outcome: RunOutcome | null;
  /** The number of claims so far; 0 before the first one. */
  readonly attempt: number;
  readonly createdAt: Instant;
  /** The time before which no worker may claim the run. */
  readonly availableAt: Instant;
  /**
   * When an unfinished run must be looked at: the end of a lease, or the execution timeout of a waiting
   * run; null: never by itself.
   */
  readonly checkAt: Instant | null;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
  /** The worker that holds the lease; empty when the run is not leased. */
  readonly worker: string;
  /** Proves the right to extend the lease or finish the run; changes with every claim. */
  readonly leaseToken: string;
  /** A request of the owner or a person that the holder of the lease must act on. */
  readonly cancel: 'none' | 'cancel' | 'terminate';
  /** Policies, timeouts, slot identity: opaque JSON, written once. */
  readonly options: string;
  readonly input: string;
  /** Latest progress a worker reported, JSON. */
  readonly progress: string | null;
  /** JSON of the result, or of the failure. */
  readonly result: string | null;
}

export const eventStates = [
  /** No run has taken it. */
  'pending',
  /** A run has taken it and has not ended yet; `holder` names the run. */
  'reserved',
  /** Final: a run has worked on it. */
  'consumed',
  /** Final: it was set aside. */
  'skipped',
] as const;

export type EventState = (typeof eventStates)[number];

/** What an event is known by: unique within the topic of its owner. */
export interface EventRef {
  /** The incarnation of the execution it belongs to. */
  readonly owner: string;
  readonly topic: string;
  readonly id: string;
}

/** A message in a topic of an execution. Every change of an event is committed with a new version of its owner. */
export interface EventRow extends EventRef {
  /** Given by the decision, from a counter of the owner: the order within the topic. */
  readonly sequence: number;
  readonly state: EventState;
  /** The run that reserved it, and after that the run that worked on it; null while it is pending. */
  readonly holder: string | null;
  /** 1 at first, +1 with every return to pending. */
  readonly attempt: number;
  readonly at: Instant;
  readonly changedAt: Instant;
  readonly data: string;
}

/**
 * One line that an attempt of a run wrote. Its identity is (run, attempt, lease, place): a line that is written again, because an
 * acknowledgement was lost, is the same line. Lines go with their run.
 */
export interface LogRow {
  readonly runId: string;
  readonly attempt: number;
  /** The lease under which it was written: an attempt that was given back is made again under another lease. */
  readonly lease: string;
  /** The number of the line under its lease, from 0. */
  readonly place: number;
  readonly at: Instant;
  readonly text: string;
}

export interface AuditRow {
  /** The namespace of what was changed. */
  readonly namespace: string;
  /** What was changed, e.g. `schedule/nightly`. */
  readonly target: string;
  /** When it was changed. */
  readonly at: Instant;
  /** Who changed it. */
  readonly actor: string;
  /** The door through which it was done: `embedded`, `rest`, `temporal`, `conductor`. */
  readonly door: string;
  /** What was done, such as `pause`. */
  readonly action: string;
  /** The note that was given with it. */
  readonly note: string;
  readonly before: string | null;
  readonly after: string | null;
}
