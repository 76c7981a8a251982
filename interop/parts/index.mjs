// All parts, in the order in which they run.
import { activityWorkers } from './activity-workers.mjs';
import { scheduleParts } from './schedules.mjs';

export const parts = [...scheduleParts, activityWorkers];
