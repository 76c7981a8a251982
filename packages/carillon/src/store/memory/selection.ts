/** Finds the rows of a selection. */
import type { Instant } from '../../base/time.ts';
import type { ExecutionRow, RunRow } from '../records.ts';
import type { Selection } from '../store.ts';
import type { StoredExecution } from './execution-rows.ts';
import type { Tables } from './tables.ts';

export function select(
  tables: Tables,
  selection: Selection,
  now: Instant,
): { executions: readonly ExecutionRow[]; runs: readonly RunRow[] } {
  switch (selection.kind) {
    case 'due':
      return rowsOf(tables.executions.due(now, selection.limit, selection.archetypes));
    case 'step': {
      const { due, runs } = selection;
      const named = withOwners(tables, runsOf(tables, runs));
      const executions = new Set(named.executions);
      for (const { row } of tables.executions.due(now, due.limit, due.archetypes)) executions.add(row);
      return { executions: [...executions], runs: named.runs };
    }
    case 'keys':
      return rowsOf(new Set(present(selection.keys.map((key) => tables.executions.newest(key)))));
    case 'runs':
      return withOwners(tables, runsOf(tables, selection.ids));
    case 'claimable':
      return {
        executions: noExecutions,
        runs: tables.runs.claimable(selection, now, selection.limit),
      };
    case 'lapsed':
      return withOwners(tables, tables.runs.lapsed(now, selection.limit));
    case 'owned': {
      const { incarnation, limit, upTo = Number.POSITIVE_INFINITY } = selection;
      const row = tables.executions.get(incarnation)?.row;
      const runs = tables.runs.owned(incarnation, upTo, limit);
      return { executions: row === undefined ? noExecutions : [row], runs };
    }
    case 'held': {
      const { executions, runs } = withOwners(tables, tables.runs.held(selection.worker, selection.limit));
      const holder = tables.executions.get(selection.worker)?.row;
      const isExtra = holder !== undefined && !executions.includes(holder);
      return { executions: isExtra ? [holder, ...executions] : executions, runs };
    }
  }
}

function runsOf({ runs }: Tables, ids: readonly string[]): readonly RunRow[] {
  const found: RunRow[] = [];
  for (const id of ids.length < 2 ? ids : new Set(ids)) {
    const run = runs.get(id);
    if (run !== undefined) found.push(run);
  }
  return found;
}

function withOwners({ executions: stored }: Tables, runs: readonly RunRow[]) {
  const owners = new Set<string>();
  const executions: ExecutionRow[] = [];
  for (const { owner } of runs) {
    if (owner === null || owners.has(owner)) continue;
    owners.add(owner);
    const found = stored.get(owner);
    if (found !== undefined) executions.push(found.row);
  }
  return { executions, runs };
}

function rowsOf(stored: Iterable<StoredExecution>) {
  const executions: ExecutionRow[] = [];
  for (const { row } of stored) executions.push(row);
  return { executions, runs: noRuns };
}

const noRuns: readonly RunRow[] = [];
const noExecutions: readonly ExecutionRow[] = [];

export function present<T>(items: readonly (T | undefined)[]): T[] {
  return items.filter((item) => item !== undefined);
}
