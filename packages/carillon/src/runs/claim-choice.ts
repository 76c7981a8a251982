/** Which of the available runs a worker claims. */
import type { Instant } from '../base/time.ts';
import type { RunRow } from '../store/records.ts';
import { isInTime } from './lifecycle.ts';
import { optionsOf } from './run.ts';

export interface ClaimLimits {
  /** Free capacity by queue. */
  readonly free: ReadonlyMap<string, number>;
  /** Whether this worker has a handler for the run; other workers may have one. */
  readonly knows: (run: RunRow) => boolean;
  readonly now: Instant;
  /** The most runs to take, and the most characters of their texts together; at least one run is taken. Default: no limit. */
  readonly most?: number;
  readonly mostChars?: number;
}

export interface ClaimChoice {
  readonly take: readonly RunRow[];
  /** Runs without a handler here, or past their deadline: left to other workers, but ahead of later runs in the queue. */
  readonly skipped: readonly RunRow[];
}

/** Expects the runs in the order of the queue, and keeps it. */
export function chooseClaims(runs: readonly RunRow[], limits: ClaimLimits): ClaimChoice {
  const { free, knows, now } = limits;
  const { most = Number.POSITIVE_INFINITY, mostChars = Number.POSITIVE_INFINITY } = limits;
  let chars = 0;
  const left = new Map(free);
  const take: RunRow[] = [];
  const skipped: RunRow[] = [];
  for (const run of runs) {
    const places = left.get(run.queue) ?? 0;
    if (!knows(run) || !isInTime(optionsOf(run), now)) skipped.push(run);
    else if (places > 0 && take.length < most && (take.length === 0 || chars + charsOf(run) <= mostChars)) {
      chars += charsOf(run);
      take.push(run);
      left.set(run.queue, places - 1);
    }
  }
  return { take, skipped };
}

function charsOf({ input, options, progress }: RunRow): number {
  return input.length + options.length + (progress?.length ?? 0);
}
