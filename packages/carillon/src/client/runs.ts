/** Runs of one namespace. */

import type { ActionInput } from '../service/action-input.ts';
import type { PageJson, RunJson } from '../service/wire.ts';
import { each } from './paging.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface RunFilters {
  readonly state?: readonly RunJson['state'][];
  readonly outcome?: readonly NonNullable<RunJson['outcome']>[];
  readonly queue?: string;
  readonly name?: string;
  /** Inputs, progress and results; left out unless asked for. */
  readonly include?: 'payloads';
  readonly after?: string;
  readonly limit?: number;
}

export interface Work
  extends Pick<ActionInput, 'input' | 'queue' | 'priority' | 'retry' | 'attemptTimeout' | 'timeout'> {
  /** Name of a handler. */
  readonly run: string;
  /** Not before. */
  readonly at?: string | number;
}

export interface Stopped {
  /** `ended`: done now. `requested`: its worker was asked. `done`: was over already. */
  readonly stopped: 'ended' | 'requested' | 'done' | 'notFound';
}

export class RunsClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first. */
  async list(filters: RunFilters = {}, options: CallOptions = {}): Promise<PageJson<RunJson>> {
    return await this.#transport.call('GET', '/runs', { ...options, query: { ...filters } });
  }

  /** All pages, one run after the other. */
  each(filters: RunFilters = {}): AsyncGenerator<RunJson, void, undefined> {
    return each((after) => this.list(after === undefined ? filters : { ...filters, after }));
  }

  async get(id: string, options: CallOptions = {}): Promise<RunJson> {
    return await this.#transport.call('GET', pathOf(id), options);
  }

  async enqueue(work: Work, options: CallOptions = {}): Promise<RunJson> {
    return await this.#transport.call('POST', '/runs', { ...options, body: work });
  }

  async cancel(id: string, reason?: string, options: CallOptions = {}): Promise<Stopped> {
    return await this.#transport.call('POST', `${pathOf(id)}:cancel`, { ...options, body: { reason } });
  }

  async terminate(id: string, reason?: string, options: CallOptions = {}): Promise<Stopped> {
    return await this.#transport.call('POST', `${pathOf(id)}:terminate`, { ...options, body: { reason } });
  }
}

function pathOf(id: string): string {
  return `/runs/${encodeURIComponent(id)}`;
}
