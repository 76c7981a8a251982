/** The attempts of runs, each with its time, its worker and why it ended. */
import type { Instant } from '../base/time.ts';
import type { AttemptEnd } from '../runs/attempt-log.ts';
import { attemptEndOf } from '../runs/attempt-log.ts';
import { claimedAt } from '../runs/lifecycle.ts';
import { loggedAttempts } from '../runs/limits.ts';
import type { RunRow } from '../store/records.ts';
import type { AttemptRef, Store } from '../store/store.ts';
import { shownHolder } from './workers/holder.ts';

export interface AttemptView {
  readonly attempt: number;
  readonly startedAt: Instant;
  /** Null while it goes on. */
  readonly finishedAt: Instant | null;
  /** The worker that held it; empty when it is no longer known. */
  readonly worker: string;
  /** Why it failed; null for one that did not, or goes on. */
  readonly error: string | null;
}

export async function readAttempts(store: Store, run: RunRow): Promise<readonly AttemptView[]> {
  return (await attemptsOfRuns(store, [run])).get(run.id) ?? [];
}

/** The attempts of several runs, oldest first, by the id of the run. */
export async function attemptsOfRuns(
  store: Store,
  runs: readonly RunRow[],
): Promise<ReadonlyMap<string, readonly AttemptView[]>> {
  const asked = runs.flatMap(endedAttempts);
  const lines = asked.length === 0 ? [] : await store.lastLines(asked);
  const ends = new Map<string, AttemptEnd[]>(runs.map(({ id }) => [id, []]));
  for (const line of lines) {
    const end = attemptEndOf(line);
    if (end !== undefined) ends.get(line.runId)?.push(end);
  }
  return new Map(runs.map((run) => [run.id, viewsOf(run, ends.get(run.id) ?? [])]));
}

/** Whether an attempt of the run may have failed and been followed by a wait. */
export function wasTriedAgain({ attempt, state, outcome }: RunRow): boolean {
  if (attempt !== 1) return attempt > 1;
  return state === 'waiting' || (outcome !== null && outcome !== 'completed' && outcome !== 'failed');
}

/** Those whose end may be a line; the lines of older ones are not kept. */
function endedAttempts(run: RunRow): readonly AttemptRef[] {
  if (!wasTriedAgain(run)) return [];
  const count = Math.min(run.attempt, loggedAttempts);
  return Array.from({ length: count }, (_, back) => ({ runId: run.id, attempt: run.attempt - back }));
}

function viewsOf(run: RunRow, unsorted: readonly AttemptEnd[]): readonly AttemptView[] {
  const ended = [...unsorted].sort((a, b) => a.attempt - b.attempt);
  const past = ended.map(({ reason, ...end }): AttemptView => ({ ...end, error: reason }));
  const last = lastOf(run, ended.at(-1));
  const all = last === undefined ? past : [...past, last];
  return all.map((each) => ({ ...each, worker: shownHolder(each.worker, run.namespace) }));
}

/** The attempt that goes on or was the last; undefined while the run waits. */
function lastOf(run: RunRow, before: AttemptEnd | undefined): AttemptView | undefined {
  const { attempt, state, worker, finishedAt, outcome, result } = run;
  if (attempt === 0 || state === 'waiting' || before?.attempt === attempt) return undefined;
  // The token is cleared when a run is ended against its holder: then only the first attempt's start is known.
  const startedAt = run.leaseToken === '' ? (before?.finishedAt ?? run.startedAt) : claimedAt(run);
  if (startedAt === null) return undefined;
  const isFailed = outcome !== null && outcome !== 'completed';
  const error = isFailed ? ((JSON.parse(result ?? '{}') as { message?: string }).message ?? outcome) : null;
  return { attempt, startedAt, finishedAt, worker, error };
}
