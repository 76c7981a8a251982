/** The archetype of schedules for a runtime. */
import type { Settings } from '../engine/setting.ts';
import type { Archetype } from '../runtime/archetype.ts';
import { scheduleArchetype, scheduleLibrary } from '../scheduler/library.ts';
import type { OperatorOptions } from '../scheduler/operator-settings.ts';
import { operatorRules } from '../scheduler/operator-settings.ts';
import type { Schedule } from '../scheduler/schedule.ts';
import { ScheduleService } from './schedule-service.ts';

/** What the operator sets for schedules, as their decisions read it. */
export function scheduleSettings(options: OperatorOptions): Settings {
  return operatorRules(options);
}

export const schedules: Archetype<ScheduleService, typeof Schedule> = {
  name: scheduleArchetype,
  library: ({ runs, settings }) => scheduleLibrary(runs, settings),
  services: (runtime, library) => {
    const { engine, store, clock, silences, runs } = runtime;
    const roster = () => runtime.roster();
    return new ScheduleService({ engine, store, clock, silences, roster, runs, library });
  },
};
