/** Every simulated scenario by name, for the suite and for `npm run simulate`. */
import { simulateRuns } from '../runs/run-scenario.ts';
import type { Outcome } from './errand-scenario.ts';
import { simulateErrands } from './errand-scenario.ts';
import { simulateHost } from './host-scenario.ts';
import { simulateSchedules } from './schedule-scenario.ts';

export const scenarios: Readonly<Record<string, (seed: number) => Promise<Pick<Outcome, 'problems'>>>> = {
  errands: simulateErrands,
  hosts: simulateHost,
  runs: simulateRuns,
  schedules: simulateSchedules,
};
