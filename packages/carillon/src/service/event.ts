/**
 * Events for listeners: the facts that transitions reported, with their subject. The union is closed, so that a
 * listener for an unknown type does not compile.
 */
import type { Fact } from '../engine/component.ts';
import type { RunFact } from '../runs/fact.ts';
import { runFactTypes } from '../runs/fact.ts';
import type { ScheduleFact } from '../scheduler/fact.ts';
import { scheduleFactTypes } from '../scheduler/fact.ts';
import { scheduleArchetype } from '../scheduler/library.ts';
import type { ExecutionKey } from '../store/records.ts';

/** An event of a schedule. */
export type ScheduleEvent = ScheduleFact & { readonly namespace: string; readonly schedule: string };

/** An event of a run that was enqueued without a schedule. */
export type RunEvent = RunFact & { readonly schedule: null };

/** An event that this process decided, delivered after it is durable. */
export type CarillonEvent = ScheduleEvent | RunEvent;

/** All types of events. */
export const eventTypes: readonly CarillonEvent['type'][] = [
  ...new Set<CarillonEvent['type']>([...scheduleFactTypes, ...runFactTypes]),
];

/** Returns undefined for facts of other archetypes. */
export function eventOf(key: ExecutionKey | null, fact: Fact): CarillonEvent | undefined {
  if (key === null) return isRunFact(fact) ? { schedule: null, ...fact } : undefined;
  if (key.archetype !== scheduleArchetype || !isScheduleFact(fact)) return undefined;
  return { namespace: key.namespace, schedule: key.id, ...fact };
}

const ofSchedules: ReadonlySet<string> = new Set(scheduleFactTypes);
const ofRuns: ReadonlySet<string> = new Set(runFactTypes);

/** Checking the type is enough, because only typed nodes and the run queue report facts with these types. */
function isScheduleFact(fact: Fact): fact is ScheduleFact {
  return ofSchedules.has(fact.type);
}

function isRunFact(fact: Fact): fact is RunFact {
  return ofRuns.has(fact.type);
}
