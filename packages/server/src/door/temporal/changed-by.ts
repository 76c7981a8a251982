/** The author of a change to something other than a schedule, for the audit. */
import type { DocumentChange } from 'carillon/internal/service';
import type { Call } from './method.ts';
import { originDoor } from './origin.ts';

export function changedBy({ identity }: Call, action: string): DocumentChange {
  return { actor: identity.actor, door: originDoor, action };
}
