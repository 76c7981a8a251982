/**
 * The invoker's verb: decides over all waiting starts, on every event that could free one. Starting is part of
 * the decision: the run is inserted in the same transaction, so a chosen start is a started one.
 */
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { Writable } from '../base/writable.ts';
import type { MutableNode } from '../engine/node.ts';
import type { Failure } from '../runs/failure.ts';
import type { RunOptions } from '../runs/run.ts';
import { newRun } from '../runs/run.ts';
import type { WaitingStart } from './buffered-start.ts';
import type { OverlapPolicy, ScheduleDefinition, SchedulePolicy } from './definition.ts';
import { lateAfter } from './definition.ts';
import { injectedInput } from './injected-input.ts';
import type { Invoker, StopRequest } from './invoker.ts';
import { expireWaiting, mostNewest, stopRuns } from './invoker.ts';
import type { Judged } from './ledger.ts';
import { judge, recordFinal, recordFresh } from './ledger.ts';
import type { OperatorSettingName } from './operator-settings.ts';
import { admitStart, settingsOf } from './operator-settings.ts';
import { mostOutstanding } from './policy/capacity.ts';
import { effectiveWindow } from './policy/catchup.ts';
import { resolveOverlap } from './policy/overlap.ts';
import type { FreeIdentity } from './run-identity.ts';
import { identify } from './run-identity.ts';
import type { ScheduleNode } from './schedule.ts';
import { count, countSkip, withSkip } from './schedule.ts';
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

