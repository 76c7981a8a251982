/** The work of this application, and when it is due. */
import type { Carillon, ScheduleInput } from 'carillon';

export function registerHandlers(carillon: Carillon): void {
  carillon.handle('report', () => 'written');
}

export const schedules: Readonly<Record<string, ScheduleInput>> = {
  nightly: { cron: '0 2 * * *', zone: 'Europe/Berlin', run: 'report' },
};
