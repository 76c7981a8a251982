/**
 * One request, tried again when that can help and cannot hurt. Every change carries an idempotency key of its own, so that
 * an attempt whose answer got lost is recognised when it is repeated.
 */
import { CarillonError, errorOf } from './error.ts';
import { pause } from './pause.ts';
import { requestKey } from './request-key.ts';

export interface ClientOptions {
  /** Default `http://127.0.0.1:8080`. */
  readonly url?: string;
  /** API key. */
  readonly key?: string;
  /** What `carillon dev` printed at its start; it asks for it before it runs commands. */
  readonly commandToken?: string;
  /** Default: that of the server. */
  readonly namespace?: string;
  /** Written into the audit by servers that ask for no key. */
  readonly actor?: string;
  /** Attempts of one call. Default 4. */
  readonly attempts?: number;
  /** Default the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

export type QueryValue = string | number | boolean | Date | readonly string[] | undefined;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Default: a new one for each call. Give your own to repeat a call from another process. */
  readonly requestId?: string;
}

export interface Request extends CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const defaultUrl = 'http://127.0.0.1:8080';

const firstPause = 100;
const longestPause = 5000;

/** The server, or something before it, asks to come back later. */
const passing = new Set([429, 502, 503, 504]);

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
    this.#fetch = options.fetch ?? globalThis.fetch;
    this.#headers = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(commandToken === undefined ? {} : { 'carillon-command-token': commandToken }),
      ...(actor === undefined ? {} : { 'carillon-actor': actor }),
    };
  }

  /** The JSON of the answer, or undefined when it has none. */
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
      await pause(Math.max(wait, Math.min(firstPause * 2 ** (attempt - 1), longestPause)), signal);
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
    if (!passing.has(response.status)) return { error };
    return { error, wait: Number(response.headers.get('retry-after') ?? 0) * 1000 || 0 };
  }
}

interface Outcome<T> {
  readonly value?: T;
  readonly error?: CarillonError;
  /** Ms to wait at least before another attempt; absent: another attempt would end the same way. */
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
  const message = `no Carillon answers at ${origin}${why === '' ? '' : ` (${why})`}; start one with 'carillon dev', or say where it is`;
  return new CarillonError({ status: 0, code: 'unavailable', reason: 'UNREACHABLE', message, cause });
}

/** `fetch failed` hides the reason. A refused connection is the usual one and needs no name. */
function reasonOf(cause: unknown): string {
  const { code = '', message = '' } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  if (code === 'ECONNREFUSED') return '';
  // OpenSSL tells of its source files in several lines; its code says the same.
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
