/** Finds the rows of a selection. */
import type { Instant } from '../../base/time.ts';
import type { ExecutionRow, RunRow } from '../records.ts';
import type { Selection } from '../store.ts';
import type { Tables } from './tables.ts';

export interface Selected {
  readonly executions: readonly ExecutionRow[];
  readonly runs: readonly RunRow[];
}

export function select(tables: Tables, selection: Selection, now: Instant): Selected {
  const { executions, runs } = tables;
  switch (selection.kind) {
    case 'due':
      return { executions: executions.due(now, selection), runs: [] };
    case 'step': {
      const named = withOwners(tables, runs.get([...new Set(selection.runs)]));
      const found = new Map<string, ExecutionRow>();
      for (const row of named.executions) found.set(row.incarnation, row);
      for (const row of executions.due(now, selection.due)) {
        if (!found.has(row.incarnation)) found.set(row.incarnation, row);
      }
      return { executions: [...found.values()], runs: named.runs };
    }
    case 'keys': {
      const found = new Map<string, ExecutionRow>();
      for (const key of selection.keys) {
        const row = executions.newest(key);
        if (row !== undefined) found.set(row.incarnation, row);
      }
      return { executions: [...found.values()], runs: [] };
    }
    case 'runs':
      return withOwners(tables, runs.get([...new Set(selection.ids)]));
    case 'claimable':
      return { executions: [], runs: runs.claimable(selection, now, selection.limit) };
    case 'lapsed':
      return withOwners(tables, runs.lapsed(now, selection.limit));
    case 'owned': {
      const { incarnation, limit, upTo } = selection;
      const row = executions.get(incarnation);
      return {
        executions: row === undefined ? [] : [row],
        runs: runs.owned(incarnation, upTo ?? null, limit),
      };
    }
    case 'held': {
      const held = withOwners(tables, runs.held(selection.worker, selection.limit));
      const holder = executions.get(selection.worker);
      return holder === undefined ? held : { ...held, executions: [holder, ...held.executions] };
    }
  }
}

function withOwners(tables: Tables, runs: readonly RunRow[]): Selected {
  const owners = new Set<string>();
  for (const { owner } of runs) if (owner !== null) owners.add(owner);
  return { executions: owners.size === 0 ? [] : tables.executions.getAll([...owners]), runs };
}
