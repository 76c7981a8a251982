/** What workers send and receive, as JSON. */
import type { Problem } from 'carillon/internal/base';
import { formatInstant, ServiceError } from 'carillon/internal/base';
import type { RunRow, WorkerConclusion, WorkerView } from 'carillon/internal/service';
import { failureOf, failureTypes, optionsOf } from 'carillon/internal/service';

/** A run as the worker that leased it needs it. */
export function claimedRun(run: RunRow) {
  const options = optionsOf(run);
  const scheduledAt = options.nominal ?? run.createdAt;
  return {
    runId: run.id,
    token: run.leaseToken,
    leaseEndsAt: run.checkAt === null ? null : formatInstant(run.checkAt),
    namespace: run.namespace,
    queue: run.queue,
    name: run.name,
    attempt: run.attempt,
    priority: run.priority,
    input: JSON.parse(run.input) as unknown,
    scheduledAt: formatInstant(scheduledAt),
    dueAt: formatInstant(options.actual ?? scheduledAt),
    schedule: options.schedule ?? null,
    cause: options.cause ?? null,
    lastResult: options.lastResult ?? null,
    lastFailure: options.lastFailure ?? null,
    previousFailure: run.result === null ? null : (JSON.parse(run.result) as unknown),
    progress: run.progress === null ? null : (JSON.parse(run.progress) as unknown),
    attemptTimeoutMs: options.attemptTimeoutMs ?? null,
  };
}

export function workerJson({ startedAt, seenAt, ...worker }: WorkerView) {
  return { ...worker, startedAt: formatInstant(startedAt), seenAt: formatInstant(seenAt) };
}

/** A worker's report of the end of an attempt. */
export type SentEnd =
  | { readonly completed: { readonly result?: unknown } }
  | { readonly failed: SentFailure }
  | { readonly cancelled: { readonly message?: string | undefined } }
  | { readonly released: { readonly afterMs?: number | undefined; readonly begun?: boolean | undefined } };

interface SentFailure {
  readonly message: string;
  readonly type?: string | undefined;
  readonly stack?: string | undefined;
  readonly [field: string]: unknown;
}

export function conclusionOf(end: SentEnd, longestResult: number): WorkerConclusion {
  if ('completed' in end) {
    const result = jsonText(end.completed.result, 'result', longestResult) ?? null;
    return { kind: 'completed', result };
  }
  if ('failed' in end) return { kind: 'failed', failure: failureOf(asError(end.failed)) };
  if ('cancelled' in end) {
    const { message = 'cancelled' } = end.cancelled;
    return { kind: 'cancelled', failure: { message, type: failureTypes.cancelled } };
  }
  const { afterMs, begun } = end.released;
  return {
    kind: 'released',
    ...(begun === true ? { begun } : {}),
    ...(afterMs === undefined ? {} : { afterMs }),
  };
}

/** The sent failure as an `Error`, so that it is bounded in the same place as all failures. */
function asError(sent: SentFailure, depth = 0): Error {
  const { message, type, stack, cause, errors, ...rest } = sent;
  const error = Object.assign(new Error(message), { name: type ?? 'Error', stack: stack ?? '' }, rest);
  const isFailure = (value: unknown): value is SentFailure =>
    typeof (value as SentFailure | null)?.message === 'string';
  if (depth > 10) return error;
  return Object.assign(error, {
    ...(isFailure(cause) ? { cause: asError(cause, depth + 1) } : {}),
    ...(Array.isArray(errors)
      ? { errors: errors.filter(isFailure).map((each) => asError(each, depth + 1)) }
      : {}),
  });
}

/** Undefined when nothing was sent. */
export function jsonText(value: unknown, path: string, longest: number): string | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  if (text.length <= longest) return text;
  const problem: Problem = {
    path,
    reason: 'TOO_LARGE',
    message: `${text.length} characters of JSON, at most ${longest} are stored`,
    fix: 'store it elsewhere and send a reference',
  };
  throw ServiceError.invalid([problem]);
}
