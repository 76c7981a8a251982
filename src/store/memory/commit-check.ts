/** Everything that can refuse a commit, looked at before anything is applied: a refused commit changed nothing. */
import { StoreError } from '../error.ts';
import { partKey } from '../loaded.ts';
import type { ExecutionWrite } from '../records.ts';
import type { Writes } from '../store.ts';
import type { ExecutionTable } from './execution-table.ts';
import { keyText } from './execution-table.ts';
import type { RunTable } from './run-table.ts';

interface Tables {
  readonly executions: ExecutionTable;
  readonly runs: RunTable;
}

export function checkWrites(writes: Writes, { executions, runs }: Tables): void {
  const removed = new Set(writes.remove);
  const closing = new Set<string>();
  const inserted = new Set<string>();
  for (const write of writes.executions ?? []) {
    if (write.version === 1) continue;
    checkReplacement(write, removed, executions);
    if (write.status === 'closed') closing.add(write.incarnation);
  }
  const openKeys = new Set<string>();
  for (const write of writes.executions ?? []) {
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
  const isThere = (incarnation: string) =>
    inserted.has(incarnation) || (executions.get(incarnation) !== undefined && !removed.has(incarnation));

  const parts = new Set<string>();
  for (const part of writes.parts ?? []) {
    if (!isThere(part.incarnation)) throw unknownExecution(part.incarnation);
    const key = partKey(part);
    if (parts.has(key) || executions.get(part.incarnation)?.parts.get(part) !== undefined) {
      throw new StoreError(
        'conflict',
        `part ${part.name}@${part.stamp} of ${part.incarnation} exists already`,
      );
    }
    parts.add(key);
  }
  for (const slot of writes.slots ?? []) {
    if (!isThere(slot.incarnation)) throw unknownExecution(slot.incarnation);
  }
  const newRuns = new Set<string>();
  for (const run of writes.newRuns ?? []) {
    if (newRuns.has(run.id) || runs.get(run.id) !== undefined) {
      throw new StoreError('conflict', `run ${run.id} exists already`);
    }
    newRuns.add(run.id);
  }
  for (const run of writes.runs ?? []) {
    if (runs.get(run.id) === undefined) throw new StoreError('conflict', `run ${run.id} is not stored`);
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
