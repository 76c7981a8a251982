/** Why the signal of a handler was aborted. Shared with the client, whose workers run handlers too. */
import { isMarked, markInstances } from './mark.ts';

export type Interruption = 'cancelled' | 'timedOut' | 'leaseLost' | 'stopping';

const runInterruptedMark = Symbol.for('carillon.RunInterrupted');

/** The reason of a handler's aborted signal. */
export class RunInterrupted extends Error {
  static {
    markInstances(RunInterrupted, runInterruptedMark);
  }

  override readonly name = 'RunInterrupted';
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
