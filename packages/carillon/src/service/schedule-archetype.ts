/** The archetype of schedules for a runtime. */
import type { Archetype } from '../runtime/archetype.ts';
import { scheduleArchetype, scheduleLibrary } from '../scheduler/library.ts';
import type { Schedule } from '../scheduler/schedule.ts';
import { ScheduleService } from './schedule-service.ts';

export const schedules: Archetype<ScheduleService, typeof Schedule> = {
  name: scheduleArchetype,
  library: ({ runs }) => scheduleLibrary(runs),
  services: (runtime, library) => {
    const { engine, store, clock, silences, runs } = runtime;
    const roster = () => runtime.roster();
    return new ScheduleService({ engine, store, clock, silences, roster, runs, library });
  },
};
