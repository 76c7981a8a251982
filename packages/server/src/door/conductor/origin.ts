/** What this door stores of a schedule in Conductor's format, beside the definition that every door reads. */
import type { ScheduleDefinition } from 'carillon/internal/service';

export const originDoor = 'conductor';

export type Part = 'spec' | 'action' | 'about';

/** Texts that a client sent and the definition cannot hold: an empty description, an empty reason of a pause. */
export interface AboutFields {
  readonly description?: string;
  readonly pausedReason?: string;
}

/** The fields that a client sent for a part of the schedule; undefined when the part came through another door. */
export function keptFields<T>({ origin }: ScheduleDefinition, part: Part): T | undefined {
  const text = origin?.[originDoor]?.[part];
  return text === undefined ? undefined : (JSON.parse(text) as T);
}
