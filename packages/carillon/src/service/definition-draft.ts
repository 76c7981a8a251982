/** A definition as a door hands it in: checked, complete, without what only the service knows (who, when, seed). */
import type { Origin, ScheduleAction, ScheduleDefinition, SchedulePolicy } from '../scheduler/definition.ts';
import type { ScheduleSpec } from '../spec/index.ts';

export interface DefinitionDraft {
  readonly spec: ScheduleSpec;
  readonly action: ScheduleAction;
  readonly policy: SchedulePolicy;
  /** Absent: keep the present state; null: running. */
  readonly paused?: { readonly note: string } | null;
  /** Absent: keep what is left; null: without limit. */
  readonly remaining?: number | null;
  readonly note: string;
  readonly description: string;
  readonly owner: string;
  readonly tags: readonly string[];
  readonly memo: ScheduleDefinition['memo'];
  readonly attributes: ScheduleDefinition['attributes'];
  readonly origin?: Origin;
  /** What the jitter is derived from; default `<namespace>-<id>`. */
  readonly seed?: string;
}
