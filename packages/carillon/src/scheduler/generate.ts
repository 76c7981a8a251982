/**
 * The generator's verb: gives every slot that has come due its verdict, or hands it to the invoker, and sets the timer
 * for the next one. One pass looks at a bounded number of slots, so that a schedule which was down for a year neither
 * floods memory nor holds up the others; what is left is taken up in the next step.
 */
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { WaitingStart } from './buffered-start.ts';
import { compiledOf } from './compiled-of.ts';
import type { MissedPolicy, ScheduleDefinition } from './definition.ts';
import type { Era, GeneratorState } from './generator.ts';
import { generateSlots } from './generator.ts';
import type { Judged } from './ledger.ts';
import { auto, judge, recordFresh } from './ledger.ts';
import { defaultBufferLimits } from './policy/capacity.ts';
import { effectiveWindow, isTooLate } from './policy/catchup.ts';
import type { ScheduleNode } from './schedule.ts';
import { count } from './schedule.ts';
import { enqueue } from './start.ts';

/** A pass over this many slots takes a few milliseconds. */
export const slotsPerPass = 5000;

/**
 * Starts that one execution hands over in one step. The rest follows a millisecond later, behind what is due before it,
 * so that the backlog of one schedule does not hold up the others.
 */
export const startsPerPass = 256;

interface Found {
  readonly due: WaitingStart[];
  readonly judged: Judged[];
  readonly cursor: Instant;
  readonly next: Instant | null;
  /** The pass ended at its bound: more slots are due. */
  readonly more: boolean;
  /** Of the due ones, only the newest so many run; absent: all. */
  readonly keep: number | undefined;
}

export function generate(schedule: ScheduleNode): void {
  const generator = schedule.child('generator');
  const { state } = generator;
  const definition = schedule.child('definition').state;
  if (definition.paused !== null) {
    // A paused schedule sleeps; its slots are accounted for when it resumes.
    if (state.next !== null) generator.set({ ...state, next: null });
    return;
  }
  const found = coalesce(findDue(schedule, definition, state));
  const isPast = !found.more && state.eras.length > 0;
  const eras = isPast ? state.eras.filter((era) => era.until > schedule.now) : state.eras;
  generator.set({ cursor: found.cursor, next: found.next, eras, stretch: state.stretch });
  if (found.judged.length > 0) recordFresh(schedule, found.judged);
  if (found.more) generator.schedule(generateSlots, null, addTime(schedule.now, 1));
  else if (found.next !== null) generator.schedule(generateSlots, null, found.next);
  enqueue(schedule, found.due);
}

function findDue(schedule: ScheduleNode, definition: ScheduleDefinition, generator: GeneratorState): Found {
  const { now } = schedule;
  const { policy, seed } = definition;
  const { cursor: from, eras } = generator;
  const compiled = compiledOf(definition);
  const due: WaitingStart[] = [];
  const judged: Judged[] = [];
  const windowMs = effectiveWindow(policy.catchupWindowMs);
  // No more than may wait are handed over; those that started or were skipped make room for the next pass.
  const room = Math.max(0, defaultBufferLimits.bufferSize - schedule.child('invoker').state.waiting.length);
  let cursor = from;
  let missed: MissedPolicy = policy.missed;
  let keep = missed === 'once' ? 1 : policy.missedLimit;
  for (let examined = 0; ; examined += 1) {
    const found = compiled.search(cursor, { seed });
    if (found.kind === 'unfinished') schedule.report({ type: 'specSearchLong', reached: found.reached });
    if (found.kind !== 'found') return { due, judged, cursor, next: null, more: false, keep };
    const { nominal, actual } = found;
    if (actual > now) return { due, judged, cursor, next: actual, more: false, keep };
    const isFull = room > 0 && due.length >= Math.min(room, startsPerPass) && keep === undefined;
    if (examined >= slotsPerPass || isFull) return { due, judged, cursor, next: actual, more: true, keep };
    cursor = nominal;
    const slot = { nominal, actual, cause: auto, manual: false };
    const era = eraOf(eras, actual);
    if (era?.rule === 'paused') {
      judged.push(judge(slot, 'paused', { pausedBy: era.by, note: era.note, pausedAt: era.since }));
      continue;
    }
    // Whoever resumes and asks for the missed slots wants them however old they are.
    if (era !== undefined) {
      missed = era.rule;
      keep = missed === 'once' ? 1 : undefined;
    }
    const lateByMs = era === undefined ? now - actual : 0;
    if (isTooLate({ lateByMs, windowMs, missed })) {
      const skipped = lateByMs <= windowMs;
      judged.push(judge(slot, 'missedWindow', skipped ? { missed: 'skip' } : { windowMs }));
      count(schedule, 'missedCatchupWindow');
    } else if (room === 0) {
      judged.push(judge(slot, 'bufferFull', { buffered: defaultBufferLimits.bufferSize }));
      count(schedule, 'bufferDropped');
    } else {
      const start: WaitingStart = { nominal, actual, cause: auto, manual: false, state: 'pending' };
      due.push(era === undefined ? start : { ...start, askedAt: now });
    }
  }
}

function eraOf(eras: readonly Era[], actual: Instant): Era | undefined {
  for (const era of eras) if (actual > era.since && actual <= era.until) return era;
  return undefined;
}

/**
 * With `once`, only the latest of several due slots runs; with a limit, the newest so many. If the pass ended early, those
 * are left to the next one; unless later slots have their verdict already (those of a pause), because going back behind
 * them would judge them again: then what came before the pause runs for itself.
 */
function coalesce(found: Found): Found {
  const { due, keep, more } = found;
  if (keep === undefined || due.length === 0 || (due.length <= keep && !more)) return found;
  const kept = due.slice(-keep);
  const first = kept[0] as WaitingStart;
  // While more are due, nobody knows yet which one will run.
  const isOpenEnded = more && !((found.judged.at(-1)?.nominal ?? 0) > first.nominal);
  const detail = isOpenEnded ? undefined : { ranAs: first.nominal };
  const others = due.slice(0, -keep).map((slot) => judge(slot, 'coalesced', detail));
  const judged = others.length === 0 ? found.judged : [...found.judged, ...others];
  if (!isOpenEnded) return { ...found, judged, due: kept };
  return { ...found, judged, due: [], cursor: addTime(first.nominal, -1) };
}
