/**
 * Turns time into slots. The cursor is a *nominal* time: every slot up to it has its verdict, none after it has, so a
 * wake-up between a slot's nominal and jittered time loses nothing and every slot is handled once.
 *
 * An era overrides what happens to the slots up to its end: those of a pause get the verdict `paused`, or, when the
 * person who resumed asked for it, run after all.
 */
import type { Instant } from '../base/time.ts';
import { defineComponent, stateOf } from '../engine/component.ts';
import { taskName } from '../engine/task.ts';
import { generatorPacking } from './packing.ts';
import type { Verdict } from './verdict.ts';

export interface Era {
  readonly until: Instant;
  readonly rule: 'paused' | 'all' | 'once';
  readonly by: string;
  readonly note: string;
  readonly since: Instant;
}

/** The open end of a run of equal verdicts: the next equal one extends its row instead of adding one. */
export interface Stretch {
  readonly verdict: Verdict;
  readonly nominal: Instant;
  readonly until: Instant;
  readonly count: number;
  readonly detail: string | null;
}

export interface GeneratorState {
  readonly cursor: Instant;
  /** The next slot's due time; null when the spec has none left or the schedule is paused. */
  readonly next: Instant | null;
  readonly eras: readonly Era[];
  readonly stretch: Stretch | null;
}

export const Generator = defineComponent({
  name: 'generator',
  state: stateOf<GeneratorState>(),
  packing: generatorPacking,
});

/** Due at the next slot's time. */
export const generateSlots = taskName(Generator, 'generate');
