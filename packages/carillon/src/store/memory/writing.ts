/** Writes a decision. Every check that can refuse it comes before the first change: a refused commit changes nothing. */

import { checkDistinct } from '../distinct-runs.ts';
import { namesTaken, runUnfinished, StoreError, type TakenName } from '../error.ts';
import { eventKey, partKey } from '../loaded.ts';
import type { EventRow, ExecutionKey, ExecutionWrite, PartRow, RunRow } from '../records.ts';
import type { Writes } from '../store.ts';
import type { ExecutionRows } from './execution-rows.ts';
import { keyText } from './execution-rows.ts';
import type { RunRows } from './run-rows.ts';
import type { Tables } from './tables.ts';

const none: ReadonlySet<string> = new Set();

export function checkWrites({ executions, runs }: Tables, writes: Writes): void {
  const removed = writes.remove?.length ? new Set(writes.remove) : none;
  const inserted = writes.executions?.length ? checkExecutions(writes.executions, removed, executions) : none;
  const isThere = (incarnation: string) =>
    inserted.has(incarnation) || (executions.get(incarnation) !== undefined && !removed.has(incarnation));

  if (writes.parts?.length) checkParts(writes.parts, isThere, executions);
  if (writes.slots?.length) {
    for (const { incarnation } of writes.slots) {
      if (!isThere(incarnation)) throw unknownExecution(incarnation);
    }
  }
  checkEvents(writes, isThere, executions);
  if (writes.newRuns?.length) checkNewRuns(writes.newRuns, writes.runs, runs);
  if (writes.runs?.length) {
    for (const { id } of writes.runs) {
      if (runs.get(id) === undefined) throw new StoreError('conflict', `run ${id} is not stored`);
    }
  }
  if (writes.removeRuns?.length) {
    for (const id of writes.removeRuns) {
      const run = runs.get(id);
      if (run !== undefined && run.state !== 'done') throw runUnfinished(id);
    }
  }
}

/** Checks the executions and returns the incarnations that are new. */
function checkExecutions(
  writes: readonly ExecutionWrite[],
  removed: ReadonlySet<string>,
  executions: ExecutionRows,
): ReadonlySet<string> {
  let fresh = 0;
  for (const write of writes) {
    if (write.version === 1) fresh += 1;
    else checkReplacement(write, removed, executions);
  }
  if (fresh === 0) return none;
  const closing = new Set<string>();
  for (const { status, incarnation } of writes) if (status === 'closed') closing.add(incarnation);
  const inserted = new Set<string>();
  const openKeys = new Set<string>();
  for (const write of writes) {
    if (write.version !== 1) continue;
    const { incarnation } = write;
    if (executions.get(incarnation) !== undefined || inserted.has(incarnation)) {
      throw new StoreError('conflict', `incarnation ${incarnation} exists already`);
    }
    const newest = executions.newest(write.key);
    const isTaken =
      newest?.row.status === 'open' &&
      !closing.has(newest.row.incarnation) &&
      !removed.has(newest.row.incarnation);
    if (isTaken || openKeys.has(keyText(write.key))) throw keyTaken(write);
    if (write.status === 'open') openKeys.add(keyText(write.key));
    inserted.add(incarnation);
  }
  return inserted;
}

function checkParts(
  parts: readonly PartRow[],
  isThere: (incarnation: string) => boolean,
  executions: ExecutionRows,
): void {
  const seen = new Set<string>();
  for (const part of parts) {
    if (!isThere(part.incarnation)) throw unknownExecution(part.incarnation);
    const key = partKey(part);
    if (seen.has(key) || executions.get(part.incarnation)?.parts.get(part) !== undefined) {
      throw new StoreError(
        'conflict',
        `part ${part.name}@${part.stamp} of ${part.incarnation} exists already`,
      );
    }
    seen.add(key);
  }
}

