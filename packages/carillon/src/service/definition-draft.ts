/**
 * A definition as a door passes it to the service: checked and complete, without the fields that only the service
 * knows (who, when, seed).
 */

import { given } from '../base/given.ts';
import type { Origin, ScheduleAction, ScheduleDefinition, SchedulePolicy } from '../scheduler/definition.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import { timeZoneVersion } from '../spec/index.ts';
import type { ScheduleAbout } from './schedule-fields.ts';
import { aboutOf } from './schedule-fields.ts';

export interface DefinitionDraft extends ScheduleAbout {
  readonly spec: ScheduleSpec;
  readonly action: ScheduleAction;
  readonly policy: SchedulePolicy;
  /** The pause. Absent keeps the present state; null resumes. A pause that renews replaces the note of an earlier one. */
  readonly paused?: { readonly note: string; readonly renews?: true } | null;
  /** The remaining actions. Absent keeps the present number; null means no limit. */
  readonly remaining?: number | null;
  readonly origin?: Origin;
  /** Whether a spec without a time to come is refused; not through doors that answer as another system does. */
  readonly demandsTimes?: true;
  /** The seed of the jitter; default `<namespace>-<id>`. */
  readonly seed?: string;
}

/** The seed of a schedule's jitter. */
export function seedOf(
  { namespace, id }: { readonly namespace: string; readonly id: string },
  { seed = `${namespace}-${id}` }: { readonly seed?: string },
): string {
  return seed;
}

/** The stored definition of a draft. A pause and the remaining actions belong to the schedule's state instead. */
export function storedDefinition(
  { namespace, id }: { readonly namespace: string; readonly id: string },
  draft: DefinitionDraft,
): Omit<ScheduleDefinition, 'paused' | 'remaining'> {
  const { spec, action, policy, origin } = draft;
  const seed = seedOf({ namespace, id }, draft);
  const { declaredBy, ...about } = aboutOf(draft);
  return {
    spec,
    action,
    policy,
    ...about,
    ...given({ declaredBy: declaredBy === '' ? undefined : declaredBy, origin }),
    seed,
    timeZoneVersion: timeZoneVersion(),
  };
}
