/** Reads the patches that clients send. */
import type { BackfillRequest, SchedulePatch, TriggerRequest } from 'carillon/internal/service';
import { readOverlap } from './policies.ts';
import { readTimestamp } from './proto-time.ts';
import type { Patch } from './protocol.ts';
import { badRequest } from './status.ts';

/** Reads a patch. An empty note does nothing, because the wire format does not distinguish it from an absent one. */
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

/** A backfill without an overlap policy uses the schedule's policy. */
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
