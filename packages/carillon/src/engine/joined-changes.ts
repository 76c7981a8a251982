/**
 * Commits ends of runs together with the next starts. A step takes the waiting ends (`take`), decides them before
 * due executions, because an end may free a start that waited, and commits both together: a crash then repeats only what was
 * under way.
 */
import type { Batch } from './batch.ts';

/** Changes to named runs that take part in one step. Exactly one of `committed` and `failed` is called. */
export interface JoinedChanges {
  /** The named runs; never empty. */
  readonly runIds: readonly string[];
  /** Part of the decision: synchronous, and may run more than once. */
  decide(batch: Batch): void;
  /** The commit is durable. */
  committed(): void;
  /** The commit did not happen, or its answer was lost. */
  failed(error: unknown): void;
}

/** Changes that wait for a step to commit them. */
export interface WaitingChanges {
  /** The number of waiting changes. */
  readonly waiting: number;
  /** The number of changes that are not durable yet: waiting, or part of a step. */
  readonly unacknowledged: number;
  /** Returns at most this many of them, oldest first; undefined when none waits. */
  take(most: number): JoinedChanges | undefined;
  /** No step will commit the waiting changes: they must be committed by themselves. */
  commitAlone(): void;
}

/** The changes that joined a step could not be committed with it: both are committed separately. */
export class JoinRefused extends Error {
  override readonly name = 'JoinRefused';

  constructor(cause: unknown) {
    super('the ends of runs that were to be committed with a step are committed separately', { cause });
  }
}
