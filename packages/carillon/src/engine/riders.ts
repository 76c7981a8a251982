/**
 * Lets ends of runs travel in the commit of the next starts. A step asks for what waits (`board`), decides it before
 * what is due, because an end may free a start that waited, and commits both together: a crash then repeats what was
 * under way and nothing else.
 */
import type { Batch } from './batch.ts';

/** Changes to named runs that take part in one step. Exactly one of `committed` and `failed` is called. */
export interface Rider {
  /** Never empty. */
  readonly runIds: readonly string[];
  /** Part of the decision: synchronous, and may run more than once. */
  decide(batch: Batch): void;
  /** The commit is durable. */
  committed(): void;
  /** The commit did not happen, or its answer was lost. */
  failed(error: unknown): void;
}

export interface Riders {
  /** How many changes wait. */
  readonly waiting: number;
  /** Hands over at most so many of them, oldest first; undefined when none waits. */
  board(most: number): Rider | undefined;
  /** No step will carry what waits: it is to be committed by itself. */
  goAlone(): void;
}

/** The rider of a step could not come along: it goes alone, and the step goes without it. */
export class RiderLeftBehind extends Error {
  override readonly name = 'RiderLeftBehind';

  constructor(cause: unknown) {
    super('the ends of runs that were to be committed with a step go by themselves', { cause });
  }
}
