/** Forgets what is old enough, in small bites and in the background. */
import type { Clock } from '../base/clock.ts';
import { Loop } from '../base/loop.ts';
import type { Service } from '../base/service.ts';
import { InOrder } from '../base/service.ts';
import { addTime, minute } from '../base/time.ts';
import type { Store, Swept } from '../store/store.ts';
import type { RetentionPolicy } from './retention-policy.ts';
import { defaultRetention } from './retention-policy.ts';

/** Rows of each kind, and executions looked at, per bite: a bite holds up other writers for a few milliseconds. */
const bite = 500;

/**
 * Ms between two bites of a walk that found little. SQLite looks at 50 schedules per bite, in a quarter of a
 * millisecond: a million are walked over in half an hour, for a quarter of a percent of a core.
 */
const walkPause = 100;

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
  readonly #loop: Loop;
  readonly #turns = new InOrder();
  /** Where the walk over the executions goes on. */
  #after: string | null = null;

  constructor(options: RetentionSweeperOptions) {
    this.#options = options;
    this.#policy = { ...defaultRetention, ...options.policy };
    const { clock, pauseMs = minute } = options;
    this.#loop = new Loop({
      clock,
      turn: () => this.#turn(),
      trouble: (error) => {
        this.#after = null;
        options.trouble(error);
      },
      backoff: pauseMs,
      longestBackoff: pauseMs,
    });
  }

  start(): Promise<void> {
    return this.#turns.run(async () => this.#loop.start());
  }

  stop(): Promise<void> {
    return this.#turns.run(() => this.#loop.stop());
  }

  /** One bite; returns how many rows went. */
  async runOnce(): Promise<number> {
    const { rows, next } = await this.#sweep();
    this.#after = next;
    return rows;
  }

  async #sweep(): Promise<Swept> {
    const { store } = this.#options;
    // By the store's clock: a node whose own is a year ahead must not forget everybody's year.
    const { now } = await store.wakeTimes({ archetypes: [] });
    const policy = this.#policy;
    const before = (name: string, kept: number) =>
      Number.isFinite(kept) ? { [name]: addTime(now, -kept) } : {};
    const upTo = (name: string, count: number) => (Number.isFinite(count) ? { [name]: count } : {});
    return await store.sweep({
      limit: bite,
      ...before('closedBefore', policy.closedSchedules),
      ...before('slotsBefore', policy.ledger),
      ...before('runsFinishedBefore', policy.finishedRuns),
      ...before('eventsBefore', policy.events),
      ...before('auditBefore', policy.audit),
      ...upTo('slotsPerExecution', policy.ledgerRows),
      ...upTo('runsPerOwner', policy.runsPerSchedule),
      ...upTo('partsPerName', policy.definitionVersions),
      ...before('countedBefore', policy.uncounted),
      ...(this.#after === null ? {} : { after: this.#after }),
    });
  }

  async #turn(): Promise<number> {
    const { pauseMs = minute } = this.#options;
    if ((await this.runOnce()) >= bite) return 0;
    return this.#after === null ? pauseMs : Math.min(walkPause, pauseMs);
  }
}
