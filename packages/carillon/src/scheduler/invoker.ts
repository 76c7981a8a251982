/**
 * Turns slots into runs: the starts that wait, and the number of unfinished runs. Every fire rewrites this state, so it counts runs
 * and never lists them; the run table knows them (selection `owned`). Its verbs are in `start.ts`.
 */
import type { Instant } from '../base/time.ts';
import { defineComponent, stateOf } from '../engine/component.ts';
import { taskName } from '../engine/task.ts';
import type { WaitingStart } from './buffered-start.ts';
import { invokerPacking } from './packing.ts';

export interface InvokerState {
  readonly waiting: readonly WaitingStart[];
  /** The number of unfinished runs of this schedule, exact: a run's end is written in the commit that reports it here. */
  readonly open: number;
  /** The newest unfinished runs, at most `mostNewest`: they may prevent a start, and their workflow ids are in use. */
  readonly newest: readonly OpenRun[];
  /** The number of starts so far, which is the ordinal of the next run. */
  readonly starts: number;
  /** What the overlap policy asks of the runs up to an ordinal; null: nothing. */
  readonly stopping: StopRequest | null;
  /** When the last run was started; only where starts have to keep a distance. */
  readonly lastStart?: Instant;
  /** When a run last ended while starts were waiting; kept until the next one ends. */
  readonly lastEnd?: Instant;
}

export interface OpenRun {
  readonly runId: string;
  readonly workflowId: string;
}

export const mostNewest = 4;

export const Invoker = defineComponent({
  name: 'invoker',
  state: stateOf<InvokerState>(),
  packing: invokerPacking,
});

/** Due when the first waiting start reaches the end of its catch-up window, or may go on. */
export const expireWaiting = taskName(Invoker, 'expire');

export interface StopRequest {
  readonly how: 'cancel' | 'terminate';
  /** The last ordinal that the request covers. */
  readonly upTo: number;
}

/** Asks for unfinished runs to be stopped. */
export const stopRuns = taskName<typeof Invoker, StopRequest>(Invoker, 'stopRuns');
