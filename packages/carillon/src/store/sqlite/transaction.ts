/** One request to `transact`: selects, decides and writes when its batch is committed. */
import type { Clock } from '../../base/clock.ts';
import { type ChangeListeners, changeOf } from '../change.ts';
import { loadedRows, partKey } from '../loaded.ts';
import type { CommittedChange, Decider, Decision, Selection } from '../store.ts';
import type { CommitJob } from './commit-queue.ts';
import { select } from './selection.ts';
import type { Tables } from './tables.ts';
import { applyWrites } from './writing.ts';

export interface Surroundings {
  readonly tables: Tables;
  readonly clock: Clock;
  readonly listeners: ChangeListeners;
}

export class Transaction<T> implements CommitJob {
  readonly committed: () => void;
  readonly failed: (error: unknown) => void;
  readonly outcome: Promise<T>;
  readonly #around: Surroundings;
  readonly #selection: Selection;
  readonly #decider: Decider<T>;
  #decision: Decision<T> | null = null;
  #change: CommittedChange | null = null;

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
    const needs = this.#decider.need?.(rows.executions, rows.runs);
    const parts = new Map(needs?.parts.map((ref) => [partKey(ref), tables.parts.get(ref)?.data]));
    const events = needs?.events === undefined ? undefined : tables.events.needed(needs.events);
    this.#decision = this.#decider.decide(loadedRows(rows, parts, events));
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
