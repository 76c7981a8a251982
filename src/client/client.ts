/** The client of a Carillon server: the verbs of the REST door, typed. Needs nothing but `fetch`. */
import { RunsClient } from './runs.ts';
import { SchedulesClient } from './schedules.ts';
import type { ClientOptions } from './transport.ts';
import { Transport } from './transport.ts';

export interface About {
  readonly version: string;
  readonly store: string;
  /** The server's clock. */
  readonly now: string;
}

/**
 * ```ts
 * const carillon = new CarillonClient({ url: 'http://127.0.0.1:8080' });
 * await carillon.schedules.put('nightly', { cron: '0 2 * * *', zone: 'Europe/Berlin', run: 'report' });
 * const [reason] = await carillon.schedules.why('nightly', '2026-03-29T00:30:00Z');
 * ```
 */
export class CarillonClient {
  readonly schedules: SchedulesClient;
  readonly runs: RunsClient;
  readonly #transport: Transport;

  constructor(options: ClientOptions = {}) {
    this.#transport = new Transport(options);
    this.schedules = new SchedulesClient(this.#transport);
    this.runs = new RunsClient(this.#transport);
  }

  async about(): Promise<About> {
    return await this.#transport.call('GET', '/about');
  }
}
