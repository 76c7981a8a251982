import { isMarked, markInstances } from '../base/mark.ts';

/**
 * The three ways a store can fail. No driver error leaves a store folder.
 *
 * - `conflict`: an insert met a row that is there already, or a version check was lost for good. Nothing was written.
 * - `unavailable`: the store did not answer, is closed, or its answer was lost. The commit may have happened.
 * - `corrupt`: what was read cannot be what was written. A person must look.
 */
export const storeTroubles = ['conflict', 'unavailable', 'corrupt'] as const;

export type StoreTrouble = (typeof storeTroubles)[number];

const storeErrorMark = Symbol.for('carillon.StoreError');

export class StoreError extends Error {
  static {
    markInstances(StoreError, storeErrorMark);
  }

  override readonly name = 'StoreError';
  readonly trouble: StoreTrouble;
  /** A stable upper-case code where a program may want to tell causes apart; otherwise null. */
  readonly reason: string | null;
  /** The names that refused a commit: every id and exclusive alias of a new run that is in use. Empty when something else was in the way. */
  readonly taken: readonly TakenName[];

  constructor(
    trouble: StoreTrouble,
    message: string,
    cause?: unknown,
    reason: string | null = null,
    taken: readonly TakenName[] = [],
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.trouble = trouble;
    this.reason = reason;
    this.taken = taken;
  }
}

/** A name that a new run cannot have. */
export type TakenName =
  /** The id of a stored run, finished or not. */
  | { readonly id: string; readonly finished: boolean }
  /** The alias of an unfinished exclusive run. */
  | { readonly namespace: string; readonly alias: string; readonly runId: string };

/** The refusal of a commit whose new runs have names that are in use. */
export function namesTaken(taken: readonly TakenName[], cause?: unknown): StoreError {
  const words = taken.map((name) =>
    'id' in name
      ? `run ${name.id} exists already`
      : `alias ${JSON.stringify(name.alias)} in namespace ${JSON.stringify(name.namespace)} belongs to the unfinished run ${name.runId}`,
  );
  const more = words.length > 3 ? `; and ${words.length - 3} more` : '';
  return new StoreError('conflict', `${words.slice(0, 3).join('; ')}${more}`, cause, null, taken);
}

/** The refusal to remove a run that has not ended. */
export function runUnfinished(id: string): StoreError {
  return new StoreError('conflict', `run ${id} has not finished`);
}

/** Whether the value is a `StoreError`, also of another copy of the library. */
export function isStoreError(value: unknown): value is StoreError {
  return isMarked(value, storeErrorMark);
}

/** Whether the store refused the commit because of rows that exist already; deciding again may help. */
export function isConflict(error: unknown): error is StoreError {
  return isStoreError(error) && error.trouble === 'conflict';
}

/** Whether the store did not answer, or its answer was lost. */
export function isUnavailable(error: unknown): error is StoreError {
  return isStoreError(error) && error.trouble === 'unavailable';
}
