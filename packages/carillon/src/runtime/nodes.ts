/**
 * Who works on a store: every process says now and then how it does, in the row that is also its lease
 * (`runs/node-lease.ts`). It is there for people who ask why something is late.
 *
 * On a store that only this process can open there is no other to tell, so nothing is written.
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

/** What a node says of itself. */
export interface NodeReport {
  readonly name: string;
  readonly version: string;
  readonly startedAt: Instant;
  /** By the store's clock. */
  readonly seenAt: Instant;
  /** How long the earliest schedule that is due has been waiting; 0 when nothing is. */
  readonly lagMs: number;
  /** Its clock minus the store's; positive: ahead. Known to half the time that asking took. */
  readonly skewMs: number;
  readonly timeZoneVersion: string;
  readonly queues: readonly string[];
  readonly activeRuns: number;
}

export interface NodeView extends NodeReport {
  readonly id: string;
  /** `silent`: it has not been heard of for a while, or was stopped the hard way. */
  readonly state: 'alive' | 'silent';
}

export interface NodesOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Writes what this node says of itself. */
  readonly lease: NodeLease;
  readonly name: string;
  readonly version: string;
  readonly work: () => { readonly queues: readonly string[]; readonly activeRuns: number };
  readonly trouble: (error: unknown) => void;
}

/** Between two reports of a node about itself. */
const reportMs = 10 * second;
/** Nodes listed at once; a fleet is smaller. */
const mostNodes = 1000;

export class Nodes implements Service {
  readonly #options: NodesOptions;
  readonly #loop: Loop;
  readonly #turns = new InOrder();
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
      turn: () => this.#tell(),
      trouble,
      backoff: second,
      longestBackoff: reportMs,
    });
  }

  start(): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#started) return;
      this.#started = true;
      this.#startedAt = this.#options.clock.now();
      if (this.#shared) this.#loop.start();
    });
  }

  stop(): Promise<void> {
    return this.#turns.run(async () => {
      if (!this.#started) return;
      this.#started = false;
      if (this.#shared) await this.#loop.stop();
    });
  }

  /** The nodes of this store, oldest first; this one with what it knows at this moment. */
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
      // A node that has just begun has said nothing of itself yet.
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

  async #tell(): Promise<number> {
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
