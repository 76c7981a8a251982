/**
 * The states of a run and every transition between them, as pure functions from row to row.
 *
 * - *waiting*: entered at creation, after a failed or lost attempt that may be repeated, and when a worker gives a run
 *   back. Left by `claim`, or to done by cancel, terminate, or the execution timeout.
 * - *leased*: entered by `claim` only, in one of two forms. Held by a *node*, it has no `checkAt`: it is good as long as
 *   the node's own lease (see `node-lease.ts`), the node measures its timeouts, and `takeOver` ends it when the node is
 *   gone. With *its own lease* (remote workers) the holder must `extend` before `checkAt`; a sweeper that finds
 *   `checkAt` passed calls `lapse`. Left by `conclude` (the holder reports), `takeOver`, `lapse`, or `terminate`. While
 *   *parked* (see `parking.ts`) it has no holder here: nothing extends it, a cancel ends it at once, and its `checkAt` is
 *   the end of the attempt.
 * - *done*: final. Never rewritten.
 *
 * The lease token changes with every claim and stays on the row after the holder's own report, so that a repeated
 * report is recognised; what ends a lease against its holder clears it. It begins with the time of the claim, which
 * is how the attempt timeout needs no column. While a run is not done, `result` holds the failure of its last attempt,
 * or the reason for its cancellation.
 */
import { assert } from '../base/assert.ts';
import { closedList } from '../base/closed-list.ts';
import { plainDuration, roughDuration } from '../base/duration.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { RunOutcome, RunRow } from '../store/records.ts';
import type { Failure, StopReason } from './failure.ts';
import { failureTypes, stopFailure } from './failure.ts';
import type { OwnLease } from './own-lease.ts';
import { clockStepIn, defaultOwnLease, leaseTokenOf, ownLeaseOf, withClockStep } from './own-lease.ts';
import { isParked, parkedFor, parkedWorker } from './parking.ts';
import { backoffMs, defaultRetry, defaultTakeovers, isFinal, mayTryAgain } from './retry.ts';
import type { RunOptions } from './run.ts';
import { checkWhileWaiting, optionsOf, unclaimedMs } from './run.ts';

/** How a holder ends its lease on a run. */
export type Conclusion =
  | { readonly kind: 'completed'; readonly result: string | null }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** `left`: its work goes on outside, because it could not be ended. */
  | { readonly kind: 'cancelled'; readonly failure: Failure; readonly left?: true }
  | { readonly kind: 'timedOut'; readonly limit: 'attempt' | 'execution' }
  /** An outside system will finish it under the same token. */
  | { readonly kind: 'parked'; readonly forMs: number }
  /**
   * Back to the queue without counting the attempt. `begun`: its handler may have had effects already. `afterMs`: how long it
   * stays unavailable.
   */
  | { readonly kind: 'released'; readonly begun?: true; readonly afterMs?: number };

export const conclusionKinds = closedList<Conclusion['kind']>({
  completed: true,
  failed: true,
  cancelled: true,
  timedOut: true,
  parked: true,
  released: true,
});

export interface Claim {
  readonly worker: string;
  /** The part of the token that distinguishes claims. */
  readonly token: string;
  readonly now: Instant;
  /** The run's own lease, whose length its options may overrule; absent: a node holds it under the node's lease. */
  readonly lease?: OwnLease;
  /** The options of the run, where they were read already. */
  readonly options?: RunOptions;
}

export function claim(run: RunRow, { worker, token, now, lease, options }: Claim): RunRow {
  assert(run.state === 'waiting', () => `run ${run.id} is ${run.state} and cannot be claimed`);
  const claimed: RunRow = {
    ...run,
    state: 'leased',
    attempt: run.attempt + 1,
    startedAt: run.startedAt ?? now,
    worker,
    leaseToken: leaseTokenOf(now, token, lease),
    checkAt: null,
  };
  if (lease === undefined) return claimed;
  const { leaseMs = lease.ms, ...limits } = options ?? optionsOf(run);
  return { ...claimed, checkAt: leaseEnd(claimed, limits, addTime(now, leaseMs)) };
}

export interface Extension {
  readonly now: Instant;
  /** Progress as JSON; absent: unchanged. */
  readonly progress?: string;
}

