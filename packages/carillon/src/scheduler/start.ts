/**
 * The invoker's verb: decides over everything that waits, on every event that could free something. Starting is part of
 * the decision: the run is inserted in the same transaction, so a chosen start is a started one.
 */
import type { Instant } from '../base/time.ts';
import { addTime, formatInstant } from '../base/time.ts';
import type { MutableNode } from '../engine/node.ts';
import type { Failure } from '../runs/failure.ts';
import type { RunOptions } from '../runs/run.ts';
import { newRun } from '../runs/run.ts';
import { runId } from '../runs/run-id.ts';
import type { ChosenStart, Slot, WaitingStart } from './buffered-start.ts';
import type { OverlapPolicy, ScheduleDefinition } from './definition.ts';
import { lateAfter } from './definition.ts';
import type { Invoker } from './invoker.ts';
import { expireWaiting, stopRun } from './invoker.ts';
import type { Judged } from './ledger.ts';
import { judge, recordFinal, recordFresh } from './ledger.ts';
import { effectiveWindow } from './policy/catchup.ts';
import { resolveOverlap } from './policy/overlap.ts';
import type { ScheduleNode } from './schedule.ts';
import { count } from './schedule.ts';
import type { Verdict, VerdictDetail } from './verdict.ts';

export function enqueue(schedule: ScheduleNode, starts: readonly WaitingStart[]): void {
  if (starts.length === 0) return;
  const invoker = schedule.child('invoker');
  const { waiting, running } = invoker.state;
  invoker.set({ waiting: waiting.length === 0 ? starts : [...waiting, ...starts], running });
  processBuffer(schedule);
}

export function processBuffer(schedule: ScheduleNode): void {
  const invoker = schedule.child('invoker');
  if (invoker.state.waiting.length === 0) return;
  const fresh: Judged[] = [];
  const final: Judged[] = [];
  const verdicts: Verdicts = { fresh, final };
  // Starting one may use up the last action, which changes what the others may do: decide again until nothing moves.
  while (processOnce(schedule, invoker, verdicts)) {}
  if (fresh.length > 0) recordFresh(schedule, fresh);
  if (final.length > 0) for (const verdict of final) recordFinal(schedule, verdict);
  if (invoker.state.waiting.length > 0) armExpiry(schedule, invoker);
}

const nothing: readonly WaitingStart[] = [];

type InvokerNode = MutableNode<typeof Invoker>;

interface Verdicts {
  /** Of slots seen for the first time. */
  readonly fresh: Judged[];
  /** Of slots whose row says `buffered`. */
  readonly final: Judged[];
}