function checkEvents(
  { newEvents, events }: Writes,
  isThere: (incarnation: string) => boolean,
  executions: ExecutionRows,
): void {
  const seen = new Set<string>();
  const check = (event: EventRow, isNew: boolean) => {
    const { owner, topic, id } = event;
    if (!isThere(owner)) throw unknownExecution(owner);
    const isStored = executions.get(owner)?.events.get(event) !== undefined;
    if (isStored === isNew || seen.has(eventKey(event))) {
      const what = isNew ? 'exists already' : 'is not stored';
      throw new StoreError('conflict', `event ${id} of topic ${topic} of ${owner} ${what}`);
    }
    seen.add(eventKey(event));
  };
  if (newEvents?.length) for (const event of newEvents) check(event, true);
  if (events?.length) for (const event of events) check(event, false);
}

function checkNewRuns(
  newRuns: readonly RunRow[],
  changed: readonly RunRow[] | undefined,
  runs: RunRows,
): void {
  if (newRuns.length > 1) checkDistinct(newRuns);
  const isFinishing = (id: string) => changed?.some((run) => run.id === id && run.state === 'done') ?? false;
  const taken: TakenName[] = [];
  for (const { id, namespace, alias, exclusive } of newRuns) {
    const stored = runs.get(id);
    if (stored !== undefined) taken.push({ id, finished: stored.state === 'done' || isFinishing(id) });
    if (!exclusive || alias === null) continue;
    const runId = runs.holderOf(namespace, alias);
    if (runId !== undefined && !isFinishing(runId)) taken.push({ namespace, alias, runId });
  }
  if (taken.length > 0) throw namesTaken(taken);
}

function checkReplacement(
  write: ExecutionWrite,
  removed: ReadonlySet<string>,
  executions: ExecutionRows,
): void {
  const stored = removed.has(write.incarnation) ? undefined : executions.get(write.incarnation);
  if (stored === undefined) throw unknownExecution(write.incarnation);
  if (stored.row.version !== write.version - 1) {
    throw new StoreError(
      'conflict',
      `execution ${write.incarnation} is at version ${stored.row.version}, not ${write.version - 1}`,
    );
  }
  if (stored.row.status === 'closed' && write.status === 'open') {
    throw new StoreError('conflict', `execution ${write.incarnation} is closed and cannot be opened again`);
  }
}

function keyTaken({ key }: ExecutionWrite): StoreError {
  return new StoreError(
    'conflict',
    `${key.archetype} ${JSON.stringify(key.id)} in namespace ${JSON.stringify(key.namespace)} is open already`,
  );
}

function unknownExecution(incarnation: string): StoreError {
  return new StoreError('conflict', `execution ${incarnation} is not stored`);
}

/** Applies checked writes; returns the keys of the removed executions. */
export function applyWrites(
  { executions, runs, logs, audit }: Tables,
  writes: Writes,
): readonly ExecutionKey[] {
  const removed: ExecutionKey[] = [];
  if (writes.remove?.length) {
    for (const incarnation of writes.remove) {
      const stored = executions.get(incarnation);
      if (stored === undefined) continue;
      removed.push(stored.row.key);
      executions.remove(stored);
    }
  }
  if (writes.executions?.length) {
    for (const write of writes.executions) {
      const stored = executions.get(write.incarnation);
      if (stored === undefined) executions.insert(write);
      else executions.replace(stored, write);
    }
  }
  if (writes.dropParts?.length) {
    for (const ref of writes.dropParts) executions.get(ref.incarnation)?.parts.drop(ref);
  }
  if (writes.parts?.length) {
    for (const part of writes.parts) executions.get(part.incarnation)?.parts.add(part);
  }
  if (writes.slots?.length) {
    for (const slot of writes.slots) executions.get(slot.incarnation)?.slots.put(slot);
  }
  if (writes.runs?.length) for (const run of writes.runs) runs.put(run);
  if (writes.newRuns?.length) for (const run of writes.newRuns) runs.put(run);
  if (writes.removeRuns?.length) for (const id of writes.removeRuns) runs.remove(id);
  for (const list of [writes.newEvents, writes.events]) {
    if (list?.length) for (const event of list) executions.get(event.owner)?.events.put(event);
  }
  if (writes.dropLogs?.length) {
    for (const { runId, beforeAttempt } of writes.dropLogs) logs.drop(runId, beforeAttempt);
  }
  if (writes.logs?.length) for (const row of writes.logs) logs.add(row);
  if (writes.audit?.length) for (const entry of writes.audit) audit.append(entry);
  return removed;
}
