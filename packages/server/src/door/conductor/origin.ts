/** What this door stores of a schedule in Conductor's format, beside the definition that every door reads. */
import type { ScheduleDefinition } from 'carillon/internal/service';

export const originDoor = 'conductor';

export type Part = 'spec' | 'action' | 'about';

/** Texts that a client sent and the definition has no place for: an empty description, the reason of a pause that is none. */
export interface AboutWords {
  readonly description?: string;
  readonly pausedReason?: string;
}

/** The words a client sent for a part of the schedule; undefined when the part came through another door. */
export function keptWords<T>({ origin }: ScheduleDefinition, part: Part): T | undefined {
  const text = origin?.[originDoor]?.[part];
  return text === undefined ? undefined : (JSON.parse(text) as T);
}
