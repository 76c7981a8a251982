/** Who changed what in one namespace. */
import type { AuditJson, PageJson } from '../service/wire.ts';
import { each } from './paging.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface AuditFilters {
  /** `schedule/<id>` or `run/<id>` */
  readonly target?: string;
  readonly actor?: string;
  readonly door?: string;
  readonly action?: string;
  readonly from?: string | number;
  readonly to?: string | number;
  readonly after?: string;
  readonly limit?: number;
}

export class AuditClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first. A filtered page may be short, or empty, and still have a `next`. */
  async list(filters: AuditFilters = {}, options: CallOptions = {}): Promise<PageJson<AuditJson>> {
    return await this.#transport.call('GET', '/audit', { ...options, query: { ...filters } });
  }

  /** All pages, one entry after the other. */
  each(filters: AuditFilters = {}): AsyncGenerator<AuditJson, void, undefined> {
    return each((after) => this.list(after === undefined ? filters : { ...filters, after }));
  }
}
