/**
 * Lets ends of runs travel in the commit of the next starts. A step asks for the waiting ends (`board`), decides them before
 * due executions, because an end may free a start that waited, and commits both together: a crash then repeats only what was
 * under way.
 */
import type { Batch } from './batch.ts';

/** Changes to named runs that take part in one step. Exactly one of `committed` and `failed` is called. */
export interface Rider {
  /** The named runs; never empty. */
  readonly runIds: readonly string[];
  /** Part of the decision: synchronous, and may run more than once. */
  decide(batch: Batch): void;
  /** The commit is durable. */
  committed(): void;
  /** The commit did not happen, or its answer was lost. */
  failed(error: unknown): void;
}

export interface Riders {
  /** The number of waiting changes. */
  readonly waiting: number;
  /** The number of changes that are not durable yet: waiting, or aboard a step. */
  readonly unacknowledged: number;
  /** Returns at most this many of them, oldest first; undefined when none waits. */
  board(most: number): Rider | undefined;
  /** No step will carry the waiting changes: they must be committed by themselves. */
  commitAlone(): void;
}

/** The rider of a step could not be committed with it: both are committed separately. */
export class RiderLeftBehind extends Error {
  override readonly name = 'RiderLeftBehind';

  constructor(cause: unknown) {
    super('the ends of runs that were to be committed with a step are committed separately', { cause });
  }
}
