/** Everything that can refuse a commit, looked at before anything is applied: a refused commit changed nothing. */
import { StoreError } from '../error.ts';
import { partKey } from '../loaded.ts';
import type { ExecutionWrite, PartRow, RunRow } from '../records.ts';
import type { Writes } from '../store.ts';
import type { ExecutionTable } from './execution-table.ts';
import { keyText } from './execution-table.ts';
import type { RunTable } from './run-table.ts';

const none: ReadonlySet<string> = new Set();

export function checkWrites(writes: Writes, executions: ExecutionTable, runs: RunTable): void {
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
  if (writes.newRuns?.length) checkNewRuns(writes.newRuns, runs);
  if (writes.runs?.length) {
    for (const { id } of writes.runs) {
      if (runs.get(id) === undefined) throw new StoreError('conflict', `run ${id} is not stored`);
    }
  }
}

/** Returns the incarnations that are new. */
function checkExecutions(
  writes: readonly ExecutionWrite[],
  removed: ReadonlySet<string>,
  executions: ExecutionTable,
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
  executions: ExecutionTable,
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

function checkNewRuns(newRuns: readonly RunRow[], runs: RunTable): void {
  const seen = newRuns.length > 1 ? new Set<string>() : undefined;
  for (const { id } of newRuns) {
    if (seen?.has(id) || runs.get(id) !== undefined) {
      throw new StoreError('conflict', `run ${id} exists already`);
    }
    seen?.add(id);
  }
}

function checkReplacement(
  write: ExecutionWrite,
  removed: ReadonlySet<string>,
  executions: ExecutionTable,
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