interface Around {
  readonly invoker: InvokerNode;
  readonly definition: ScheduleDefinition;
}

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
  const around: Around = { invoker, definition };
  /** Waits for the end of a run of the same slot. */
  const hold = (start: WaitingStart, behind: string): WaitingStart => {
    if (start.state === 'pending') settle(start, judge(start, 'buffered', { blockedBy: behind }));
    return { ...start, state: 'deferred', behind };
  };
  /** False when the start does not happen now, so that its place is free for another one. */
  const tryStart = (start: WaitingStart): boolean => {
    const keep = (held: WaitingStart) => {
      invoker.set({ ...invoker.state, waiting: [...invoker.state.waiting, held] });
    };
    const refusal = refusalOf(schedule, definition, start) ?? outstandingOf(schedule, around, start);
    const identity = refusal ?? identify(schedule, around, start);
    if (!('state' in identity)) settle(start, identity);
    else if (identity.state === 'taken') settle(start, alreadyStarted(start, identity.runId));
    else if (identity.state === 'busy') keep(hold(start, identity.runId));
    else {
      const throttle = throttleOf(schedule, around, start);
      if (throttle === undefined) {
        settle(start, startRun(schedule, around, start, identity));
        return true;
      }
      const { until, setting } = throttle;
      if (isDropped(throttle, overlapOf(start, policy), invoker)) {
        countSkip(schedule);
        settle(start, judge(start, 'skippedOverlap', { policy: overlapOf(start, policy), setting }));
      } else {
        if (start.state === 'pending') settle(start, judge(start, 'buffered', { setting }));
        keep({ ...start, state: 'deferred', notBefore: until, heldBy: setting });
      }
    }
    return false;
  };
  const { waiting, open } = invoker.state;
  const limit = policy.keepOriginalId ? 1 : policy.limit;
  const isHeld = ({ behind, notBefore = schedule.now }: WaitingStart) =>
    (behind !== undefined && open > 0) || notBefore > schedule.now;
  const [only] = waiting;
  if (only !== undefined && waiting.length === 1 && open < limit && !isHeld(only)) {
    // A single start and no unfinished run: it may run under every policy.
    invoker.set({ ...invoker.state, waiting: nothing });
    tryStart(only);
    return false;
  }
  const held: WaitingStart[] = [];
  const eligible: Candidate[] = [];
  for (const start of waiting) {
    const refusal = refusalOf(schedule, definition, start);
    if (refusal !== undefined) settle(start, refusal);
    else if (isHeld(start)) held.push(start);
    else {
      const identity = identify(schedule, around, start);
      if (identity.state === 'taken') settle(start, alreadyStarted(start, identity.runId));
      else if (identity.state === 'busy') held.push(hold(start, identity.runId));
      else eligible.push({ start, overlap: overlapOf(start, policy) });
    }
  }
  const decision = resolveOverlap({ waiting: eligible, running: open, limit });
  const keep = decision.keep.map(({ start }) => ({ ...start, state: 'deferred' as const }));
  const kept = held.length + keep.length === 0 ? nothing : [...held, ...keep];
  invoker.set({ ...invoker.state, waiting: kept });
  let limited = false;
  for (const { start } of decision.start) if (!tryStart(start)) limited = true;
  if (decision.start.length === waiting.length) return false;
  // The newest run prevents the start; it may have been started just now.
  const blocker = invoker.state.newest.at(-1)?.runId;
  const blockedBy = blocker === undefined ? {} : { blockedBy: blocker };
  for (const { start, overlap } of decision.skip) {
    if (overlap !== (start.overlap ?? policy.overlap) && blocker !== undefined) {
      settle(start, alreadyStarted(start, blocker));
      continue;
    }
    countSkip(schedule);
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

/** A setting of the operator that a start has to wait for. */
interface Throttle {
  readonly until: Instant;
  readonly setting: OperatorSettingName;
}

/** A person who asks for a start is not held back by the distance of automatic ones, but by the rate of the namespace. */
function throttleOf(
  schedule: ScheduleNode,
  { invoker }: Around,
  { manual }: WaitingStart,
): Throttle | undefined {
  const { MinInterval } = settingsOf(schedule);
  const { lastStart } = invoker.state;
  if (MinInterval > 0 && !manual && lastStart !== undefined) {
    const until = addTime(lastStart, MinInterval);
    if (until > schedule.now) return { until, setting: 'MinInterval' };
  }
  const until = admitStart(schedule);
  return until === undefined ? undefined : { until, setting: 'SchedulerNamespaceStartWorkflowRPS' };
}

/** Within the distance of two starts the schedule counts as busy, so its overlap policy says what becomes of another one. */
function isDropped(
  { setting }: Throttle,
  overlap: OverlapPolicy,
  { state: { waiting } }: InvokerNode,
): boolean {
  if (setting !== 'MinInterval') return false;
  return overlap === 'skip' || (overlap === 'bufferOne' && waiting.length > 0);
}

/** A start that may run, with the policy that applies to it now. */
interface Candidate {
  readonly start: WaitingStart;
  readonly overlap: OverlapPolicy;
}

/** All runs have one id, and at most one of them may be unfinished: a further start does not happen, even where all are allowed. */
function overlapOf(
  { overlap: asked }: WaitingStart,
  { overlap, keepOriginalId }: SchedulePolicy,
): OverlapPolicy {
  const wanted = asked ?? overlap;
  return keepOriginalId && wanted === 'allowAll' ? 'skip' : wanted;
}

function alreadyStarted({ nominal, cause }: WaitingStart, runId: string): Judged {
  return { nominal, cause, verdict: 'alreadyStarted', runId };
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

/** The largest number of unfinished runs, even if the policy allows more: they would overload the store. */
function outstandingOf(
  schedule: ScheduleNode,
  { invoker, definition: { policy } }: Around,
  start: WaitingStart,
): Judged | undefined {
  const { open: outstanding } = invoker.state;
  if (outstanding < (policy.outstanding ?? mostOutstanding)) return undefined;
  count(schedule, 'bufferDropped');
  return judge(start, 'bufferFull', { outstanding });
}

/** Inserts the run. The store accepts its names only once, so the start happens only once. */
function startRun(
  schedule: ScheduleNode,
  { invoker, definition }: Around,
  start: WaitingStart,
  { id, workflowId, alias }: FreeIdentity,
): Judged {
  const { now, key, incarnation } = schedule;
  const { action } = definition;
  const { state: before } = invoker;
  const last = schedule.child('lastCompletion').state;
  const { nominal, actual, cause, manual } = start;
  const options: Writable<RunOptions> = { nominal, cause, schedule: key.id, workflowId, ...action.settings };
  // Doors that imitate other systems let a run wait for a worker as long as its timeouts say.
  if (action.findable === true) options.unclaimedMs ??= 0;
  if (actual !== nominal) options.actual = actual;
  const freedAt = start.state === 'deferred' ? before.lastEnd : undefined;
  if (freedAt !== undefined) options.freedAt = freedAt;
  if (last.result !== null) options.lastResult = JSON.parse(last.result) as unknown;
  if (last.failure !== null) options.lastFailure = JSON.parse(last.failure) as Failure;
  schedule.startRun(
    newRun({
      id,
      alias,
      exclusive: alias !== null,
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
  const counted = { ...before, open: before.open + 1, newest, starts: before.starts + 1 };
  // Kept only where it is asked for: every fire rewrites this state.
  invoker.set(settingsOf(schedule).MinInterval > 0 ? { ...counted, lastStart: now } : counted);
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
  const { heldBy } = start;
  if (!isLate && actual === nominal && heldBy === undefined && freedAt === undefined)
    return { nominal, cause, verdict, runId: id };
  const detail: VerdictDetail = {
    ...(isLate ? { lateByMs, ...(start.state === 'deferred' ? { waited: true as const } : {}) } : {}),
    ...(heldBy === undefined ? {} : { setting: heldBy }),
    ...(freedAt === undefined ? {} : { freedAt }),
    ...(actual === nominal ? {} : { actual }),
  };
  return { nominal, cause, verdict, runId: id, detail };
}

function countStart(schedule: ScheduleNode, manual: boolean): void {
  const { state } = schedule;
  const { token, remaining, counters } = state;
  const uses = manual || remaining === null ? 0 : 1;
  const counted = {
    ...state,
    token: token + uses,
    remaining: remaining === null ? null : remaining - uses,
    lastEventAt: schedule.now,
    counters: { ...counters, actions: counters.actions + 1 },
  };
  schedule.set(state.skips === undefined ? counted : withSkip(counted, false));
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

/** A start that waits too long is dropped at the end of its window, and one that is held back goes on, and not only at the next event. */
function armExpiry(schedule: ScheduleNode, invoker: InvokerNode): void {
  const windowMs = effectiveWindow(schedule.child('definition').state.policy);
  let earliest = Number.POSITIVE_INFINITY;
  for (const start of invoker.state.waiting) {
    if (!start.manual) earliest = Math.min(earliest, (start.askedAt ?? start.actual) + windowMs + 1);
    if (start.notBefore !== undefined && start.notBefore > schedule.now) {
      earliest = Math.min(earliest, start.notBefore);
    }
  }
  if (earliest !== Number.POSITIVE_INFINITY)
    invoker.schedule(expireWaiting, null, addTime(earliest as Instant, 0));
}
