/**
 * Watches the leases of a worker's lasting runs: brings progress into the store, and brings back what the store says
 * about them, who shall stop and who lost its lease. Leases themselves are kept by the node (`node-lease.ts`); a run
 * without progress costs one read every `watchMs`, which covers for a lost notification.
 */
import type { Clock } from '../base/clock.ts';
import { Loop } from '../base/loop.ts';
import type { Instant } from '../base/time.ts';
import type { Engine } from '../engine/engine.ts';
import type { ActiveRun } from './active-run.ts';
import type { Beat, RunQueue } from './run-queue.ts';

export interface HeartbeatOptions {
  readonly queue: RunQueue;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly active: () => Iterable<ActiveRun>;
  readonly progressMs: number;
  readonly watchMs: number;
}

/** Between two looks in ms, however often progress comes and however late the answers do. */
const shortestPause = 20;

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #loop: Loop;
  #lastLook = Number.NEGATIVE_INFINITY;
  #asked = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    const { clock } = options;
    const { observer, tuning, outage } = options.engine;
    this.#loop = new Loop({
      clock,
      runOnce: () => this.#turn(),
      trouble: (error) => observer.trouble(error),
      outage,
      backoff: tuning.backoff,
      longestBackoff: Math.min(tuning.longestBackoff, options.progressMs),
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  /** A handler goes on after its first piece. */
  watch(run: ActiveRun): void {
    this.#loop.nudge(this.#dueOf(run));
  }

  /** No run is under way: there is nothing to watch, and no reason to wake up for it. */
  rest(): void {
    if (!this.#asked) this.#loop.cancelNudges();
  }

  /** There is progress to store. */
  tell(): void {
    this.#loop.nudge(this.#progressDue());
  }

  /** A caller may want one of our runs to end: the store is asked now. */
  ask(): void {
    this.#asked = true;
    this.#loop.nudge();
  }

  #progressDue(): Instant {
    return Math.max(this.#options.clock.now(), this.#lastLook + this.#options.progressMs) as Instant;
  }

  async #turn(): Promise<number> {
    const { clock, active } = this.#options;
    const now = clock.now();
    const held = [...active()].filter((run) => run.holdsLease);
    const looks = this.#asked || held.some((run) => this.#dueOf(run) <= now);
    if (looks) await this.#look(held);
    let next = Number.POSITIVE_INFINITY;
    for (const run of active()) if (run.holdsLease) next = Math.min(next, this.#dueOf(run));
    return Math.max(looks ? shortestPause : 0, next - clock.now());
  }

  #dueOf(run: ActiveRun): Instant {
    const { watchMs, progressMs } = this.#options;
    const watchDue = Math.max(run.since, this.#lastLook) + watchMs;
    return Math.min(watchDue, run.progress === undefined ? watchDue : this.#lastLook + progressMs) as Instant;
  }

  async #look(held: readonly ActiveRun[]): Promise<void> {
    const { queue, clock } = this.#options;
    this.#asked = false;
    this.#lastLook = clock.now();
    const telling = held.filter((run) => run.progress !== undefined);
    const silent = held.filter((run) => run.progress === undefined);
    if (telling.length > 0) {
      const beats = telling.map(beatOf);
      const answers = await queue.extend(beats);
      telling.forEach((run, index) => {
        run.stored(beats[index]?.progress);
        heed(run, answers[index]);
      });
    }
    if (silent.length > 0) {
      const answers = await queue.watch(silent.map(beatOf));
      silent.forEach((run, index) => {
        heed(run, answers[index]);
      });
    }
  }
}

function beatOf({ run, progress }: ActiveRun): Beat {
  const { id, leaseToken: token } = run;
  return progress === undefined ? { id, token } : { id, token, progress };
}

type Answer = Awaited<ReturnType<RunQueue['watch']>>[number] | undefined;

function heed(active: ActiveRun, answer: Answer): void {
  // A handler that ended while the question was on its way has reported for itself.
  if (answer?.state === 'lost' && active.holdsLease)
    active.interrupt('leaseLost', 'the run was taken from this worker');
  if (answer?.state === 'cancel') active.interrupt('cancelled', answer.reason);
}
