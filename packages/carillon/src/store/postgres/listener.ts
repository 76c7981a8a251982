/**
 * Receives notifications of commits by other nodes, with LISTEN on its own connection. A lost connection is made again,
 * with growing pauses; notifications sent meanwhile are missed, and polling finds their rows.
 */
import { Backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { Wakeup } from '../../base/wakeup.ts';
import type { CommittedChange } from '../store.ts';
import { decodeChange, decodeText } from './change-codec.ts';
import type { Connections } from './connection.ts';

const firstPauseMs = 100;
const longestPauseMs = 10_000;

export class Listener {
  readonly #connections: Connections;
  readonly #channel: string;
  readonly #ourselves: string;
  readonly #heard: (change: CommittedChange) => void;
  readonly #published: (text: string | null) => void;
  readonly #wakeup: Wakeup;
  readonly #backoff = new Backoff({ firstMs: firstPauseMs, longestMs: longestPauseMs });
  #isClosed = false;
  #isPausing = false;
  #listening: Promise<void> | null = null;
  #stop: (() => Promise<void>) | null = null;

  constructor(options: {
    readonly connections: Connections;
    readonly channel: string;
    readonly ourselves: string;
    readonly heard: (change: CommittedChange) => void;
    /** Called with published texts of other nodes; with null when the connection was lost and some were missed. */
    readonly published: (text: string | null) => void;
    /** Measures the pauses between attempts. */
    readonly timer: Clock;
  }) {
    this.#connections = options.connections;
    this.#channel = options.channel;
    this.#ourselves = options.ourselves;
    this.#heard = options.heard;
    this.#published = options.published;
    this.#wakeup = new Wakeup(options.timer);
  }

  /** Begins to listen without waiting for the connection. */
  open(): void {
    this.#listening ??= this.#listen();
  }

  /** Resolves when the first attempt to listen is over. */
  async ready(): Promise<void> {
    await this.#listening;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wakeup.wake();
    await this.#listening;
    await this.#stop?.();
  }

  async #listen(): Promise<void> {
    try {
      this.#stop = await this.#connections.listen(
        `"${this.#channel}"`,
        ({ channel, payload = '' }) => {
          if (channel !== this.#channel) return;
          const text = decodeText(payload, this.#ourselves);
          const change = text === null ? decodeChange(payload, this.#ourselves) : null;
          if (text !== null) this.#published(text);
          if (change !== null) this.#heard(change);
        },
        () => void this.#again(),
      );
      this.#backoff.succeeded();
    } catch {
      // The calls of the store report what is wrong with the database; the listener only tries again.
      void this.#again();
    }
  }

  async #again(): Promise<void> {
    this.#stop = null;
    if (this.#isClosed || this.#isPausing) return;
    this.#published(null);
    this.#isPausing = true;
    await this.#wakeup.sleep(this.#backoff.failed());
    this.#isPausing = false;
    if (!this.#isClosed) this.#listening = this.#listen();
  }
}
