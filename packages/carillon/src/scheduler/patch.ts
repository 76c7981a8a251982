/** Several small changes as one: all of them happen, in this order, or none does. */
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { BackfillRequest, TriggerRequest } from './changes.ts';
import { addBackfill, checkRoom, trigger } from './changes.ts';
import { pause, resume } from './pause.ts';
import type { ScheduleNode } from './schedule.ts';

export interface SchedulePatch {
  /** The note of the pause. */
  readonly pause?: string;
  /** The note of the resumption; when both are given, the schedule is running afterwards. */
  readonly resume?: string;
  readonly trigger?: TriggerRequest;
  readonly backfills?: readonly BackfillRequest[];
}

export function applyPatch(schedule: ScheduleNode, patch: SchedulePatch, by: string): void {
  if (patch.pause !== undefined) pause(schedule, { by, note: patch.pause });
  if (patch.resume !== undefined) resume(schedule, { by, note: patch.resume, missed: 'skip' });
  const { backfills = [] } = patch;
  // A trigger counts, as in Temporal, whose requests these are.
  checkRoom(schedule, backfills.length + (patch.trigger === undefined ? 0 : 1));
  if (patch.trigger !== undefined) trigger(schedule, patch.trigger);
  for (const backfill of withoutRepeats(backfills)) addBackfill(schedule, backfill);
}

/** One request runs each slot once: what an earlier range of it covers is cut from the later ones. */
export function withoutRepeats(backfills: readonly BackfillRequest[]): readonly BackfillRequest[] {
  const kept: BackfillRequest[] = [];
  for (const backfill of backfills) {
    let rest: readonly BackfillRequest[] = [backfill];
    for (const { from, to } of kept) rest = rest.flatMap((piece) => outside(piece, from, to));
    kept.push(...rest);
  }
  return kept;
}

/** The pieces of a range before and after another one; both include their ends. */
function outside(range: BackfillRequest, from: Instant, to: Instant): readonly BackfillRequest[] {
  if (range.to < from || range.from > to) return [range];
  return [
    ...(range.from < from ? [{ ...range, to: addTime(from, -1) }] : []),
    ...(range.to > to ? [{ ...range, from: addTime(to, 1) }] : []),
  ];
}

/** The name of the change in the audit: that of its only part, or `patch` when there are several. */
export function patchAction({ pause, resume, trigger, backfills = [] }: SchedulePatch): string {
  const parts = [
    ...(pause === undefined ? [] : ['pause']),
    ...(resume === undefined ? [] : ['resume']),
    ...(trigger === undefined ? [] : ['trigger']),
    ...backfills.map(() => 'backfill'),
  ];
  const [only] = parts;
  return only !== undefined && parts.every((part) => part === only) ? only : 'patch';
}
