/**
 * The BullMQ queues that this process adds jobs to, each opened on first use. One connection per name carries the
 * commands; each queue has one more for its events. BullMQ and ioredis are the user's own packages, loaded on first
 * use.
 */
import type { BullmqQueue, RedisClient } from './bullmq-driver.ts';
import { loadBullmq, loadRedis } from './bullmq-driver.ts';

/** A Redis connection: a URL, or options of ioredis. */
export type BullmqConnection = string | Readonly<Record<string, unknown>>;

export interface BullmqQueuesOptions {
  readonly connections: Readonly<Record<string, BullmqConnection>>;
  /** The prefix of BullMQ's keys. BullMQ's own default is `bull`. */
  readonly prefix?: string;
}

/** A queue, with the listeners of its jobs. */
export interface BullmqTarget {
  readonly queue: BullmqQueue;
  /** Whether commands can be sent at this moment. */
  isConnected(): boolean;
  /** Calls `wake` when the job may have ended. Returns an unsubscribe function. */
  listen(jobId: string, wake: () => void): () => void;
}

interface Opened extends BullmqTarget {
  close(): Promise<void>;
}

/** The events after which a job is polled. */
const telling = ['completed', 'failed', 'removed'] as const;

export class BullmqQueues {
  readonly #options: BullmqQueuesOptions;
  readonly #connections = new Map<string, Promise<RedisClient>>();
  readonly #targets = new Map<string, Promise<Opened>>();

  constructor(options: BullmqQueuesOptions) {
    this.#options = options;
  }

  has(connection: string): boolean {
    return Object.hasOwn(this.#options.connections, connection);
  }

  async open(connection: string, queue: string): Promise<BullmqTarget> {
    const key = `${connection}\0${queue}`;
    const target = this.#targets.get(key) ?? this.#open(connection, queue);
    this.#targets.set(key, target);
    try {
      return await target;
    } catch (error) {
      this.#targets.delete(key);
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const opened of this.#targets.values()) {
      const target = await opened.catch(() => undefined);
      if (target !== undefined) await target.close();
    }
    for (const opened of this.#connections.values()) (await opened.catch(() => undefined))?.disconnect();
    this.#targets.clear();
    this.#connections.clear();
  }

  async #open(connection: string, name: string): Promise<Opened> {
    const { Queue: QueueClass, QueueEvents: EventsClass } = await loadBullmq();
    const redis = await this.#connect(connection);
    // Read events from this moment on, even if the subscription starts later: a short job may end before that.
    const [seconds, microseconds] = await redis.time();
    const lastEventId = `${Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)}-0`;
    const { prefix } = this.#options;
    const common = { ...(prefix === undefined ? {} : { prefix }), skipVersionCheck: true };
    const queue = new QueueClass(name, { ...common, connection: redis, skipWaitingForReady: true });
    // The connection for events must wait without limit; the one for commands must give up.
    const patient = redis.duplicate({ maxRetriesPerRequest: null });
    patient.on('error', ignore);
    const events = new EventsClass(name, { ...common, connection: patient, lastEventId });
    queue.on('error', ignore);
    events.on('error', ignore);
    const waiting = new Map<string, Set<() => void>>();
    for (const event of telling) {
      events.on(event, ({ jobId }) => {
        for (const wake of waiting.get(jobId) ?? []) wake();
      });
    }
    return {
      queue,
      close: async () => {
        // A graceful close needs a reachable Redis; otherwise the connection is just dropped.
        const isThere = redis.status === 'ready';
        if (!isThere) patient.disconnect();
        const closing = Promise.allSettled([events.close(), queue.close()]);
        if (isThere) await closing;
        patient.disconnect();
      },
      isConnected: () => redis.status === 'ready',
      listen: (jobId, wake) => {
        const listeners = waiting.get(jobId) ?? new Set();
        waiting.set(jobId, listeners.add(wake));
        return () => {
          listeners.delete(wake);
          if (listeners.size === 0 && waiting.get(jobId) === listeners) waiting.delete(jobId);
        };
      },
    };
  }

  async #connect(name: string): Promise<RedisClient> {
    const known = this.#connections.get(name);
    if (known !== undefined) return await known;
    const connecting = loadRedis().then(({ Redis: RedisClass }) => {
      const given = this.#options.connections[name] as BullmqConnection;
      const options = { maxRetriesPerRequest: 1 };
      const redis =
        typeof given === 'string' ? new RedisClass(given, options) : new RedisClass({ ...given, ...options });
      redis.on('error', ignore);
      return redis;
    });
    this.#connections.set(name, connecting);
    return await connecting;
  }
}

/** Connections reconnect by themselves, and commands that failed meanwhile report their own errors. */
function ignore(): void {}
