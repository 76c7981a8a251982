/** Why the signal of a handler was aborted. Shared with the client, whose workers run handlers too. */
import { isMarked, markInstances } from './mark.ts';

/** `terminated`: the run was ended from outside, and no report of its holder counts any more. */
export type Interruption = 'cancelled' | 'terminated' | 'timedOut' | 'leaseLost' | 'stopping';

const runInterruptedMark = Symbol.for('carillon.RunInterrupted');

/** The reason of a handler's aborted signal. */
export class RunInterrupted extends Error {
  static {
    markInstances(RunInterrupted, runInterruptedMark);
  }

  override readonly name = 'RunInterrupted';
  /** Why the handler is to stop. */
  readonly kind: Interruption;

  constructor(kind: Interruption, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Whether the value is a `RunInterrupted`, also of another copy of the library. */
export function isRunInterrupted(value: unknown): value is RunInterrupted {
  return isMarked(value, runInterruptedMark);
}

/** Whether the work itself is to stop; otherwise another process goes on with it. */
export function isWorkToStop(value: unknown): value is RunInterrupted {
  return isRunInterrupted(value) && ['cancelled', 'terminated', 'timedOut'].includes(value.kind);
}
