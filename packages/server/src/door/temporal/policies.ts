/** Policies and state of a schedule in Temporal's format. */
import { day } from 'carillon/internal/base';
import type { OverlapPolicy, ScheduleDefinition, SchedulePolicy } from 'carillon/internal/service';
import { defaultPolicy, lateAfter, overlapPolicies } from 'carillon/internal/service';
import { durationMs, toDuration } from './proto-time.ts';
import type { Policies, State } from './protocol.ts';
import { badRequest } from './status.ts';

/** Temporal's default catch-up window. */
const defaultWindow = 365 * day;

/** Zero means "unspecified" on the wire; the policies follow in the same order. */
export function readOverlap(number: number | null | undefined): OverlapPolicy | undefined {
  if (number === null || number === undefined || number === 0) return undefined;
  const policy = overlapPolicies[number - 1];
  if (policy === undefined) throw badRequest(`there is no overlap policy ${number}`);
  return policy;
}

export function overlapNumber(policy: OverlapPolicy): number {
  return overlapPolicies.indexOf(policy) + 1;
}

/**
 * Policies that Temporal cannot express stay unchanged (a limit of three runs, a pause after the second failure), and so does
 * a window that a client sends back as it was shown.
 */
export function readPolicies(
  given: Policies | null | undefined,
  before?: ScheduleDefinition,
): SchedulePolicy {
  const { policy = defaultPolicy } = before ?? {};
  const { overlapPolicy, catchupWindow, pauseOnFailure, keepOriginalWorkflowId } = given ?? {};
  const window = readWindow(catchupWindow);
  const isWindowShown = before !== undefined && window === shownWindow(policy);
  return {
    ...policy,
    overlap: readOverlap(overlapPolicy) ?? 'skip',
    catchupWindowMs: isWindowShown ? policy.catchupWindowMs : window,
    pauseAfterFailures: pauseOnFailure === true ? Math.max(1, policy.pauseAfterFailures) : 0,
    keepOriginalId: keepOriginalWorkflowId === true,
  };
}

/** Absent, zero and negative mean the default; the shortest window is ten seconds. */
function readWindow(given: Policies['catchupWindow']): number {
  if (given === null || given === undefined) return defaultWindow;
  const milliseconds = durationMs(given);
  if (milliseconds === undefined) throw badRequest('CatchupWindow is not a valid duration.');
  return milliseconds <= 0 ? defaultWindow : Math.max(lateAfter, Math.trunc(milliseconds));
}

function shownWindow({ catchupWindowMs }: SchedulePolicy): number {
  return Math.max(lateAfter, catchupWindowMs);
}

export function policiesMessage(policy: SchedulePolicy): Policies {
  const { overlap, pauseAfterFailures, keepOriginalId } = policy;
  return {
    overlapPolicy: overlapNumber(overlap),
    catchupWindow: toDuration(shownWindow(policy)),
    pauseOnFailure: pauseAfterFailures > 0,
    keepOriginalWorkflowId: keepOriginalId,
  };
}

export interface ReadState {
  readonly note: string;
  readonly paused: { readonly note: string } | null;
  readonly remaining: number | null;
}

export function readState(given: State | null | undefined): ReadState {
  const { notes, paused, limitedActions, remainingActions } = given ?? {};
  const note = notes ?? '';
  return {
    note,
    paused: paused === true ? { note } : null,
    remaining: limitedActions === true ? readCount(remainingActions) : null,
  };
}

function readCount(given: State['remainingActions']): number {
  const count = given === null || given === undefined ? 0 : Number(given.toString());
  // No schedule ever uses up more than a number can count.
  return Math.min(Math.max(0, count), Number.MAX_SAFE_INTEGER);
}

export function stateMessage({ note, paused }: ScheduleDefinition, remaining: number | null): State {
  return {
    notes: note,
    paused: paused !== null,
    limitedActions: remaining !== null,
    ...(remaining === null
      ? {}
      : { remainingActions: remaining as unknown as NonNullable<State['remainingActions']> }),
  };
}
