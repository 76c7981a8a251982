/** Named queries of a namespace, kept in the store so that every person and the command line see the same ones. */
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import type { DocumentChange } from '../store/documents.ts';
import { Documents } from '../store/documents.ts';
import type { Store } from '../store/store.ts';
import { timeJson } from './wire.ts';

export interface SavedView {
  readonly name: string;
  /** The place that the view is of, for example `schedules`. */
  readonly place: string;
  /** The query of the place's address, without the question mark. */
  readonly query: string;
  readonly savedBy: string;
  readonly savedAt: string;
}

interface StoredView {
  readonly place: string;
  readonly query: string;
  readonly savedBy: string;
  readonly savedAt: Instant;
}

const kind = 'view';
/** The most views of a namespace; lists show all of them. */
export const mostViews = 200;
export const longestViewName = 100;
export const longestViewQuery = 4000;

export class SavedViews {
  readonly #documents: Documents<StoredView>;

  constructor(options: { readonly store: Store; readonly newId: () => string }) {
    this.#documents = new Documents({ ...options, kind });
  }

  /** All views of a namespace, by name. */
  async list(namespace: string): Promise<readonly SavedView[]> {
    const found = await this.#documents.all(namespace);
    return found.map(({ id, data }) => ({ ...data, name: id, savedAt: timeJson(data.savedAt) }));
  }

  /** Saves a view; a view that has the name is replaced. */
  async save(
    namespace: string,
    { name, place, query }: Pick<SavedView, 'name' | 'place' | 'query'>,
    by: Omit<DocumentChange, 'action'>,
  ): Promise<SavedView> {
    const known = await this.#documents.all(namespace);
    if (known.length >= mostViews && !known.some(({ id }) => id === name)) throw tooMany();
    const stored = await this.#documents.change(
      namespace,
      name,
      (_, now) => ({ place, query, savedBy: by.actor, savedAt: now }),
      { ...by, action: 'saveView' },
    );
    return { name, place, query, savedBy: by.actor, savedAt: timeJson((stored as StoredView).savedAt) };
  }

  async remove(namespace: string, name: string, by: Omit<DocumentChange, 'action'>): Promise<void> {
    const decide = (before: StoredView | undefined) => {
      if (before === undefined) throw notFound(name);
      return null;
    };
    await this.#documents.change(namespace, name, decide, { ...by, action: 'removeView' });
  }
}

function tooMany(): ServiceError {
  return new ServiceError({
    code: 'resourceExhausted',
    reason: 'TOO_MANY_VIEWS',
    message: `there are ${mostViews} views already; remove one first`,
  });
}

function notFound(name: string): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'VIEW_NOT_FOUND',
    message: `there is no view '${name}'`,
  });
}
