/**
 * The rows that one attempt at a transaction has read: their parsed documents, and their cold parts. Cached parts are
 * held from the start, so that parts cached meanwhile cannot evict what this transaction needs.
 */
import type { ExecutionRow, PartRef } from '../store/records.ts';
import { requestPart } from './commit.ts';
import type { StoredDocument } from './document.ts';
import { readDocument } from './document.ts';
import { TakenTrees } from './kept-tree.ts';
import type { PartBundle, PartCache } from './part-cache.ts';
import { partName } from './path.ts';
import type { Tree } from './tree.ts';

export interface LoadingOptions {
  /** True when the part with request ids is needed too. */
  readonly withRequests?: boolean;
  /** Either is true when no code outside gets to see the trees, so that kept trees of earlier transactions may be used. */
  readonly isolating?: boolean;
  readonly keeping?: boolean;
}

export class Loading {
  readonly #cache: PartCache;
  readonly #options: LoadingOptions;
  /** Created when first needed, like the next two: most steps use only kept trees. */
  #documents: Map<ExecutionRow, StoredDocument> | undefined;
  #bundles: Map<string, PartBundle> | undefined;
  #taken: TakenTrees | undefined;

  constructor(cache: PartCache, options: LoadingOptions) {
    this.#cache = cache;
    this.#options = options;
  }

  /** Parsed once for all callers; throws when the row's state is corrupt. */
  document(row: ExecutionRow): StoredDocument {
    this.#documents ??= new Map();
    let document = this.#documents.get(row);
    if (document === undefined) {
      document = readDocument(row.state);
      this.#documents.set(row, document);
    }
    return document;
  }

  /** The tree as the last transaction of this process left it; undefined when the row must be read. */
  kept({ incarnation }: ExecutionRow): Tree | undefined {
    return this.#taken?.get(incarnation);
  }

  /** Which parts of these rows must be read from the store. */
  missing(rows: readonly ExecutionRow[]): readonly PartRef[] {
    const missing: PartRef[] = [];
    for (const row of rows) {
      const bundle = this.#bundleOf(row);
      const refs = this.#wanted(row, bundle);
      if (refs.length === 0) continue;
      this.#bundles ??= new Map();
      this.#bundles.set(row.incarnation, bundle);
      for (const ref of refs) if (bundle.get(ref.name)?.stamp !== ref.stamp) missing.push(ref);
    }
    return missing;
  }

  /** The part, or undefined when it has not been read yet. */
  part({ incarnation, name, stamp }: PartRef): unknown {
    const entry = this.#bundles?.get(incarnation)?.get(name);
    return entry?.stamp === stamp ? entry.state : undefined;
  }

  addPart(ref: PartRef, data: string): unknown {
    const state = JSON.parse(data) as unknown;
    this.#cache.set(ref, state, data.length);
    // The cache may have evicted the bundle and made a new one; the transaction's own bundle needs the part in any case.
    this.#bundles?.get(ref.incarnation)?.set(ref.name, { stamp: ref.stamp, state });
    return state;
  }

  #bundleOf({ incarnation, version }: ExecutionRow): PartBundle {
    const bundle = this.#cache.bundle(incarnation);
    if (bundle.newestStamp <= version) return bundle;
    // The row is older than a cached part: the store has lost commits of this execution and perhaps of others.
    this.#cache.clear();
    return this.#cache.bundle(incarnation);
  }

  #wanted(row: ExecutionRow, bundle: PartBundle): readonly PartRef[] {
    const { isolating = false, keeping = isolating, withRequests = false } = this.#options;
    // Taken now, not when it is opened: its parts are not read from the store, so no other transaction may get it in between.
    const kept = keeping ? bundle.tree.take(row.state) : undefined;
    if (kept !== undefined) {
      this.#taken ??= new TakenTrees();
      this.#taken.add(row.incarnation, kept);
      return kept.unreadParts();
    }
    const { incarnation } = row;
    const refs: PartRef[] = [];
    const document = this.#readable(row);
    for (const path in document?.c) {
      const stamp = document.c[path]?.[3];
      if (stamp !== undefined) refs.push({ incarnation, name: partName(path), stamp });
    }
    const requests = document?.r;
    if (withRequests && requests !== undefined)
      refs.push({ incarnation, name: requestPart, stamp: requests });
    return refs;
  }

  /** A corrupt document is found again, and handled, when its tree is opened. */
  #readable(row: ExecutionRow): StoredDocument | undefined {
    try {
      return this.document(row);
    } catch {
      return undefined;
    }
  }
}
