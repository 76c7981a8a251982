/**
 * The withdrawal of work that goes on outside (`RunOptions.outlasts`). When such a run is stopped without a holder, an earlier
 * attempt may have begun work whose answer was lost: then a run of its own, on the same queue, finds that work and ends it. It is
 * inserted by the transaction that ends the first run, so neither a crash nor an outside system that is down can lose it.
 */
import type { Instant } from '../base/time.ts';
import { second } from '../base/time.ts';
import type { RunRow } from '../store/records.ts';
import type { Failure } from './failure.ts';
import { newRun, optionsOf } from './run.ts';
import { runId } from './run-id.ts';

/** The input of a withdrawal. */
export interface Withdrawal<Work = unknown> {
  readonly withdraw: {
    /** The run whose work is to end, and the name that people use for it. */
    readonly run: string;
    readonly workflowId: string | null;
    readonly how: 'cancel' | 'terminate';
    readonly reason: string;
  };
  /** The input of that run. */
  readonly of: Work;
}

/** About an hour of attempts. */
const retry = { attempts: 65, initialMs: second, maxMs: 60 * second };

/** The name of the run that withdraws the work of runs with this name. */
export function withdrawalName(name: string): string {
  return `withdraw ${name}`;
}

/** Undefined when there is nothing to withdraw: the work ended by itself, never began, or ends with its attempt. */
export function withdrawalOf(before: RunRow, after: RunRow, now: Instant): RunRow | undefined {
  const { outcome } = after;
  if (outcome !== 'cancelled' && outcome !== 'terminated' && outcome !== 'timedOut') return undefined;
  const { outlasts, workflowId = null } = optionsOf(before);
  if (outlasts !== true || !mayHaveBegun(before)) return undefined;
  const { message = '' } = JSON.parse(after.result ?? '{}') as Partial<Failure>;
  const how = outcome === 'cancelled' ? 'cancel' : 'terminate';
  const input: Withdrawal = {
    withdraw: { run: before.id, workflowId, how, reason: message },
    of: JSON.parse(before.input) as unknown,
  };
  const { namespace, queue, name } = before;
  return newRun({
    id: runId(now, `withdraw/${before.id}`),
    namespace,
    queue,
    name: withdrawalName(name),
    priority: 'high',
    now,
    input,
    options: { retry },
  });
}

function mayHaveBegun({ state, result }: RunRow): boolean {
  if (state === 'leased') return true;
  if (result === null) return false;
  return (JSON.parse(result) as Partial<Failure>).startFailed !== true;
}
