/**
 * Slots whose time has come and that the ledger does not have yet. A paused schedule sleeps, so its slots get their rows only
 * when it resumes; a schedule whose node is late, or that is in quarantine, has slots that wait for a decision. What they are
 * is known from the definition and the cursor. Every reading of the ledger takes them from here, so that all say the same.
 */
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import type { Engine } from '../../engine/engine.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { Pause, ScheduleDefinition } from '../../scheduler/definition.ts';
import { lateAfter } from '../../scheduler/definition.ts';
import { Schedule } from '../../scheduler/schedule.ts';
import type { ListedExecution } from '../../store/records.ts';
import type { SlicedWork } from '../spec-search.ts';
import { timesBetween } from '../spec-search.ts';
import { unreadableBy } from '../unreadable.ts';
import type { Span } from './history-material.ts';

/** `limitReached`: the schedule has used up its actions, so no node can decide otherwise. */
export type OpenVerdict = 'paused' | 'limitReached' | 'due' | 'overdue';

export interface OpenSlot {
  readonly nominal: Instant;
  readonly verdict: OpenVerdict;
}

/** What is known of a schedule that is not closed. */
export interface OpenState {
  /** The definition in force. */
  readonly definition: ScheduleDefinition;
  /** Every slot up to this time has its verdict. */
  readonly cursor: Instant;
  /** The actions that are left; null: unlimited. */
  readonly remaining: number | null;
  readonly now: Instant;
}

/** Undefined for a row that this node cannot read. */
export async function readOpenState(
  engine: Engine,
  row: ListedExecution,
  now: Instant,
): Promise<OpenState | undefined> {
  try {
    return await engine.view(Schedule, row, row.key, (view) => ({
      definition: view.child('definition').state,
      cursor: view.child('generator').state.cursor,
      remaining: view.state.remaining,
      now,
    }));
  } catch (error) {
    if (unreadableBy(error) === undefined) throw error;
    return undefined;
  }
}

/** Whether there may be such slots, as far as the row alone tells: most schedules need no further check. */
export function mayHaveOpenSlots({ status, attributes, signals }: ListedExecution, now: Instant): boolean {
  if (status === 'closed') return false;
  return attributes.$paused === true || now - (signals.$next ?? now) > lateAfter;
}

/** Whether a slot that is due at this time falls into the present pause. */
export function fallsIntoPause(paused: Pause | null, actual: Instant): boolean {
  return paused !== null && actual > paused.at && actual <= (paused.until ?? actual);
}

function openVerdict({ definition, remaining, now }: OpenState, actual: Instant): OpenVerdict {
  // A pause ends a moment after its end has come; slots of that moment are still passed over.
  if (definition.paused !== null && actual > definition.paused.at) return 'paused';
  if (remaining === 0) return 'limitReached';
  return now - actual > lateAfter ? 'overdue' : 'due';
}

/** The slots of a span, oldest first, at most `limit` of them. */
export async function openSlotsIn(
  state: OpenState,
  { from, to, limit }: Span & { readonly limit: number },
  work: SlicedWork,
): Promise<{ readonly slots: readonly OpenSlot[]; readonly truncated: boolean }> {
  const window = openWindow(state, { from, to });
  if (window.from >= window.to) return { slots: [], truncated: false };
  const { definition, now } = state;
  const { seed } = definition;
  const found = await timesBetween(compiledOf(definition), { window, limit, seed }, work);
  const slots = found.times
    .filter(({ actual }) => actual <= now)
    .map(({ nominal, actual }) => ({ nominal, verdict: openVerdict(state, actual) }));
  return { slots, truncated: found.truncated };
}

/** The part of a span that the ledger has not reached: exclusive at its beginning. */
export function openWindow({ cursor, now }: Pick<OpenState, 'cursor' | 'now'>, { from, to }: Span): Span {
  return {
    from: Math.max(addTime(from, -1), cursor) as Instant,
    to: Math.min(to, now) as Instant,
  };
}

/** Times per millisecond, by times that were found one after the other. */
export function rateOf(times: readonly { readonly nominal: Instant }[]): number {
  const length = (times.at(-1)?.nominal ?? 0) - (times[0]?.nominal ?? 0);
  return length === 0 ? 0 : (times.length - 1) / length;
}

/** The newest of them, newest first, at most `most`: searched backwards, so that the length of a pause does not matter. */
export async function newestOpenSlots(
  state: OpenState,
  most: number,
  work: SlicedWork,
): Promise<readonly OpenSlot[]> {
  const { definition, cursor, now } = state;
  const compiled = compiledOf(definition);
  const slots: OpenSlot[] = [];
  let before = addTime(now, 1);
  while (slots.length < most) {
    const found = await work.finish((budget) => {
      const result = compiled.searchBefore(before, { seed: definition.seed, budget });
      if (result.kind === 'unfinished') before = result.reached;
      return result;
    });
    if (found.kind !== 'found' || found.nominal <= cursor) break;
    before = found.nominal;
    if (found.actual <= now)
      slots.push({ nominal: found.nominal, verdict: openVerdict(state, found.actual) });
  }
  return slots;
}
