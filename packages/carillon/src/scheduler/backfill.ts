/**
 * A request to run the slots of a past (or future) range. It has a cursor of its own and never moves the schedule's.
 * It hands over as many slots as there is room for, and continues as soon as the buffer drains.
 */
import type { Instant } from '../base/time.ts';
import { defineComponent, stateOf } from '../engine/component.ts';
import { taskName } from '../engine/task.ts';
import type { OverlapPolicy } from './definition.ts';

export interface BackfillState {
  /** Inclusive range of nominal times. */
  readonly from: Instant;
  readonly to: Instant;
  readonly overlap?: OverlapPolicy;
  /** Slots of the range that are left out. */
  readonly except?: readonly Instant[];
  /** Slots per minute at most; absent: as fast as there is room. */
  readonly ratePerMinute?: number;
  /** Every slot up to this time has been handed over. */
  readonly cursor: Instant;
  /** Slots handed over so far. */
  readonly handed: number;
  /** Slots in the range, counted when it was asked for; null: too many to count. */
  readonly total: number | null;
  readonly createdAt: Instant;
  /** Earliest time of the next pass, under a rate. */
  readonly notBefore: Instant;
}

export const Backfill = defineComponent({ name: 'backfill', state: stateOf<BackfillState>() });

/** Hands over the next slots. */
export const advanceBackfill = taskName(Backfill, 'backfill');
