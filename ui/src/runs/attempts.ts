/** The attempts of a run on its axis. Pure. */
import type { AttemptJson } from 'carillon/client';

export interface Attempt {
  readonly number: number;
  readonly from: number;
  /** Null while it goes on. */
  readonly to: number | null;
  readonly error: string | null;
  readonly worker: string;
  /** How long the run waited before it, after the attempt before. */
  readonly waitedMs: number;
}

export function attemptsOf(answers: readonly AttemptJson[]): readonly Attempt[] {
  return answers.map(({ attempt, startedAt, finishedAt, error, worker }, index) => {
    const before = answers[index - 1]?.finishedAt ?? null;
    const from = Date.parse(startedAt);
    return {
      number: attempt,
      from,
      to: finishedAt === null ? null : Date.parse(finishedAt),
      error,
      worker: worker.split('/')[0] ?? '',
      waitedMs: before === null ? 0 : Math.max(0, from - Date.parse(before)),
    };
  });
}
