/** Saved views: named queries of the namespace, the same for every person. */
import type { SavedView } from '../service/saved-views.ts';
import type { CallOptions, Transport } from './transport.ts';

export class ViewsClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All views, by name. */
  async list(options: CallOptions = {}): Promise<readonly SavedView[]> {
    return (await this.#transport.call<{ readonly items: readonly SavedView[] }>('GET', '/views', options))
      .items;
  }

  /** Saves a query under a name; a view that has the name is replaced. */
  async save(
    name: string,
    view: { readonly query: string; readonly place?: string },
    options: CallOptions = {},
  ): Promise<SavedView> {
    return await this.#transport.call('PUT', pathOf(name), { ...options, body: view });
  }

  async remove(name: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.call('DELETE', pathOf(name), options);
  }
}

function pathOf(name: string): string {
  return `/views/${encodeURIComponent(name)}`;
}
