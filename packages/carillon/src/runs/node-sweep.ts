/** Ends leases of nodes: of silent nodes, of nodes whose process is gone, of a node that stops, and of all nodes when a store is opened. */

import type { Instant } from '../base/time.ts';
import type { Batch } from '../engine/batch.ts';
import type { Engine } from '../engine/engine.ts';
import type { ExecutionRow, RunRow } from '../store/records.ts';
import { addAttemptEnd } from './attempt-log.ts';
import { conclude, isNodeHeld, leaseAfterStep, renewOwnLease, takeOver } from './lifecycle.ts';
import type { ProcessTable } from './node-lease.ts';
import type { NodeState } from './node-row.ts';
import {
  isForgettable,
  isSilent,
  nextNodeRow,
  nodeArchetype,
  nodeNamespace,
  nodeStateOf,
} from './node-row.ts';
import { saveRun } from './run-ending.ts';

export interface NodeSweepOptions {
  readonly engine: Engine;
  /** Runs per transaction. */
  readonly size: number;
}

/** Nodes listed at once; a cluster is smaller. */
const mostNodes = 1000;

/** The interval between two searches for runs that a late commit leased in the name of a dead node. */
const lateCommitsMs = 10_000;

interface Seen {
  readonly row: ExecutionRow;
  readonly state: NodeState;
}

export class NodeSweep {
  readonly #engine: Engine;
  readonly #size: number;
  #lateLookAt = 0;

  constructor({ engine, size }: NodeSweepOptions) {
    this.#engine = engine;
    this.#size = size;
  }

  /** Takes over the runs of every node that is silent by the store's clock, and removes rows of nodes that are long dead. */
  async takeOverSilent(own: string, now: Instant): Promise<void> {
    const looksLate = now >= this.#lateLookAt;
    if (looksLate) this.#lateLookAt = now + lateCommitsMs;
    for (const { row, state } of await this.#nodes()) {
      if (row.incarnation === own || !isSilent(state, now)) continue;
      if (state.deadSince === null) await this.#takeOverNode(row.incarnation, isSilent);
      else if (isForgettable(state, now)) await this.#forget(row.incarnation);
      else if (looksLate) await this.#takeOverNode(row.incarnation, isSilent);
    }
  }

  /** Takes over at once the runs of nodes whose process ran on this host and is gone. */
  async takeOverGone(process: ProcessTable): Promise<void> {
    for (const { row, state } of await this.#nodes()) {
      if (state.deadSince !== null || state.process === null || !process.isGone(state.process)) continue;
      await this.#takeOverNode(row.incarnation, ({ process: mark }) => mark !== null && process.isGone(mark));
    }
  }

  /** For a node that stops: gives back all runs still leased in its name, uncounted, and removes its row with the last of them. */
  async leave(id: string): Promise<void> {
    const giveBack = (run: RunRow, now: Instant) => conclude(run, { kind: 'released', begun: true }, now);
    for (let more = true; more; ) {
      more = await this.#engine.transact(
        { kind: 'held', worker: id, limit: this.#size },
        (batch) => {
          for (const run of batch.runs) saveRun(batch, giveBack(run, batch.now), run);
          const isLast = batch.runs.length < this.#size;
          if (isLast && holderOf(batch, id) !== undefined) batch.remove(id);
          return !isLast;
        },
        { isolating: true },
      );
    }
  }

  /**
   * For the first process on a store with one owner: no lease of a node can be alive. Runs that wait for an answer from
   * outside get their full time anew, because no answer could arrive while the store was closed.
   */
  async releaseAll(): Promise<void> {
    await this.#eachLeased((run, now) => (isNodeHeld(run) ? takeOver(run, now) : renewOwnLease(run, now)));
  }

  /** Gives the holders that are not nodes a full lease again, after the clock was set by `stepMs`. */
  async renewOwnLeases(stepMs: number): Promise<void> {
    await this.#eachLeased((run, now) => (isNodeHeld(run) ? run : leaseAfterStep(run, now, stepMs)));
  }

  async #eachLeased(change: (run: RunRow, now: Instant) => RunRow): Promise<void> {
    let after: string | undefined;
    do {
      const page = await this.#engine.store.runs({
        states: ['leased'],
        order: 'ascending',
        limit: this.#size,
        ...(after === undefined ? {} : { after }),
      });
      const ids = page.items.map(({ id }) => id);
      if (ids.length > 0) await this.#changeLeased(ids, change);
      after = page.next ?? undefined;
    } while (after !== undefined);
  }

  async #changeLeased(ids: readonly string[], change: (run: RunRow, now: Instant) => RunRow): Promise<void> {
    await this.#engine.transact(
      { kind: 'runs', ids },
      (batch) => {
        for (const run of batch.runs) {
          const next = run.state === 'leased' ? change(run, batch.now) : run;
          if (next === run) continue;
          addAttemptEnd(batch, run, next);
          saveRun(batch, next, run);
        }
      },
      { isolating: true },
    );
  }

  async #takeOverNode(id: string, mayTakeOver: (state: NodeState, now: Instant) => boolean): Promise<void> {
    for (let more = true; more; ) {
      more = await this.#engine.transact(
        { kind: 'held', worker: id, limit: this.#size },
        (batch) => {
          const row = holderOf(batch, id);
          if (row === undefined) return false;
          const state = nodeStateOf(row);
          // The node may have sent a heartbeat since it was listed.
          if (!mayTakeOver(state, batch.now)) return false;
          for (const run of batch.runs) saveTakenOver(batch, run);
          if (state.deadSince === null) batch.saveRow(nextNodeRow(row, { ...state, deadSince: batch.now }));
          return batch.runs.length >= this.#size;
        },
        { isolating: true },
      );
    }
  }

  async #forget(id: string): Promise<void> {
    await this.#engine.transact({ kind: 'held', worker: id, limit: 1 }, (batch) => {
      if (batch.runs.length === 0 && holderOf(batch, id) !== undefined) batch.remove(id);
    });
  }

  async #nodes(): Promise<readonly Seen[]> {
    const { items } = await this.#engine.store.list({
      namespace: nodeNamespace,
      archetype: nodeArchetype,
      limit: mostNodes,
    });
    return items.map((row) => ({ row, state: nodeStateOf(row) }));
  }
}

function holderOf(batch: Batch, id: string): ExecutionRow | undefined {
  return batch.rows.find((row) => row.incarnation === id);
}

function saveTakenOver(batch: Batch, run: RunRow): void {
  const next = takeOver(run, batch.now);
  addAttemptEnd(batch, run, next);
  saveRun(batch, next, run);
}
