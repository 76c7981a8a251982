/**
 * Decoded cold parts of executions, the newest stamp of each. Parts are immutable, so an entry can never be stale; the
 * cache only saves reading and parsing, and is bounded by the size of the texts it stands for.
 *
 * Two generations instead of a strict order of use: whatever was asked for since the last turn survives the next one.
 * A hit is then one look-up, without moving anything.
 */
import type { PartRef } from '../store/records.ts';

interface Entry {
  readonly stamp: number;
  readonly state: unknown;
}

/** The parts of one execution by name. Held on to by a transaction, it outlives its eviction. */
export type PartBundle = Map<string, Entry>;

/** What an entry costs even when it is empty. */
const bundleSize = 200;

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
    const bundle: PartBundle = this.#old.get(incarnation) ?? new Map();
    this.#young.set(incarnation, bundle);
    this.#grow(bundleSize);
    return bundle;
  }

  set(ref: PartRef, state: unknown, size: number): void {
    this.bundle(ref.incarnation).set(ref.name, { stamp: ref.stamp, state });
    this.#grow(size);
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size <= this.#limit / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#size = 0;
  }
}
