/** How long runs usually take, computed from the runs on the page, for runs without an open schedule. Pure. */
import type { RunJson } from 'carillon/client';

/** The fewest runs from which a usual duration is computed. */
export const leastRuns = 3;

type Measured = Pick<RunJson, 'schedule' | 'name' | 'cause' | 'outcome' | 'startedAt' | 'finishedAt'>;

export interface Usual {
  /** The median of the completed runs. */
  readonly ms: number;
  readonly runs: number;
}

export function usualOf(runs: readonly Measured[]): (run: Measured) => Usual | undefined {
  const lengths = new Map<string, number[]>();
  for (const run of runs) {
    if (run.outcome !== 'completed' || run.startedAt === null || run.finishedAt === null) continue;
    const list = lengths.get(workOf(run)) ?? [];
    list.push(Math.max(0, Date.parse(run.finishedAt) - Date.parse(run.startedAt)));
    lengths.set(workOf(run), list);
  }
  const usual = new Map<string, Usual>();
  for (const [work, list] of lengths) {
    if (list.length < leastRuns) continue;
    list.sort((a, b) => a - b);
    usual.set(work, { ms: list[Math.floor((list.length - 1) / 2)] as number, runs: list.length });
  }
  return (run) => usual.get(workOf(run));
}

/**
 * Runs of one schedule are compared with each other, and runs without a schedule by their handler. Runs of a workflow on a
 * host have one name, so they are compared by the producer or consumer in their cause.
 */
function workOf({ schedule, name, cause }: Measured): string {
  return schedule === null ? `handler ${name} ${cause ?? ''}` : `schedule ${schedule}`;
}
