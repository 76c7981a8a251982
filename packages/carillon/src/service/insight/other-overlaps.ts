/**
 * What another rule for overlaps would have made of a slot that met an unfinished run, by the pure function that
 * decides in production. It does not invent runs that would then have existed: an answer that needs one is left out.
 */
import { formatDuration, roughDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/time.ts';
import { addTime, day, formatInstant, hour, minute, second } from '../../base/time.ts';
import type { OverlapPolicy, ScheduleDefinition } from '../../scheduler/definition.ts';
import { lateAfter } from '../../scheduler/definition.ts';
import type { Answer } from '../../scheduler/explain.ts';
import { resolveOverlap } from '../../scheduler/policy/overlap.ts';
import type { RunRow } from '../../store/records.ts';
import type { Alternative } from './alternatives.ts';
import type { Durations } from './durations.ts';

export interface OverlapMaterial {
  readonly at: Instant;
  /** When it was decided: after an outage later than its time. */
  readonly decidedAt: Instant;
  /** The policy that decided. */
  readonly used: string;
  readonly policy: ScheduleDefinition['policy'];
  /** The unfinished runs at the time of the decision. */
  readonly running: number;
  /** The run that blocked it. */
  readonly blocker: RunRow | undefined;
  /** Earlier slots that the same run blocked, oldest first. */
  readonly waiting: readonly Instant[];
  readonly usual: Durations;
}

/** Ways to let it wait, ways to let it run beside, ways to end the run before it: the best of each kind first. */
export function otherOverlaps(material: OverlapMaterial): readonly Alternative[] {
  const { used } = material;
  const tried = (overlap: OverlapPolicy) => (overlap === used ? [] : [withPolicy(material, overlap)]);
  const waits = [...tried('bufferOne'), ...tried('bufferAll')].find(
    ({ answer }) => answer !== 'skippedOverlap',
  );
  return [
    ...(waits === undefined ? [] : [waits]),
    ...withLimit(material),
    ...tried('cancelOther'),
    ...withTimeout(material),
    ...tried('allowAll'),
    ...tried('terminateOther'),
    ...tried('skip'),
  ];
}

function withPolicy(material: OverlapMaterial, overlap: OverlapPolicy): Alternative {
  const { policy, running, waiting } = material;
  const { limit } = policy;
  const own = { overlap };
  // The slot was blocked, so at least as many runs were unfinished as the limit allows.
  const { start, keep, stopRunning } = resolveOverlap({
    waiting: [...waiting.map(() => ({ overlap })), own],
    running: Math.max(running, limit),
    limit,
  });
  const [answer, text] = start.includes(own)
    ? promptly(material, ', beside the other')
    : !keep.includes(own)
      ? (['skippedOverlap', 'skipped'] as const)
      : stopRunning === 'terminate'
        ? promptly(material, ', the run before it ended')
        : stopRunning === 'cancel'
          ? (['started', 'started once the run before it stops'] as const)
          : waited(material, keep.indexOf(own));
  return { setting: 'overlap', value: overlap, answer, text };
}

/** It starts when it is decided. */
function promptly({ at, decidedAt }: OverlapMaterial, how: string): readonly [Answer, string] {
  const lateBy = decidedAt - at;
  return lateBy > lateAfter
    ? ['startedLate', `started at ${formatInstant(decidedAt)}, ${roughDuration(lateBy)} late`]
    : ['started', `started on time${how}`];
}

/** It waits until the run before it has ended, and the slots that wait before it. */
function waited({ at, policy, blocker }: OverlapMaterial, place: number): readonly [Answer, string] {
  const freedAt = blocker?.finishedAt ?? null;
  if (freedAt === null) return ['buffered', 'waiting for the run before it'];
  const lateBy = freedAt - at;
  const late = roughDuration(lateBy);
  if (lateBy > policy.catchupWindowMs) return ['missedWindow', `missed: it had to wait ${late}`];
  if (place > 0) return ['startedLate', `started after ${formatInstant(freedAt)}, behind ${place} more`];
  return lateBy > lateAfter
    ? ['startedLate', `started at ${formatInstant(freedAt)}, ${late} late`]
    : ['started', 'started on time'];
}

/** The smallest limit under which it starts, even if every slot before it still goes. */
function withLimit(material: OverlapMaterial): readonly Alternative[] {
  const { policy, running, waiting } = material;
  if (policy.overlap === 'allowAll') return [];
  const limit = Math.max(running, policy.limit) + waiting.length + 1;
  const own = { overlap: policy.overlap };
  const { start } = resolveOverlap({
    waiting: [...waiting.map(() => ({ overlap: policy.overlap })), own],
    running,
    limit,
  });
  if (!start.includes(own)) return [];
  const [answer, text] = promptly(material, ', beside the other');
  return [{ setting: 'limit', value: String(limit), answer, text }];
}

const lengths = [1, 2, 5, 10, 15, 20, 30, 45];
const timeouts = [
  ...[5, 10, 30].map((count) => count * second),
  ...lengths.map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  day,
];

/**
 * A timeout that ordinary runs keep and that would have ended the blocking run in time. With slots between them it is
 * shown only when ordinary runs are shorter than the time between two slots.
 */
function withTimeout({ at, blocker, waiting, usual }: OverlapMaterial): readonly Alternative[] {
  // A run that began after its time came from the same backlog: no timeout would have ended it before.
  if (blocker === undefined || usual.p95Ms === null || blocker.availableAt >= at) return [];
  const gap = at - (waiting.at(-1) ?? at);
  if (waiting.length > 0 && usual.p95Ms >= gap) return [];
  const first = waiting[0] ?? at;
  const longest = first - blocker.availableAt;
  const found = timeouts.find((length) => length > (usual.p95Ms as number) && length < longest);
  if (found === undefined) return [];
  const ended = formatInstant(addTime(blocker.availableAt, found));
  const text = `started on time, the other ended ${ended}`;
  return [{ setting: 'timeout', value: formatDuration(found), answer: 'started', text }];
}
