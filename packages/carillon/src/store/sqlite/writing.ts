/** Writes a decision. */
import type { ExecutionKey } from '../records.ts';
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
  for (const ref of writes.dropParts ?? []) tables.parts.drop(ref);
  for (const part of writes.parts ?? []) tables.parts.add(part);
  for (const slot of writes.slots ?? []) tables.slots.put(slot);
  for (const run of writes.runs ?? []) tables.runs.replace(run);
  if (writes.newRuns !== undefined) tables.runs.insert(writes.newRuns);
  for (const event of writes.newEvents ?? []) tables.events.add(event);
  for (const event of writes.events ?? []) tables.events.replace(event);
  for (const { runId, beforeAttempt } of writes.dropLogs ?? []) tables.logs.drop(runId, beforeAttempt);
  for (const row of writes.logs ?? []) tables.logs.add(row);
  for (const entry of writes.audit ?? []) tables.journals.addAudit(entry);
  return removed;
}
