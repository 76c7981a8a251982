/**
 * Decoded cold parts, least recently used first out. Parts are immutable, so an entry can never be stale; the cache
 * only saves reading and parsing, and is bounded by the size of the texts it stands for.
 */
import type { PartRef } from '../store/records.ts';

interface Entry {
  readonly state: unknown;
  readonly size: number;
}

export class PartCache {
  #entries = new Map<string, Entry>();
  #size = 0;
  readonly #limit: number;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get(ref: PartRef): unknown {
    const key = partKey(ref);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.state;
  }

  set(ref: PartRef, state: unknown, size: number): void {
    const key = partKey(ref);
    const previous = this.#entries.get(key);
    if (previous !== undefined) this.#size -= previous.size;
    this.#entries.delete(key);
    this.#entries.set(key, { state, size });
    this.#size += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#limit || oldest === key) break;
      this.#entries.delete(oldest);
      this.#size -= entry.size;
    }
  }
}

export function partKey(ref: PartRef): string {
  return `${ref.incarnation}\n${ref.name}\n${ref.stamp}`;
}
