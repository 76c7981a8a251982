/**
 * Turns time into slots. The cursor is a *nominal* time: every slot up to it has its verdict, none after it has, so a
 * wake-up between a slot's nominal and jittered time loses nothing and every slot is handled once.
 */
import type { Instant } from '../base/time.ts';
import { defineComponent, stateOf } from '../engine/component.ts';
import { taskName } from '../engine/task.ts';
import type { Era } from '../ledger/era.ts';
import type { Pass } from '../ledger/find-slots.ts';
import type { Stretch } from '../ledger/ledger.ts';
import { generatorPacking } from './packing.ts';
import type { Verdict } from './verdict.ts';

export interface GeneratorState {
  readonly cursor: Instant;
  /** The next slot's due time; null when the spec has none left, when it is not known yet, or when the schedule is paused. */
  readonly next: Instant | null;
  readonly eras: readonly Era[];
  readonly stretch: Stretch<Verdict> | null;
  /** Set while a search continues over several steps. */
  readonly pass: Pass | null;
}

export const Generator = defineComponent({
  name: 'generator',
  state: stateOf<GeneratorState>(),
  packing: generatorPacking,
});

/** Due at the next slot's time, or at once while a search continues. */
export const generateSlots = taskName(Generator, 'generate');
