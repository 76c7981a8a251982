/**
 * The steps of a node: each takes the executions whose time has come and the ends of runs that wait, and decides and commits them
 * in one transaction. Ends ride with the starts that follow from them, so that a busy node needs no commits for ends alone.
 */
import type { Service } from '../base/service.ts';
import { dueTime } from '../store/change.ts';
import { isConflict } from '../store/error.ts';
import type { DueSelection, Selection } from '../store/store.ts';
import type { Batch } from './batch.ts';
import type { Engine } from './engine.ts';
import { EngineLoop } from './engine-loop.ts';
import type { Rider, Riders } from './riders.ts';
import { RiderLeftBehind } from './riders.ts';
import { startsPerStep } from './work.ts';

export class Stepper implements Service {
  readonly #engine: Engine;
  readonly #loop: EngineLoop;
  #riders: readonly Riders[] = [];
  /** The first answer of the store since starts wait for a worker; undefined: they do not wait. */
  #heldSince: number | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#loop = new EngineLoop(engine, this);
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Whether more is due than this node has taken yet. */
  get isBehind(): boolean {
    return this.#loop.isBehind;
  }

  /** From now on, steps carry the changes that wait there. Returns a function that ends it. */
  carry(riders: Riders): () => void {
    this.#riders = [...this.#riders, riders];
    return () => {
      this.#riders = this.#riders.filter((other) => other !== riders);
    };
  }

  /** Whether the engine is stepping, so that waiting changes will be carried. */
  get isStepping(): boolean {
    return this.#loop.isOn;
  }

  /** Says that changes wait to be carried: the next step comes at once. */
  wake(): void {
    this.#loop.wake();
  }

  /** Commits what still waits after the last step, without a step. */
  leaveRiders(): void {
    for (const riders of this.#riders) riders.commitAlone();
  }

  /** Changes that wait to be carried by a step. */
  get waitingRiders(): number {
    let waiting = 0;
    for (const riders of this.#riders) waiting += riders.waiting;
    return waiting;
  }

  /** One transaction over due executions, and over ends of runs that wait. Returns how many due executions it took. */
  async runOnce(limit: number): Promise<number> {
    const began = this.#engine.clock.now();
    const aboard = this.#board();
    const isHolding = this.#isHolding;
    const starts = isHolding ? 0 : this.#startsBeside(aboard);
    const due: DueSelection = {
      kind: 'due',
      limit: Math.min(limit, starts),
      archetypes: this.#engine.archetypes,
    };
    let taken: number;
    try {
      taken = await this.#step(due, starts, aboard);
      this.#heldSince = isHolding ? (this.#heldSince ?? began) : undefined;
    } catch (error) {
      this.#heldSince = undefined;
      if (!isConflict(error)) throw error;
      taken = await this.#stepOneByOne(due);
    }
    if (taken > 0)
      this.#engine.observer.stepped({ executions: taken, tookMs: this.#engine.clock.now() - began });
    return taken;
  }

  #board(): readonly Rider[] {
    if (this.#riders.length === 0) return noRiders;
    const aboard: Rider[] = [];
    let room = this.#engine.tuning.mostRiders;
    for (const riders of this.#riders) {
      const rider = room > 0 ? riders.board(room) : undefined;
      if (rider === undefined) continue;
      aboard.push(rider);
      room -= rider.runIds.length;
    }
    return aboard;
  }

  /** Whether a step would carry ends or start runs. False while the ends that are aboard other steps are too many. */
  get hasRoom(): boolean {
    return this.waitingRiders > 0 || this.#unacknowledged < this.#engine.tuning.mostRiders;
  }

  /** Whether starts wait for a worker that is about to take work; not for longer than a store that answers needs for it. */
  get #isHolding(): boolean {
    if (!this.#engine.isAboutToTake) return false;
    return this.#heldSince === undefined || Math.abs(this.#engine.clock.now() - this.#heldSince) < mostHeldMs;
  }

  get #unacknowledged(): number {
    let count = 0;
    for (const riders of this.#riders) count += riders.unacknowledged;
    return count;
  }

  /**
   * The number of runs that a step may start. What it starts this node soon has to report: with so many ends outstanding that a
   * worker would take no more, the runs would have to wait in the queue and be claimed, which costs as much as a start. Ends that ride in
   * the same step do not count.
   */
  #startsBeside(aboard: readonly Rider[]): number {
    const room = this.#engine.tuning.mostRiders + carried(aboard) - this.#unacknowledged;
    // Ends alone make room. Without any aboard, something else delays them, and starts must not wait for it.
    const least = aboard.length > 0 ? 0 : this.#engine.tuning.stepSize;
    return Math.max(least, Math.min(room, startsPerStep));
  }

  async #step(due: DueSelection, starts: number, aboard: readonly Rider[]): Promise<number> {
    if (aboard.length === 0) return await this.#takeDue(due, due, starts);
    const selection: Selection = { kind: 'step', due, runs: aboard.flatMap(({ runIds }) => runIds) };
    let taken: number;
    try {
      taken = await this.#takeDue(selection, due, starts, aboard);
    } catch (error) {
      for (const rider of aboard) rider.failed(error);
      // The ends caused the failure or delayed the step: the due executions are decided without them.
      if (error instanceof RiderLeftBehind) return await this.#takeDue(due, due, starts);
      throw error;
    }
    for (const rider of aboard) rider.committed();
    return taken;
  }

