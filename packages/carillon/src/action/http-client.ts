/**
 * Sends requests over kept-alive connections. It uses Undici's dispatcher instead of its `fetch`: the dispatcher is
 * several times faster and reports whether a request was sent, which decides whether its work can have started.
 *
 * There are two pools. A connection that an action with `allowPrivate` opened must never serve an action without it,
 * because the address was checked by the rules of the action that opened the connection.
 */
import type { Agent, buildConnector, Dispatcher } from 'undici';
import type { Clock } from '../base/clock.ts';
import { addTime } from '../base/time.ts';
import type { Resolve } from './guarded-lookup.ts';
import { checkLiteral, lookupThrough, resolveChecked } from './guarded-lookup.ts';
import type { HttpAnswer } from './http-answer.ts';
import { Exchange } from './http-exchange.ts';
import type { HttpMessage } from './http-message.ts';

export interface HttpClientOptions {
  readonly clock: Clock;
  readonly resolve: Resolve;
  /** The most connections to one origin; further requests wait. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
}

export interface Sending {
  readonly message: HttpMessage;
  readonly allowPrivate: boolean;
  readonly timeoutMs: number;
  /** The most bytes of the answer's body that are read. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

type Pool = 'guarded' | 'open';

export class HttpClient {
  readonly #options: HttpClientOptions;
  readonly #agents = new Map<Pool, Promise<Agent>>();

  constructor(options: HttpClientOptions) {
    this.#options = options;
  }

  /** Sends a request. Rejects with `NoAnswer`, or with the signal's reason. */
  async send({ message, allowPrivate, timeoutMs, limit, signal }: Sending): Promise<HttpAnswer> {
    const { clock } = this.#options;
    const agent = await this.#agent(allowPrivate ? 'open' : 'guarded');
    signal.throwIfAborted();
    const exchange = new Exchange(limit);
    const onAbort = () => exchange.give(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const cancelTimer = clock.wakeAt(addTime(clock.now(), timeoutMs), () => exchange.timeIsUp(timeoutMs));
    try {
      const { url, method, headers, body } = message;
      agent.dispatch(
        {
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: method as Dispatcher.HttpMethod,
          headers: { ...headers },
          body,
        },
        exchange,
      );
      return await exchange.answer;
    } finally {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Closes all connections, also those in use. */
  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    for (const agent of agents) await (await agent).destroy();
  }

  #agent(pool: Pool): Promise<Agent> {
    let agent = this.#agents.get(pool);
    if (agent === undefined) {
      agent = this.#open(pool);
      this.#agents.set(pool, agent);
    }
    return agent;
  }

  /** Undici is loaded with the first request, because most processes never send one. */
  async #open(pool: Pool): Promise<Agent> {
    const undici = await import('undici');
    const { resolve, connections, connectTimeoutMs } = this.#options;
    const connector = (lookup: ReturnType<typeof lookupThrough>) =>
      // Each connection passes its own `port` and `host`, although the type requires them here.
      undici.buildConnector({ timeout: connectTimeoutMs, lookup } as buildConnector.BuildOptions);
    const guarded = connector(lookupThrough((host) => resolveChecked(host, resolve)));
    const open = connector(lookupThrough(resolve));
    return new undici.Agent({
      connections,
      // The timeout of `send` covers the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect:
        pool === 'open'
          ? open
          : (options, callback) => {
              try {
                checkLiteral(options.hostname);
              } catch (error) {
                callback(error as Error, null);
                return;
              }
              guarded(options, callback);
            },
    });
  }
}
