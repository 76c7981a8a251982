/**
 * Sends a request and retries it when that is safe and can help. Every change carries its own idempotency key, so
 * that the server recognises a repeated attempt whose answer was lost.
 */
import { pauseAfter } from '../base/backoff.ts';
import { CarillonError, errorOf } from './error.ts';
import { pause } from './pause.ts';
import { requestKey } from './request-key.ts';

/** The options of a client. */
export interface ClientOptions {
  /** The server's address. Default `http://127.0.0.1:8080`. */
  readonly url?: string;
  /** The API key. */
  readonly key?: string;
  /** The token that `carillon dev` prints at its start. The server requires it for schedules that run commands. */
  readonly commandToken?: string;
  /** The namespace. Default: the server's. */
  readonly namespace?: string;
  /** The actor in the audit log of servers that require no API key. */
  readonly actor?: string;
  /** The most attempts of one call. Default 4. */
  readonly attempts?: number;
  /** The fetch function. Default the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

export type QueryValue = string | number | boolean | Date | readonly string[] | undefined;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The idempotency key. Default: a new one for each call. Pass your own to repeat a call from another process. */
  readonly requestId?: string;
}

export interface Request extends CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const defaultUrl = 'http://127.0.0.1:8080';

const pauses = { firstMs: 100, longestMs: 5000 };

/** Statuses by which the server, or a proxy before it, asks the client to retry later. */
const retryable = new Set([429, 502, 503, 504]);

export class Transport {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #attempts: number;
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: ClientOptions) {
    const { url = defaultUrl, key, commandToken, namespace, actor, attempts = 4 } = options;
    const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
    this.#base = `${url.replace(/\/+$/, '')}/api/v1${scope}`;
    this.#attempts = attempts;
    // A browser's fetch refuses to be called as a method of another object.
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#headers = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(commandToken === undefined ? {} : { 'carillon-command-token': commandToken }),
      ...(actor === undefined ? {} : { 'carillon-actor': actor }),
    };
  }

  /** Returns the JSON of the answer, or undefined when the answer has none. */
  async call<T>(method: string, path: string, request: Request = {}): Promise<T> {
    const { signal, body, requestId = requestKey() } = request;
    const init = {
      method,
      headers: {
        ...this.#headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'GET' ? {} : { 'idempotency-key': requestId }),
        ...request.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    };
    const url = `${this.#base}${path}${queryText(request.query)}`;
    for (let attempt = 1; ; attempt += 1) {
      const { error, value, wait } = await this.#attempt<T>(url, init);
      if (error === undefined) return value as T;
      if (wait === undefined || attempt >= this.#attempts) throw error;
      await pause(Math.max(wait, pauseAfter(attempt, pauses)), signal);
    }
  }

  async #attempt<T>(url: string, init: RequestInit): Promise<Outcome<T>> {
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(url, init);
      text = await response.text();
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      return { error: unreachable(url, error), wait: 0 };
    }
    if (response.ok) return { value: (text === '' ? undefined : JSON.parse(text)) as T };
    const error = errorOf(response.status, parsed(text));
    if (!retryable.has(response.status)) return { error };
    return { error, wait: Number(response.headers.get('retry-after') ?? 0) * 1000 || 0 };
  }
}

interface Outcome<T> {
  readonly value?: T;
  readonly error?: CarillonError;
  /** The least ms to wait before another attempt; absent when another attempt would fail in the same way. */
  readonly wait?: number;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreachable(url: string, cause: unknown): CarillonError {
  const { origin } = new URL(url);
  const why = reasonOf((cause as Error | undefined)?.cause);
  const message = `no Carillon answers at ${origin}${why === '' ? '' : ` (${why})`}; start one with 'carillon dev', or give the address of a running server`;
  return new CarillonError({ status: 0, code: 'unavailable', reason: 'UNREACHABLE', message, cause });
}

/** The message `fetch failed` hides the reason. A refused connection is the usual case and is not named. */
function reasonOf(cause: unknown): string {
  const { code = '', message = '' } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  if (code === 'ECONNREFUSED') return '';
  // OpenSSL's message has several lines about its source files; its code says the same.
  return message.includes('\n') ? code : message;
}

function queryText(query: Request['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const each of value) search.append(name, String(each));
    else search.append(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}
