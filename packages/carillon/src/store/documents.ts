/**
 * Small records beside the schedules: namespaces, search attributes, nodes. Each is one JSON document, kept as an execution
 * that never wakes, so that every store keeps it, guards it and lists it like everything else.
 */
import type { Instant } from '../base/time.ts';
import { isConflict } from './error.ts';
import type { AuditRow, ExecutionKey, ExecutionRow } from './records.ts';
import type { Decision, Store, Writes } from './store.ts';

export interface Document<T> {
  readonly namespace: string;
  readonly id: string;
  readonly createdAt: Instant;
  readonly data: T;
}

export interface DocumentsOptions {
  readonly store: Store;
  /** The kind of document, which is the archetype of its rows. */
  readonly kind: string;
  readonly newId: () => string;
}

/** Who changes a document, and the name of the change; both are written to the audit. */
export interface DocumentChange {
  readonly actor: string;
  readonly door: string;
  readonly action: string;
  /** Why; shown with the entry. Default: empty. */
  readonly note?: string;
  /** Decides as always and writes nothing: called with what would have been written. */
  readonly rehearsed?: (writes: Writes) => void;
}

/** The kind of the documents that describe namespaces: services write them, retention reads them. */
export const namespaceKind = 'namespace';

/** The number of documents read at once when all are asked for. */
const pageSize = 1000;

/** A document can be created, removed and created again between our tries, but hardly this often. */
const mostTries = 5;

export class Documents<T> {
  readonly #store: Store;
  readonly #kind: string;
  readonly #newId: () => string;

  constructor({ store, kind, newId }: DocumentsOptions) {
    this.#store = store;
    this.#kind = kind;
    this.#newId = newId;
  }

  async get(namespace: string, id: string): Promise<Document<T> | undefined> {
    const [row] = await this.#store.read({ keys: [this.#key(namespace, id)] });
    return row === undefined ? undefined : documentOf<T>(row);
  }

  /** Reads these documents of a namespace; absent ones are simply not in the map. */
  async some(namespace: string, ids: readonly string[]): Promise<ReadonlyMap<string, T>> {
    const found = new Map<string, T>();
    for (let from = 0; from < ids.length; from += pageSize) {
      const keys = ids.slice(from, from + pageSize).map((id) => this.#key(namespace, id));
      for (const row of await this.#store.read({ keys })) found.set(row.key.id, documentOf<T>(row).data);
    }
    return found;
  }

  /** Reads every document, in order of namespace and id. */
  async all(namespace?: string): Promise<readonly Document<T>[]> {
    const found: Document<T>[] = [];
    let after: string | null = null;
    do {
      const page = await this.#store.list({
        archetype: this.#kind,
        limit: pageSize,
        ...(namespace === undefined ? {} : { namespace }),
        ...(after === null ? {} : { after }),
      });
      for (const row of page.items) found.push(documentOf<T>(row));
      after = page.next;
    } while (after !== null);
    return found;
  }

  /**
   * Reads, decides and writes in one transaction. The decision is pure, may run more than once, and refuses by throwing;
   * null removes the document, the very same object leaves it as it is. The change is audited when an actor is given.
   */
  async change(
    namespace: string,
    id: string,
    decide: (before: T | undefined, now: Instant) => T | null,
    by?: DocumentChange,
  ): Promise<T | null> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#change(this.#key(namespace, id), decide, by);
      } catch (error) {
        // Another caller wrote the first version in the same moment; now it can be read.
        if (!isConflict(error) || tries >= mostTries) throw error;
      }
    }
  }

  async #change(
    key: ExecutionKey,
    decide: (before: T | undefined, now: Instant) => T | null,
    by: DocumentChange | undefined,
  ): Promise<T | null> {
    const incarnation = this.#newId();
    return await this.#store.transact(
      { kind: 'keys', keys: [key] },
      {
        decide: ({ executions: [row], now }): Decision<T | null> => {
          const before = row === undefined ? undefined : documentOf<T>(row).data;
          const result = decide(before, now);
          if (result === before || (result === null && row === undefined)) return { writes: {}, result };
          const audit = by === undefined ? [] : [auditOf(key, by, { at: now, before: row?.state, result })];
          if (result === null) {
            const remove = row === undefined ? [] : [row.incarnation];
            return committed({ writes: { remove, audit }, result }, by);
          }
          const written: ExecutionRow = {
            key,
            incarnation: row?.incarnation ?? incarnation,
            version: (row?.version ?? 0) + 1,
            status: 'open',
            wakeAt: null,
            state: JSON.stringify(result),
            signals: {},
            incident: null,
            createdAt: row?.createdAt ?? now,
            closedAt: null,
          };
          const executions = [row === undefined ? { ...written, attributes: {} } : written];
          return committed({ writes: { executions, audit }, result }, by);
        },
      },
    );
  }

  #key(namespace: string, id: string): ExecutionKey {
    return { namespace, archetype: this.#kind, id };
  }
}

/** The decision itself, or in a rehearsal the same without its writes. */
function committed<T>({ writes, result }: Decision<T>, by: DocumentChange | undefined): Decision<T> {
  if (by?.rehearsed === undefined) return { writes, result };
  by.rehearsed(writes);
  return { writes: {}, result };
}

function auditOf(
  { namespace, archetype, id }: ExecutionKey,
  { actor, door, action, note = '' }: DocumentChange,
  change: { readonly at: Instant; readonly before: string | undefined; readonly result: unknown },
): AuditRow {
  return {
    namespace,
    target: `${archetype}/${id}`,
    at: change.at,
    actor,
    door,
    action,
    note,
    before: change.before ?? null,
    after: change.result === null ? null : JSON.stringify(change.result),
  };
}

function documentOf<T>(row: ExecutionRow): Document<T> {
  const { key, createdAt, state } = row;
  return { namespace: key.namespace, id: key.id, createdAt, data: JSON.parse(state) as T };
}
