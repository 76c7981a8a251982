/**
 * The cold parts one transaction reads. What the cache has is held on to from the start, so that parts cached on the
 * way cannot push out what this transaction counts on.
 */
import type { ExecutionRow, PartRef } from '../store/records.ts';
import { requestPart } from './commit.ts';
import type { StoredDocument } from './document.ts';
import { documentOf } from './document.ts';
import type { PartCache } from './part-cache.ts';
import { partKey } from './part-cache.ts';
import { partName } from './path.ts';

export class PartHold {
  readonly #cache: PartCache;
  readonly #withRequests: boolean;
  readonly #held = new Map<string, unknown>();

  constructor(cache: PartCache, withRequests: boolean) {
    this.#cache = cache;
    this.#withRequests = withRequests;
  }

  /** Which parts of these rows must be read from the store. */
  missing(rows: readonly ExecutionRow[]): readonly PartRef[] {
    const missing: PartRef[] = [];
    for (const row of rows) {
      for (const ref of this.#refs(row)) {
        const state = this.#cache.get(ref);
        if (state === undefined) missing.push(ref);
        else this.#held.set(partKey(ref), state);
      }
    }
    return missing;
  }

  get(ref: PartRef): unknown {
    return this.#held.get(partKey(ref));
  }

  add(ref: PartRef, data: string): unknown {
    const state = JSON.parse(data) as unknown;
    this.#cache.set(ref, state, data.length);
    this.#held.set(partKey(ref), state);
    return state;
  }

  *#refs(row: ExecutionRow): Generator<PartRef> {
    const document = readable(row);
    if (document === undefined) return;
    const { incarnation } = row;
    for (const path in document.c) {
      const stamp = document.c[path]?.[3];
      if (stamp !== undefined) yield { incarnation, name: partName(path), stamp };
    }
    if (this.#withRequests && document.r !== undefined) {
      yield { incarnation, name: requestPart, stamp: document.r };
    }
  }
}

/** A corrupt document is met again, and dealt with, when its tree is opened. */
function readable(row: ExecutionRow): StoredDocument | undefined {
  try {
    return documentOf(row);
  } catch {
    return undefined;
  }
}
