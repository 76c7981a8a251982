/**
 * The names of the run of a start, and whether they are free. One run per slot, for all causes together: the first run of a slot has
 * an id without its cause, so the store refuses a second one, also when the first is finished.
 *
 *   automatic start   never runs when a run of its slot exists
 *   manual start      runs a finished slot again, under the next id of the slot; never beside an unfinished run of it
 *   trigger for now   has no slot: its id contains its cause
 *
 * Runs that are found by their workflow id (those of Temporal schedules) are in addition unfinished at most once under it, also over
 * schedules that share one. Their slot is that of the workflow id and not of the schedule, so that two such schedules start one run.
 */
import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';
import type { ReadNode } from '../engine/node.ts';
import { hashText, runId } from '../runs/run-id.ts';
import type { WaitingStart } from './buffered-start.ts';
import type { ScheduleDefinition } from './definition.ts';
import type { Invoker, OpenRun } from './invoker.ts';
import type { ScheduleNode, ScheduleView } from './schedule.ts';

export interface FreeIdentity {
  readonly state: 'free';
  readonly id: string;
  readonly workflowId: string;
  /** The alias of the run; null: it is found by its id only. */
  readonly alias: string | null;
}

export type IdentityDecision =
  | FreeIdentity
  /** The start must not happen: this run has its names. */
  | { readonly state: 'taken'; readonly runId: string }
  /** The start must wait for the end of this run. */
  | { readonly state: 'busy'; readonly runId: string };

/** How many runs of one slot may be kept. Each further one costs its start another attempt, so their number is limited. */
export const mostRunsPerSlot = 32;

/** The base of the workflow ids of a schedule's runs. */
export function workflowBase(
  { key }: ScheduleView,
  { action: { workflowId } }: Pick<ScheduleDefinition, 'action'>,
): string {
  return workflowId === '' ? key.id : workflowId;
}

export function identify(
  schedule: ScheduleNode,
  {
    definition,
    invoker,
  }: { readonly definition: ScheduleDefinition; readonly invoker: ReadNode<typeof Invoker> },
  start: WaitingStart,
): IdentityDecision {
  const { key, incarnation } = schedule;
  const { nominal, cause, manual, isTimeless } = start;
  const { action, policy } = definition;
  const isExclusive = action.findable === true;
  const base = start.workflowBase ?? workflowBase(schedule, definition);
  // Slots and Temporal schedules have whole seconds, as clients expect. Elsewhere a trigger for now has an id of its own, because the
  // work of a run that it replaces may go on outside this program after the run has ended here.
  const wholeSecond = (Math.floor(nominal / 1000) * 1000) as Instant;
  const dated = `${base}-${formatInstant(isTimeless === true && !isExclusive ? nominal : wholeSecond)}`;
  let workflowId = policy.keepOriginalId ? base : dated;
  if (isTimeless === true && !policy.keepOriginalId) workflowId += suffixFor(dated, invoker.state.newest);

  let id: string;
  if (isTimeless === true) id = runId(nominal, `${incarnation}/${cause}/${nominal}`);
  else {
    const slot = `${isExclusive ? `${key.namespace}/${workflowId}` : incarnation}/${nominal}`;
    id = runId(nominal, slot);
    let holder = schedule.runUnder(id);
    for (let nth = 2; manual && holder?.finished === true && nth <= mostRunsPerSlot; nth += 1) {
      id = runId(nominal, `${slot}/${nth}`);
      holder = schedule.runUnder(id);
    }
    if (holder !== undefined) {
      const waits = manual && !holder.finished && !isExclusive;
      return { state: waits ? 'busy' : 'taken', runId: holder.runId };
    }
  }
  if (!isExclusive) return { state: 'free', id, workflowId, alias: null };
  const holder = schedule.runUnderAlias(workflowId);
  if (holder === undefined) return { state: 'free', id, workflowId, alias: workflowId };
  if (isTimeless !== true || policy.keepOriginalId) return { state: 'taken', runId: holder.runId };
  const own = `${dated}-${hashText(id)}`;
  return { state: 'free', id, workflowId: own, alias: own };
}

/**
 * Two triggers in one second both run: the second gets a number. The newest unfinished runs show the highest number in use; when
 * they do not, and the store refuses the id, it gets a name that no other run has.
 */
function suffixFor(id: string, newest: readonly OpenRun[]): string {
  let highest = 0;
  for (const { workflowId } of newest) {
    if (workflowId === id) highest = Math.max(highest, 1);
    else if (workflowId.startsWith(`${id}-`)) highest = Math.max(highest, numberAfter(workflowId, id));
  }
  return highest === 0 ? '' : `-${highest + 1}`;
}

function numberAfter(workflowId: string, id: string): number {
  const suffix = Number(workflowId.slice(id.length + 1));
  return Number.isSafeInteger(suffix) ? suffix : 0;
}
