/**
 * Keeps the leases of a worker alive, all of them in one transaction at a third of the lease, and brings back what the
 * store says about them: who shall stop, and who lost its lease. Progress travels with the beat.
 */
import type { Clock } from '../base/clock.ts';
import { Loop } from '../base/loop.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { Engine } from '../engine/engine.ts';
import type { ActiveRun } from './active-run.ts';
import type { RunQueue } from './run-queue.ts';

export interface HeartbeatOptions {
  readonly queue: RunQueue;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly active: () => Iterable<ActiveRun>;
  readonly progressMs: number;
}

/** Between two beats in ms, however short a lease is and however late the answers come. */
const shortestPause = 20;

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #loop: Loop;
  #lastBeat = Number.NEGATIVE_INFINITY;
  #asked = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    const { clock } = options;
    const { observer, tuning } = options.engine;
    this.#loop = new Loop({
      clock,
      turn: () => this.#turn(),
      trouble: (error) => observer.trouble(error),
      outage: options.engine.outage,
      backoff: tuning.backoff,
      // A longer pause would cost leases that the next beat could have kept.
      longestBackoff: Math.min(tuning.longestBackoff, options.progressMs),
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  /** A run began. */
  watch(run: ActiveRun): void {
    this.#loop.nudge(run.beatDue);
  }

  /** No run is under way: there is nothing to keep alive, and no reason to wake up for it. */
  rest(): void {
    if (!this.#asked) this.#loop.calm();
  }

  /** There is progress to tell. */
  tell(): void {
    this.#loop.nudge(this.#progressDue());
  }

  /** Somebody may want one of our runs to end: ask the store now. */
  ask(): void {
    this.#asked = true;
    this.#loop.nudge();
  }

  #progressDue(): Instant {
    return Math.max(this.#options.clock.now(), this.#lastBeat + this.#options.progressMs) as Instant;
  }

  async #turn(): Promise<number> {
    const { clock, active } = this.#options;
    const now = clock.now();
    const held = [...active()].filter((run) => run.holdsLease);
    const beats = this.#asked || held.some((run) => this.#dueOf(run) <= now);
    if (beats) await this.#beat(held);
    let next = Number.POSITIVE_INFINITY;
    for (const run of active()) if (run.holdsLease) next = Math.min(next, this.#dueOf(run));
    return Math.max(beats ? shortestPause : 0, next - clock.now());
  }

  #dueOf(run: ActiveRun): Instant {
    return run.progress === undefined
      ? run.beatDue
      : (Math.min(run.beatDue, addTime(this.#lastBeat as Instant, this.#options.progressMs)) as Instant);
  }

  async #beat(held: readonly ActiveRun[]): Promise<void> {
    this.#asked = false;
    const since = this.#options.clock.now();
    this.#lastBeat = since;
    if (held.length === 0) return;
    const beats = held.map(({ run, progress }) => ({
      id: run.id,
      token: run.leaseToken,
      ...(progress === undefined ? {} : { progress }),
    }));
    const answers = await this.#options.queue.extend(beats);
    held.forEach((active, index) => {
      const answer = answers[index];
      if (answer?.state === 'lost') active.interrupt('leaseLost', 'the run was taken from this worker');
      else active.extended(since, beats[index]?.progress);
      if (answer?.state === 'cancel') active.interrupt('cancelled', answer.reason);
    });
  }
}
