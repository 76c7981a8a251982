/** Writes a decision. */
import type { ExecutionKey, PartRef } from '../records.ts';
import type { Writes } from '../store.ts';
import type { Tables } from './tables.ts';

/** Writes everything; returns the keys of removed executions. Closing and finishing come before inserting under the same name. */
export function applyWrites(tables: Tables, writes: Writes): readonly ExecutionKey[] {
  const removed: ExecutionKey[] = [];
  for (const incarnation of writes.remove ?? []) {
    const key = tables.removeExecution(incarnation);
    if (key !== undefined) removed.push(key);
  }
  for (const row of writes.executions ?? []) if (row.version !== 1) tables.executions.replace(row);
  for (const row of writes.executions ?? []) if (row.version === 1) tables.executions.insert(row);
  writeParts(tables, writes);
  for (const slot of writes.slots ?? []) tables.slots.put(slot);
  for (const run of writes.runs ?? []) tables.runs.replace(run);
  if (writes.newRuns !== undefined) tables.runs.insert(writes.newRuns);
  for (const id of writes.removeRuns ?? []) tables.runs.remove(id);
  for (const event of writes.newEvents ?? []) tables.events.add(event);
  for (const event of writes.events ?? []) tables.events.replace(event);
  for (const { runId, beforeAttempt } of writes.dropLogs ?? []) tables.logs.drop(runId, beforeAttempt);
  for (const row of writes.logs ?? []) tables.logs.add(row);
  for (const entry of writes.audit ?? []) tables.journals.addAudit(entry);
  return removed;
}

/** A part mostly comes with the removal of its predecessor, and both lists are in the same order. */
function writeParts({ parts: table }: Tables, { dropParts = [], parts = [] }: Writes): void {
  let dropped = 0;
  for (const part of parts) {
    const before = dropParts[dropped];
    if (before !== undefined && before.name === part.name && before.incarnation === part.incarnation) {
      table.replace(before, part);
      dropped += 1;
    } else table.add(part);
  }
  for (; dropped < dropParts.length; dropped += 1) table.drop(dropParts[dropped] as PartRef);
}
