/**
 * The steps of a node: each takes the executions whose time has come and the ends of runs that wait, and decides and commits them
 * in one transaction. Ends are committed with the starts that follow from them, so that a busy node needs no commits for ends alone.
 */
import type { Service } from '../base/service.ts';
import { dueTime } from '../store/change.ts';
import { isConflict } from '../store/error.ts';
import type { DueSelection, Selection } from '../store/store.ts';
import type { Batch } from './batch.ts';
import type { Engine } from './engine.ts';
import { EngineLoop } from './engine-loop.ts';
import type { JoinedChanges, WaitingChanges } from './joined-changes.ts';
import { JoinRefused } from './joined-changes.ts';
import { startsPerStep } from './work.ts';

export class Stepper implements Service {
  readonly #engine: Engine;
  readonly #loop: EngineLoop;
  #waiting: readonly WaitingChanges[] = [];
  /** When the store first answered since starts wait for a worker; undefined when they do not wait. */
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

  /** From now on, steps commit the changes that wait there. Returns a function that ends it. */
  commitWithSteps(changes: WaitingChanges): () => void {
    this.#waiting = [...this.#waiting, changes];
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== changes);
    };
  }

  /** Whether the engine is stepping, so that waiting changes will be committed by a step. */
  get isStepping(): boolean {
    return this.#loop.isOn;
  }

  /** Says that changes wait: the next step comes at once. */
  wake(): void {
    this.#loop.wake();
  }

  /** Commits what still waits after the last step, without a step. */
  commitAlone(): void {
    for (const changes of this.#waiting) changes.commitAlone();
  }

  /** The number of changes that wait for a step. */
  get waitingChanges(): number {
    let waiting = 0;
    for (const changes of this.#waiting) waiting += changes.waiting;
    return waiting;
  }

  /** One transaction over due executions, and over ends of runs that wait. Returns how many due executions it took. */
  async runOnce(limit: number): Promise<number> {
    const began = this.#engine.clock.now();
    const joined = this.#takeWaiting();
    const isHolding = this.#isHolding;
    const starts = isHolding ? 0 : this.#startsBeside(joined);
    const due: DueSelection = {
      kind: 'due',
      limit: Math.min(limit, starts),
      archetypes: this.#engine.archetypes,
    };
    let taken: number;
    try {
      taken = await this.#step(due, starts, joined);
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

  #takeWaiting(): readonly JoinedChanges[] {
    if (this.#waiting.length === 0) return noneJoined;
    const joined: JoinedChanges[] = [];
    let room = this.#engine.tuning.mostJoined;
    for (const changes of this.#waiting) {
      const taken = room > 0 ? changes.take(room) : undefined;
      if (taken === undefined) continue;
      joined.push(taken);
      room -= taken.runIds.length;
    }
    return joined;
  }

  /** Whether a step would commit ends or start runs. False while other steps are committing too many ends. */
  get hasRoom(): boolean {
    return this.waitingChanges > 0 || this.#unacknowledged < this.#engine.tuning.mostJoined;
  }

  /** Whether starts wait for a worker that is about to take work; not for longer than a store that answers needs for it. */
  get #isHolding(): boolean {
    if (!this.#engine.isAboutToTake) return false;
    return this.#heldSince === undefined || Math.abs(this.#engine.clock.now() - this.#heldSince) < mostHeldMs;
  }

  get #unacknowledged(): number {
    let count = 0;
    for (const changes of this.#waiting) count += changes.unacknowledged;
    return count;
  }

  /**
   * The number of runs that a step may start. This node soon has to report the ends of these runs. If so many ends were
   * outstanding that a worker took no more work, the runs would have to wait in the queue and be claimed, which costs
   * as much as a start. Ends that join the same step do not count.
   */
  #startsBeside(joined: readonly JoinedChanges[]): number {
    const room = this.#engine.tuning.mostJoined + runsIn(joined) - this.#unacknowledged;
    // Only ends make room. When none has joined the step, something else delays them, and starts must not wait for it.
    const least = joined.length > 0 ? 0 : this.#engine.tuning.stepSize;
    return Math.max(least, Math.min(room, startsPerStep));
  }

  async #step(due: DueSelection, starts: number, joined: readonly JoinedChanges[]): Promise<number> {
    if (joined.length === 0) return await this.#takeDue(due, due, starts);
    const selection: Selection = { kind: 'step', due, runs: joined.flatMap(({ runIds }) => runIds) };
    let taken: number;
    try {
      taken = await this.#takeDue(selection, due, starts, joined);
    } catch (error) {
      for (const changes of joined) changes.failed(error);
      // The ends caused the failure or delayed the step: the due executions are decided without them.
      if (error instanceof JoinRefused) return await this.#takeDue(due, due, starts);
      throw error;
    }
    for (const changes of joined) changes.committed();
    return taken;
  }

  async #takeDue(
    selection: Selection,
    { limit }: DueSelection,
    starts: number,
    joined = noneJoined,
  ): Promise<number> {
    let decisions = 0;
    let last: Batch | undefined;
    const taken = await this.#engine.transact(
      selection,
      (batch) => {
        decisions += 1;
        last = batch;
        if (joined.length > 0) decideJoined(batch, joined, decisions);
        const taken = this.#openDue(batch);
        // A step that may start nothing does not learn whether more is due.
        if (limit > 0 || joined.length === 0) this.#loop.stepped(limit > 0 && taken >= limit);
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
const noneJoined: readonly JoinedChanges[] = [];

/** Decisions over one step after which its joined changes are committed separately: each rerun was caused by rows that other nodes change. */
const mostDecisions = 2;

/** Ends come first: they free starts that waited. */
function decideJoined(batch: Batch, joined: readonly JoinedChanges[], decisions: number): void {
  if (decisions > mostDecisions) throw new JoinRefused(undefined);
  try {
    for (const changes of joined) changes.decide(batch);
  } catch (error) {
    throw new JoinRefused(error);
  }
}

function runsIn(joined: readonly JoinedChanges[]): number {
  let count = 0;
  for (const { runIds } of joined) count += runIds.length;
  return count;
}

/** The tasks of each due execution decide about it. */
function openAll(batch: Batch): number {
  for (const row of batch.rows) batch.isolate(row, nothingMore);
  return batch.rows.length;
}

function nothingMore(): void {}
