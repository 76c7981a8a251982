/**
 * A value that the operator of a process sets for all executions of an archetype. Decisions read it like the time: it is not stored
 * with an execution, so a change holds for all of them after the next start.
 */
export interface Setting<T> {
  readonly name: string;
  /** Holds where the operator says nothing. */
  readonly default: T;
}

export type Settings = ReadonlyMap<Setting<unknown>, unknown>;

export const noSettings: Settings = new Map();
