/**
 * Watches the leases of a worker's lasting runs: stores progress, and reads from the store
 * which runs have to stop and which lost their lease. The node keeps the leases themselves (`node-lease.ts`); a run
 * without progress costs one read every `watchMs`, which makes up for a lost notification.
 */
import type { Clock } from '../base/clock.ts';
import { Loop } from '../base/loop.ts';
import type { Instant } from '../base/time.ts';
import type { Engine } from '../engine/engine.ts';
import type { ActiveRun, Unstored } from './active-run.ts';
import type { RunHeartbeat, RunQueue } from './run-queue.ts';

export interface HeartbeatOptions {
  readonly queue: RunQueue;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly active: () => Iterable<ActiveRun>;
  readonly progressMs: number;
  readonly linesMs: number;
  readonly watchMs: number;
}

/** The shortest time between two heartbeats in ms, however often progress comes and however late the answers are. */
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
      runOnce: () => this.#runOnce(),
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

  /** Watches a handler that did not finish synchronously. */
  watch(run: ActiveRun): void {
    this.#loop.nudge(this.#dueOf(run));
  }

  /** Called when no run is under way: there is nothing to watch, and no reason to wake up. */
  idle(): void {
    if (!this.#asked) this.#loop.cancelNudges();
  }

  /** Called when there is progress or a line to store. */
  tell(run: ActiveRun): void {
    this.#loop.nudge(this.#dueOf(run));
  }

  /** Called when a caller may have asked for one of our runs to end: the store is asked now. */
  ask(): void {
    this.#asked = true;
    this.#loop.nudge();
  }

  async #runOnce(): Promise<number> {
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
    const { watchMs, progressMs, linesMs } = this.#options;
    const watchDue = Math.max(run.since, this.#lastLook) + watchMs;
    if (!run.hasUnstored) return watchDue as Instant;
    return Math.min(watchDue, this.#lastLook + (run.hasLines ? linesMs : progressMs)) as Instant;
  }

  async #look(held: readonly ActiveRun[]): Promise<void> {
    const { queue, clock } = this.#options;
    this.#asked = false;
    this.#lastLook = clock.now();
    const telling: { readonly run: ActiveRun; readonly unstored: Unstored }[] = [];
    const silent: ActiveRun[] = [];
    for (const run of held) {
      const { unstored } = run;
      if (unstored === undefined) silent.push(run);
      else telling.push({ run, unstored });
    }
    if (telling.length > 0) {
      const answers = await queue.extend(
        telling.map(({ run, unstored }) => ({ ...heartbeatOf(run), ...unstored })),
      );
      telling.forEach(({ run, unstored }, index) => {
        run.stored(unstored);
        applyAnswer(run, answers[index]);
      });
    }
    if (silent.length > 0) {
      const answers = await queue.watch(silent.map(heartbeatOf));
      silent.forEach((run, index) => {
        applyAnswer(run, answers[index]);
      });
    }
  }
}

function heartbeatOf({ run }: ActiveRun): RunHeartbeat {
  return { id: run.id, token: run.leaseToken };
}

type Answer = Awaited<ReturnType<RunQueue['watch']>>[number] | undefined;

/** Interrupts the handler when the answer asks for it. */
function applyAnswer(active: ActiveRun, answer: Answer): void {
  // A handler that ended while the query was under way has reported for itself.
  if (answer?.state === 'lost' && active.holdsLease)
    active.interrupt('leaseLost', 'the run was taken from this worker');
  if (answer?.state === 'terminated' && active.holdsLease) active.interrupt('terminated', answer.reason);
  if (answer?.state === 'cancel') active.interrupt('cancelled', answer.reason);
}
