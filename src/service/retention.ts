/** Forgets what is old enough, in small bites and in the background. */
import type { Clock } from '../base/clock.ts';
import type { Service } from '../base/service.ts';
import { addTime, day, minute } from '../base/time.ts';
import type { Store } from '../store/store.ts';

/** How long each kind is kept after its end; Infinity: for ever. */
export interface RetentionPolicy {
  readonly closedSchedules: number;
  readonly ledger: number;
  readonly finishedRuns: number;
  readonly events: number;
  readonly audit: number;
}

export const defaultRetention: RetentionPolicy = {
  closedSchedules: 30 * day,
  ledger: 90 * day,
  finishedRuns: 30 * day,
  events: 7 * day,
  audit: 365 * day,
};

/** Rows of each kind per bite: a bite holds up other writers for a few milliseconds. */
const bite = 500;

export interface RetentionSweeperOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly policy: Partial<RetentionPolicy>;
  /** Between two looks; default one minute. */
  readonly pauseMs?: number;
  readonly trouble: (error: unknown) => void;
}

export class RetentionSweeper implements Service {
  readonly #options: RetentionSweeperOptions;
  readonly #policy: RetentionPolicy;
  #running: Promise<void> | undefined;
  #stopping = false;
  #wake: () => void = () => {};

  constructor(options: RetentionSweeperOptions) {
    this.#options = options;
    this.#policy = { ...defaultRetention, ...options.policy };
  }

  async start(): Promise<void> {
    if (this.#running !== undefined) return;
    this.#stopping = false;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake();
    await this.#running;
    this.#running = undefined;
  }

  /** One bite; returns how many rows went. */
  async runOnce(): Promise<number> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const before = (name: string, kept: number) =>
      Number.isFinite(kept) ? { [name]: addTime(now, -kept) } : {};
    return await store.sweep({
      limit: bite,
      ...before('closedBefore', this.#policy.closedSchedules),
      ...before('slotsBefore', this.#policy.ledger),
      ...before('runsFinishedBefore', this.#policy.finishedRuns),
      ...before('eventsBefore', this.#policy.events),
      ...before('auditBefore', this.#policy.audit),
    });
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      let swept = 0;
      try {
        swept = await this.runOnce();
      } catch (error) {
        this.#options.trouble(error);
      }
      if (swept >= bite || this.#stopping) continue;
      await new Promise<void>((resolve) => {
        const { clock, pauseMs = minute } = this.#options;
        const cancel = clock.wakeAt(addTime(clock.now(), pauseMs), resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    }
  }
}
