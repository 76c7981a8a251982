/** Handles the end of a run of the schedule: keeps its result, reacts to failure, and frees waiting starts. */
import { assert } from '../base/assert.ts';
import { reasonOf } from '../base/failure.ts';
import type { Instant } from '../base/time.ts';
import type { Writable } from '../base/writable.ts';
import { durationOf } from '../runs/fact.ts';
import { failureTypes } from '../runs/failure.ts';
import { optionsOf, sinceFreed } from '../runs/run.ts';
import type { RunRow } from '../store/records.ts';
import { auditChange, ownDoor } from './audit.ts';
import type { ChosenStart, WaitingStart } from './buffered-start.ts';
import { slotOfRun } from './buffered-start.ts';
import { lateAfter } from './definition.ts';
import type { FinishedFact } from './fact.ts';
import { planIdle } from './idle.ts';
import type { InvokerState } from './invoker.ts';
import { recordFinal } from './ledger.ts';
import { pause } from './pause.ts';
import type { ScheduleNode } from './schedule.ts';
import { processBuffer } from './start.ts';

/** Called in the transaction that finishes the run, also after the schedule was closed. */
export function runFinished(schedule: ScheduleNode, run: RunRow): undefined {
  const invoker = schedule.child('invoker');
  const { state: before } = invoker;
  assert(before.open > 0, () => `run ${run.id} has ended, but the schedule has no unfinished run`);
  const open = before.open - 1;
  const newest = before.newest.filter((other) => other.runId !== run.id);
  const waiting = freed(before.waiting, run.id);
  const ended = { ...before, waiting, open, newest, stopping: open === 0 ? null : before.stopping };
  invoker.set(withLastEnd(ended, waiting.length === 0 ? undefined : schedule.now));
  const options = optionsOf(run);
  const start = slotOfRun(run, options);

  const failed = run.outcome === 'failed' || run.outcome === 'timedOut';
  const { state } = schedule;
  const failures = failed ? state.failures + 1 : run.outcome === 'completed' ? 0 : state.failures;
  schedule.set({ ...state, failures, lastEventAt: schedule.now });
  rememberCompletion(schedule, run, failed);
  const failure = failed ? failureOf(run) : undefined;
  const { id: runId, outcome, name, attempt } = run;
  assert(outcome !== null, () => `run ${runId} was reported as finished but has no outcome`);
  const { workflowId, nominal, cause } = start;
  const durationMs = durationOf(run);
  const sinceFreedMs = sinceFreed(run, options);
  const fact: Writable<FinishedFact> = {
    type: 'finished',
    runId,
    workflowId,
    nominal,
    cause,
    outcome,
    name,
    attempt,
    durationMs,
  };
  if (sinceFreedMs !== undefined) fact.sinceFreedMs = sinceFreedMs;
  if (failure !== undefined) fact.error = reasonOf(failure);
  schedule.report(fact);
  if (failure?.startFailed === true) undoStart(schedule, { run, start, failure });
  if (state.closed !== null) return;

  const definition = schedule.child('definition').state;
  const { policy, paused } = definition;
  if (failed && paused === null && policy.pauseAfterFailures > 0 && failures >= policy.pauseAfterFailures) {
    const what = run.outcome === 'timedOut' ? 'timedout' : 'failed';
    const note = `paused, workflow ${what}: ${start.workflowId}`;
    pause(schedule, { by: 'policy', note });
    auditChange(schedule, { actor: 'policy', door: ownDoor, note }, 'pause', definition);
    schedule.set({ ...schedule.state, token: schedule.state.token + 1 });
    schedule.report({ type: 'pausedOnFailure', failures });
  }
  processBuffer(schedule);
  planIdle(schedule);
}

/** Kept only while starts wait: every end rewrites this state. */
function withLastEnd(state: InvokerState, lastEnd: Instant | undefined): InvokerState {
  if (lastEnd !== undefined) return { ...state, lastEnd };
  if (state.lastEnd === undefined) return state;
  const { lastEnd: _, ...rest } = state;
  return rest;
}

/** Starts that waited for the end of this very run may be tried again. */
function freed(waiting: readonly WaitingStart[], runId: string): readonly WaitingStart[] {
  if (!waiting.some(({ behind }) => behind === runId)) return waiting;
  return waiting.map((start) => {
    if (start.behind !== runId) return start;
    const { behind: _, ...rest } = start;
    return rest;
  });
}

/** Results are cold state: written only when there is a new one. */
function rememberCompletion(schedule: ScheduleNode, run: RunRow, failed: boolean): void {
  const node = schedule.child('lastCompletion');
  const before = node.state;
  const result = run.outcome === 'completed' ? run.result : before.result;
  let { failure } = before;
  if (run.outcome === 'completed') failure = null;
  else if (failed) failure = withoutStack(run.result);
  if (result !== before.result || failure !== before.failure) node.set({ result, failure });
}

/** The run keeps the stack; the copy for later runs does not need it. */
function withoutStack(failure: string | null): string | null {
  if (failure === null) return null;
  const { stack: _, ...rest } = JSON.parse(failure) as { readonly stack?: string };
  return JSON.stringify(rest);
}

/** The run could not be started, in spite of all attempts: its action is given back and its slot gets the verdict. */
function undoStart(
  schedule: ScheduleNode,
  { run, start, failure }: { readonly run: RunRow; readonly start: ChosenStart; readonly failure: Failure },
): void {
  const { state } = schedule;
  schedule.set({
    ...state,
    counters: { ...state.counters, actions: state.counters.actions - 1 },
    ...(state.remaining !== null && !start.manual
      ? { remaining: state.remaining + 1, token: state.token + 1 }
      : {}),
  });
  const { nominal, cause } = start;
  const isUnclaimed = failure.type === failureTypes.noWorker;
  const verdict = isUnclaimed ? 'noWorker' : 'startFailed';
  const detail = isUnclaimed
    ? { handler: run.name, waitedMs: schedule.now - run.availableAt }
    : { attempts: run.attempt, error: failure.message };
  const wasLate = !start.manual && start.startedAt - start.actual > lateAfter;
  const replaces = wasLate ? 'startedLate' : 'started';
  recordFinal(schedule, { nominal, cause, verdict, runId: run.id, detail, replaces });
}

interface Failure {
  readonly message: string;
  readonly type?: string;
  readonly startFailed?: boolean;
}

function failureOf(run: RunRow): Failure {
  if (run.result === null) return { message: 'no reason was given' };
  return JSON.parse(run.result) as Failure;
}
