/** A periodic task in the words of a schedule. The registry translates; what follows from it is Carillon's doing. */
import { jobFields } from '../action/kind.ts';
import { given } from '../base/given.ts';
import type { MissedPolicy, OverlapPolicy } from '../scheduler/definition.ts';
import type { ScheduleInput } from '../service/schedule-input.ts';
import type { RegisteredTask, TaskMissed, TaskOverlap } from './task.ts';

const overlaps: Readonly<Record<TaskOverlap, OverlapPolicy>> = {
  skip: 'skip',
  queueOne: 'bufferOne',
  queueAll: 'bufferAll',
  allow: 'allowAll',
};

/** Fields of the task that a schedule knows by the same name and with the same meaning. */
const common = [
  'cron',
  'every',
  'priority',
  'description',
  'jitter',
  'startAt',
  'endAt',
  'tags',
  'pauseAfterFailures',
  'retry',
  'attemptTimeout',
  'timeout',
] as const satisfies readonly (keyof RegisteredTask & keyof ScheduleInput)[];

export function scheduleOf(task: RegisteredTask): ScheduleInput {
  const { timezone, payload, job, queue, overlap, missed, misfireWindow, dst } = task;
  const said = Object.fromEntries(
    common.flatMap((name) => (task[name] === undefined ? [] : [[name, task[name]]])),
  );
  return {
    ...said,
    zone: timezone,
    // The gap's end is the first instant that exists: nothing is lost, and nothing runs an hour off.
    dst: { gap: 'gapEnd', ...dst },
    ...(jobFields(task, { name: job, payload }) ?? { run: job, input: payload ?? null, ...given({ queue }) }),
    overlap: overlaps[overlap],
    catchup: misfireWindow,
    ...missedOf(missed),
    // What ended stays: closing it would make the next deploy begin it anew.
    idleClose: 0,
  };
}

function missedOf(missed: TaskMissed): { missed: MissedPolicy; missedLimit?: number } {
  return typeof missed === 'string' ? { missed } : { missed: 'all', missedLimit: missed.catchUp };
}
