/** An HTTP request as a schedule asks for it, and what can be wrong with it before it is ever sent. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Problem } from '../base/error.ts';

export interface HttpInput {
  readonly url: string;
  /** Default POST. */
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'GET' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. Default: a JSON envelope with schedule, slot, run and `input`. */
  readonly body?: unknown;
  /** Of one request; default 30 s. */
  readonly timeout?: string | number;
  /** How long to wait for the callback after a 202, where callbacks are configured; default 24 h. */
  readonly callbackTimeout?: string | number;
  /** Name of the environment variable that holds the signing secret. */
  readonly secret?: string;
  /** Allow loopback and private addresses; refused by default, and by processes that do not permit it. */
  readonly allowPrivate?: boolean;
}

/** Of the connection rather than the request, or set by us; letting a schedule choose them would let it lie. */
const reserved =
  /^(host|connection|keep-alive|content-length|transfer-encoding|upgrade|expect|te|trailer|idempotency-key|proxy-.*|carillon-.*)$/i;

export function httpProblems(input: HttpInput): readonly Problem[] {
  return [...urlProblems(input.url), ...bodyProblems(input), ...headerProblems(input.headers ?? {})];
}

function urlProblems(url: string): readonly Problem[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const path = 'http.url';
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    const message = `'${url}' is no http(s) address`;
    return [{ path, reason: 'BAD_URL', message, fix: 'write e.g. https://example.com/hook' }];
  }
  if (parsed.username === '' && parsed.password === '') return [];
  return [
    {
      path,
      reason: 'CREDENTIALS_IN_URL',
      message: 'the address holds a user name or password, which would be stored and shown',
      fix: 'sign requests with secret, the name of an environment variable',
    },
  ];
}

function bodyProblems({ method, body }: HttpInput): readonly Problem[] {
  if (method !== 'GET' || body === undefined) return [];
  const message = 'a GET has no body';
  return [{ path: 'http.body', reason: 'BODY_NOT_ALLOWED', message, fix: 'use POST, or leave the body out' }];
}

function headerProblems(headers: Readonly<Record<string, string>>): readonly Problem[] {
  return Object.entries(headers).flatMap(([name, value]): readonly Problem[] => {
    const path = `http.headers.${name}`;
    if (reserved.test(name)) {
      const message = `'${name}' is set by Carillon`;
      return [{ path, reason: 'RESERVED_HEADER', message, fix: 'leave it out' }];
    }
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      return [];
    } catch {
      const message = 'not a header that can be sent';
      return [{ path, reason: 'BAD_HEADER', message, fix: 'write a plain name, and a value of one line' }];
    }
  });
}
