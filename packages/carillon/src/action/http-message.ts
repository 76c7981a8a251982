/** Builds the request of a run. Pure: the same run at the same time gives the same bytes. */
import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';
import type { RunContext } from '../runs/context.ts';
import type { HttpInput } from './http-kind.ts';
import { signatureHeader, signatureOf } from './signature.ts';

/** The input of the run: the request, and the schedule's input. */
export interface HttpWork extends HttpInput {
  readonly input?: unknown;
}

export interface HttpMessage {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; null when there is none. */
  readonly body: string | null;
}

export interface Callback {
  readonly url: string;
  readonly token: string;
}

export interface MessageParts {
  readonly context: RunContext<HttpWork>;
  readonly now: Instant;
  readonly secret?: string;
  readonly callback?: Callback;
  /** Replaces references to secrets in a text by their values, each encoded by `encode`. Default: keeps the text. */
  readonly resolve?: (text: string, encode?: (value: string) => string) => string;
}

export function httpMessage(parts: MessageParts): HttpMessage {
  const { context, now, secret, callback, resolve = (text) => text } = parts;
  const { input: work, id, attempt, scheduledAt } = context;
  const { method = 'POST' } = work;
  const { body, type } = bodyOf(context, method, parts);
  return {
    url: new URL(resolve(work.url, encodeURIComponent)),
    method,
    body,
    headers: {
      'user-agent': 'carillon',
      ...(body === null ? {} : { 'content-type': type }),
      ...lowerCase(work.headers ?? {}, resolve),
      'idempotency-key': id,
      'carillon-run-id': id,
      'carillon-attempt': String(attempt),
      'carillon-scheduled-at': formatInstant(scheduledAt),
      ...(callback === undefined ? {} : { 'carillon-callback-url': callback.url }),
      ...(secret === undefined ? {} : { [signatureHeader]: signatureOf({ secret, body: body ?? '', now }) }),
    },
  };
}

function bodyOf(
  context: RunContext<HttpWork>,
  method: string,
  { callback, resolve = (text) => text }: MessageParts,
): { readonly body: string | null; readonly type: string } {
  const { body } = context.input;
  if (typeof body === 'string') return { body: resolve(body), type: 'text/plain; charset=utf-8' };
  const type = 'application/json';
  if (body !== undefined) return { body: resolve(JSON.stringify(body), insideJson), type };
  if (method === 'GET' || method === 'DELETE') return { body: null, type };
  return { body: JSON.stringify(envelope(context, callback)), type };
}

function envelope(context: RunContext<HttpWork>, callback: Callback | undefined): object {
  const { schedule, namespace, id: runId, attempt, scheduledAt, input, lastResult } = context;
  return {
    schedule,
    namespace,
    runId,
    attempt,
    scheduledAt: formatInstant(scheduledAt),
    input: input.input ?? null,
    ...(lastResult === null ? {} : { lastResult }),
    ...(callback === undefined ? {} : { callback }),
  };
}

/** Header names are case-insensitive, and each may occur once. */
function lowerCase(
  headers: Readonly<Record<string, string>>,
  resolve: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), resolve(value)]),
  );
}

/** A value escaped for the inside of a JSON string. */
function insideJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}
