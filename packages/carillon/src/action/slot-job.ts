/** How a slot is handed to a queue that is not ours: a job id that is the same for every attempt, and data that say why the job exists. */
import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';
import type { RunContext } from '../runs/context.ts';

type Slot = Pick<RunContext, 'id' | 'namespace' | 'schedule' | 'scheduledAt' | 'cause' | 'attempt'>;

/**
 * The job's id, the same for every attempt of a slot. BullMQ reserves colons and refuses plain numbers; the time
 * makes it more than a number.
 */
export function slotJobId({ id, namespace, schedule, scheduledAt, cause }: Omit<Slot, 'attempt'>): string {
  // Work without a schedule has no slot, so the run's id identifies the job.
  if (schedule === null) return `run@${id}`;
  const asked = cause === null || cause === 'auto' ? '' : `.${cause}`;
  const within = namespace === 'default' ? '' : `${namespace}/`;
  return `${within}${schedule}@${scheduledAt}${asked}`.replaceAll(':', '-');
}

/** Why a job exists, in the words of the original registry. */
export interface JobOrigin {
  readonly schedule_id: string | null;
  readonly scheduled_at: string;
  readonly enqueued_at: string;
  readonly trigger_type: 'cron' | 'manual' | 'backfill';
  readonly run_id: string;
  readonly attempt: number;
}

/** The job's data with its origin under `_schedule`. Data that is not an object is put under `value`. */
export function jobData(slot: Slot, data: unknown, now: Instant): { readonly _schedule: JobOrigin } {
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  return { ...(isObject ? data : { value: data }), _schedule: originOf(slot, now) };
}

function originOf({ id, schedule, scheduledAt, cause, attempt }: Slot, now: Instant): JobOrigin {
  return {
    schedule_id: schedule,
    scheduled_at: formatInstant(scheduledAt),
    enqueued_at: formatInstant(now),
    trigger_type: triggerType(cause),
    run_id: id,
    attempt,
  };
}

function triggerType(cause: string | null): JobOrigin['trigger_type'] {
  if (cause === null || cause === 'auto') return 'cron';
  return cause.startsWith('trigger') ? 'manual' : 'backfill';
}
