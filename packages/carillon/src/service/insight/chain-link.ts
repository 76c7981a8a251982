/** The links of a chain, and the material that they are made of. */
import type { Instant } from '../../base/time.ts';
import { formatInstant } from '../../base/time.ts';
import type { ClockEffect } from '../../scheduler/clock-effect.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import type { Explanation, Silence } from '../../scheduler/explain.ts';
import type { AuditRow, RunRow } from '../../store/records.ts';
import { timeJson } from '../wire.ts';
import type { Durations } from './durations.ts';
import type { WrittenVersion } from './setting-origin.ts';

export type LinkType = 'spec' | 'slot' | 'run' | 'person' | 'rule' | 'silence' | 'clock' | 'verdict';

export interface ChainLink {
  readonly type: LinkType;
  /** When it happened; null where no time applies. */
  readonly at: string | null;
  /** One sentence. */
  readonly text: string;
  /** One line of detail; empty when there is none. */
  readonly detail: string;
  /** What it leads to: a run, another slot of the schedule, a version, or a person of the audit. */
  readonly subject: LinkSubject | null;
}

export type LinkSubject =
  | { readonly type: 'run'; readonly id: string }
  | { readonly type: 'slot'; readonly at: string }
  | { readonly type: 'version'; readonly stamp: number }
  | { readonly type: 'person'; readonly name: string };

export interface ChainMaterial {
  readonly explanation: Explanation;
  readonly definition: ScheduleDefinition | undefined;
  readonly runs: ReadonlyMap<string, RunRow>;
  readonly silences: readonly Silence[];
  readonly usual: Durations;
  /** The changes of the schedule, newest first. */
  readonly audit: readonly AuditRow[];
  /** The versions that changed something, oldest first. */
  readonly versions: readonly WrittenVersion[];
  /** Earlier slots that the same run blocked. */
  readonly waiting: readonly Instant[];
  /** The end of the pause that the slot fell into; undefined while it goes on, and for other slots. */
  readonly resumed?: Act | undefined;
  /** How many of the measured runs would still be in the way of a slot to come; undefined when too few would be. */
  readonly tooLong?: LikelyOverlap | undefined;
  /** What a change of the clock made of the slot; undefined when none touches it. */
  readonly clock?: ClockEffect | undefined;
}

/** How likely the run before is still in the way of a slot to come. */
export interface LikelyOverlap {
  /** The measured runs that would still be unfinished, of so many. */
  readonly runs: number;
  readonly of: number;
  /** How long the run before it has been going, when no measured run took that long. */
  readonly goingMs?: number;
}

export const noSubject = null;

export function slotLink(at: Instant, what: string): ChainLink {
  const text = `${formatInstant(at)} ${what}`;
  return { type: 'slot', at: null, text, detail: '', subject: { type: 'slot', at: timeJson(at) } };
}

export interface Act {
  readonly at: Instant | null;
  readonly by: string;
  readonly note: string;
}
