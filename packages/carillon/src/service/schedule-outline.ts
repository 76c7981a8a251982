/** A schedule without its runs: enough for doors that list definitions, and cheaper than a snapshot. */
import type { Instant } from '../base/time.ts';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import type { ScheduleState, ScheduleView } from '../scheduler/schedule.ts';
import type { ListedExecution } from '../store/records.ts';

export interface ScheduleOutline {
  readonly id: string;
  readonly incarnation: string;
  readonly createdAt: Instant;
  readonly definition: ScheduleDefinition;
  readonly state: ScheduleState;
  /** When the next slot is due; null when the schedule is paused or has no further one. */
  readonly next: Instant | null;
}

/** An open schedule by name. */
export interface NamedSchedule {
  readonly id: string;
  readonly incarnation: string;
}

export function outlineOf(
  view: ScheduleView,
  { key, incarnation, createdAt }: ListedExecution,
): ScheduleOutline {
  const definition = view.child('definition').state;
  const { state } = view;
  const isWaiting = definition.paused === null && state.remaining !== 0;
  const next = isWaiting ? view.child('generator').state.next : null;
  return { id: key.id, incarnation, createdAt, definition, state, next };
}
