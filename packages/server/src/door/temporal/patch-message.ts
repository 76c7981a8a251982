/** Small changes as clients send them. */
import type { BackfillRequest, SchedulePatch, TriggerRequest } from 'carillon/internal/service';
import { readOverlap } from './policies.ts';
import { readTimestamp } from './proto-time.ts';
import type { Patch } from './protocol.ts';
import { badRequest } from './status.ts';

/** An empty note neither pauses nor resumes: it is how "not mentioned" looks on the wire. */
export function readPatch({ pause, unpause, triggerImmediately, backfillRequest }: Patch): SchedulePatch {
  return {
    ...(pause ? { pause } : {}),
    ...(unpause ? { resume: unpause } : {}),
    ...(triggerImmediately ? { trigger: readTrigger(triggerImmediately) } : {}),
    ...(backfillRequest && backfillRequest.length > 0
      ? { backfills: backfillRequest.map(readBackfill) }
      : {}),
  };
}

function readTrigger({
  overlapPolicy,
  scheduledTime,
}: NonNullable<Patch['triggerImmediately']>): TriggerRequest {
  const overlap = readOverlap(overlapPolicy);
  return {
    ...(overlap === undefined ? {} : { overlap }),
    ...(scheduledTime ? { scheduledAt: readTimestamp('ScheduledTime', scheduledTime) } : {}),
  };
}

/** Without a policy of its own, a backfill follows the schedule's. */
function readBackfill({
  startTime,
  endTime,
  overlapPolicy,
}: NonNullable<Patch['backfillRequest']>[number]): BackfillRequest {
  if (!startTime || !endTime) throw badRequest('a backfill needs StartTime and EndTime');
  const from = readTimestamp('StartTime', startTime);
  const to = readTimestamp('EndTime', endTime);
  if (from > to) throw badRequest('the range of a backfill ends before it begins');
  const overlap = readOverlap(overlapPolicy);
  return { from, to, ...(overlap === undefined ? {} : { overlap }) };
}
