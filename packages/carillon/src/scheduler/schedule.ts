/**
 * A schedule is an execution: this root with its definition (cold), the generator that turns time into slots, the
 * invoker that turns slots into runs, one backfill per request, and what the last run left behind.
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

/** Totals since creation, with Temporal's meanings. The ledger has the finer truth. */
export interface Counters {
  readonly actions: number;
  readonly overlapSkipped: number;
  readonly missedCatchupWindow: number;
  readonly bufferDropped: number;
}

export interface ScheduleState {
  /** Conflict token: +1 with every change a person would want to know of before writing over it. */
  readonly token: number;
  readonly updatedAt: Instant;
  /** Why it is closed; null while it lives. */
  readonly closed: 'deleted' | 'idle' | null;
  /** Actions left; null: unlimited. */
  readonly remaining: number | null;
  /** Failures in a row. */
  readonly failures: number;
  /** When its last run ended or its last start happened; idle time counts from here. */
  readonly lastEventAt: Instant;
  /** Numbers triggers and backfills, so that each has a cause of its own. */
  readonly causes: number;
  readonly counters: Counters;
}

/** What the last finished run left for the next one. */
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

/** Due when a timed pause ends. */
export const endPause = taskName(Schedule, 'endPause');

/** Due when a schedule with nothing left to do has been so for long enough. */
export const idleClose = taskName(Schedule, 'idleClose');
