/**
 * Waits, in real time, for handlers that do real input and output, before virtual time moves on.
 *
 * A world cannot see what a handler waits for. A handler in the node's `sleep` waits for virtual time; every other handler
 * that is still at work is given real time to finish. A handler that does not finish within the patience waits for something
 * else, such as a signal or a step of the test, so its run is not waited for again until a timer of virtual time has
 * reached its node; after a few such runs their handler is not waited for at all. A handler that never ends therefore costs a
 * test its patience a few times and not at every step.
 */
import type { Clock } from '../base/clock.ts';
import { stopwatch } from '../base/clock.ts';
import { nextTurn } from '../base/next-turn.ts';

/** The runs of one handler that may use up the patience. */
const mostGivenUp = 3;

export class HandlerPatience {
  readonly #ms: number;
  readonly #nodes = new Map<string, NodeWork>();
  readonly #givenUp = new Map<string, number>();

  /** Zero means that no handler is waited for. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Counts the work of a node that has just been built; the work of its previous life is forgotten. */
  watch(node: string): NodeWork {
    const work = new NodeWork();
    this.#nodes.set(node, work);
    return work;
  }

  /** The node died, and its handlers with it. */
  forget(node: string): void {
    this.#nodes.delete(node);
  }

  async wait(): Promise<void> {
    if (this.#ms === 0 || !this.#hasRealWork()) return;
    const until = stopwatch() + this.#ms;
    while (this.#hasRealWork()) {
      if (stopwatch() >= until) {
        this.#giveUp();
        return;
      }
      await nextTurn();
    }
  }

  #hasRealWork(): boolean {
    for (const { running, sleeping } of this.#nodes.values()) if (running.size > sleeping) return true;
    return false;
  }

  #giveUp(): void {
    for (const work of this.#nodes.values()) {
      for (const name of work.abandon()) {
        const count = (this.#givenUp.get(name) ?? 0) + 1;
        this.#givenUp.set(name, count);
        if (count >= mostGivenUp) for (const each of this.#nodes.values()) each.ignored.add(name);
      }
    }
  }
}

/** The handlers at work on one node. */
export class NodeWork {
  /** Names of handlers by run. */
  readonly running = new Map<string, string>();
  /** Runs that are not waited for until a timer fires. */
  readonly #abandoned = new Map<string, string>();
  readonly ignored = new Set<string>();
  /** The calls of the node's `sleep` that have not returned. */
  sleeping = 0;

  began(run: string, name: string): void {
    if (!this.ignored.has(name)) this.running.set(run, name);
  }

  concluded(run: string): void {
    this.running.delete(run);
    if (this.#abandoned.size > 0) this.#abandoned.delete(run);
  }

  /** Returns the names of the handlers that were waited for in vain. */
  abandon(): readonly string[] {
    const names = [...this.running.values()];
    for (const [run, name] of this.running) this.#abandoned.set(run, name);
    this.running.clear();
    return names;
  }

  /** The node's clock as its handlers see it: a timer that fires may be what a handler waits for. */
  clock(clock: Clock): Clock {
    const wakeAt: Clock['wakeAt'] = (at, wake) =>
      clock.wakeAt(at, () => {
        this.#renew();
        wake();
      });
    return { now: () => clock.now(), wakeAt };
  }

  #renew(): void {
    for (const [run, name] of this.#abandoned) this.began(run, name);
    this.#abandoned.clear();
  }

  async sleep(asleep: Promise<void>): Promise<void> {
    this.sleeping += 1;
    try {
      await asleep;
    } finally {
      this.sleeping -= 1;
      this.#renew();
    }
  }
}
