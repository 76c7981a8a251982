/**
 * The generator's verb: gives every due slot its verdict, or hands it to the invoker, and sets the timer
 * for the next one. One pass is limited in slots, starts and work, so that a schedule which was down for a year, or whose
 * spec is hard to search, neither floods memory nor delays the others; the next step continues.
 */
import { ServiceError } from '../base/error.ts';
import { addTime, formatInstant } from '../base/time.ts';
import type { FoundSlots, Pass } from '../ledger/find-slots.ts';
import { findSlots } from '../ledger/find-slots.ts';
import { budgetReason } from '../spec/index.ts';
import type { WaitingStart } from './buffered-start.ts';
import { compiledOf } from './compiled-of.ts';
import type { ScheduleDefinition } from './definition.ts';
import { generateSlots } from './generator.ts';
import { recordFresh } from './ledger.ts';
import { bufferSizeOf } from './operator-settings.ts';
import { effectiveWindow } from './policy/catchup.ts';
import type { ScheduleNode } from './schedule.ts';
import { count } from './schedule.ts';
import { spend } from './slot-count.ts';
import { enqueue } from './start.ts';

/** A pass over this many slots takes a few milliseconds. */
export const slotsPerPass = 5000;

/**
 * Starts that one execution hands over in one step. The others follow a millisecond later, after executions that are due before it,
 * so that the backlog of one schedule does not delay the others.
 */
export const startsPerPass = 256;

/** Work after which a search without a result is given up: about ten seconds, spread over a thousand steps. */
export const mostUnitsPerSlot = 20_000_000;

export function generate(schedule: ScheduleNode): void {
  const generator = schedule.child('generator');
  const { state } = generator;
  const definition = schedule.child('definition').state;
  if (definition.paused !== null) {
    // A paused schedule has no wake time; its slots get their verdicts when it resumes.
    if (state.next !== null) generator.set({ ...state, next: null });
    return;
  }
  const found = find(schedule, definition);
  const { cursor, pass, next, more } = found;
  const isPast = !more && state.eras.length > 0;
  const eras = isPast ? state.eras.filter((era) => era.until > schedule.now) : state.eras;
  generator.set({ cursor, next, eras, stretch: state.stretch, pass });
  if (pass !== null && pass.spent > 0 && (state.pass?.spent ?? 0) === 0) {
    schedule.report({ type: 'specSearchLong', reached: pass.reached });
  }
  if (found.judged.length > 0) {
    recordFresh(schedule, found.judged);
    countDropped(schedule, found);
  }
  if (more) generator.schedule(generateSlots, null, addTime(schedule.now, paceOf(definition) ?? 1));
  else if (next !== null) generator.schedule(generateSlots, null, next);
  enqueue(
    schedule,
    found.due.map((slot): WaitingStart => ({ state: 'pending', ...slot })),
  );
}

/**
 * Refuses to continue a search that has cost too much. Called by the generator's own task only: the error quarantines
 * the schedule with this as its incident, while a change of the schedule can still replace the spec.
 */
export function checkSearch(schedule: ScheduleNode): void {
  const { pass } = schedule.child('generator').state;
  if (pass === null || pass.spent < mostUnitsPerSlot) return;
  throw searchGivenUp(schedule.child('definition').state, pass);
}

function find(schedule: ScheduleNode, definition: ScheduleDefinition): FoundSlots {
  const { policy, seed } = definition;
  const { cursor, eras, pass } = schedule.child('generator').state;
  const bufferSize = bufferSizeOf(schedule);
  // No more slots are handed over than may wait; those that started or were skipped make room for the next pass.
  const room = Math.max(0, bufferSize - schedule.child('invoker').state.waiting.length);
  return spend(schedule, (budget) =>
    findSlots({
      compiled: compiledOf(definition),
      seed,
      cursor,
      pass,
      now: schedule.now,
      eras,
      windowMs: effectiveWindow(policy),
      missed: policy.missed,
      ...(policy.missedLimit === undefined ? {} : { missedLimit: policy.missedLimit }),
      most: {
        slots: slotsPerPass,
        starts: paceOf(definition) === undefined ? startsPerPass : 1,
        room,
        buffer: bufferSize,
      },
      budget,
    }),
  );
}

/** The time between two missed slots. A schedule that is on time has one due slot in a pass, which the pace never delays. */
function paceOf({ policy }: ScheduleDefinition): number | undefined {
  return policy.missed === 'all' ? policy.catchupPaceMs : undefined;
}

function countDropped(schedule: ScheduleNode, { judged }: FoundSlots): void {
  let missed = 0;
  let dropped = 0;
  for (const { verdict } of judged) {
    if (verdict === 'missedWindow') missed += 1;
    else if (verdict === 'bufferFull') dropped += 1;
  }
  if (missed > 0) count(schedule, 'missedCatchupWindow', missed);
  if (dropped > 0) count(schedule, 'bufferDropped', dropped);
}

function searchGivenUp({ spec }: ScheduleDefinition, { reached, spent }: Pass): ServiceError {
  const text = JSON.stringify(spec);
  const shown = text.length > 500 ? `${text.slice(0, 500)}…` : text;
  return new ServiceError({
    code: 'failedPrecondition',
    reason: budgetReason,
    message: `no time was found up to ${formatInstant(reached)} with ${spent} units of work; change the spec: ${shown}`,
  });
}
