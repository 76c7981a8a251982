/** Whether all schedules of a namespace are held: a switch that outlives restarts and that all nodes share. */
import type { Instant } from '../base/time.ts';
import type { DocumentChange } from '../store/documents.ts';
import { Documents } from '../store/documents.ts';
import type { Store } from '../store/store.ts';

export interface HoldOptions {
  readonly store: Store;
  readonly newId: () => string;
}

const id = 'schedules';

export class Hold {
  readonly #documents: Documents<{ readonly since: Instant; readonly by: string }>;

  constructor({ store, newId }: HoldOptions) {
    this.#documents = new Documents({ store, kind: 'hold', newId });
  }

  async isOn(namespace: string): Promise<boolean> {
    return (await this.#documents.get(namespace, id)) !== undefined;
  }

  async set(namespace: string, on: boolean, by: DocumentChange): Promise<void> {
    await this.#documents.change(
      namespace,
      id,
      (before, now) => (on ? (before ?? { since: now, by: by.actor }) : null),
      by,
    );
  }
}
