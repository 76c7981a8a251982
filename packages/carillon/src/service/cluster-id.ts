/** The id of the cluster: all nodes on one store. The first node that needs it writes it once. */

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
