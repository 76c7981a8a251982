/**
 * The end of a run that did not commit: it failed, was stopped, or its node is gone. Called in the transaction that ends the
 * run. What follows is decided by the change (see `host.ts`).
 */
import { addTime } from '../base/time.ts';
import type { Failure } from '../runs/failure.ts';
import { failureTypes } from '../runs/failure.ts';
import type { RunRow } from '../store/records.ts';
import { heldBy, release } from './event-lines.ts';
import { halt } from './halting.ts';
import type { Block, HostNode, Work } from './host.ts';
import { change, isHalted } from './host.ts';
import { noteEnd } from './phases.ts';
import { proceed } from './proceed.ts';
import type { FailureDetails } from './run-input.ts';
import { retryPause } from './settings.ts';

interface End {
  readonly run: RunRow;
  readonly class: FailureDetails['class'] | 'crashed' | 'stopped';
  readonly notApplied: boolean;
  readonly message: string;
}

export function runFinished(host: HostNode, run: RunRow): undefined {
  const { work } = host.state;
  if (work === null || work.run !== run.id) return;
  const end = endOf(run);
  const ended: Work = { ...work, run: null, previous: run.id };
  const isUncertain = work.change?.outcome === 'uncertain' && !end.notApplied;
  if (isUncertain) uncertain(host, ended, end);
  else if (work.change !== null && work.change.outcome !== 'uncertain') known(host, ended, end);
  else notChanged(host, ended, end);
  if (host.state.closed === null) proceed(host);
}

function endOf(run: RunRow): End {
  const failure = (run.result === null ? {} : JSON.parse(run.result)) as Partial<Failure>;
  const details = (failure.details ?? {}) as Partial<FailureDetails>;
  const message = failure.message ?? 'no reason was given';
  const notApplied = details.notApplied === true;
  const stopped = run.outcome === 'cancelled' || run.outcome === 'terminated';
  if (stopped) return { run, class: 'stopped', notApplied, message };
  if (run.outcome === 'timedOut' || failure.type === failureTypes.leaseLost)
    return { run, class: 'crashed', notApplied, message };
  const kind = details.class ?? (failure.nonRetryable === true ? 'logic' : 'transient');
  return { run, class: kind, notApplied, message };
}

/** Nothing outside was changed: what was reserved goes back, and a fresh run prepares again. */
function notChanged(host: HostNode, work: Work, end: End): void {
  const held = heldBy(host, work.holder);
  if (held.length > 0) release(host, held);
  host.child('data').set({ data: null, result: null });
  const fresh: Work = { ...work, task: 'run', phase: 'pending', holder: null, change: null, reconciles: 0 };
  if (end.class === 'refused') {
    // An answer, not a failure: the change did not happen, so the events are worked on again.
    ended(host, work, end, 'retried');
    change(host, { work: { ...fresh, retryAt: host.now } });
  } else tryAgain(host, { work: fresh, end, keep: null });
}

/** The outcome of the change is known: only `next` is left, and it alone is repeated. */
function known(host: HostNode, work: Work, end: End): void {
  const next: Work = { ...work, task: 'continue' };
  tryAgain(host, { work: next, end, keep: next });
}

/**
 * Retries what may be retried. Otherwise the workflow is blocked until a person acts, and `keep` is the work that waits
 * for that.
 */
function tryAgain(
  host: HostNode,
  { work, end, keep }: { readonly work: Work; readonly end: End; readonly keep: Work | null },
): void {
  const { settings } = host.child('deployment').state;
  const failures = work.failures + (end.class === 'interrupted' ? 0 : 1);
  const isLast = end.class === 'logic' || end.class === 'stopped' || failures > settings.retries;
  // A run that a person asked for while the workflow was halted is not repeated.
  if (isLast || (isHalted(host.state) && work.manual)) {
    blocked(host, {
      work: keep === null ? null : { ...keep, failures, retryAt: host.now },
      end,
      of: work,
      kind: 'failed',
    });
    return;
  }
  ended(host, work, end, 'retried');
  // The first crash says nothing about the work: it is taken up at once.
  const isAtOnce = end.class === 'interrupted' || (end.class === 'crashed' && failures === 1);
  const pause = isAtOnce ? 0 : retryPause(settings, failures);
  change(host, { work: { ...work, failures, retryAt: addTime(host.now, pause) } });
}

/** It is not known whether the change happened: it is asked about, never repeated. */
function uncertain(host: HostNode, work: Work, end: End): void {
  const { settings } = host.child('deployment').state;
  const wasQuestion = end.class === 'unknown' || (work.task === 'reconcile' && end.class !== 'interrupted');
  const asked = work.reconciles + (wasQuestion ? 1 : 0);
  const next: Work = { ...work, task: 'reconcile', phase: 'mutating', reconciles: asked };
  if (end.class === 'logic' || work.change?.canReconcile !== true || asked >= settings.reconciles) {
    blocked(host, { work: { ...next, retryAt: host.now }, end, of: work, kind: 'uncertain' });
    return;
  }
  ended(host, work, end, 'suspended');
  const pause = asked === 0 ? 0 : retryPause(settings, asked);
  change(host, { work: { ...next, retryAt: addTime(host.now, pause) } });
}

function blocked(
  host: HostNode,
  stop: { readonly work: Work | null; readonly of: Work; readonly end: End; readonly kind: Block['kind'] },
): void {
  const { work, of, end, kind } = stop;
  ended(host, of, end, kind === 'failed' ? 'failed' : 'suspended');
  change(host, { work });
  halt(host, { block: { kind, since: host.now, runId: end.run.id, message: end.message } });
}

function ended(host: HostNode, work: Work, end: End, result: 'failed' | 'suspended' | 'retried'): void {
  const { kind, handler } = work;
  const error = end.message;
  const of = { ...work, run: end.run.id };
  noteEnd(host, of, { result: result === 'retried' ? 'failed' : result, empty: false, error });
  const durationMs = host.now - work.since;
  host.report({
    type: 'hostRunEnded',
    kind,
    handler,
    runId: end.run.id,
    result,
    empty: false,
    durationMs,
    error,
  });
}
