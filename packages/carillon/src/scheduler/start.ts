/**
 * The invoker's verb: decides over all waiting starts, on every event that could free one. Starting is part of
 * the decision: the run is inserted in the same transaction, so a chosen start is a started one.
 */
import type { Instant } from '../base/time.ts';
import { addTime, formatInstant } from '../base/time.ts';
import type { MutableNode } from '../engine/node.ts';
import type { Failure } from '../runs/failure.ts';
import type { RunOptions } from '../runs/run.ts';
import { newRun } from '../runs/run.ts';
import { runId } from '../runs/run-id.ts';
import type { Slot, WaitingStart } from './buffered-start.ts';
import type { OverlapPolicy, ScheduleDefinition } from './definition.ts';
import { lateAfter } from './definition.ts';
import { injectedInput } from './injected-input.ts';
import type { Invoker, OpenRun, StopRequest } from './invoker.ts';
import { expireWaiting, mostNewest, stopRuns } from './invoker.ts';
import type { Judged } from './ledger.ts';
import { judge, recordFinal, recordFresh } from './ledger.ts';
import { defaultBufferLimits } from './policy/capacity.ts';
import { effectiveWindow } from './policy/catchup.ts';
import { resolveOverlap } from './policy/overlap.ts';
import type { ScheduleNode } from './schedule.ts';
import { count } from './schedule.ts';
import type { Verdict, VerdictDetail } from './verdict.ts';

export function enqueue(schedule: ScheduleNode, starts: readonly WaitingStart[]): void {
  if (starts.length === 0) return;
  const invoker = schedule.child('invoker');
  const { state } = invoker;
  const { waiting } = state;
  invoker.set({ ...state, waiting: waiting.length === 0 ? starts : [...waiting, ...starts] });
  processBuffer(schedule);
}

export function processBuffer(schedule: ScheduleNode): void {
  const invoker = schedule.child('invoker');
  if (invoker.state.waiting.length === 0) return;
  const fresh: Judged[] = [];
  const final: Judged[] = [];
  const verdicts: Verdicts = { fresh, final };
  // A start may use the last action, which changes what the others may do: decides again until nothing changes.
  while (processOnce(schedule, invoker, verdicts)) {}
  if (fresh.length > 0) recordFresh(schedule, fresh);
  if (final.length > 0) for (const verdict of final) recordFinal(schedule, verdict);
  if (invoker.state.waiting.length > 0) armExpiry(schedule, invoker);
}

const nothing: readonly WaitingStart[] = [];

type InvokerNode = MutableNode<typeof Invoker>;

interface Verdicts {
  /** Verdicts of slots seen for the first time. */
  readonly fresh: Judged[];
  /** Verdicts of slots whose row says `buffered`. */
  readonly final: Judged[];
}

function processOnce(schedule: ScheduleNode, invoker: InvokerNode, verdicts: Verdicts): boolean {
  const definition = schedule.child('definition').state;
  const { policy } = definition;
  const settle = (start: WaitingStart, judged: Judged) => {
    (start.state === 'pending' ? verdicts.fresh : verdicts.final).push(judged);
  };
  const { waiting, open } = invoker.state;
  const [only] = waiting;
  if (only !== undefined && waiting.length === 1 && open < policy.limit) {
    // A single start and no unfinished run: it may run under every policy.
    invoker.set({ ...invoker.state, waiting: nothing });
    const refusal = refusalOf(schedule, definition, only) ?? outstandingOf(schedule, invoker, only);
    settle(only, refusal ?? begin(schedule, { invoker, definition }, only));
    return false;
  }
  const eligible: Candidate[] = [];
  for (const start of waiting) {
    const refusal = refusalOf(schedule, definition, start);
    if (refusal === undefined) eligible.push({ start, overlap: start.overlap ?? policy.overlap });
    else settle(start, refusal);
  }
  const decision = resolveOverlap({ waiting: eligible, running: open, limit: policy.limit });
  const { keep } = decision;
  const kept =
    keep.length === 0 ? nothing : keep.map(({ start }) => ({ ...start, state: 'deferred' as const }));
  invoker.set({ ...invoker.state, waiting: kept });
  let limited = false;
  for (const { start } of decision.start) {
    const refusal = refusalOf(schedule, definition, start) ?? outstandingOf(schedule, invoker, start);
    if (refusal === undefined) settle(start, begin(schedule, { invoker, definition }, start));
    else {
      limited = true;
      settle(start, refusal);
    }
  }
  if (decision.start.length === waiting.length) return false;
  // The newest run prevents the start; it may have been started just now.
  const blocker = invoker.state.newest.at(-1)?.runId;
  const blockedBy = blocker === undefined ? {} : { blockedBy: blocker };
  for (const { start, overlap } of decision.skip) {
    count(schedule, 'overlapSkipped');
    settle(start, judge(start, 'skippedOverlap', { policy: overlap, ...blockedBy }));
  }
  const newest = decision.start.at(-1)?.start;
  for (const { start } of decision.replaced) {
    settle(start, judge(start, 'coalesced', newest === undefined ? {} : { ranAs: newest.nominal }));
  }
  for (const { start } of decision.keep) {
    if (start.state === 'pending') verdicts.fresh.push(judge(start, 'buffered', blockedBy));
  }
  if (decision.stopRunning !== 'no') stopRunning(schedule, decision.stopRunning);
  return limited && decision.keep.length > 0;
}