export function extend(run: RunRow, { now, progress }: Extension): RunRow {
  assert(run.state === 'leased', () => `run ${run.id} is ${run.state} and has no lease`);
  const options = optionsOf(run);
  const checkAt = isNodeHeld(run) ? null : leaseEnd(run, options, addTime(now, ownLeaseMs(run, options)));
  return { ...run, checkAt, progress: progress ?? run.progress };
}

/** Whether a node holds it under the node's lease, so that no time ends it by itself. */
export function isNodeHeld(run: RunRow): boolean {
  return run.state === 'leased' && run.checkAt === null;
}

/** Renews a run's own lease, which could not be extended while the store was closed: it counts anew from now. */
export function renewOwnLease(run: RunRow, now: Instant): RunRow {
  assert(run.state === 'leased', () => `run ${run.id} is ${run.state} and has no lease`);
  const checkAt = fullLeaseEnd(run, now);
  return { ...run, checkAt: Math.max(checkAt, run.checkAt ?? 0) as Instant };
}

/**
 * Renews the lease of a holder that is not a node, after the clock that judges it was set by `stepMs`: it gets a full
 * lease from now, in whichever direction the clock was set. The time that the attempt and the execution have left stays
 * the same.
 */
export function leaseAfterStep(run: RunRow, now: Instant, stepMs: number): RunRow {
  const stepped = { ...run, leaseToken: withClockStep(run.leaseToken, stepMs) };
  return { ...stepped, checkAt: fullLeaseEnd(stepped, now) };
}

function fullLeaseEnd(run: RunRow, now: Instant): Instant {
  const options = optionsOf(run);
  return leaseEnd(run, options, addTime(now, parkedFor(run) ?? ownLeaseMs(run, options)));
}

function ownLeaseMs(run: RunRow, { leaseMs }: RunOptions): number {
  return leaseMs ?? (ownLeaseOf(run) ?? defaultOwnLease).ms;
}

/** When the present attempt began, by the clock as it is set now. */
export function claimedAt({ leaseToken }: RunRow): Instant {
  return (Number.parseInt(leaseToken, 36) + clockStepIn(leaseToken)) as Instant;
}

export function attemptEnd(run: RunRow, { attemptTimeoutMs }: RunOptions): Instant | null {
  return attemptTimeoutMs === undefined ? null : addTime(claimedAt(run), attemptTimeoutMs);
}

/** The end of the execution while a holder works on it, by the clock as it is set now. */
function executionEnd({ leaseToken }: RunRow, { deadline }: RunOptions): Instant | null {
  return deadline === undefined ? null : addTime(deadline, clockStepIn(leaseToken));
}

export function conclude(run: RunRow, conclusion: Conclusion, now: Instant): RunRow {
  assert(run.state === 'leased', () => `run ${run.id} is ${run.state} and cannot be concluded`);
  switch (conclusion.kind) {
    case 'completed':
      return finish(run, 'completed', conclusion.result, now);
    case 'failed':
      return failAttempt(run, conclusion.failure, now);
    case 'cancelled':
      // Only a request cancels a run: a holder that gives up by itself has failed.
      return run.cancel === 'none'
        ? failAttempt(run, conclusion.failure, now)
        : finish(run, 'cancelled', JSON.stringify({ ...askedIn(run), ...conclusion.failure }), now);
    case 'timedOut':
      return conclusion.limit === 'execution' ? timeOut(run, now) : timeOutAttempt(run, now);
    case 'parked':
      return parkRun(run, conclusion.forMs, now);
    case 'released':
      return release(run, now, conclusion);
  }
}

export function finish(run: RunRow, outcome: RunOutcome, result: string | null, now: Instant): RunRow {
  // The name of its last worker stays, for people; a parked run has the mark of its wait in this place.
  const worker = isParked(run) ? '' : run.worker;
  return { ...run, state: 'done', outcome, result, finishedAt: now, checkAt: null, worker };
}

