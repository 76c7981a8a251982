/**
 * Two connections to one Redis: one for all commands, one that listens.
 *
 * A command whose answer did not arrive may have been carried out, so no command is sent twice and no command waits in a
 * queue for a connection: when the connection breaks, all commands under way fail at once, and so does every command until
 * it is back. (The driver does send a script again that the server did not know: that script was not carried out.)
 */
import type { Cluster, RedisOptions } from 'ioredis';
import type { Clock } from '../../base/clock.ts';
import { addTime } from '../../base/time.ts';
import { StoreError } from '../error.ts';
import type { DriverConfig } from './address.ts';
import type { Client, Driver } from './driver.ts';
import { loadDriver } from './driver.ts';
import type { Script, ScriptName } from './scripts.ts';
import { loadScripts, methodOf } from './scripts.ts';
import { troubleOf } from './trouble.ts';

/** The longest silence of a server that owes an answer, longer than any script takes; then the connection is given up. */
const longestSilence = 15_000;
const longestConnect = 5000;
/** Limits the connection to a cluster: when some slot has no node, the driver tries for ever and reports nothing. */
const longestOpening = 15_000;
/** The pause before reconnecting: short, because an engine is waiting. */
const longestPause = 1000;
/** How often, and how many times, a slot of a cluster that is being moved is tried again. */
const movingPauseMs = 50;
const mostRedirections = 200;

export interface ConnectionTarget {
  readonly options: DriverConfig;
  readonly cluster: boolean;
  /** The address for messages, without the password. */
  readonly name: string;
  /** `{prefix}`: the beginning of all keys, so that they share a slot of a cluster. */
  readonly tag: string;
}

export type CommandArgument = string | number;

export class Connection {
  readonly #target: ConnectionTarget;
  readonly #timer: Clock;
  #client: Client | null = null;
  #listener: Client | null = null;
  #opening: Promise<void> | null = null;
  #lastError: unknown;

  readonly #broken: () => void;

  /**
   * `timer` limits how long opening may take. `broken` is called when a connection ended that the store did not end: the
   * next connection may reach another server.
   */
  constructor(target: ConnectionTarget, timer: Clock, broken: () => void) {
    this.#target = target;
    this.#timer = timer;
    this.#broken = broken;
  }

  get name(): string {
    return this.#target.name;
  }

  /** Connects, once. Fails when the server cannot be reached or refuses us, and may be tried again. */
  open(): Promise<void> {
    if (this.#client !== null) return Promise.resolve();
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #open(): Promise<void> {
    const client = this.#create(await loadDriver());
    try {
      await inTime(this.#timer, client.connect());
      await client.ping();
    } catch (error) {
      client.disconnect();
      // This error only says that the connection was closed; the driver reported the reason before.
      throw troubleOf(this.#lastError ?? error, this.name);
    }
    this.#client = client;
  }

  /** Runs one script. Its arguments come after the two keys that every script declares (see `scripts/shared.lua`). */
  async run<T>(script: ScriptName, args: readonly CommandArgument[]): Promise<T> {
    const client = this.#connected() as unknown as Record<string, (...given: unknown[]) => Promise<T>>;
    try {
      return await (client[methodOf(script)] as (...given: unknown[]) => Promise<T>).call(
        client,
        `${this.#target.tag}:layout`,
        `${this.#target.tag}:nothing`,
        args,
      );
    } catch (error) {
      throw troubleOf(error, this.name);
    }
  }

  /** Sends one plain command on keys under the tag. */
  async call<T>(work: (client: Client, key: (ending: string) => string) => Promise<T>): Promise<T> {
    const client = this.#connected();
    try {
      return await work(client, (ending) => `${this.#target.tag}:${ending}`);
    } catch (error) {
      throw troubleOf(error, this.name);
    }
  }

  /** Receives published messages; messages published while the connection is lost are missed. */
  listen(channel: string, heard: (message: string) => void, reconnected: () => void): void {
    if (this.#listener !== null || this.#client === null) return;
    const client = 'nodes' in this.#client ? this.#client.duplicate() : this.#client.duplicate();
    this.#listener = client;
    client.on('error', () => {});
    client.on('message', (_channel: string, message: string) => heard(message));
    // The driver renews the subscription whenever it reconnects; until the first one is made, polling finds changes.
    const subscribe = () => client.subscribe(`${this.#target.tag}:${channel}`).catch(() => {});
    let isFirst = true;
    client.on('ready', () => {
      if (isFirst) void subscribe();
      else reconnected();
      isFirst = false;
    });
    client.connect().catch(() => {});
  }

  close(): void {
    for (const client of [this.#client, this.#listener]) client?.disconnect();
    this.#client = null;
    this.#listener = null;
  }

  #connected(): Client {
    if (this.#client === null)
      throw new StoreError('unavailable', `${this.name}: call migrate() before anything else`);
    return this.#client;
  }

  #create(driver: Driver): Client {
    const options = {
      connectTimeout: longestConnect,
      socketTimeout: longestSilence,
      retryStrategy: (times: number) => Math.min(50 * times, longestPause),
      // Behind Sentinel: leaves the old master as soon as another is announced, instead of when its connection ends.
      ...(Array.isArray(this.#target.options.sentinels) ? { failoverDetector: true } : {}),
      ...this.#target.options,
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      // 0: commands under way when the connection breaks fail then, instead of never.
      maxRetriesPerRequest: 0,
      // After a failover the old address leads to a replica: the driver finds the master again. The command itself fails.
      reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
      // The driver checks the user's own settings.
    } as RedisOptions;
    const scripts = loadScripts();
    const client = this.#target.cluster
      ? this.#cluster(driver, options, scripts)
      : new driver.Redis({ ...options, scripts });
    client.on('error', (error) => {
      this.#lastError = error;
    });
    // A cluster reports the second message when a server left it or a connection to it ended.
    for (const event of ['close', '-node']) client.on(event, () => this.#broken());
    return client;
  }

  #cluster(driver: Driver, options: RedisOptions, scripts: Record<string, Script>): Cluster {
    const { host = '127.0.0.1', port = 6379, ...redisOptions } = options;
    return new driver.Cluster([{ host, port }], {
      lazyConnect: true,
      enableOfflineQueue: false,
      // Any other value would send a command again whose answer was lost.
      retryDelayOnFailover: 0,
      // While our slot moves, the command was not carried out and may be sent again: for ten seconds, then it fails.
      retryDelayOnTryAgain: movingPauseMs,
      maxRedirections: mostRedirections,
      scripts,
      redisOptions,
    });
  }
}

/** Fails when the work takes longer than opening may take. */
async function inTime(clock: Clock, work: Promise<void>): Promise<void> {
  let stop = () => {};
  const late = new Promise<never>((_, reject) => {
    stop = clock.wakeAt(addTime(clock.now(), longestOpening), () =>
      reject(new Error(`no connection after ${longestOpening / 1000} s`)),
    );
  });
  try {
    await Promise.race([work, late]);
  } finally {
    stop();
  }
}
