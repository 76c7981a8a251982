/** The execution state of a run at the Conductor door, shown beside the page's own words. Pure. */
import type { RunJson } from 'carillon/client';

export type ConductorState = 'POLLED' | 'EXECUTED' | 'FAILED';

type Seen = Pick<RunJson, 'state' | 'attempt' | 'failure'>;

/** POLLED: no worker has taken the run yet. FAILED: the run never began. EXECUTED: a worker took the run, with any outcome. */
export function conductorStateOf({ state, attempt, failure }: Seen): ConductorState {
  if (state === 'waiting' && attempt === 0) return 'POLLED';
  const isLost = state === 'done' && (attempt === 0 || failure?.startFailed === true);
  return isLost ? 'FAILED' : 'EXECUTED';
}

/** Whether the schedule was saved through the Conductor door. */
export function isOfConductor(schedule: object): boolean {
  const { origin } = schedule as { readonly origin?: Readonly<Record<string, unknown>> };
  return origin?.conductor !== undefined;
}
