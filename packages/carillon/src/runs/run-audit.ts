/** What people do to runs by hand, as it stands in the audit. */
import type { Batch } from '../engine/batch.ts';
import type { RunRow } from '../store/records.ts';

/** On whose behalf. */
export interface DoneBy {
  readonly actor: string;
  readonly door: string;
  readonly note?: string;
}

export function runAuditTarget(id: string): string {
  return `run/${id}`;
}

/** Written in the transaction that does it. `before` is null for a run that is new. */
export function auditRun(
  batch: Batch,
  { actor, door, note = '' }: DoneBy,
  change: { readonly action: string; readonly before: RunRow | null; readonly after: RunRow },
): void {
  const { action, before, after } = change;
  batch.audit({
    namespace: after.namespace,
    target: runAuditTarget(after.id),
    actor,
    door,
    action,
    note,
    before: before === null ? null : JSON.stringify(shown(before)),
    after: JSON.stringify(shown(after)),
  });
}

/** Not its input and result: those stand in the run itself, for as long as that is kept. */
function shown({ queue, name, priority, availableAt, state, outcome, attempt, worker, cancel }: RunRow) {
  return { queue, name, priority, availableAt, state, outcome, attempt, worker, cancel };
}
