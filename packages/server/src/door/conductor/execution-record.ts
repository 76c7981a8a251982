/**
 * Execution records: the results of the starts of a schedule, read from their runs. POLLED: the start was decided, and no
 * worker has taken the run yet. EXECUTED: a worker took the run; its outcome is not part of the record. FAILED: the run never
 * began, for the given reason.
 *
 * A record is not stored: it is a run. The original keeps a few records per schedule; which ones those are follows from the
 * number of starts alone, so the others are left out here and stay in the history of the schedule.
 */
import type { Failure, RunRow } from 'carillon/internal/service';
import { failureTypes, optionsOf } from 'carillon/internal/service';
import type { SchedulerSettings } from './settings.ts';
import type { StartRequest } from './start-request.ts';

export type RecordState = 'POLLED' | 'EXECUTED' | 'FAILED';

/** A record without the parts that only its answer needs. */
export interface FoundRecord {
  readonly scheduleName: string;
  readonly executionId: string;
  readonly scheduledTime: number;
  readonly executionTime: number;
  readonly workflowName: string;
  readonly state: RecordState;
  readonly run: RunRow;
}

type Limits = Pick<SchedulerSettings, 'archivalMaxRecords' | 'archivalMaxRecordThreshold'>;

/** After each start, a schedule with more records than the threshold loses its oldest until `archivalMaxRecords` are left. */
export function keptRecords(starts: number, limits: Limits): number {
  const threshold = limits.archivalMaxRecordThreshold;
  const kept = Math.min(limits.archivalMaxRecords, threshold);
  if (starts <= threshold) return starts;
  return kept + ((starts - threshold - 1) % (threshold + 1 - kept));
}

/** The records of a schedule from its newest runs, newest first. */
export function recordsOf(
  scheduleName: string,
  runs: readonly RunRow[],
  limits: Limits,
): readonly FoundRecord[] {
  const starts = (runs[0]?.ordinal ?? -1) + 1;
  return runs.slice(0, keptRecords(starts, limits)).map((run) => {
    const { nominal = run.createdAt } = optionsOf(run);
    return {
      scheduleName,
      executionId: run.id,
      scheduledTime: nominal,
      executionTime: run.createdAt,
      workflowName: run.name,
      state: stateOf(run),
      run,
    };
  });
}

function stateOf(run: RunRow): RecordState {
  if (run.state === 'waiting' && run.attempt === 0) return 'POLLED';
  const isLost = run.state === 'done' && (run.attempt === 0 || failureOf(run)?.startFailed === true);
  return isLost ? 'FAILED' : 'EXECUTED';
}

function failureOf(run: RunRow): Failure | undefined {
  return run.outcome === 'completed' || run.result === null ? undefined : (JSON.parse(run.result) as Failure);
}

/** Why a run failed. For an unknown name, the message of the original. */
function reasonOf(run: RunRow, failure: Failure | undefined, request: StartRequest | undefined): string {
  if (failure?.type === failureTypes.noWorker)
    return `No such workflow defined. name=${run.name}, version=${request?.version ?? 'null'}`;
  return failure?.message ?? `it was ${run.outcome} before it began`;
}

const longestReason = 999;
const longestStack = 2000;

export function recordAnswer(
  { run, ...record }: FoundRecord,
  request: StartRequest | undefined,
  zoneId: string,
): object {
  const failure = record.state === 'FAILED' ? failureOf(run) : undefined;
  return {
    ...record,
    ...(record.state === 'FAILED'
      ? {
          reason: reasonOf(run, failure, request).slice(0, longestReason),
          stackTrace: (failure?.stack ?? failure?.message ?? '').slice(0, longestStack),
        }
      : { workflowId: run.id }),
    ...(request === undefined ? {} : { startWorkflowRequest: request }),
    zoneId,
  };
}
