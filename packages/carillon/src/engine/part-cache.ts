/**
 * Decoded cold parts of executions, the newest stamp of each, and the trees last committed. Parts are immutable, and a
 * tree is good for one text only, so an entry is never stale while the store keeps what it acknowledged; the cache only
 * saves reading and parsing, and is bounded by the size of the cached texts.
 *
 * A store that lost acknowledged commits (a failover, a restored backup) gives their stamps to other texts. So everything
 * is dropped when the store reports that this may have happened, and when a row is older than a cached part.
 *
 * Two generations instead of a strict order of use: every entry used since the last change of generations survives the next one.
 * A hit is then one lookup, without moving anything.
 */
import type { PartRef } from '../store/records.ts';
import { KeptTree } from './kept-tree.ts';
import type { Tree } from './tree.ts';

export interface Entry {
  readonly stamp: number;
  readonly state: unknown;
}

/** The cached data of one execution: its parts by name, and its kept tree. A transaction that holds it outlives its eviction. */
export class PartBundle extends Map<string, Entry> {
  readonly tree = new KeptTree();
  /** A stamp is the version of the row that wrote it, so a row of a lower version does not refer to it. */
  newestStamp = 0;

  override set(name: string, entry: Entry): this {
    if (entry.stamp > this.newestStamp) this.newestStamp = entry.stamp;
    return super.set(name, entry);
  }
}

/** The cost of an entry by itself, its tree included. */
const bundleSize = 2000;

export class PartCache {
  #young = new Map<string, PartBundle>();
  #old = new Map<string, PartBundle>();
  #size = 0;
  readonly #limit: number;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  /** The bundle of an execution, empty when nothing of it is cached. */
  bundle(incarnation: string): PartBundle {
    const young = this.#young.get(incarnation);
    if (young !== undefined) return young;
    const bundle = this.#old.get(incarnation) ?? new PartBundle();
    this.#young.set(incarnation, bundle);
    this.#grow(bundleSize);
    return bundle;
  }

  set(ref: PartRef, state: unknown, size: number): void {
    this.bundle(ref.incarnation).set(ref.name, { stamp: ref.stamp, state });
    this.#grow(size);
  }

  /** Drops everything: cached data may never have been stored. */
  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#size = 0;
  }

  keep(state: string, tree: Tree): void {
    this.bundle(tree.incarnation).tree.keep(state, tree);
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size <= this.#limit / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#size = 0;
  }
}
