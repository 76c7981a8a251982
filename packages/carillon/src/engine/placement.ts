/**
 * Lets the node that decides to start runs also be the one that works on them, without a second trip to the queue: the
 * transaction inserts them already leased. Whoever has no free worker inserts them waiting.
 */
import type { Instant } from '../base/time.ts';
import type { RunRow } from '../store/records.ts';
import type { Fact } from './component.ts';

/** Runs on their way into the store, some of them leased to this node and reserved until one of the two is called. */
export interface Placed {
  readonly runs: readonly RunRow[];
  /** What the placement means for runs without an owner; told when the commit is durable. */
  readonly facts?: readonly Fact[];
  /** The commit is durable: work on what was placed here may begin. */
  accepted(): void;
  /** The commit did not happen, or nobody can tell: the reservation ends, and leases written all the same will lapse. */
  rejected(): void;
}

export interface Placement {
  place(runs: readonly RunRow[], now: Instant): Placed;
}

export const noPlacement: Placement = {
  place: (runs) => ({ runs, accepted: () => {}, rejected: () => {} }),
};
