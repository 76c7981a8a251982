/** What this door stores of a schedule in Temporal's format, beside the definition that every door reads. */
import type { ScheduleDefinition } from 'carillon/internal/service';

export const originDoor = 'temporal';

/** The bytes a Temporal client sent for a part of the schedule; undefined when the part came through another door. */
export function keptBytes({ origin }: ScheduleDefinition, part: string): Uint8Array | undefined {
  const text = origin?.[originDoor]?.[part];
  return text === undefined ? undefined : Buffer.from(text, 'base64');
}
