/**
 * The token with which an outside system finishes a parked run: run and lease, signed. The lease makes it
 * good for one attempt and one use; the signature makes it unforgeable. It contains no secret, so the receiver may read it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../base/error.ts';
import { conclusionOfResult } from './conclusion.ts';
import type { Failure } from './failure.ts';
import { failureOf } from './failure.ts';
import type { Conclusion } from './lifecycle.ts';
import type { Answered, RunQueue } from './run-queue.ts';

export interface CallbackPayload {
  readonly runId: string;
  readonly leaseToken: string;
}

/** How the work ended. A failure is followed by another attempt if the run's policy has one, unless `nonRetryable`. */
export type CallbackOutcome =
  | { readonly result: unknown }
  | { readonly failure: string | Pick<Failure, 'message' | 'type' | 'details' | 'nonRetryable'> };

/** Characters below which a signing secret could be guessed. */
export const shortestCallbackSecret = 16;
/** Longer texts cannot be callback tokens; they are refused before anything is computed over them. */
const longestToken = 2000;

export function callbackToken({ runId, leaseToken, secret }: CallbackPayload & { secret: string }): string {
  const payload = Buffer.from(JSON.stringify([runId, leaseToken])).toString('base64url');
  return `${payload}.${signatureOf(payload, secret).toString('base64url')}`;
}

/** Undefined when it was not signed with this secret. Takes the same time wherever the signature differs. */
export function readCallbackToken(token: string, secret: string): CallbackPayload | undefined {
  if (token.length > longestToken) return undefined;
  const [payload = '', signature = '', ...rest] = token.split('.');
  const expected = signatureOf(payload, secret);
  const given = Buffer.from(signature, 'base64url');
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
    return undefined;
  // We signed it, so it has the shape that we wrote.
  const [runId, leaseToken] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [string, string];
  return { runId, leaseToken };
}

export interface CallbackRequest {
  readonly queue: RunQueue;
  readonly secret: string | undefined;
  readonly token: string;
  readonly outcome: CallbackOutcome;
}

/** Finishes the run, or throws a refusal and changes nothing. */
export async function completeCallback({ queue, secret, token, outcome }: CallbackRequest): Promise<void> {
  if (secret === undefined) {
    throw new ServiceError({
      code: 'failedPrecondition',
      reason: 'CALLBACKS_OFF',
      message: 'this process has no callbackSecret and cannot check callback tokens',
    });
  }
  const claim = readCallbackToken(token, secret);
  if (claim === undefined) {
    throw new ServiceError({
      code: 'unauthenticated',
      reason: 'BAD_CALLBACK_TOKEN',
      message: 'the callback token was not signed with the callbackSecret of this process',
    });
  }
  const conclusion = conclusionOf(outcome);
  const { runId: id, leaseToken } = claim;
  const answered = await queue.answer({ id, token: leaseToken, conclusion });
  if (answered !== 'ok') throw refusals[answered](id);
}

function signatureOf(payload: string, secret: string): Buffer {
  // The prefix keeps this signature from being mistaken for one made with the same secret elsewhere.
  return createHmac('sha256', secret).update(`carillon-callback.${payload}`).digest();
}

function conclusionOf(outcome: CallbackOutcome): Conclusion {
  const isObject = typeof outcome === 'object' && outcome !== null;
  if (isObject && 'failure' in outcome && !('result' in outcome)) {
    const failure = failureFrom(outcome.failure);
    if (failure !== undefined) return { kind: 'failed', failure };
  } else if (isObject && 'result' in outcome && !('failure' in outcome)) {
    const conclusion = conclusionOfResult(outcome.result);
    if (conclusion.kind === 'completed') return conclusion;
    throw badOutcome(
      conclusion.kind === 'failed' ? conclusion.failure.message : 'the result cannot be stored',
    );
  }
  throw badOutcome('a callback says { result } or { failure }');
}

/** Built field by field: it comes from outside, and further fields must not reach the stored failure. */
function failureFrom(given: unknown): Failure | undefined {
  if (typeof given === 'string') return failureOf(Object.assign(new Error(given), callbackFailed));
  const { message, type, details, nonRetryable } = (given ?? {}) as Record<string, unknown>;
  if (typeof message !== 'string') return undefined;
  return failureOf(
    Object.assign(new Error(message), callbackFailed, {
      ...(typeof type === 'string' ? { name: type } : {}),
      details,
      nonRetryable: nonRetryable === true,
    }),
  );
}

/** The stack in our own code says nothing about the failure. */
const callbackFailed = { name: 'CallbackFailed', stack: '' };

function badOutcome(message: string): ServiceError {
  return ServiceError.invalid([
    { path: '', reason: 'BAD_CALLBACK', message, fix: 'send {"result": …} or {"failure": {"message": "…"}}' },
  ]);
}

function refusal(reason: string, message: (id: string) => string): (id: string) => ServiceError {
  return (id) => new ServiceError({ code: 'failedPrecondition', reason, message: message(id) });
}

const refusals: Readonly<Record<Exclude<Answered, 'ok'>, (id: string) => ServiceError>> = {
  repeated: refusal('CALLBACK_USED', (id) => `this attempt of run '${id}' has been finished already`),
  expired: refusal('CALLBACK_EXPIRED', (id) => `run '${id}' no longer waits for this callback`),
};