export function failAttempt(run: RunRow, failure: Failure, now: Instant): RunRow {
  if (run.cancel !== 'none') return finishCancelled(run, now);
  const options = optionsOf(run);
  const retry = { ...defaultRetry, ...options.retry };
  const again = !isFinal(retry, failure) && mayTryAgain(retry.attempts, run.attempt);
  const pause = failure.retryInMs ?? backoffMs(retry, run.attempt, run.id);
  const at = addTime(now, Math.max(pause, failure.retryAfterMs ?? 0));
  return again && isInTime(options, at)
    ? waitAgain(run, { at, failure, options })
    : finish(run, 'failed', JSON.stringify(failure), now);
}

/**
 * What follows when `checkAt` has come. Every run may be passed; a run that has not lapsed gets its right check time.
 * `isKnown` says whether a living worker knows the name of a waiting run.
 */
export function lapse(run: RunRow, now: Instant, isKnown: (run: RunRow) => boolean = () => true): RunRow {
  const options = optionsOf(run);
  if (run.state === 'done' || run.checkAt === null || run.checkAt > now) return run;
  const { deadline } = options;
  if (run.state !== 'waiting') return takeOver(run, now);
  if (deadline !== undefined && deadline <= now) return timeOut(run, now);
  const isOver = isUnclaimed(run, now) && !isKnown(run);
  return isOver ? endUnclaimed(run, now) : { ...run, checkAt: checkWhileWaiting(options, now) };
}

/** Whether a waiting run has waited as long as it may without a worker that knows it. */
export function isUnclaimed(run: RunRow, now: Instant): boolean {
  const { unclaimedMs: longest = unclaimedMs } = optionsOf(run);
  return run.state === 'waiting' && longest > 0 && addTime(run.availableAt, longest) <= now;
}

function endUnclaimed(run: RunRow, now: Instant): RunRow {
  const waited = roughDuration(now - run.availableAt);
  const failure: Failure = {
    message: `no living worker knows '${run.name}' on the queue '${run.queue}'; it waited ${waited}`,
    type: failureTypes.noWorker,
    ...(run.attempt === 0 ? { startFailed: true } : {}),
  };
  return finish(run, 'timedOut', JSON.stringify(failure), now);
}

/** Ends the lease of a holder that is gone and clears its token, so that no later report of that holder counts. */
export function takeOver(run: RunRow, now: Instant): RunRow {
  assert(run.state === 'leased', () => `run ${run.id} is ${run.state} and has no holder`);
  const options = optionsOf(run);
  const deadline = executionEnd(run, options);
  const taken: RunRow = { ...run, leaseToken: '' };
  if (run.cancel !== 'none') return finishCancelled(taken, now);
  if (deadline !== null && deadline <= now) return timeOut(taken, now);
  if (isParked(run)) return timeOutAttempt(taken, now, 'no answer came while it was parked');
  const ends = attemptEnd(run, options);
  return ends !== null && ends <= now ? timeOutAttempt(taken, now) : loseLease(taken, now);
}

/** A waiting or parked run ends at once; the holder of a leased run is asked to stop. A finished run does not change. */
export function requestCancel(run: RunRow, why: StopReason, now: Instant): RunRow {
  if (run.state === 'done' || run.cancel !== 'none') return run;
  const failure = stopFailure(why, failureTypes.cancelled, now);
  const asked: RunRow = { ...run, cancel: 'cancel', result: JSON.stringify(failure) };
  if (isParked(run)) return finishCancelled({ ...asked, leaseToken: '' }, now);
  return run.state === 'waiting' ? finishCancelled(asked, now) : asked;
}

/** Ends a run in every state: the token is cleared, so no later report of its holder counts. */
export function terminate(run: RunRow, why: StopReason, now: Instant): RunRow {
  if (run.state === 'done') return run;
  const failure = stopFailure(why, failureTypes.terminated, now);
  const ended = finish(run, 'terminated', JSON.stringify(failure), now);
  return { ...ended, cancel: 'terminate', leaseToken: '' };
}

/** Who asked for the cancellation, and when: what the holder reports does not say it. */
function askedIn({ result }: RunRow): Pick<Failure, 'askedBy' | 'askedAt'> {
  const { askedBy, askedAt } = (result === null ? {} : JSON.parse(result)) as Partial<Failure>;
  return { ...(askedBy === undefined ? {} : { askedBy }), ...(askedAt === undefined ? {} : { askedAt }) };
}

