/**
 * What one attempt at a transaction has read: the parsed documents of its rows, and their cold parts. What the cache has
 * is held on to from the start, so that parts cached on the way cannot push out what this transaction counts on.
 */
import type { ExecutionRow, PartRef } from '../store/records.ts';
import { requestPart } from './commit.ts';
import type { StoredDocument } from './document.ts';
import { readDocument } from './document.ts';
import type { PartBundle, PartCache } from './part-cache.ts';
import { partName } from './path.ts';

export interface LoadingOptions {
  /** The part that remembers request ids is needed too. */
  readonly withRequests?: boolean;
  /** What is read is shown to somebody, who might change it: hot rows are parsed for him alone. */
  readonly forShow?: boolean;
}

export class Loading {
  readonly #cache: PartCache;
  readonly #withRequests: boolean;
  readonly #forShow: boolean;
  readonly #documents = new Map<ExecutionRow, StoredDocument>();
  readonly #bundles = new Map<string, PartBundle>();

  constructor(cache: PartCache, { withRequests = false, forShow = false }: LoadingOptions) {
    this.#cache = cache;
    this.#withRequests = withRequests;
    this.#forShow = forShow;
  }

  /** Parsed once however many ask; throws when the row's state is corrupt. */
  document(row: ExecutionRow): StoredDocument {
    let document = this.#documents.get(row);
    if (document === undefined) {
      const kept = this.#forShow ? undefined : this.#bundleOf(row.incarnation).document;
      document = kept?.state === row.state ? kept.document : readDocument(row.state);
      this.#documents.set(row, document);
    }
    return document;
  }

  /** Which parts of these rows must be read from the store. */
  missing(rows: readonly ExecutionRow[]): readonly PartRef[] {
    const missing: PartRef[] = [];
    for (const row of rows) {
      const document = this.#readable(row);
      if (document === undefined) continue;
      const { incarnation } = row;
      const bundle = this.#bundleOf(incarnation);
      const want = (name: string, stamp: number) => {
        if (bundle.get(name)?.stamp !== stamp) missing.push({ incarnation, name, stamp });
      };
      for (const path in document.c) {
        const stamp = document.c[path]?.[3];
        if (stamp !== undefined) want(partName(path), stamp);
      }
      if (this.#withRequests && document.r !== undefined) want(requestPart, document.r);
    }
    return missing;
  }

  /** Undefined when it has not been read yet. */
  part({ incarnation, name, stamp }: PartRef): unknown {
    const entry = this.#bundles.get(incarnation)?.get(name);
    return entry?.stamp === stamp ? entry.state : undefined;
  }

  addPart(ref: PartRef, data: string): unknown {
    const state = JSON.parse(data) as unknown;
    this.#cache.set(ref, state, data.length);
    // The cache may have turned over and made a new bundle; ours must have it in any case.
    this.#bundles.get(ref.incarnation)?.set(ref.name, { stamp: ref.stamp, state });
    return state;
  }

  #bundleOf(incarnation: string): PartBundle {
    let bundle = this.#bundles.get(incarnation);
    if (bundle === undefined) {
      bundle = this.#cache.bundle(incarnation);
      this.#bundles.set(incarnation, bundle);
    }
    return bundle;
  }

  /** A corrupt document is met again, and dealt with, when its tree is opened. */
  #readable(row: ExecutionRow): StoredDocument | undefined {
    try {
      return this.document(row);
    } catch {
      return undefined;
    }
  }
}
