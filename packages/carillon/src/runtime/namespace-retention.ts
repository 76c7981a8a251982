/**
 * Removes finished runs of namespaces that keep them for a shorter time than the server. What the server keeps is the upper
 * bound: one sweep over all namespaces has removed everything older.
 */
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import { Documents, namespaceKind } from '../store/documents.ts';
import type { Store } from '../store/store.ts';

export interface KeptByNamespace {
  /** How long finished runs of the namespace are kept; absent: as long as the server says. */
  readonly retentionMs?: number;
}

export interface NamespaceSweep {
  readonly now: Instant;
  /** How long the server keeps finished runs. */
  readonly keptMs: number;
  /** The runs of each namespace that one batch examines. */
  readonly limit: number;
}

export class NamespaceRetention {
  readonly #store: Store;
  readonly #documents: Documents<KeptByNamespace>;
  /** The place where the walk over a namespace's runs continues, from the oldest on. */
  readonly #after = new Map<string, string>();

  constructor(store: Store) {
    this.#store = store;
    const newId = () => {
      throw new Error('retention writes no documents');
    };
    this.#documents = new Documents({ store, kind: namespaceKind, newId });
  }

  /** Examines one batch of each namespace; returns the number of runs removed. */
  async sweep({ now, keptMs, limit }: NamespaceSweep): Promise<number> {
    let removed = 0;
    for (const { namespace, data } of await this.#documents.all()) {
      const { retentionMs } = data;
      if (retentionMs === undefined || retentionMs >= keptMs) continue;
      removed += await this.#sweepOne(namespace, addTime(now, -retentionMs), limit);
    }
    return removed;
  }

  async #sweepOne(namespace: string, before: Instant, limit: number): Promise<number> {
    const after = this.#after.get(namespace);
    const { items, next } = await this.#store.runs({
      namespace,
      states: ['done'],
      order: 'ascending',
      payloads: false,
      limit,
      ...(after === undefined ? {} : { after }),
    });
    const old = items.filter(({ finishedAt }) => finishedAt !== null && finishedAt < before);
    // Ids begin with the time of the start, so after a batch without an old run only younger ones follow.
    if (old.length === 0 || next === null) this.#after.delete(namespace);
    else this.#after.set(namespace, next);
    if (old.length === 0) return 0;
    const { rows } = await this.#store.sweep({ limit, finishedRuns: old.map(({ id }) => id) });
    return rows;
  }
}
