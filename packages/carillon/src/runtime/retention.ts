/** Deletes old records in small batches, in the background. */
import type { Clock } from '../base/clock.ts';
import { Loop } from '../base/loop.ts';
import type { Service } from '../base/service.ts';
import { InOrder } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { addTime, minute } from '../base/time.ts';
import type { Store, Swept } from '../store/store.ts';
import { NamespaceRetention } from './namespace-retention.ts';
import type { RetentionPolicy } from './retention-policy.ts';
import { defaultRetention } from './retention-policy.ts';

/** Rows of each kind, and executions checked, per batch. A batch delays other writers for a few milliseconds. */
const batchSize = 500;

/**
 * Ms between two batches of a walk that found little. SQLite checks 50 schedules per batch in a quarter of a
 * millisecond: a million take half an hour, at a quarter of a percent of a core.
 */
const walkPause = 100;

export interface RetentionSweeperOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly policy: Partial<RetentionPolicy>;
  /** Ms between two walks; default one minute. */
  readonly pauseMs?: number;
  readonly trouble: (error: unknown) => void;
}

export class RetentionSweeper implements Service {
  readonly #options: RetentionSweeperOptions;
  readonly #policy: RetentionPolicy;
  readonly #namespaces: NamespaceRetention;
  readonly #loop: Loop;
  readonly #inOrder = new InOrder();
  /** The position at which the walk over the executions continues. */
  #after: string | null = null;

  constructor(options: RetentionSweeperOptions) {
    this.#options = options;
    this.#policy = { ...defaultRetention, ...options.policy };
    const { store, clock, pauseMs = minute } = options;
    this.#namespaces = new NamespaceRetention(store);
    this.#loop = new Loop({
      clock,
      runOnce: () => this.#sweepBatch(),
      trouble: (error) => {
        this.#after = null;
        options.trouble(error);
      },
      backoff: pauseMs,
      longestBackoff: pauseMs,
    });
  }

  start(): Promise<void> {
    return this.#inOrder.run(async () => this.#loop.start());
  }

  stop(): Promise<void> {
    return this.#inOrder.run(() => this.#loop.stop());
  }

  /** Processes one batch and returns the number of deleted rows. */
  async runOnce(): Promise<number> {
    const { store } = this.#options;
    // The store's clock decides: a node whose clock is a year ahead must not delete a year of records.
    const { now } = await store.wakeTimes({ archetypes: [] });
    const isNewWalk = this.#after === null;
    const { rows, next } = await this.#sweep(now);
    this.#after = next;
    if (!isNewWalk) return rows;
    const keptMs = this.#policy.finishedRuns;
    return rows + (await this.#namespaces.sweep({ now, keptMs, limit: batchSize }));
  }

  async #sweep(now: Instant): Promise<Swept> {
    const { store } = this.#options;
    const policy = this.#policy;
    const before = (name: string, kept: number) =>
      Number.isFinite(kept) ? { [name]: addTime(now, -kept) } : {};
    const upTo = (name: string, count: number) => (Number.isFinite(count) ? { [name]: count } : {});
    return await store.sweep({
      limit: batchSize,
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

  async #sweepBatch(): Promise<number> {
    const { pauseMs = minute } = this.#options;
    if ((await this.runOnce()) >= batchSize) return 0;
    return this.#after === null ? pauseMs : Math.min(walkPause, pauseMs);
  }
}
