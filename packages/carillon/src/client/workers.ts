/** The workers outside the server. */
import type { Transport } from './transport.ts';

export interface WorkerInfo {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  /** `leaving`: it takes nothing new. `silent`: it has not called for a while. */
  readonly state: 'alive' | 'leaving' | 'silent';
  readonly queues: readonly string[];
  /** The handlers that it has; null: it takes every run. */
  readonly names: readonly string[] | null;
  readonly client: string | null;
  /** How many runs it works on at once. */
  readonly slots: number | null;
  readonly startedAt: string;
  readonly seenAt: string;
}

export class WorkersClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The workers that were heard of within a day. */
  async list(): Promise<readonly WorkerInfo[]> {
    const { items } = await this.#transport.call<{ readonly items: readonly WorkerInfo[] }>(
      'GET',
      '/workers',
    );
    return items;
  }
}
