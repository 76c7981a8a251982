/** What this door stores of a schedule in Conductor's format, beside the definition that every door reads. */
import type { ScheduleDefinition } from 'carillon/internal/service';

export const originDoor = 'conductor';

export type OriginSection = 'spec' | 'action' | 'about';

/** Texts that a client sent and the definition cannot hold: an empty description, an empty reason of a pause. */
export interface AboutFields {
  readonly description?: string;
  readonly pausedReason?: string;
}

/** The fields that a client sent for a section of the schedule; undefined when the section came through another door. */
export function keptFields<T>({ origin }: ScheduleDefinition, section: OriginSection): T | undefined {
  const text = origin?.[originDoor]?.[section];
  return text === undefined ? undefined : (JSON.parse(text) as T);
}
