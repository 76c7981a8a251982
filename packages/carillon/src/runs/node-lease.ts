/**
 * The lease of this node, which covers every run it works on.
 *
 * On a store that several processes share it is a row (`node-row.ts`) that the node writes anew every `heartbeatMs` and that
 * is good for `leaseMs` of the store's clock. The node takes work and begins handlers only while its own steady clock is
 * before that end, counted from before the heartbeat was sent, and while it has not been suspended since (`trust.ts`). Other
 * nodes end its leases when the row has lapsed and they are settled, at once when a process of the same host finds that
 * its process is gone, and never otherwise. A node whose row says that it is dead tells its handlers and continues under a
 * new name.
 *
 * A store with one owner has no such rows. The process that opens it knows that no other process works on its runs: it releases
 * the leases of the previous process, and afterwards no lease of a node ends by time. Leases of remote workers do, by the wall
 * clock; when that was set, they count anew (`adjustLeasesToClock`).
 */
import type { Clock } from '../base/clock.ts';
import { Loop } from '../base/loop.ts';
import type { Service } from '../base/service.ts';
import { InOrder } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { Engine } from '../engine/engine.ts';
import type { Store } from '../store/store.ts';
import type { NodeState, ProcessMark } from './node-row.ts';
import { newNodeRow, nextNodeRow, nodeKey, nodeStateOf } from './node-row.ts';
import { NodeSweep } from './node-sweep.ts';
import { Trust } from './trust.ts';
import type { RunTuning } from './tuning.ts';
import { defaultRunTuning } from './tuning.ts';

export interface NodeLeaseOptions {
  readonly engine: Engine;
  /** A clock that is never set while the process lives. */
  readonly steadyClock: Clock;
  /** The name shown to people; the first part of the node's own name. */
  readonly name: string;
  readonly newId: () => string;
  /** This process, and whether another process of this host is gone; absent: only silence shows that a node is gone. */
  readonly process?: ProcessTable;
  readonly tuning?: Partial<RunTuning>;
}

export interface ProcessTable {
  readonly own: ProcessMark;
  isGone(other: ProcessMark): boolean;
}

/** Stores with one owner whose leases this process has released. */
const released = new WeakSet<Store>();

export class NodeLease implements Service {
  readonly #options: NodeLeaseOptions;
  readonly #tuning: RunTuning;
  readonly #isShared: boolean;
  readonly #trust: Trust;
  readonly #sweep: NodeSweep;
  readonly #loop: Loop;
  readonly #startsAndStops = new InOrder();
  readonly #lostListeners = new Set<() => void>();
  readonly #readyListeners = new Set<() => void>();
  #id: string;
  #isStarted = false;
  /** Whether the row of the present name was written, as far as this node knows. */
  #isWritten = false;
  /** Steady time until which this node may take work. */
  #leaseEnds = Number.NEGATIVE_INFINITY;
  #isReady = false;
  #hasLookedForGone = false;
  /** The ms by which the clock was set since the leases of remote workers were last renewed. */
  #clockStep = 0;
  #renewal: Promise<void> | undefined;
  #report: unknown = null;

