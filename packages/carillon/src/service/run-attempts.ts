/** The attempts of a run, each with its time, its worker and why it ended. */
import type { Instant } from '../base/time.ts';
import type { AttemptEnd } from '../runs/attempt-log.ts';
import { attemptEndOf } from '../runs/attempt-log.ts';
import { claimedAt } from '../runs/lifecycle.ts';
import type { RunRow } from '../store/records.ts';
import type { Store } from '../store/store.ts';

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

const linesPerPage = 1000;
/** Lines that are looked through for the ends of attempts; an attempt that talks more hides the attempts after it. */
const mostPages = 20;

export async function readAttempts(store: Store, run: RunRow): Promise<readonly AttemptView[]> {
  const ended = run.attempt > 1 || run.state === 'waiting' ? await readEnds(store, run.id) : [];
  const past = ended.map(({ reason, ...end }): AttemptView => ({ ...end, error: reason }));
  const last = lastOf(run, ended.at(-1));
  return last === undefined ? past : [...past, last];
}

async function readEnds(store: Store, runId: string): Promise<readonly AttemptEnd[]> {
  const ends: AttemptEnd[] = [];
  let after: string | null | undefined;
  for (let page = 0; page < mostPages && after !== null; page += 1) {
    const place: { readonly after?: string } = after === undefined ? {} : { after };
    const { items, next } = await store.logs({ runId, limit: linesPerPage, ...place });
    ends.push(...items.flatMap((line) => attemptEndOf(line) ?? []));
    after = next;
  }
  return ends;
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
