/**
 * Silences: spans of time in which no node was alive. They cannot be found afterwards, so the first node that starts
 * after one records it: from the moment the last node stopped or last reported, to its own start. The explanation of
 * a late or missed slot mentions it.
 *
 * The start of a silence is, in this order: when the last node stopped in order; the last heartbeat of any node; and,
 * on a store without heartbeats (one owner) after a crash, the time of the earliest overdue task, because no node can
 * have been alive after it.
 */
import type { Service } from '../base/service.ts';
import { InOrder } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { second } from '../base/time.ts';
import { nodeArchetype, nodeNamespace, nodeStateOf } from '../runs/node-row.ts';
import { Documents } from '../store/documents.ts';
import type { Store } from '../store/store.ts';

export interface Silence {
  readonly from: Instant;
  readonly to: Instant;
}

interface Presence {
  /** When the last node stopped in order; null while one is alive, or when it did not stop in order. */
  readonly leftAt: Instant | null;
  /** The silences, oldest first. */
  readonly silences: readonly Silence[];
}

export interface SilencesOptions {
  readonly store: Store;
  readonly newId: () => string;
  /** Ms a silence is kept: as long as the verdicts it explains. */
  readonly keepMs: number;
  readonly trouble: (error: unknown) => void;
}

const kind = 'presence';
const id = 'nodes';
/** No namespace of a user begins like this. */
const home = '@presence';
/** A shorter restart is not recorded, because its slots still start in time. */
const shortest = second;
/**
 * Three heartbeats. A lease lasts longer, because it must never end too early; a wrong silence would only be a wrong
 * text.
 */
const aliveMs = 6 * second;
/** The most silences that are kept; the newest stay. */
const mostKept = 1000;
/** The most nodes that are read; real clusters are smaller. */
const mostNodes = 1000;

export class Silences implements Service {
  readonly #options: SilencesOptions;
  readonly #documents: Documents<Presence>;
  readonly #inOrder = new InOrder();
  #started = false;

  constructor(options: SilencesOptions) {
    const { store, newId } = options;
    this.#options = options;
    this.#documents = new Documents({ store, kind, newId });
  }

  /** Called before any other part of this node starts, while the due times and the leases still show the state before. */
  start(): Promise<void> {
    return this.#inOrder.run(async () => {
      if (this.#started) return;
      this.#started = true;
      try {
        await this.#began();
      } catch (error) {
        // The node starts even if this fails, because its work matters more than this record.
        this.#options.trouble(error);
      }
    });
  }

  /** Called after every other part of this node has stopped. */
  stop(): Promise<void> {
    return this.#inOrder.run(async () => {
      if (!this.#started) return;
      this.#started = false;
      try {
        const { isAlive } = await this.#signs();
        if (isAlive) return;
        await this.#documents.change(home, id, (before, now) => ({
          leftAt: now,
          silences: before?.silences ?? [],
        }));
      } catch (error) {
        // If the store cannot be reached any more, the last heartbeat marks the start of the silence.
        this.#options.trouble(error);
      }
    });
  }

  /** The silences, oldest first. */
  async list(): Promise<readonly Silence[]> {
    return (await this.#documents.get(home, id))?.data.silences ?? [];
  }

  async #began(): Promise<void> {
    const { heardAt, isAlive, due } = await this.#signs();
    await this.#documents.change(home, id, (before, now) => {
      const { leftAt, silences } = before ?? { leftAt: null, silences: [] };
      if (isAlive) return leftAt === null && before !== undefined ? before : { leftAt: null, silences };
      const last = leftAt ?? heardAt ?? (before === undefined ? null : due);
      const from = Math.max(last ?? now, silences.at(-1)?.to ?? 0) as Instant;
      if (now - from < shortest) return { leftAt: null, silences };
      return { leftAt: null, silences: this.#kept([...silences, { from, to: now }], now) };
    });
  }

  #kept(silences: readonly Silence[], now: Instant): readonly Silence[] {
    return silences.filter(({ to }) => now - to <= this.#options.keepMs).slice(-mostKept);
  }

  async #signs(): Promise<{
    readonly heardAt: Instant | null;
    readonly isAlive: boolean;
    readonly due: Instant | null;
  }> {
    const { store } = this.#options;
    const { now, due } = await store.wakeTimes({});
    if (!store.capabilities.shared) return { heardAt: null, isAlive: false, due };
    const { items } = await store.list({
      namespace: nodeNamespace,
      archetype: nodeArchetype,
      limit: mostNodes,
    });
    const states = items.map(nodeStateOf);
    const heardAt = states.reduce<Instant | null>(
      (latest, { seenAt }) => (latest === null || seenAt > latest ? seenAt : latest),
      null,
    );
    const isAlive = states.some(({ seenAt, deadSince }) => deadSince === null && now - seenAt <= aliveMs);
    return { heardAt, isAlive, due };
  }
}
