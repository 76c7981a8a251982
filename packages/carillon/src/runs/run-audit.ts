/** The audit of changes that people make to runs by hand. */
import type { Batch } from '../engine/batch.ts';
import type { Rehearsed } from '../engine/options.ts';
import type { RunRow } from '../store/records.ts';

/** Who makes the change. */
export interface DoneBy {
  readonly actor: string;
  readonly door: string;
  readonly note?: string;
  /** Decides as always and writes nothing: called with what would have been written. */
  readonly rehearsed?: Rehearsed;
}

export function runAuditTarget(id: string): string {
  return `run/${id}`;
}

type Change = { readonly action: string } & (
  | { readonly before: RunRow | null; readonly after: RunRow }
  | { readonly before: RunRow; readonly after: null }
);

/** Written in the transaction of the change. `before` is null for a new run, `after` for one that is removed. */
export function auditRun(batch: Batch, { actor, door, note = '' }: DoneBy, change: Change): void {
  const { action, before, after } = change;
  const { namespace, id } = change.after ?? change.before;
  batch.audit({
    namespace,
    target: runAuditTarget(id),
    actor,
    door,
    action,
    note,
    before: before === null ? null : JSON.stringify(shown(before)),
    after: after === null ? null : JSON.stringify(shown(after)),
  });
}

/** The run without input and result: those are in the run itself, for as long as it is kept. */
function shown({ queue, name, priority, availableAt, state, outcome, attempt, worker, cancel }: RunRow) {
  return { queue, name, priority, availableAt, state, outcome, attempt, worker, cancel };
}
