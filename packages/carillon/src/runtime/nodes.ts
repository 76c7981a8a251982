/**
 * The nodes of a store. Every process writes a report about itself now and then, into the row that is also its lease
 * (`runs/node-lease.ts`). The reports help people to find out why something is late.
 *
 * On a store that only this process can open there is no other reader, so nothing is written.
 */
import type { Clock } from '../base/clock.ts';
import { Loop } from '../base/loop.ts';
import type { Service } from '../base/service.ts';
import { InOrder } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { addTime, second } from '../base/time.ts';
import type { NodeLease } from '../runs/node-lease.ts';
import { isSilent, nodeArchetype, nodeNamespace, nodeStateOf } from '../runs/node-row.ts';
import { timeZoneVersion } from '../spec/index.ts';
import type { Store } from '../store/store.ts';

/** A node's report about itself. */
export interface NodeReport {
  readonly name: string;
  readonly version: string;
  readonly startedAt: Instant;
  /** The time of the report, by the store's clock. */
  readonly seenAt: Instant;
  /** How long the earliest due schedule has been waiting; 0 when none is due. */
  readonly lagMs: number;
  /**
   * The node's clock minus the store's; positive when the node is ahead. The error is at most half the round trip of
   * the measurement.
   */
  readonly skewMs: number;
  readonly timeZoneVersion: string;
  readonly queues: readonly string[];
  /** The handlers of each queue; null: it takes every run of the queue. */
  readonly handlers: Readonly<Record<string, readonly string[] | null>>;
  readonly activeRuns: number;
}

export interface NodeView extends NodeReport {
  readonly id: string;
  /** `silent`: the node has not reported for a while, or was killed. */
  readonly state: 'alive' | 'silent';
}

export interface NodesOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The lease whose row carries this node's report. */
  readonly lease: NodeLease;
  readonly name: string;
  readonly version: string;
  readonly work: () => Pick<NodeReport, 'queues' | 'handlers' | 'activeRuns'>;
  readonly trouble: (error: unknown) => void;
}

/** Ms between two reports of a node. */
const reportMs = 10 * second;
/** The most nodes listed at once; real clusters are smaller. */
const mostNodes = 1000;

export class Nodes implements Service {
  readonly #options: NodesOptions;
  readonly #loop: Loop;
  readonly #inOrder = new InOrder();
  readonly #shared: boolean;
  #startedAt: Instant;
  #started = false;

  constructor(options: NodesOptions) {
    const { store, clock, trouble } = options;
    this.#options = options;
    this.#shared = store.capabilities.shared;
    this.#startedAt = clock.now();
    this.#loop = new Loop({
      clock,
      runOnce: () => this.#publish(),
      trouble,
      backoff: second,
      longestBackoff: reportMs,
    });
  }

  start(): Promise<void> {
    return this.#inOrder.run(async () => {
      if (this.#started) return;
      this.#started = true;
      this.#startedAt = this.#options.clock.now();
      if (this.#shared) this.#loop.start();
    });
  }

  stop(): Promise<void> {
    return this.#inOrder.run(async () => {
      if (!this.#started) return;
      this.#started = false;
      if (this.#shared) await this.#loop.stop();
    });
  }

  /** Lists the nodes of this store, oldest first; this node with its present state. */
  async list(): Promise<readonly NodeView[]> {
    const { lease } = this.#options;
    const own = await this.#report();
    const views = this.#shared ? await this.#others(own.seenAt) : [];
    if (this.#started) views.push({ ...own, id: this.#shared ? lease.id : 'this', state: 'alive' });
    return views.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
  }

  async #others(now: Instant): Promise<NodeView[]> {
    const { store, lease } = this.#options;
    const { items } = await store.list({
      namespace: nodeNamespace,
      archetype: nodeArchetype,
      limit: mostNodes,
    });
    const views: NodeView[] = [];
    for (const row of items) {
      const state = nodeStateOf(row);
      // A node that has just started has not reported yet.
      if (row.incarnation === lease.id || state.report === null) continue;
      const report = state.report as NodeReport;
      const { seenAt } = state;
      views.push({
        ...report,
        seenAt,
        id: row.incarnation,
        state: isSilent(state, now) ? 'silent' : 'alive',
      });
    }
    return views;
  }

  async #publish(): Promise<number> {
    this.#options.lease.tell(await this.#report());
    return reportMs;
  }

  async #report(): Promise<NodeReport> {
    const { store, clock, name, version, work } = this.#options;
    const before = clock.now();
    const { now, due } = await store.wakeTimes({});
    const after = clock.now();
    return {
      name,
      version,
      startedAt: this.#startedAt,
      seenAt: now,
      lagMs: due === null ? 0 : Math.max(0, now - due),
      skewMs: Math.round(addTime(before, (after - before) / 2) - now),
      timeZoneVersion: timeZoneVersion(),
      ...work(),
    };
  }
}
