/**
 * A schedule is an execution: this root with its definition (cold), the generator that turns time into slots, the
 * invoker that turns slots into runs, one backfill per request, and the result of the last run.
 */
import type { Instant } from '../base/time.ts';
import { defineComponent, factsOf, many, one, stateOf } from '../engine/component.ts';
import type { MutableNode, ReadNode } from '../engine/node.ts';
import { taskName } from '../engine/task.ts';
import { Backfill } from './backfill.ts';
import { Definition } from './definition.ts';
import type { ScheduleFact } from './fact.ts';
import { Generator } from './generator.ts';
import { Invoker } from './invoker.ts';
import { schedulePacking } from './packing.ts';

/** Totals since creation, with Temporal's meanings. The ledger has the details. */
export interface Counters {
  readonly actions: number;
  readonly overlapSkipped: number;
  readonly missedCatchupWindow: number;
  readonly bufferDropped: number;
}

export interface ScheduleState {
  /** Conflict token: +1 with every change that a person should know of before overwriting it. */
  readonly token: number;
  readonly updatedAt: Instant;
  /** When an update last replaced the definition; absent: never. Pauses and triggers are not updates. */
  readonly replacedAt?: Instant;
  /** Why it is closed; null while it is open. */
  readonly closed: 'deleted' | 'idle' | null;
  /** The number of actions left; null: unlimited. */
  readonly remaining: number | null;
  /** Consecutive failures. */
  readonly failures: number;
  /** When its last run ended or its last start happened; idle time counts from this time. */
  readonly lastEventAt: Instant;
  /** Numbers triggers and backfills, so that each has a cause of its own. */
  readonly causes: number;
  readonly counters: Counters;
  /** Its latest starts and overlap skips, one bit each, newest lowest, a skip is 1; absent: no skip among them. */
  readonly skips?: number;
}

/** How many of the latest starts and skips `skips` remembers. */
const remembered = 20;

/** `skips` after one more start or skip. A schedule that never skips keeps nothing. */
export function nextSkips(skips: number | undefined, isSkip: boolean): { readonly skips?: number } {
  const next = (((skips ?? 0) << 1) | (isSkip ? 1 : 0)) & ((1 << remembered) - 1);
  return next === 0 ? {} : { skips: next };
}

export function withSkip({ skips, ...state }: ScheduleState, isSkip: boolean): ScheduleState {
  return { ...nextSkips(skips, isSkip), ...state };
}

/** How many of the latest starts and skips were skips. */
export function skipCount({ skips = 0 }: Pick<ScheduleState, 'skips'>): number {
  let count = 0;
  for (let rest = skips; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** The result of the last finished run, for the next one. */
export interface LastCompletion {
  /** JSON text of the last successful result. */
  readonly result: string | null;
  /** JSON text of the failure, when the latest run failed. */
  readonly failure: string | null;
}

export const LastCompletionResult = defineComponent({
  name: 'lastCompletion',
  state: stateOf<LastCompletion>(),
  storage: 'cold',
});

export const Schedule = defineComponent({
  name: 'schedule',
  state: stateOf<ScheduleState>(),
  facts: factsOf<ScheduleFact>(),
  children: {
    definition: one(Definition),
    generator: one(Generator),
    invoker: one(Invoker),
    lastCompletion: one(LastCompletionResult),
    backfills: many(Backfill),
  },
  isOpen: (state) => state.closed === null,
  packing: schedulePacking,
});

export type ScheduleNode = MutableNode<typeof Schedule>;
export type ScheduleView = ReadNode<typeof Schedule>;

export function count(schedule: ScheduleNode, counter: keyof Counters, by = 1): void {
  const { state } = schedule;
  schedule.set({ ...state, counters: { ...state.counters, [counter]: state.counters[counter] + by } });
}

export function countSkip(schedule: ScheduleNode): void {
  const { state } = schedule;
  const counters = { ...state.counters, overlapSkipped: state.counters.overlapSkipped + 1 };
  schedule.set(withSkip({ ...state, counters }, true));
}

/** Due when a timed pause ends. */
export const endPause = taskName(Schedule, 'endPause');

/** Due when a schedule with no work left has been idle for long enough. */
export const idleClose = taskName(Schedule, 'idleClose');
