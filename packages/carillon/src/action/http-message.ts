/** From a run to the request that asks for its work. Pure: the same run at the same time gives the same bytes. */
import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';
import type { RunContext } from '../runs/context.ts';
import type { HttpInput } from './http-kind.ts';
import { signatureHeader, signatureOf } from './signature.ts';

/** What the run holds: the request, and the schedule's input beside it. */
export interface HttpWork extends HttpInput {
  readonly input?: unknown;
}

export interface HttpMessage {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: none. */
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
}

export function httpMessage({ context, now, secret, callback }: MessageParts): HttpMessage {
  const { input: work, id, attempt, scheduledAt } = context;
  const { method = 'POST' } = work;
  const { body, type } = bodyOf(context, method, callback);
  return {
    url: new URL(work.url),
    method,
    body,
    headers: {
      'user-agent': 'carillon',
      ...(body === null ? {} : { 'content-type': type }),
      ...lowerCase(work.headers ?? {}),
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
  callback: Callback | undefined,
): { readonly body: string | null; readonly type: string } {
  const { body } = context.input;
  if (typeof body === 'string') return { body, type: 'text/plain; charset=utf-8' };
  const type = 'application/json';
  if (body !== undefined) return { body: JSON.stringify(body), type };
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

/** Names compare without case, and a header may be there once. */
function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
