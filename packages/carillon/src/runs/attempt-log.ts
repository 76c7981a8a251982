/**
 * The end of an attempt that is made again is a line of the run's log. The line stands under the attempt's lease, whose
 * token begins with the time of the claim: so a line tells when the attempt began, when it ended, where, and why.
 */
import type { Failure } from '../base/failure.ts';
import { reasonOf } from '../base/failure.ts';
import type { Instant } from '../base/time.ts';
import type { Batch } from '../engine/batch.ts';
import type { LogRow, RunRow } from '../store/records.ts';
import { heldToken } from './own-lease.ts';

/** A place after all lines that the attempt itself wrote. */
const endPlace = 1_000_000_000;
const longestReason = 1000;

export interface AttemptEnd {
  readonly attempt: number;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  readonly worker: string;
  readonly reason: string;
}

/** `before` is the row under whose lease the attempt ran, `after` the one that waits for another attempt. */
export function addAttemptEnd(batch: Batch, before: RunRow, after: RunRow): void {
  const isMadeAgain = after.state === 'waiting' && after.attempt === before.attempt;
  if (before.state !== 'leased' || before.leaseToken === '' || !isMadeAgain || after.result === null) return;
  const { id: runId, attempt, leaseToken, worker } = before;
  const lease = heldToken(leaseToken);
  const reason = reasonOf(JSON.parse(after.result) as Failure).slice(0, longestReason);
  const text = endText({ attempt, worker, reason });
  batch.addLogs([{ runId, attempt, lease, place: endPlace, at: batch.now, text }]);
}

function endText({ attempt, worker, reason }: Pick<AttemptEnd, 'attempt' | 'worker' | 'reason'>): string {
  return `attempt ${attempt} on ${JSON.stringify(worker)} failed: ${reason}`;
}

/** Undefined for a line that an attempt wrote itself. */
export function attemptEndOf({ attempt, lease, place, at, text }: LogRow): AttemptEnd | undefined {
  if (place !== endPlace) return undefined;
  const [, worker = '""', reason = text] =
    /^attempt \d+ on ("(?:[^"\\]|\\.)*") failed: ([\s\S]*)$/.exec(text) ?? [];
  const startedAt = Number.parseInt(lease, 36) as Instant;
  return { attempt, startedAt, finishedAt: at, worker: JSON.parse(worker) as string, reason };
}