  async #takeDue(
    selection: Selection,
    { limit }: DueSelection,
    starts: number,
    aboard = noRiders,
  ): Promise<number> {
    let decisions = 0;
    let last: Batch | undefined;
    const taken = await this.#engine.transact(
      selection,
      (batch) => {
        decisions += 1;
        last = batch;
        if (aboard.length > 0) ride(batch, aboard, decisions);
        const taken = this.#openDue(batch);
        // A step that may start nothing does not learn whether more is due.
        if (limit > 0 || aboard.length === 0) this.#loop.stepped(limit > 0 && taken >= limit);
        return taken;
      },
      { isolating: true, starts },
    );
    this.#loop.decided(taken, last?.postponed ?? 0);
    return taken;
  }

  /** Rows that came with a run are not necessarily due, nor of an archetype that this node knows. */
  #openDue(batch: Batch): number {
    let taken = 0;
    for (const row of batch.rows) {
      const at = dueTime(row);
      if (at === null || at > batch.now || !this.#engine.knows(row.key.archetype)) continue;
      batch.isolate(row, nothingMore);
      taken += 1;
    }
    return taken;
  }

  /**
   * Some row of a batch inserts a row that exists already (a run under a used id), and the store refuses the whole
   * batch. Then each row is committed alone, and the row that causes the conflict is quarantined.
   */
  async #stepOneByOne(due: Selection): Promise<number> {
    const rows = await this.#engine.store.transact(due, {
      decide: (loaded) => ({ writes: {}, result: loaded.executions }),
    });
    for (const { key, incarnation } of rows) {
      try {
        await this.#engine.transact({ kind: 'keys', keys: [key] }, openAll, isolating);
      } catch (error) {
        if (!isConflict(error)) throw error;
        await this.#engine.transact({ kind: 'keys', keys: [key] }, (batch) => {
          const row = batch.rowOf(key);
          if (row?.incarnation === incarnation) batch.quarantine(row, error);
        });
      }
    }
    return rows.length;
  }
}

/** How long starts wait for a worker that is about to take work, once the store answers. */
const mostHeldMs = 3000;

const isolating = { isolating: true };
const noRiders: readonly Rider[] = [];

/** Decisions over one step after which its riders are left behind: each rerun was caused by rows that other nodes change. */
const mostDecisions = 2;

/** Ends come first: they free starts that waited. */
function ride(batch: Batch, aboard: readonly Rider[], decisions: number): void {
  if (decisions > mostDecisions) throw new RiderLeftBehind(undefined);
  try {
    for (const rider of aboard) rider.decide(batch);
  } catch (error) {
    throw new RiderLeftBehind(error);
  }
}

function carried(aboard: readonly Rider[]): number {
  let count = 0;
  for (const { runIds } of aboard) count += runIds.length;
  return count;
}

/** The tasks of each due execution decide about it. */
function openAll(batch: Batch): number {
  for (const row of batch.rows) batch.isolate(row, nothingMore);
  return batch.rows.length;
}

function nothingMore(): void {}