  constructor(options: NodeLeaseOptions) {
    const { engine, steadyClock } = options;
    this.#options = options;
    this.#tuning = { ...defaultRunTuning, ...options.tuning };
    this.#isShared = engine.store.capabilities.shared;
    this.#id = this.#newId();
    const { heartbeatMs } = this.#tuning;
    this.#trust = new Trust({ steady: steadyClock, wall: engine.clock, heartbeatMs });
    this.#sweep = new NodeSweep({ engine, size: this.#tuning.sweepSize });
    this.#loop = new Loop({
      clock: steadyClock,
      runOnce: () => this.#runOnce(),
      trouble: (error) => engine.observer.trouble(error),
      backoff: Math.min(engine.tuning.backoff, heartbeatMs),
      // After an outage, every living node must have sent a heartbeat before any node is settled.
      longestBackoff: heartbeatMs,
      outage: engine.outage,
    });
  }

  /** The name under which this node holds leases. It changes when other nodes declare this one dead. */
  get id(): string {
    return this.#id;
  }

  /** The description of the node for people; written with the next heartbeat. */
  tell(report: unknown): void {
    const isFirst = this.#report === null;
    this.#report = report;
    if (isFirst) this.#loop.nudge();
  }

  /** Whether this node may take work and begin handlers. Sends a heartbeat when it may not. */
  get mayAct(): boolean {
    if (!this.#isShared) return true;
    const may = this.#trust.check() && this.#options.steadyClock.now() < this.#leaseEnds;
    if (may) return true;
    if (this.#isReady) {
      this.#isReady = false;
      this.#loop.nudge();
    }
    return false;
  }

  /** Whether this node may end lapsed leases of other nodes. */
  get maySweep(): boolean {
    return !this.#isShared || (this.mayAct && this.#trust.isSettled);
  }

  /**
   * For a store with one owner, before leases of remote workers are made, extended or judged: they are measured by the wall clock of
   * this process. After that clock was set, or the process was suspended, they count anew, and their attempts have the time left
   * that they had.
   */
  async adjustLeasesToClock(): Promise<void> {
    if (this.#isShared) return;
    this.#clockStep += this.#trust.clockStep();
    while (this.#clockStep !== 0) {
      this.#renewal ??= this.#renewOwnLeases().finally(() => {
        this.#renewal = undefined;
      });
      await this.#renewal;
    }
  }

  async #renewOwnLeases(): Promise<void> {
    const step = this.#clockStep;
    await this.#sweep.renewOwnLeases(step);
    this.#clockStep -= step;
  }

  /** Calls the listener when other nodes have declared this one dead: its runs belong to them. Returns an unsubscribe function. */
  onLost(listener: () => void): () => void {
    this.#lostListeners.add(listener);
    return () => this.#lostListeners.delete(listener);
  }

  /** Calls the listener when this node may act again. Returns an unsubscribe function. */
  onReady(listener: () => void): () => void {
    this.#readyListeners.add(listener);
    return () => this.#readyListeners.delete(listener);
  }

  start(): Promise<void> {
    return this.#startsAndStops.run(async () => {
      if (this.#isStarted) return;
      this.#isStarted = true;
      // Until the first heartbeat is answered this node takes no work; no caller waits for it.
      if (this.#isShared) this.#loop.start();
      else await this.#releaseAll();
    });
  }

  /** Gives back all runs still leased in this node's name, and removes its row. Its workers must have stopped. */
  stop(): Promise<void> {
    return this.#startsAndStops.run(async () => {
      if (!this.#isStarted) return;
      this.#isStarted = false;
      if (!this.#isShared) return;
      await this.#loop.stop();
      const { observer } = this.#options.engine;
      if (this.#isWritten) await this.#sweep.leave(this.#id).catch((error) => observer.trouble(error));
      this.#isWritten = false;
      this.#isReady = false;
      this.#leaseEnds = Number.NEGATIVE_INFINITY;
      this.#id = this.#newId();
    });
  }

  async #releaseAll(): Promise<void> {
    const { store } = this.#options.engine;
    if (released.has(store)) return;
    await this.#sweep.releaseAll();
    released.add(store);
  }

  async #runOnce(): Promise<number> {
    this.#trust.looped();
    const now = await this.#sendHeartbeat();
    const { process } = this.#options;
    if (process !== undefined && !this.#hasLookedForGone) {
      await this.#sweep.takeOverGone(process);
      this.#hasLookedForGone = true;
    }
    if (this.maySweep) await this.#sweep.takeOverSilent(this.#id, now);
    return this.#tuning.heartbeatMs;
  }

  /** Writes the row and returns the store's time. */
  async #sendHeartbeat(): Promise<Instant> {
    const { engine, steadyClock } = this.#options;
    const since = steadyClock.now();
    const id = this.#id;
    const answer = await engine.store.transact<{ readonly now: Instant; readonly isGone: boolean }>(
      { kind: 'keys', keys: [nodeKey(id)] },
      {
        decide: ({ executions: [row], now }) => {
          if (row === undefined) {
            if (this.#isWritten) return { writes: {}, result: { now, isGone: true } };
            return {
              writes: { executions: [newNodeRow(id, this.#state(now), now)] },
              result: { now, isGone: false },
            };
          }
          if (nodeStateOf(row).deadSince !== null) return { writes: {}, result: { now, isGone: true } };
          return {
            writes: { executions: [nextNodeRow(row, this.#state(now))] },
            result: { now, isGone: false },
          };
        },
      },
    );
    if (answer.isGone) {
      this.#lost();
      return await this.#sendHeartbeat();
    }
    this.#isWritten = true;
    this.#leaseEnds = since + this.#tuning.leaseMs;
    this.#trust.answered();
    if (!this.#isReady) {
      this.#isReady = true;
      for (const listener of this.#readyListeners) listener();
    }
    return answer.now;
  }

  #state(now: Instant): NodeState {
    return {
      leaseUntil: addTime(now, this.#tuning.leaseMs),
      seenAt: now,
      deadSince: null,
      process: this.#options.process?.own ?? null,
      report: this.#report,
    };
  }

  #lost(): void {
    this.#id = this.#newId();
    this.#isWritten = false;
    this.#isReady = false;
    this.#leaseEnds = Number.NEGATIVE_INFINITY;
    for (const listener of this.#lostListeners) listener();
  }

  /** On a store with one owner the name of the node is enough. */
  #newId(): string {
    const { name, newId } = this.#options;
    return this.#isShared ? `${name}/${newId()}` : name;
  }
}
