/** The attempts of a run. A server that keeps them tells each; otherwise the row gives the first start and the last end. */
import type { RunJson } from 'carillon/client';

export interface Attempt {
  readonly number: number;
  readonly from: number;
  /** Null while it goes on. */
  readonly to: number | null;
  readonly isFailed: boolean;
  readonly error?: string;
  readonly worker?: string;
}

interface AttemptAnswer {
  readonly attempt: number;
  readonly startedAt: string;
  readonly finishedAt?: string | null;
  readonly error?: string | null;
  readonly worker?: string;
}

export function attemptsOf(
  run: Pick<RunJson, 'startedAt' | 'finishedAt' | 'attempt' | 'outcome' | 'failure'> & {
    readonly attempts?: readonly AttemptAnswer[];
  },
): readonly Attempt[] {
  if (run.attempts !== undefined && run.attempts.length > 0) {
    return run.attempts.map(({ attempt, startedAt, finishedAt, error, worker }) => ({
      number: attempt,
      from: Date.parse(startedAt),
      to: finishedAt == null ? null : Date.parse(finishedAt),
      isFailed: error != null,
      ...(error == null ? {} : { error }),
      ...(worker === undefined ? {} : { worker }),
    }));
  }
  if (run.startedAt === null) return [];
  const isFailed = run.outcome !== null && run.outcome !== 'completed';
  return [
    {
      number: run.attempt,
      from: Date.parse(run.startedAt),
      to: run.finishedAt === null ? null : Date.parse(run.finishedAt),
      isFailed,
      ...(isFailed && run.failure !== null ? { error: run.failure.message } : {}),
    },
  ];
}
