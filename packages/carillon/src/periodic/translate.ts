/** Translates a periodic task to a schedule. */
import { jobFields } from '../action/kind.ts';
import { given } from '../base/given.ts';
import type { MissedWord, OverlapPolicy } from '../scheduler/definition.ts';
import type { ScheduleInput } from '../service/schedule-input.ts';
import type { RegisteredTask, TaskMissed, TaskOverlap } from './task.ts';
import { sharedFields } from './task.ts';

const overlaps: Readonly<Record<TaskOverlap, OverlapPolicy>> = {
  skip: 'skip',
  queueOne: 'bufferOne',
  queueAll: 'bufferAll',
  allow: 'allowAll',
};

export function scheduleOf(task: RegisteredTask): ScheduleInput {
  const { timezone, payload, job, queue, overlap, missed, misfireWindow, dst, priority } = task;
  const shared = Object.fromEntries(sharedFields.map((name) => [name, task[name]]));
  return {
    ...given(shared),
    priority,
    zone: timezone,
    // The end of the gap is the first instant that exists, so that no run is lost or an hour off.
    dst: { gap: 'gapEnd', ...dst },
    ...(jobFields(task, { name: job, payload }) ?? { run: job, input: payload ?? null, ...given({ queue }) }),
    overlap: overlaps[overlap],
    catchup: misfireWindow,
    ...missedOf(missed),
    // An ended schedule is kept: if it were closed, the next deploy would start it again.
    idleClose: 0,
  };
}

function missedOf(missed: TaskMissed): { missed: MissedWord; missedLimit?: number } {
  return typeof missed === 'string' ? { missed } : { missed: 'all', missedLimit: missed.catchUp };
}
