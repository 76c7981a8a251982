/**
 * Lets the node that decides to start runs also work on them, without a second round trip to the queue: the
 * transaction inserts them already leased. A node without a free worker inserts them waiting.
 */
import type { Instant } from '../base/time.ts';
import type { RunRow } from '../store/records.ts';
import type { Fact } from './component.ts';

/** Runs that a transaction inserts, some of them leased to this node and reserved until `accepted` or `rejected` is called. */
export interface Placed {
  readonly runs: readonly RunRow[];
  /** The facts about placed runs without an owner; reported when the commit is durable. */
  readonly facts?: readonly Fact[];
  /** The commit is durable: work on the placed runs may begin. */
  accepted(): void;
  /** The commit did not happen, or it is unknown: the reservation ends, and leases that were written all the same lapse. */
  rejected(): void;
}

export interface Placement {
  /**
   * True while the node takes no work, but is about to: a start that is late already loses less by waiting for it than
   * by being queued and claimed.
   */
  readonly isAboutToTake: boolean;
  /** `ending` is the number of runs that the same transaction ends. */
  place(runs: readonly RunRow[], now: Instant, ending: number): Placed;
}

export const noPlacement: Placement = {
  isAboutToTake: false,
  place: (runs) => ({ runs, accepted: () => {}, rejected: () => {} }),
};