/** A start that may run, with the policy that applies to it now. */
interface Candidate {
  readonly start: WaitingStart;
  readonly overlap: OverlapPolicy;
}

/** Why a start may not run at all, regardless of other runs. */
function refusalOf(
  schedule: ScheduleNode,
  definition: ScheduleDefinition,
  start: WaitingStart,
): Judged | undefined {
  if (start.manual) return undefined;
  const { paused, policy } = definition;
  if (paused !== null) {
    return judge(start, 'paused', { pausedBy: paused.by, note: paused.note, pausedAt: paused.at });
  }
  if (schedule.state.remaining === 0) return judge(start, 'limitReached');
  // The generator measured a new slot, because it knows when a person asked for old ones.
  if (start.state === 'pending') return undefined;
  const windowMs = effectiveWindow(policy);
  const lateByMs = schedule.now - (start.askedAt ?? start.actual);
  if (lateByMs <= windowMs) return undefined;
  count(schedule, 'missedCatchupWindow');
  return judge(start, 'missedWindow', { windowMs, lateByMs });
}

/** More runs than this may not be unfinished at once, whatever the policy allows: they would overload the store. */
function outstandingOf(
  schedule: ScheduleNode,
  invoker: InvokerNode,
  start: WaitingStart,
): Judged | undefined {
  const { open: outstanding } = invoker.state;
  if (outstanding < defaultBufferLimits.outstanding) return undefined;
  count(schedule, 'bufferDropped');
  return judge(start, 'bufferFull', { outstanding });
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** Inserts the run. The store accepts its id only once, so the start happens only once. */
function begin(
  schedule: ScheduleNode,
  { invoker, definition }: { readonly invoker: InvokerNode; readonly definition: ScheduleDefinition },
  start: WaitingStart,
): Judged {
  const { now, key, incarnation } = schedule;
  const { action, policy } = definition;
  const { state: before } = invoker;
  const last = schedule.child('lastCompletion').state;
  const { nominal, actual, cause, manual } = start;
  const id = runId(nominal, `${incarnation}/${cause}/${nominal}`);
  const base = start.workflowBase ?? workflowBase(schedule, definition);
  const workflowId = policy.keepOriginalId ? base : workflowIdOf(base, start, before.newest);
  const options: Writable<RunOptions> = {
    ...action.settings,
    nominal,
    cause,
    schedule: key.id,
    workflowId,
  };
  if (actual !== nominal) options.actual = actual;
  if (last.result !== null) options.lastResult = JSON.parse(last.result) as unknown;
  if (last.failure !== null) options.lastFailure = JSON.parse(last.failure) as Failure;
  schedule.startRun(
    newRun({
      id,
      alias: action.findable === true ? workflowId : null,
      owner: incarnation,
      ordinal: before.starts,
      namespace: key.namespace,
      queue: action.queue,
      name: action.name,
      priority: action.priority,
      now,
      input:
        action.inject === undefined
          ? action.input
          : injectedInput(definition, { schedule: key.id, now, nominal, runId: id }),
      options,
    }),
  );
  const started = { runId: id, workflowId };
  const newest = before.newest.length === 0 ? [started] : [...before.newest, started].slice(-mostNewest);
  invoker.set({ ...before, open: before.open + 1, newest, starts: before.starts + 1 });
  countStart(schedule, manual);
  const lateByMs = now - actual;
  schedule.report({
    type: 'started',
    runId: id,
    workflowId,
    nominal,
    cause,
    lateByMs,
    manual,
    waited: start.state === 'deferred',
    name: action.name,
    queue: action.queue,
    priority: action.priority,
  });
  const isLate = !manual && lateByMs > lateAfter;
  const verdict: Verdict = isLate ? 'startedLate' : 'started';
  if (!isLate && actual === nominal) return { nominal, cause, verdict, runId: id };
  const detail: VerdictDetail = {
    ...(isLate ? { lateByMs, ...(start.state === 'deferred' ? { waited: true as const } : {}) } : {}),
    ...(actual === nominal ? {} : { actual }),
  };
  return { nominal, cause, verdict, runId: id, detail };
}

function countStart(schedule: ScheduleNode, manual: boolean): void {
  const { state } = schedule;
  const { token, remaining, counters } = state;
  const uses = manual || remaining === null ? 0 : 1;
  schedule.set({
    ...state,
    token: token + uses,
    remaining: remaining === null ? null : remaining - uses,
    lastEventAt: schedule.now,
    counters: { ...counters, actions: counters.actions + 1 },
  });
}

export function workflowBase(
  { key }: ScheduleNode,
  { action: { workflowId } }: Pick<ScheduleDefinition, 'action'>,
): string {
  return workflowId === '' ? key.id : workflowId;
}

/** `<base>-<nominal time>`; with a suffix only when another unfinished run has the same id. */
function workflowIdOf(base: string, start: Slot, newest: readonly OpenRun[]): string {
  const wholeSecond = (Math.floor(start.nominal / 1000) * 1000) as Instant;
  const id = `${base}-${formatInstant(wholeSecond)}`;
  // One more than the highest suffix in use: of many runs that were started together only the newest are known here.
  let highest = 0;
  for (const { workflowId } of newest) {
    if (workflowId === id) highest = Math.max(highest, 1);
    else if (workflowId.startsWith(`${id}-`)) highest = Math.max(highest, suffixOf(workflowId, id));
  }
  return highest === 0 ? id : `${id}-${highest + 1}`;
}

function suffixOf(workflowId: string, id: string): number {
  const suffix = Number(workflowId.slice(id.length + 1));
  return Number.isSafeInteger(suffix) ? suffix : 0;
}

/** Asks unfinished runs to stop, once, unless they are asked already, or a stronger request comes. */
function stopRunning(schedule: ScheduleNode, how: 'cancel' | 'terminate'): void {
  const invoker = schedule.child('invoker');
  const { stopping, starts } = invoker.state;
  const upTo = starts - 1;
  if (stopping !== null && stopping.upTo >= upTo && (stopping.how === 'terminate' || how === 'cancel'))
    return;
  const wish: StopRequest = { how: stopping?.how === 'terminate' ? 'terminate' : how, upTo };
  invoker.set({ ...invoker.state, stopping: wish });
  invoker.schedule(stopRuns, wish);
}

/** A start that waits too long is dropped at the end of its window, and not only at the next event. */
function armExpiry(schedule: ScheduleNode, invoker: InvokerNode): void {
  const windowMs = effectiveWindow(schedule.child('definition').state.policy);
  let earliest = Number.POSITIVE_INFINITY;
  for (const start of invoker.state.waiting) {
    if (!start.manual) earliest = Math.min(earliest, (start.askedAt ?? start.actual) + windowMs + 1);
  }
  if (earliest !== Number.POSITIVE_INFINITY)
    invoker.schedule(expireWaiting, null, addTime(earliest as Instant, 0));
}
