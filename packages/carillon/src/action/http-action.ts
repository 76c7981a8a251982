/**
 * `http`: sends one request per attempt. The run id is the idempotency key, so that a target can tell a repeated
 * attempt from new work. Redirects are not followed, because the author did not write their address.
 */

import type { Clock } from '../base/clock.ts';
import { readDuration } from '../base/duration.ts';
import { ServiceError } from '../base/error.ts';
import { given } from '../base/given.ts';
import { day, second } from '../base/time.ts';
import { callbackToken, shortestCallbackSecret } from '../runs/callback.ts';
import type { RunContext } from '../runs/context.ts';
import type { Parking } from '../runs/parking.ts';
import { isParking, park } from '../runs/parking.ts';
import { asRequest } from '../tracing/request-span.ts';
import type { Action } from './action.ts';
import { ActionFailed, nothingBegan } from './action-failed.ts';
import type { Resolve } from './guarded-lookup.ts';
import { AddressRefused, systemResolve } from './guarded-lookup.ts';
import { HostGate } from './host-gate.ts';
import type { HttpAnswer } from './http-answer.ts';
import { meaningOf } from './http-answer.ts';
import { HttpClient } from './http-client.ts';
import { NoAnswer } from './http-exchange.ts';
import { httpKind } from './http-kind.ts';
import type { Callback, HttpWork } from './http-message.ts';
import { httpMessage } from './http-message.ts';
import type { Secrets } from './secret.ts';
import { AttemptSecrets } from './secret.ts';

/** The options of HTTP actions in a process. */
export interface HttpOptions {
  /** The most concurrent runs, including those that wait for their host. Default 200. */
  readonly concurrency?: number;
  /** The most concurrent requests to one host (name and port); further ones wait. Default 64. */
  readonly perHost?: number;
  /** The most bytes of an answer that become the run's result, which the next run receives. Default 64 KiB. */
  readonly responseLimit?: number;
  /** The address at which targets reach `callbackHandler`. If given, an answer 202 parks the run until its callback. */
  readonly callbackUrl?: string;
  /** Resolves host names. Default: the system's resolver. */
  readonly resolve?: Resolve;
}

export interface HttpActionParts extends HttpOptions {
  readonly clock: Clock;
  /** Finds a secret by its name; the value is used and not kept. */
  readonly secrets: Secrets;
  /** Whether actions with `allowPrivate` may reach private addresses. */
  readonly allowPrivateTargets: boolean;
  /** The secret that signs callback tokens; required with `callbackUrl`. */
  readonly callbackSecret?: string;
}

const defaults = { concurrency: 200, perHost: 64, responseLimit: 64 * 1024 };
const defaultTimeout = 30 * second;
const defaultCallbackTimeout = day;
const connectTimeoutMs = 10 * second;

export function httpAction(parts: HttpActionParts): Action {
  checkCallbacks(parts);
  const { concurrency = defaults.concurrency, clock, resolve = systemResolve } = parts;
  const client = new HttpClient({ clock, resolve, connections: concurrency, connectTimeoutMs });
  const gate = new HostGate(parts.perHost ?? defaults.perHost);
  return {
    kind: httpKind.kind,
    concurrency,
    perform: (context: RunContext<HttpWork>) => perform(context, parts, { client, gate }),
    close: () => client.close(),
  };
}

async function perform(
  context: RunContext<HttpWork>,
  parts: HttpActionParts,
  { client, gate }: { readonly client: HttpClient; readonly gate: HostGate },
): Promise<unknown | Parking> {
  const leave = await gate.enter(new URL(context.input.url).host, context.signal);
  const secrets = new AttemptSecrets(parts.secrets, context);
  try {
    const answer = await exchange(context, parts, { client, secrets });
    // A copied parking object would count as a normal result, and the run would end before its callback.
    return isParking(answer) ? answer : secrets.conceal(answer);
  } catch (error) {
    throw secrets.concealFailure(error);
  } finally {
    leave();
  }
}

