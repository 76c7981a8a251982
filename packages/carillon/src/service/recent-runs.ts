/** The newest finished runs of a schedule, without their payloads. A caller gets those by reading the run itself. */
import type { Instant } from '../base/time.ts';
import type { Slot } from '../ledger/ledger.ts';
import { optionsOf } from '../runs/run.ts';
import type { BufferedStart } from '../scheduler/buffered-start.ts';
import type { RunOutcome, RunRow } from '../store/records.ts';

export interface RecentRun extends Slot {
  readonly runId: string;
  readonly workflowId: string;
  readonly outcome: RunOutcome;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
}

export function recentRun(run: RunRow): RecentRun {
  const { id, createdAt } = run;
  const { nominal = createdAt, actual = nominal, cause = 'auto', workflowId = id } = optionsOf(run);
  return {
    nominal,
    actual,
    cause,
    manual: cause !== 'auto',
    runId: id,
    workflowId,
    outcome: run.outcome ?? 'failed',
    startedAt: createdAt,
    finishedAt: run.finishedAt ?? createdAt,
  };
}

export function startOfRecent(run: RecentRun): BufferedStart {
  const { nominal, actual, cause, manual, runId, outcome, finishedAt } = run;
  return { nominal, actual, cause, manual, runId, state: 'completed', outcome, finishedAt };
}
