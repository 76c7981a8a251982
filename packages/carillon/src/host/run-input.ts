/** The input of a run of a host, and what its end says. */
import { ServiceError } from '../base/error.ts';
import { isMarked, markInstances } from '../base/mark.ts';
import type { RunRow } from '../store/records.ts';
import type { EventNeed } from '../store/store.ts';
import type { Work } from './host.ts';

export interface RunInput {
  readonly workflow: string;
  readonly kind: Work['kind'];
  readonly handler: string;
  readonly task: Work['task'];
  /** 1 for the first attempt of the work. */
  readonly attempt: number;
  /** The run before it, whose work it takes up. */
  readonly retryOf?: string;
  /** The run that reserved the events, when that was an earlier one. */
  readonly holder?: string;
}

export function inputOf(run: RunRow): RunInput {
  return JSON.parse(run.input) as RunInput;
}

/** The events that the end of a run may change. */
export function runEvents(run: RunRow): readonly EventNeed[] {
  if (run.owner === null) return [];
  return [{ owner: run.owner, holder: inputOf(run).holder ?? run.id }];
}

/** What a run that committed leaves behind, as its result. */
export interface RunSummary {
  readonly phase: 'committed';
  readonly empty: boolean;
  readonly reserved: Readonly<Record<string, readonly string[]>>;
  readonly published: Readonly<Record<string, number>>;
  readonly change: 'applied' | 'skipped' | 'none';
}

/** How a run of a host failed; the `details` of its failure. */
export interface FailureDetails {
  /**
   * `transient`: the host tries again. `logic`: another try would end the same way. `refused`: the change certainly did not
   * happen, as `reconcile` found out. `unknown`: `reconcile` could not tell. `interrupted`: the run was given back in the middle.
   */
  readonly class: 'transient' | 'logic' | 'refused' | 'unknown' | 'interrupted';
  /** Set when the change certainly did not happen. */
  readonly notApplied?: true;
}

/** A run that broke a rule of the host, or returned what it may not. */
export class RunFailure extends Error {
  override readonly name: string = 'HostRunFailure';
  readonly details: FailureDetails;

  constructor(message: string, details: FailureDetails, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.details = details;
  }
}

export function logicFailure(message: string): RunFailure {
  return new RunFailure(message, { class: 'logic' });
}

const changeRefusedMark = Symbol.for('carillon.ChangeRefused');

/** Thrown by `run` of a change when the change certainly did not happen. The run fails, and what it reserved is released. */
export class ChangeRefused extends Error {
  static {
    markInstances(ChangeRefused, changeRefusedMark);
  }

  override readonly name: string = 'ChangeRefused';
  /** Whether the host tries again later. Default false: a person must look at it. */
  readonly transient: boolean;

  constructor(message: string, options: { readonly transient?: boolean; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.transient = options.transient ?? false;
  }
}

/** Whether the value is a `ChangeRefused`, also of another copy of the library. */
export function isChangeRefused(value: unknown): value is ChangeRefused {
  return isMarked(value, changeRefusedMark);
}

/** The workflow has gone on without this run, although the run has its lease: a person skipped its event. */
export function staleRun(id: string): ServiceError {
  return new ServiceError({
    code: 'failedPrecondition',
    reason: 'LEASE_LOST',
    message: `the workflow has gone on without the run ${id}`,
  });
}
