/** The audit log of one namespace: who changed what. */

import { eachItem } from '../base/paging.ts';
import type { Page } from '../service/api.ts';
import type { AuditJson } from '../service/wire.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface AuditFilters {
  /** The changed thing: `schedule/<id>` or `run/<id>`. */
  readonly target?: string;
  readonly actor?: string;
  readonly door?: string;
  readonly action?: string;
  readonly from?: string | number;
  readonly to?: string | number;
  /** Whether to leave out `before` and `after`; `changes` stay. */
  readonly brief?: boolean;
  readonly after?: string;
  readonly limit?: number;
}

export class AuditClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists entries, newest first. A filtered page may be short or empty and still have a `next`. */
  async list(filters: AuditFilters = {}, options: CallOptions = {}): Promise<Page<AuditJson>> {
    return await this.#transport.call('GET', '/audit', { ...options, query: { ...filters } });
  }

  /** Iterates over the entries of all pages. */
  each(filters: AuditFilters = {}): AsyncGenerator<AuditJson, void, undefined> {
    return eachItem((after) => this.list(after === undefined ? filters : { ...filters, after }));
  }
}
