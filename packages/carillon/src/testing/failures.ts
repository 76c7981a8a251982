/** The failures of handlers in a world. A failure that a test does not expect fails the test. */
import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';

/** An attempt of a run that failed or timed out. */
export interface WorldFailure {
  /** The schedule of the run; null for a run that was enqueued without a schedule. */
  readonly schedule: string | null;
  /** The name of the handler. */
  readonly handler: string;
  readonly runId: string;
  readonly attempt: number;
  /** Virtual time. */
  readonly at: Instant;
  /** The name of the error, such as `AssertionError`. */
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
}

/** Which failures a test expects: all, none, or those for which the function returns true. */
export type ExpectedFailures = boolean | ((failure: WorldFailure) => boolean);

/** The failures that the message of an error lists. */
const mostListed = 5;

export class Failures {
  readonly #all: WorldFailure[] = [];
  /** Failures of runs that have not completed since, and that no error has reported yet. */
  readonly #unreported = new Map<string, WorldFailure>();
  expected: ExpectedFailures;

  constructor(expected: ExpectedFailures) {
    this.expected = expected;
  }

  get all(): readonly WorldFailure[] {
    return [...this.#all];
  }

  failed(failure: WorldFailure): void {
    this.#all.push(failure);
    this.#unreported.set(failure.runId, failure);
  }

  /** A run that completes after a retry has done what the test wants. */
  completed(runId: string): void {
    this.#unreported.delete(runId);
  }

  /** Throws the failures that the test does not expect, each of them once. */
  throwUnexpected(): void {
    if (this.#unreported.size === 0) return;
    const { expected } = this;
    const unexpected = [...this.#unreported.values()].filter(
      (failure) => !(typeof expected === 'function' ? expected(failure) : expected),
    );
    this.#unreported.clear();
    if (unexpected.length > 0) throw new UnexpectedFailures(unexpected);
  }
}

/** Thrown by `advance` when handlers failed and the test did not expect it. */
export class UnexpectedFailures extends Error {
  override readonly name = 'UnexpectedFailures';
  readonly failures: readonly WorldFailure[];

  constructor(failures: readonly WorldFailure[]) {
    const lines = failures.slice(0, mostListed).map(lineOf);
    const more = failures.length > mostListed ? [`… and ${failures.length - mostListed} more`] : [];
    const count = failures.length === 1 ? 'A handler failed' : `${failures.length} handlers failed`;
    super(
      [`${count}; pass expectFailures to the world if the test wants this`, ...lines, ...more].join('\n  '),
      { cause: errorOf(failures[0]) },
    );
    this.failures = failures;
  }
}

function lineOf({ schedule, handler, attempt, at, type, message }: WorldFailure): string {
  const subject = schedule === null ? handler : `${schedule} (handler ${handler})`;
  return `${subject}, attempt ${attempt} at ${formatInstant(at)}: ${type}: ${message}`;
}

/** The failure as an error, so that a test runner shows where the handler threw. */
function errorOf(failure: WorldFailure | undefined): Error | undefined {
  if (failure === undefined) return undefined;
  const error = new Error(failure.message);
  error.name = failure.type;
  if (failure.stack !== undefined) error.stack = failure.stack;
  return error;
}
