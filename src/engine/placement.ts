/**
 * Lets the node that decides to start runs also be the one that works on them, without a second trip to the queue: the
 * transaction inserts them already leased. Whoever has no free worker inserts them waiting.
 */
import type { Instant } from '../base/time.ts';
import type { RunRow } from '../store/records.ts';

export interface Placement {
  /** Returns the same runs, some of them leased to this node. What was placed is reserved until one of the others is called. */
  place(runs: readonly RunRow[], now: Instant): readonly RunRow[];
  /** The commit is durable: work on what was placed here may begin. */
  accepted(runs: readonly RunRow[]): void;
  /** The commit did not happen, or nobody can tell: the reservation ends, and leases written all the same will lapse. */
  rejected(runs: readonly RunRow[]): void;
}

export const noPlacement: Placement = {
  place: (runs) => runs,
  accepted: () => {},
  rejected: () => {},
};
