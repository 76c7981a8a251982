/**
 * Decoded cold parts of executions, the newest stamp of each. Parts are immutable, so an entry can never be stale; the
 * cache only saves reading and parsing, and is bounded by the size of the texts it stands for.
 *
 * Two generations instead of a strict order of use: whatever was asked for since the last turn survives the next one.
 * A hit is then one look-up, without moving anything.
 */
import type { PartRef } from '../store/records.ts';
import type { StoredDocument } from './document.ts';

interface Entry {
  readonly stamp: number;
  readonly state: unknown;
}

/** What is known of one execution: its parts by name. Held on to by a transaction, it outlives its eviction. */
export class PartBundle extends Map<string, Entry> {
  /**
   * The hot row as this process last wrote it, good for that very text. Not for its version: a store that lost its last
   * commits (a failover, a restored backup) has the same version written anew, and differently.
   */
  document: { readonly state: string; readonly document: StoredDocument } | undefined;
}

/** What an entry costs even when it is empty. */
const bundleSize = 800;

export class PartCache {
  #young = new Map<string, PartBundle>();
  #old = new Map<string, PartBundle>();
  #size = 0;
  readonly #limit: number;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  /** The bundle of an execution, empty when nothing is known of it. */
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

  /** Saves the next transaction the parsing. */
  keep(incarnation: string, state: string, document: StoredDocument): void {
    this.bundle(incarnation).document = { state, document };
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size <= this.#limit / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#size = 0;
  }
}