async function exchange(
  context: RunContext<HttpWork>,
  parts: HttpActionParts,
  { client, secrets }: { readonly client: HttpClient; readonly secrets: AttemptSecrets },
): Promise<unknown | Parking> {
  const { input: work, signal } = context;
  const { clock, responseLimit = defaults.responseLimit } = parts;
  const secret = work.secret === undefined ? undefined : secrets.value(work.secret);
  const callback = callbackOf(context, parts);
  const message = httpMessage({
    context,
    now: clock.now(),
    resolve: (text, encode) => secrets.resolve(text, encode),
    ...given({ secret, callback }),
  });
  // The address as written, with references to secrets kept and without the query, which may hold a token.
  const written = new URL(work.url);
  const request = `${message.method} ${written.origin}${written.pathname}`;
  let answer: HttpAnswer;
  try {
    answer = await asRequest({ method: message.method, url: written }, (headers) =>
      client.send({
        message: { ...message, headers: { ...message.headers, ...headers } },
        allowPrivate: work.allowPrivate === true && parts.allowPrivateTargets,
        timeoutMs: readDuration(work.timeout ?? defaultTimeout),
        limit: responseLimit,
        signal,
      }),
    );
  } catch (error) {
    throw error instanceof NoAnswer ? unanswered(error, request, { context, parts }) : error;
  }
  const meaning = meaningOf({ answer, request, now: clock.now(), callbacks: callback !== undefined });
  switch (meaning.kind) {
    case 'completed':
      return meaning.result;
    case 'accepted':
      return park({ forMs: readDuration(work.callbackTimeout ?? defaultCallbackTimeout) });
    case 'failed':
      throw new ActionFailed(meaning.failure);
  }
}

function unanswered(
  error: NoAnswer,
  request: string,
  { context, parts }: { readonly context: RunContext<HttpWork>; readonly parts: HttpActionParts },
): ActionFailed {
  const isRefused = error.cause instanceof AddressRefused;
  const hint = !isRefused
    ? ''
    : parts.allowPrivateTargets
      ? '; set allowPrivate on the action if that is meant'
      : '; this process does not permit such targets (allowPrivateTargets)';
  return new ActionFailed({
    message: `${request}: ${error.message}${hint}`,
    type: isRefused ? 'AddressRefused' : 'NoAnswer',
    nonRetryable: isRefused,
    startFailed: !error.sent && nothingBegan(context),
  });
}

function callbackOf(
  { id: runId, leaseToken }: RunContext<HttpWork>,
  { callbackUrl, callbackSecret: secret }: HttpActionParts,
): Callback | undefined {
  if (callbackUrl === undefined || secret === undefined) return undefined;
  const token = callbackToken({ runId, leaseToken, secret });
  return { url: `${callbackUrl.replace(/\/+$/, '')}/${token}`, token };
}

function checkCallbacks({ callbackUrl, callbackSecret }: HttpActionParts): void {
  const isShort = callbackSecret !== undefined && callbackSecret.length < shortestCallbackSecret;
  if (isShort || (callbackUrl !== undefined && callbackSecret === undefined)) {
    throw ServiceError.invalid([
      {
        path: 'callbackSecret',
        reason: 'CALLBACK_SECRET_MISSING',
        message: `callbacks need a secret of at least ${shortestCallbackSecret} characters to sign their tokens with`,
        fix: 'give callbackSecret, the same in every process and after every restart',
      },
    ]);
  }
  if (callbackUrl === undefined) return;
  if (/^https?:\/\//.test(callbackUrl) && URL.canParse(callbackUrl)) return;
  throw ServiceError.invalid([
    {
      path: 'http.callbackUrl',
      reason: 'BAD_URL',
      message: `'${callbackUrl}' is not an http(s) address`,
      fix: 'write where callbackHandler is mounted, e.g. https://jobs.example.com/callbacks',
    },
  ]);
}
