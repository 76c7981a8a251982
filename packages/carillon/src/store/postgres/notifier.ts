/**
 * Tells other nodes of commits, with NOTIFY.
 *
 * The notification is not part of the committing transaction: there NOTIFY takes one lock for the whole database until the commit
 * is on the disk, so that all commits would wait for each other. A notification that is sent afterwards may be lost in a crash,
 * which the contract allows: every listener also polls.
 *
 * Commits made while a notification is under way, or shortly after one, are announced together in the next.
 */
import type { Clock } from '../../base/clock.ts';
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import type { CommittedChange } from '../store.ts';
import { encodeChange, mostKeys } from './change-codec.ts';
import type { Connections } from './connection.ts';

/** The interval between two notifications of one node: long enough that a busy node sends few, too short to be noticed. */
const spacingMs = 10;

export class Notifier {
  readonly #connections: Connections;
  readonly #channel: string;
  readonly #sender: string;
  readonly #timer: Clock;
  #gathered: CommittedChange | null = null;
  #sending: Promise<void> | null = null;
  #cancelPause: (() => void) | null = null;

  constructor(options: {
    readonly connections: Connections;
    readonly channel: string;
    /** This node's name in its notifications. */
    readonly sender: string;
    /** Measures the interval between notifications. */
    readonly timer: Clock;
  }) {
    this.#connections = options.connections;
    this.#channel = options.channel;
    this.#sender = options.sender;
    this.#timer = options.timer;
  }

  announce(change: CommittedChange): void {
    this.#gathered = this.#gathered === null ? change : joined(this.#gathered, change);
    if (this.#sending === null && this.#cancelPause === null) this.#send();
  }

  /** Sends the remaining notifications if it can. */
  async close(): Promise<void> {
    this.#cancelPause?.();
    this.#cancelPause = null;
    await this.#sending;
    if (this.#gathered !== null) this.#send();
    await this.#sending;
    (this.#cancelPause as (() => void) | null)?.();
  }

  #send(): void {
    const change = this.#gathered as CommittedChange;
    this.#gathered = null;
    this.#sending = this.#connections
      .single({
        name: 'notify',
        text: 'select pg_notify($1, $2)',
        values: [this.#channel, encodeChange(change, this.#sender)],
      })
      .then(
        () => {},
        // The notification is lost, which the contract allows: the commit itself has been answered.
        () => {},
      )
      .then(() => this.#pause());
  }

  #pause(): void {
    this.#sending = null;
    this.#cancelPause = this.#timer.wakeAt(addTime(this.#timer.now(), spacingMs), () => {
      this.#cancelPause = null;
      if (this.#gathered !== null) this.#send();
    });
  }
}

function joined(a: CommittedChange, b: CommittedChange): CommittedChange {
  return {
    // More keys than fit into one message are not announced, so they are not collected.
    keys: a.keys.length > mostKeys ? a.keys : [...a.keys, ...b.keys],
    wakeAt: earlier(a.wakeAt, b.wakeAt),
    queues: union(a.queues, b.queues),
    cancelledRuns: union(a.cancelledRuns, b.cancelledRuns),
  };
}

function earlier(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return b.length === 0 ? a : [...new Set([...a, ...b])];
}
