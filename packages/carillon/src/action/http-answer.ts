/** Decides what an answer means for the run. Pure. */
import type { Instant } from '../base/time.ts';
import { hour, second } from '../base/time.ts';
import type { ActionFailure } from './action-failed.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  /** Whether the body was longer than the limit; then `body` is its beginning. */
  readonly truncated: boolean;
}

export type AnswerMeaning =
  | { readonly kind: 'completed'; readonly result: unknown }
  /** The target accepted the work and will call back at its end. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'failed'; readonly failure: ActionFailure };

export interface AnswerQuestion {
  readonly answer: HttpAnswer;
  /** The method and address, for messages. */
  readonly request: string;
  readonly now: Instant;
  /** Whether the request had a callback address. */
  readonly callbacks: boolean;
}

/** The longest `Retry-After` that is respected, so that a target cannot delay a retry without limit. */
export const longestRetryAfter = hour;
const longestExcerpt = 500;

export function meaningOf({ answer, request, now, callbacks }: AnswerQuestion): AnswerMeaning {
  const { status } = answer;
  if (status === 202 && callbacks) return { kind: 'accepted' };
  if (status >= 200 && status < 300) return { kind: 'completed', result: resultOf(answer) };
  const excerpt = answer.body.toString().slice(0, longestExcerpt).trim();
  const reason = excerpt === '' ? '' : `: ${excerpt}`;
  const failure: ActionFailure = {
    message: `${request} answered ${status}${reason}`,
    type: 'HttpStatus',
    details: { status },
  };
  if (status === 429 || status >= 500) {
    const retryAfterMs = retryAfter(answer.headers['retry-after'], now);
    return { kind: 'failed', failure: retryAfterMs === undefined ? failure : { ...failure, retryAfterMs } };
  }
  const isRedirect = status >= 300 && status < 400;
  const message = isRedirect ? `${request} answered ${status}: redirects are not followed` : failure.message;
  return { kind: 'failed', failure: { ...failure, message, nonRetryable: true } };
}

/** The work is done, so a body that is too long must not cause a retry: its beginning is kept and marked as truncated. */
function resultOf({ headers, body, truncated }: HttpAnswer): unknown {
  const text = body.toString();
  if (truncated) return { truncated: true, bytesKept: body.length, text };
  if (text === '') return null;
  const type = headers['content-type'];
  const mayBeJson = type === undefined || /[/+]json\b/i.test(String(type));
  if (!mayBeJson) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Reads `Retry-After`: seconds or an HTTP date, within bounds. */
function retryAfter(header: string | readonly string[] | undefined, now: Instant): number | undefined {
  const text = String(header ?? '').trim();
  const wait = /^\d{1,10}$/.test(text) ? Number(text) * second : Date.parse(text) - now;
  return Number.isNaN(wait) || wait <= 0 ? undefined : Math.min(wait, longestRetryAfter);
}
