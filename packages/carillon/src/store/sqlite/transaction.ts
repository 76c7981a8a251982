/** One request to `transact`: selects, decides and writes when its batch comes round. */
import type { Clock } from '../../base/clock.ts';
import type { Instant } from '../../base/time.ts';
import { changeOf, type Listeners } from '../change.ts';
import { loadedRows, partKey } from '../loaded.ts';
import type { ExecutionKey, ExecutionRow, RunRow } from '../records.ts';
import type { Change, Decider, Decision, Selection, Writes } from '../store.ts';
import type { Job } from './commit-queue.ts';
import type { Tables } from './tables.ts';

export interface Surroundings {
  readonly tables: Tables;
  readonly clock: Clock;
  readonly listeners: Listeners;
}

interface Selected {
  readonly executions: readonly ExecutionRow[];
  readonly runs: readonly RunRow[];
}

export class Transaction<T> implements Job {
  readonly committed: () => void;
  readonly failed: (error: unknown) => void;
  readonly outcome: Promise<T>;
  readonly #around: Surroundings;
  readonly #selection: Selection;
  readonly #decider: Decider<T>;
  #decision: Decision<T> | null = null;
  #change: Change | null = null;

  constructor(around: Surroundings, selection: Selection, decider: Decider<T>) {
    this.#around = around;
    this.#selection = selection;
    this.#decider = decider;
    const { promise, resolve, reject } = withResolvers<T>();
    this.outcome = promise;
    this.failed = reject;
    this.committed = () => {
      if (this.#change !== null) this.#around.listeners.tell(this.#change);
      resolve((this.#decision as Decision<T>).result);
    };
  }

  prepare(): void {
    const { tables, clock } = this.#around;
    tables.executions.begin();
    const now = clock.now();
    const rows = { now, ...select(tables, this.#selection, now) };
    const refs = this.#decider.need?.(rows.executions) ?? [];
    const parts = new Map(refs.map((ref) => [partKey(ref), tables.parts.get(ref)?.data]));
    this.#decision = this.#decider.decide(loadedRows(rows, parts));
  }

  write(): number {
    const { writes } = this.#decision as Decision<T>;
    const removed = applyWrites(this.#around.tables, writes);
    this.#change = this.#around.listeners.isEmpty ? null : changeOf(writes, removed);
    let rows = 0;
    for (const list of Object.values(writes)) rows += list?.length ?? 0;
    return rows;
  }
}

function select(tables: Tables, selection: Selection, now: Instant): Selected {
  const { executions, runs } = tables;
  switch (selection.kind) {
    case 'due':
      return { executions: executions.due(now, selection), runs: [] };
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
      return { executions: [], runs: runs.claimable(selection.queues, now, selection.limit) };
    case 'lapsed':
      return withOwners(tables, runs.lapsed(now, selection.limit));
  }
}

function withOwners(tables: Tables, runs: readonly RunRow[]): Selected {
  const owners = new Set<string>();
  for (const { owner } of runs) if (owner !== null) owners.add(owner);
  return { executions: owners.size === 0 ? [] : tables.executions.getAll([...owners]), runs };
}

/** Writes everything; returns the keys of what was removed. Closing comes before inserting under the same key. */
function applyWrites(tables: Tables, writes: Writes): readonly ExecutionKey[] {
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
  for (const run of writes.newRuns ?? []) tables.runs.insert(run);
  for (const run of writes.runs ?? []) tables.runs.replace(run);
  for (const event of writes.events ?? []) tables.journals.addEvent(event);
  for (const entry of writes.audit ?? []) tables.journals.addAudit(entry);
  return removed;
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
