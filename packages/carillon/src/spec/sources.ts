/** The fields of a spec that name times; the others refine, bound or remove them. */
import type { ScheduleSpec } from './model.ts';

export const sourceNames = [
  'cron',
  'calendars',
  'structuredCalendars',
  'intervals',
  'times',
  'rrules',
] as const satisfies readonly (keyof ScheduleSpec)[];

/** Whether the spec names no time at all: its schedule runs only when a person or a program asks. */
export function isManual(spec: ScheduleSpec): boolean {
  return sourceNames.every((name) => (spec[name] ?? []).length === 0);
}
