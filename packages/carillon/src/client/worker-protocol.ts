/** The requests of a worker, as the server answers them. */
import type { Clock } from '../base/clock.ts';
import type { Failure } from '../base/failure.ts';
import type { LogLine } from '../base/log-lines.ts';
import { addTime } from '../base/time.ts';
import type { Transport } from './transport.ts';

/** A leased run, as the server hands it out. */
export interface ClaimedRun {
  readonly runId: string;
  readonly token: string;
  readonly leaseEndsAt: string | null;
  readonly namespace: string;
  readonly queue: string;
  readonly name: string;
  readonly attempt: number;
  readonly priority: number;
  readonly input: unknown;
  readonly scheduledAt: string;
  readonly dueAt: string;
  readonly schedule: string | null;
  readonly cause: string | null;
  readonly lastResult: unknown;
  readonly lastFailure: Failure | null;
  readonly previousFailure: Failure | null;
  readonly progress: unknown;
  readonly attemptTimeoutMs: number | null;
}

export interface ClaimAnswer {
  readonly items: readonly ClaimedRun[];
  /** How long the server held the request before it leased the runs. */
  readonly waitedMs: number;
}

export interface HeldLease {
  readonly runId: string;
  readonly state: 'held' | 'cancel' | 'lost' | 'terminated';
  readonly reason: string;
}

export interface SentLease {
  readonly runId: string;
  readonly token: string;
  readonly progress?: unknown;
  readonly log?: readonly LogLine[];
}

export interface SentReport extends SentLease {
  readonly end:
    | { readonly completed: { readonly result: unknown } }
    | { readonly failed: Failure }
    | { readonly cancelled: { readonly message: string } }
    | { readonly released: { readonly begun?: boolean } };
}

export interface ClaimOptions {
  readonly queues: readonly string[];
  readonly names: readonly string[];
  readonly limit: number;
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly name: string;
  readonly client: string;
  readonly slots: number;
}

/** How long an answer may be under way, besides the time that the server holds the request. */
const answerMs = 5000;

/**
 * The calls of one worker. Each is one attempt: the loops of the worker retry by themselves. Each ends after a time, because a
 * connection that was cut without notice stays silent for ever.
 */
export class WorkerCalls {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #path: string;

  constructor(transport: Transport, clock: Clock, worker: string) {
    this.#transport = transport;
    this.#clock = clock;
    this.#path = `/workers/${encodeURIComponent(worker)}`;
  }

  async claim(body: ClaimOptions, signal: AbortSignal): Promise<ClaimAnswer> {
    return await this.#call('claim', body, { forMs: body.waitMs + answerMs, signal });
  }

  async heartbeat(
    leases: readonly SentLease[],
    {
      waitMs,
      forMs,
      signal,
    }: { readonly waitMs: number; readonly forMs: number; readonly signal: AbortSignal },
  ): Promise<readonly HeldLease[]> {
    const body = { leases, waitMs };
    return (await this.#call<Items<HeldLease>>('heartbeat', body, { forMs, signal })).items;
  }

  async report(reports: readonly SentReport[]): Promise<readonly ReportAnswer[]> {
    return (await this.#call<Items<ReportAnswer>>('report', { reports }, { forMs: answerMs })).items;
  }

  async leave(): Promise<void> {
    await this.#call('leave', undefined, { forMs: answerMs });
  }

  async #call<T>(
    verb: string,
    body: unknown,
    { forMs, signal }: { readonly forMs: number; readonly signal?: AbortSignal },
  ): Promise<T> {
    const ended = new AbortController();
    const giveUp = () => ended.abort(signal?.reason);
    const late = () => ended.abort(new Error(`the server did not answer within ${forMs} ms`));
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener('abort', giveUp);
    const cancelTimer = this.#clock.wakeAt(addTime(this.#clock.now(), forMs), late);
    try {
      const request = { ...(body === undefined ? {} : { body }), signal: ended.signal };
      return await this.#transport.call<T>('POST', `${this.#path}:${verb}`, request);
    } finally {
      cancelTimer();
      signal?.removeEventListener('abort', giveUp);
    }
  }
}

interface Items<T> {
  readonly items: readonly T[];
}

export interface ReportAnswer {
  readonly runId: string;
  readonly outcome: 'ok' | 'stale';
}
