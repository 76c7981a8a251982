/**
 * Who works on a store: every process says now and then that it is there and how it does. Nothing depends on it (a node
 * that dies leaves nothing to hand over); it is there for people who ask why something is late.
 *
 * On a store that only this process can open there is nobody to tell, so nothing is written.
 */
import type { Clock } from '../base/clock.ts';
import { Loop } from '../base/loop.ts';
import type { Service } from '../base/service.ts';
import { InOrder } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { addTime, hour, second } from '../base/time.ts';
import { timeZoneVersion } from '../spec/index.ts';
import { Documents } from '../store/documents.ts';
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
  readonly newId: () => string;
  readonly name: string;
  readonly version: string;
  readonly work: () => { readonly queues: readonly string[]; readonly activeRuns: number };
  readonly trouble: (error: unknown) => void;
}

const kind = 'node';
/** No namespace of a user's begins so. */
const home = '@nodes';

export const beatMs = 10 * second;
/** Three beats missed. */
const silentAfterMs = 3 * beatMs + 5 * second;
/** The silent ones are remembered so long. */
const forgottenAfterMs = hour;

export class Nodes implements Service {
  readonly #options: NodesOptions;
  readonly #documents: Documents<NodeReport>;
  /** Only a node that is started has a name; one that never starts asks for none. */
  #id = '';
  readonly #loop: Loop;
  readonly #turns = new InOrder();
  readonly #shared: boolean;
  #startedAt: Instant;
  #started = false;

  constructor(options: NodesOptions) {
    const { store, clock, newId, trouble } = options;
    this.#options = options;
    this.#documents = new Documents({ store, kind, newId });
    this.#shared = store.capabilities.shared;
    this.#startedAt = clock.now();
    this.#loop = new Loop({
      clock,
      turn: () => this.#beat(),
      trouble,
      backoff: second,
      longestBackoff: beatMs,
    });
  }

  start(): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#started) return;
      this.#started = true;
      this.#startedAt = this.#options.clock.now();
      this.#id = this.#shared ? this.#options.newId() : 'this';
      if (this.#shared) this.#loop.start();
    });
  }

  stop(): Promise<void> {
    return this.#turns.run(async () => {
      if (!this.#started) return;
      this.#started = false;
      if (!this.#shared) return;
      await this.#loop.stop();
      // Whoever leaves in order leaves no trace; a store that is gone by now may keep it.
      await this.#documents.change(home, this.#id, () => null).catch(this.#options.trouble);
    });
  }

  /** The nodes of this store, oldest first; this one with what it knows at this moment. */
  async list(): Promise<readonly NodeView[]> {
    const own = await this.#report();
    const others = this.#shared ? await this.#documents.all(home) : [];
    const views = others
      .filter(({ id }) => id !== this.#id)
      .map(({ id, data }): NodeView => ({ ...data, id, state: stateOf(data, own.seenAt) }));
    if (this.#started) views.push({ ...own, id: this.#id, state: 'alive' });
    return views.sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
  }

  async #beat(): Promise<number> {
    const report = await this.#report();
    await this.#documents.change(home, this.#id, (_, now) => ({ ...report, seenAt: now }));
    for (const { id, data } of await this.#documents.all(home)) {
      if (report.seenAt - data.seenAt <= forgottenAfterMs) continue;
      await this.#documents.change(home, id, (seen, now) =>
        seen === undefined || now - seen.seenAt > forgottenAfterMs ? null : seen,
      );
    }
    return beatMs;
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

function stateOf({ seenAt }: NodeReport, now: Instant): NodeView['state'] {
  return now - seenAt <= silentAfterMs ? 'alive' : 'silent';
}
