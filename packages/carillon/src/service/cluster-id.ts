/** The id of all nodes on one store together. It is written once, by the first node that is asked for it. */

import { Documents } from '../store/documents.ts';
import type { Store } from '../store/store.ts';
import { defaultNamespace, namespaceId } from './namespaces.ts';

export class ClusterId {
  readonly #documents: Documents<{ readonly id: string }>;
  readonly #newId: () => string;
  #id: string | undefined;

  constructor({ store, newId }: { readonly store: Store; readonly newId: () => string }) {
    this.#documents = new Documents({ store, kind: 'cluster', newId });
    this.#newId = newId;
  }

  async get(): Promise<string> {
    this.#id ??= (
      await this.#documents.change(
        defaultNamespace,
        'cluster',
        (before) => before ?? { id: namespaceId(this.#newId()) },
      )
    )?.id;
    return this.#id ?? '';
  }
}
