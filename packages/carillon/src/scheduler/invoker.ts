/** Turns slots into runs: the starts that wait, and the runs that go on. Its verbs are in `start.ts`. */
import { defineComponent, stateOf } from '../engine/component.ts';
import { taskName } from '../engine/task.ts';
import type { ChosenStart, WaitingStart } from './buffered-start.ts';
import { invokerPacking } from './packing.ts';

export interface InvokerState {
  readonly waiting: readonly WaitingStart[];
  readonly running: readonly ChosenStart[];
}

export const Invoker = defineComponent({
  name: 'invoker',
  state: stateOf<InvokerState>(),
  packing: invokerPacking,
});

/** Due when the first waiting start reaches the end of its catch-up window. */
export const expireWaiting = taskName(Invoker, 'expire');

export interface StopRequest {
  readonly runId: string;
  readonly how: 'cancel' | 'terminate';
}

/** Asks for a running run to be stopped. */
export const stopRun = taskName<typeof Invoker, StopRequest>(Invoker, 'stopRun');
