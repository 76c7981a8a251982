/** What callers say to the engine beside the decision itself. */
import type { Clock } from '../base/clock.ts';
import type { ExecutionRow } from '../store/records.ts';
import type { EventNeed, Store, Writes } from '../store/store.ts';
import type { Library } from './library.ts';
import type { Observer } from './observer.ts';
import type { RefusedNames } from './run-names.ts';
import type { EngineTuning } from './tuning.ts';

export interface EngineOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly libraries: readonly Library[];
  /** Makes the unique part of an incarnation's name. */
  readonly newId: () => string;
  readonly observer?: Partial<Observer>;
  /** Wraps every side effect: tracing in production, repetition in simulation. */
  readonly aroundEffect?: AroundEffect;
  readonly tuning?: Partial<EngineTuning>;
}

export type AroundEffect = (run: () => Promise<unknown>) => Promise<unknown>;

/** What a transaction would have written. */
export type Rehearsed = (writes: Writes) => void;

export interface StartOptions {
  readonly requestId?: string;
  /** Decides as always and writes nothing; called with what would have been written. */
  readonly rehearsed?: Rehearsed;
  /** What to do when an open incarnation has the key. Default `fail`. */
  readonly whenOpen?: 'fail' | 'useExisting';
  /** What to do when only a closed incarnation has it. Default `allow`. */
  readonly whenClosed?: 'allow' | 'reject';
}

export interface Started {
  readonly created: boolean;
  readonly incarnation: string;
}

export interface UpdateOptions {
  /** A repeated id changes nothing and returns the first answer again. */
  readonly requestId?: string;
  /** Also reaches a closed execution; used to record how its last runs ended. */
  readonly evenClosed?: boolean;
  /** The events that the change wants to see. */
  readonly events?: (row: ExecutionRow) => readonly EventNeed[];
  /** Decides as always and writes nothing; called with what would have been written. */
  readonly rehearsed?: Rehearsed;
}

export interface TransactOptions {
  /** An execution whose code throws is quarantined, and the others continue. */
  readonly isolating?: boolean;
  /** The decision keeps no piece of its trees, so that the next transaction may go on with them. Implied by `isolating`. */
  readonly keeping?: boolean;
  /** With `isolating`: the number of runs that due executions may start before the others are left to another step. */
  readonly starts?: number;
  /** Loads the remembered request ids too. */
  readonly withRequests?: boolean;
  /** The events that the decision wants to see. */
  readonly events?: (rows: readonly ExecutionRow[]) => readonly EventNeed[];
  /** The decision tells no owner of the end of a run, so that the events for that are not loaded. */
  readonly tellsNoOwner?: boolean;
  /** Decides as always and writes nothing; called with what would have been written. */
  readonly rehearsed?: Rehearsed;
  /** The names of runs that the store refused in earlier attempts at the same transaction, and the number of this attempt. */
  readonly refused?: RefusedNames;
  readonly attempt?: number;
}

export interface PollOptions {
  readonly signal?: AbortSignal;
}

/** A function that is not async: a decision that awaits would hold the transaction open and see stale state. */
export type SyncFunction<A, T> = ((argument: A) => T) &
  ([T] extends [never] ? unknown : T extends PromiseLike<unknown> ? never : unknown);
