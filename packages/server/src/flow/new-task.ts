/** New instances of tasks. */
import type { Instant } from 'carillon/internal/base';
import { given } from 'carillon/internal/base';
import type { FlowTask } from './flow.ts';

type Known = Pick<FlowTask, 'reference' | 'written' | 'name' | 'type' | 'input' | 'iteration'> & {
  readonly domain?: string | undefined;
};

export type NewTask = Omit<FlowTask, 'id' | 'ordinal' | 'seq'>;

/** An instance that has not begun. `known` may be another instance, which this one repeats. */
export function newTask(known: Known, now: Instant): NewTask {
  const { reference, written, name, type, input, iteration, domain } = known;
  return {
    reference,
    written,
    name,
    type,
    status: 'SCHEDULED',
    input,
    output: {},
    retryCount: 0,
    retried: false,
    iteration,
    scheduledAt: now,
    startedAt: null,
    endedAt: null,
    updatedAt: now,
    run: null,
    dueAt: null,
    callbackAfterSeconds: 0,
    pollCount: 0,
    ...given({ domain }),
  };
}
