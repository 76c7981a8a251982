/** A definition as a door hands it in: checked, complete, without what only the service knows (who, when, seed). */

import { given } from '../base/given.ts';
import type { Origin, ScheduleAction, ScheduleDefinition, SchedulePolicy } from '../scheduler/definition.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import { timeZoneVersion } from '../spec/index.ts';
import type { About } from './schedule-fields.ts';
import { aboutOf } from './schedule-fields.ts';

export interface DefinitionDraft extends About {
  readonly spec: ScheduleSpec;
  readonly action: ScheduleAction;
  readonly policy: SchedulePolicy;
  /** Absent: keep the present state; null: running. */
  readonly paused?: { readonly note: string } | null;
  /** Absent: keep what is left; null: without limit. */
  readonly remaining?: number | null;
  readonly origin?: Origin;
  /** What the jitter is derived from; default `<namespace>-<id>`. */
  readonly seed?: string;
}

/** What is stored of a draft; a pause and the number of actions belong to the schedule's state. */
/** What the jitter of a schedule is derived from. */
export function seedOf(
  { namespace, id }: { readonly namespace: string; readonly id: string },
  { seed = `${namespace}-${id}` }: { readonly seed?: string },
): string {
  return seed;
}

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
