// All parts, in the order in which they run.
import { activityWorkers } from './activity-workers.mjs';
import { conductorBeside } from './conductor-beside.mjs';
import { conductorPython } from './conductor-python.mjs';
import { importTemporal } from './import-temporal.mjs';
import { scheduleParts } from './schedules.mjs';
import { conductorTarget, temporalTarget } from './targets.mjs';
import { temporalBeside } from './temporal-beside.mjs';
import { temporalCli } from './temporal-cli.mjs';
import { temporalWeb } from './temporal-web.mjs';

export const parts = [
  ...scheduleParts,
  activityWorkers,
  temporalBeside,
  temporalCli,
  temporalWeb,
  temporalTarget,
  importTemporal,
  conductorPython,
  conductorBeside,
  conductorTarget,
];
