/** The timeouts of a workflow as Temporal shows them: an absent run timeout is the execution timeout. */
import type { Instant } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';
import { durationMs, toTimestamp } from '../proto-time.ts';
import type { Duration, WorkflowStart } from '../protocol.ts';

/** Temporal's default of the timeout of a workflow task, which does not exist here. */
const taskTimeoutMs = 10_000;

export interface Timeouts {
  /** The execution timeout in ms; zero for none. */
  readonly executionMs: number;
  readonly runMs: number;
  readonly taskMs: number;
}

export function timeoutsOf(start: WorkflowStart | undefined): Timeouts {
  const executionMs = length(start?.workflowExecutionTimeout);
  const asked = length(start?.workflowRunTimeout);
  const runMs = asked === 0 || executionMs === 0 ? asked || executionMs : Math.min(asked, executionMs);
  return { executionMs, runMs, taskMs: length(start?.workflowTaskTimeout) || taskTimeoutMs };
}

/** Undefined without a timeout. */
export function expiration(startedAt: Instant, milliseconds: number) {
  return milliseconds === 0 ? undefined : toTimestamp(addTime(startedAt, milliseconds));
}

function length(duration: Duration | null | undefined): number {
  return duration === null || duration === undefined ? 0 : (durationMs(duration) ?? 0);
}