function processOnce(schedule: ScheduleNode, invoker: InvokerNode, verdicts: Verdicts): boolean {
  const definition = schedule.child('definition').state;
  const { policy } = definition;
  const settle = (start: WaitingStart, judged: Judged) => {
    (start.state === 'pending' ? verdicts.fresh : verdicts.final).push(judged);
  };
  const { waiting, running } = invoker.state;
  const [only] = waiting;
  if (only !== undefined && waiting.length === 1 && running.length < policy.limit) {
    // Alone and with a free place: whatever the policy is, nothing stands in its way.
    invoker.set({ waiting: nothing, running });
    const refusal = refusalOf(schedule, definition, only);
    settle(only, refusal ?? begin(schedule, { invoker, definition }, only));
    return false;
  }
  const eligible: Candidate[] = [];
  for (const start of waiting) {
    const refusal = refusalOf(schedule, definition, start);
    if (refusal === undefined) eligible.push({ start, overlap: start.overlap ?? policy.overlap });
    else settle(start, refusal);
  }
  const decision = resolveOverlap({ waiting: eligible, running: running.length, limit: policy.limit });
  const { keep } = decision;
  const kept =
    keep.length === 0 ? nothing : keep.map(({ start }) => ({ ...start, state: 'deferred' as const }));
  invoker.set({ waiting: kept, running });
  let limited = false;
  for (const { start } of decision.start) {
    const refusal = refusalOf(schedule, definition, start);
    if (refusal === undefined) settle(start, begin(schedule, { invoker, definition }, start));
    else {
      limited = true;
      settle(start, refusal);
    }
  }
  if (decision.start.length === waiting.length) return false;
  // What stands in the way is the newest run, which may have been started just now.
  const blocker = invoker.state.running.at(-1)?.runId;
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

/** A start that nothing forbids, under the policy that applies to it now. */
interface Candidate {
  readonly start: WaitingStart;
  readonly overlap: OverlapPolicy;
}

/** Why a start may not go at all, whatever else is running. */
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
  // A fresh slot was measured by the generator, which knows when a person asked for old ones.
  if (start.state === 'pending') return undefined;
  const windowMs = effectiveWindow(policy);
  const lateByMs = schedule.now - (start.askedAt ?? start.actual);
  if (lateByMs <= windowMs) return undefined;
  count(schedule, 'missedCatchupWindow');
  return judge(start, 'missedWindow', { windowMs, lateByMs });
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** Inserts the run. Uniqueness of its id in the store is what makes the start happen once. */
function begin(
  schedule: ScheduleNode,
  { invoker, definition }: { readonly invoker: InvokerNode; readonly definition: ScheduleDefinition },
  start: WaitingStart,
): Judged {
  const { now, key, incarnation } = schedule;
  const { action, policy } = definition;
  const { waiting, running } = invoker.state;
  const last = schedule.child('lastCompletion').state;
  const { nominal, actual, cause, manual } = start;
  const id = runId(nominal, `${incarnation}/${cause}/${nominal}`);
  const base = action.workflowId === '' ? key.id : action.workflowId;
  const workflowId = policy.keepOriginalId ? base : workflowIdOf(base, start, running);
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
      namespace: key.namespace,
      queue: action.queue,
      name: action.name,
      priority: action.priority,
      now,
      input: action.input,
      options,
    }),
  );
  const started: ChosenStart = {
    nominal,
    actual,
    cause,
    manual,
    runId: id,
    workflowId,
    startedAt: now,
    stop: 'no',
  };
  invoker.set({ waiting, running: running.length === 0 ? [started] : [...running, started] });
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

/** `<base>-<nominal time>`; a suffix only when another start that is still going has the same. */
function workflowIdOf(base: string, start: Slot, running: readonly ChosenStart[]): string {
  const wholeSecond = (Math.floor(start.nominal / 1000) * 1000) as Instant;
  const id = `${base}-${formatInstant(wholeSecond)}`;
  if (running.length === 0) return id;
  const taken = new Set(running.map((other) => other.workflowId));
  if (!taken.has(id)) return id;
  let suffix = 2;
  while (taken.has(`${id}-${suffix}`)) suffix += 1;
  return `${id}-${suffix}`;
}

function stopRunning(schedule: ScheduleNode, how: 'cancel' | 'terminate'): void {
  const invoker = schedule.child('invoker');
  const stronger = (stop: string) => stop === 'no' || (stop === 'cancel' && how === 'terminate');
  const targets = invoker.state.running.filter((start) => stronger(start.stop));
  if (targets.length === 0) return;
  invoker.set({
    ...invoker.state,
    running: invoker.state.running.map((start) => (stronger(start.stop) ? { ...start, stop: how } : start)),
  });
  for (const start of targets) invoker.schedule(stopRun, { runId: start.runId, how });
}

/** A start that waits too long is let go at the end of its window, not when somebody next happens to look. */
function armExpiry(schedule: ScheduleNode, invoker: InvokerNode): void {
  const windowMs = effectiveWindow(schedule.child('definition').state.policy);
  let earliest = Number.POSITIVE_INFINITY;
  for (const start of invoker.state.waiting) {
    if (!start.manual) earliest = Math.min(earliest, (start.askedAt ?? start.actual) + windowMs + 1);
  }
  if (earliest !== Number.POSITIVE_INFINITY)
    invoker.schedule(expireWaiting, null, addTime(earliest as Instant, 0));
}
