/**
 * What happens, as listeners are told of it: the facts that transitions reported, with what they are about. The union is
 * closed, so that a listener that asks for a type that does not exist fails to compile.
 */
import type { Fact } from '../engine/component.ts';
import type { RunFact } from '../runs/fact.ts';
import { runFactTypes } from '../runs/fact.ts';
import type { ScheduleFact } from '../scheduler/fact.ts';
import { scheduleFactTypes } from '../scheduler/fact.ts';
import { scheduleArchetype } from '../scheduler/library.ts';
import type { ExecutionKey } from '../store/records.ts';

/** Something that happened to a schedule. */
export type ScheduleEvent = ScheduleFact & { readonly namespace: string; readonly schedule: string };

/** Something that happened to a run that was enqueued by hand: it belongs to no schedule. */
export type RunEvent = RunFact & { readonly schedule: null };

/** Something that this process decided, told after it was durable. */
export type CarillonEvent = ScheduleEvent | RunEvent;

/** Every type an event can have. */
export const eventTypes: readonly CarillonEvent['type'][] = [
  ...new Set<CarillonEvent['type']>([...scheduleFactTypes, ...runFactTypes]),
];

/** Undefined for facts of archetypes that this union does not describe. */
export function eventOf(key: ExecutionKey | null, fact: Fact): CarillonEvent | undefined {
  if (key === null) return isRunFact(fact) ? { ...fact, schedule: null } : undefined;
  if (key.archetype !== scheduleArchetype || !isScheduleFact(fact)) return undefined;
  return { ...fact, namespace: key.namespace, schedule: key.id };
}

const ofSchedules: ReadonlySet<string> = new Set(scheduleFactTypes);
const ofRuns: ReadonlySet<string> = new Set(runFactTypes);

/** The type says it all: only typed nodes and the run queue report, and they report nothing else under these words. */
function isScheduleFact(fact: Fact): fact is ScheduleFact {
  return ofSchedules.has(fact.type);
}

function isRunFact(fact: Fact): fact is RunFact {
  return ofRuns.has(fact.type);
}
