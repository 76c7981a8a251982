/**
 * Decides about runs whose time is up: waiting runs past their deadline, parked runs without an answer, and own leases
 * of runs that lapsed because a remote worker died. Nodes look after the leases of nodes (`node-lease.ts`). Every
 * node may run a sweeper. It sleeps until the next check time; leases are written without a notification, so it sweeps at least
 * every `longestSleep`, which is shorter than any sensible lease.
 */
import { Loop } from '../base/loop.ts';
import type { Service } from '../base/service.ts';
import { InOrder } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { Engine } from '../engine/engine.ts';
import type { CommittedChange } from '../store/store.ts';
import type { KnowsRun } from './lapsed-runs.ts';
import { checkLapsed } from './lapsed-runs.ts';
import type { NodeLease } from './node-lease.ts';
import type { RunTuning } from './tuning.ts';
import { defaultRunTuning } from './tuning.ts';

export interface RunSweeperOptions {
  readonly engine: Engine;
  readonly node: NodeLease;
  /** Reads which names living workers know, before a run without a worker is ended. Default: every name is known. */
  readonly readRoster?: () => Promise<KnowsRun>;
  readonly tuning?: Partial<RunTuning>;
}

/** The interval between two checks whether this node may sweep. */
const unsettledMs = 1000;

export class RunSweeper implements Service {
  readonly #engine: Engine;
  readonly #node: NodeLease;
  readonly #tuning: RunTuning;
  readonly #readRoster: (() => Promise<KnowsRun>) | undefined;
  readonly #loop: Loop;
  readonly #turns = new InOrder();
  #lastLook = 0 as Instant;
  #unsubscribe: (() => void) | undefined;

  constructor(options: RunSweeperOptions) {
    this.#engine = options.engine;
    this.#node = options.node;
    this.#readRoster = options.readRoster;
    this.#tuning = { ...defaultRunTuning, ...options.tuning };
    const { clock, observer, tuning } = options.engine;
    this.#loop = new Loop({
      clock,
      runOnce: (lateMs) => this.#look(lateMs),
      trouble: (error) => observer.trouble(error),
      longestSleep: tuning.longestSleep,
      outage: options.engine.outage,
      backoff: tuning.backoff,
      longestBackoff: tuning.longestBackoff,
    });
  }

  start(): Promise<void> {
    return this.#turns.run(() => this.#start());
  }

  stop(): Promise<void> {
    return this.#turns.run(() => this.#stop());
  }

  async #start(): Promise<void> {
    // A queued run may have to end before this sleep does; the notification does not say how soon.
    const look = ({ queues }: CommittedChange) => {
      if (queues.length > 0) this.#loop.nudge(addTime(this.#lastLook, this.#tuning.sweepSpacingMs));
    };
    this.#unsubscribe ??= this.#engine.store.subscribe(look, 'runs');
    this.#loop.start();
  }

  async #stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    await this.#loop.stop();
  }

  /** Examines runs by this local time at the latest: one of them was parked, which causes no notification. */
  lookBy(at: Instant): void {
    this.#loop.nudge(at);
  }

  async #look(lateMs: number): Promise<number> {
    const { stallGraceMs, sweepSize, contendedMs } = this.#tuning;
    // When this very process was suspended, answers from outside may be under way.
    if (lateMs > stallGraceMs) return stallGraceMs;
    // After an outage remote workers get time to send heartbeats before they are judged.
    if (!this.#node.maySweep) return unsettledMs;
    await this.#node.adjustLeasesToClock();
    const { clock, store } = this.#engine;
    this.#lastLook = clock.now();
    if ((await checkLapsed(this.#engine, sweepSize, this.#readRoster)) >= sweepSize) return 0;
    const { now, lapsed } = await store.wakeTimes({ archetypes: [] });
    return lapsed === null ? Number.POSITIVE_INFINITY : Math.max(lapsed - now, contendedMs);
  }
}
