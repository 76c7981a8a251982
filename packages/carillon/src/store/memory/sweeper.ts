/** Retention, limited in rows per call. */
import type { Instant } from '../../base/time.ts';
import type { Retention, Swept } from '../store.ts';
import { walkExecutions } from './execution-walk.ts';
import type { Tables } from './tables.ts';

export function sweep(tables: Tables, retention: Retention): Swept {
  const { limit, closedBefore, runsFinishedBefore, finishedRuns, eventsBefore, auditBefore } = retention;
  const { executions, runs, audit } = tables;
  let swept = 0;
  if (closedBefore !== undefined) swept += sweepClosed(tables, closedBefore, limit);
  const { rows, next } = walkExecutions(executions, runs, retention);
  if (runsFinishedBefore !== undefined) swept += runs.sweep(runsFinishedBefore, limit);
  if (finishedRuns !== undefined) swept += runs.forget(finishedRuns);
  if (eventsBefore !== undefined) swept += executions.sweepEvents(eventsBefore, limit);
  if (auditBefore !== undefined) swept += audit.sweep(auditBefore, limit);
  return { rows: swept + rows, next };
}

/** An execution is removed after the last of its slots and events, which count against the limit like any others. */
function sweepClosed({ executions }: Tables, before: Instant, limit: number): number {
  let slots = 0;
  let events = 0;
  let swept = 0;
  for (const stored of executions.closedBefore(before, limit)) {
    slots += stored.slots.sweep(Number.POSITIVE_INFINITY as Instant, limit - slots);
    events += stored.events.removeSome(limit - events);
    if (stored.slots.size > 0 || stored.events.size > 0) break;
    executions.remove(stored);
    swept++;
  }
  return slots + events + swept;
}
