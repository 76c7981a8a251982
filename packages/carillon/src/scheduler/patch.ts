/** Several small changes as one: all of them happen, in this order, or none does. */
import type { BackfillRequest, TriggerRequest } from './changes.ts';
import { addBackfill, trigger } from './changes.ts';
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
  if (patch.trigger !== undefined) trigger(schedule, patch.trigger);
  for (const backfill of patch.backfills ?? []) addBackfill(schedule, backfill);
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