/** Whether a waiting run may still be started. */
export function isInTime(options: RunOptions, at: Instant): boolean {
  return options.deadline === undefined || at < options.deadline;
}

function timeOutAttempt(run: RunRow, now: Instant, why?: string): RunRow {
  if (run.cancel !== 'none') return finishCancelled(run, now);
  const options = optionsOf(run);
  const failure: Failure = {
    message: `attempt ${run.attempt} ${why === undefined ? `took longer than ${limitText(options.attemptTimeoutMs)}` : `timed out: ${why}`}`,
    type: failureTypes.attemptTimedOut,
  };
  const retry = { ...defaultRetry, ...options.retry };
  const at = addTime(now, backoffMs(retry, run.attempt, run.id));
  return mayTryAgain(retry.attempts, run.attempt) && isInTime(options, at)
    ? waitAgain(run, { at, failure, options })
    : finish(run, 'timedOut', JSON.stringify(failure), now);
}

function limitText(limit: number | undefined): string {
  return limit === undefined ? 'it may' : plainDuration(limit);
}

/** After the first loss the run is available at once; a run that keeps losing its workers is slowed down like one that fails. */
function loseLease(run: RunRow, now: Instant): RunRow {
  const options = optionsOf(run);
  const retry = { ...defaultRetry, ...options.retry };
  const limit = retry.attempts === 0 ? 0 : retry.attempts + (options.takeovers ?? defaultTakeovers);
  const failure: Failure = {
    message: `worker '${run.worker}' went silent during attempt ${run.attempt}`,
    type: failureTypes.leaseLost,
  };
  const at = run.attempt <= 1 ? now : addTime(now, backoffMs(retry, run.attempt - 1, run.id));
  return mayTryAgain(limit, run.attempt) && isInTime(options, at)
    ? waitAgain(run, { at, failure, options })
    : finish(run, 'timedOut', JSON.stringify(failure), now);
}

function timeOut(run: RunRow, now: Instant): RunRow {
  const failure: Failure = {
    message: `not finished within ${limitText(optionsOf(run).executionTimeoutMs)}`,
    type: failureTypes.executionTimedOut,
  };
  return finish(run, 'timedOut', JSON.stringify(failure), now);
}

function parkRun(run: RunRow, forMs: number, now: Instant): RunRow {
  if (run.cancel !== 'none') return finishCancelled(run, now);
  const checkAt = leaseEnd(run, optionsOf(run), addTime(now, forMs));
  return { ...run, worker: parkedWorker(forMs), checkAt };
}

function release(
  run: RunRow,
  now: Instant,
  { begun = false, afterMs = 0 }: { readonly begun?: boolean; readonly afterMs?: number },
): RunRow {
  if (run.cancel !== 'none') return finishCancelled(run, now);
  const attempt = run.attempt - 1;
  // The next attempt must know that it may not be the first.
  const failure: Failure = {
    message: `worker '${run.worker}' stopped during the attempt and gave the run back`,
    type: failureTypes.released,
  };
  return {
    ...run,
    state: 'waiting',
    attempt,
    // A run whose handler has begun did start then: a deploy that interrupts it does not make its slot a late one.
    startedAt: begun || attempt > 0 ? run.startedAt : null,
    availableAt: addTime(now, afterMs),
    checkAt: checkWhileWaiting(optionsOf(run), addTime(now, afterMs)),
    worker: '',
    result: begun ? JSON.stringify(failure) : run.result,
  };
}

/** The reason was written to `result` when the cancel was requested. */
function finishCancelled(run: RunRow, now: Instant): RunRow {
  return finish(run, 'cancelled', run.result, now);
}

function waitAgain(
  run: RunRow,
  next: { readonly at: Instant; readonly failure: Failure; readonly options: RunOptions },
): RunRow {
  return {
    ...run,
    state: 'waiting',
    availableAt: next.at,
    checkAt: checkWhileWaiting(next.options, next.at),
    worker: '',
    result: JSON.stringify(next.failure),
  };
}

/** A lease ends at `end`, or before it with its attempt or its execution. */
function leaseEnd(run: RunRow, options: RunOptions, end: Instant): Instant {
  return Math.min(end, attemptEnd(run, options) ?? end, executionEnd(run, options) ?? end) as Instant;
}
