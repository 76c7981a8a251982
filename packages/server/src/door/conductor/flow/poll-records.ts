/** The last polls of workers for tasks of a type, as far as this process received them. */
import type { Instant } from 'carillon/internal/base';

export interface PollRecord {
  readonly queueName: string;
  readonly domain?: string;
  readonly workerId?: string;
  readonly lastPollTime: Instant;
}

/** The most types that are remembered, so that random names cannot fill the memory. */
const mostRecords = 10_000;

export class PollRecords {
  readonly #records = new Map<string, PollRecord>();

  note(type: string, { domain, at }: { readonly domain: string | undefined; readonly at: Instant }): void {
    const key = `${domain ?? ''}\u0000${type}`;
    this.#records.delete(key);
    if (this.#records.size >= mostRecords) this.#records.delete(this.#records.keys().next().value ?? '');
    this.#records.set(key, {
      queueName: type,
      lastPollTime: at,
      ...(domain === undefined ? {} : { domain }),
    });
  }

  list(type?: string): readonly PollRecord[] {
    const all = [...this.#records.values()];
    return type === undefined ? all : all.filter(({ queueName }) => queueName === type);
  }
}
