/** The facts that workflows on a host report, with the commit that caused them. Events, metrics and logs are derived from this union. */
import { closedList } from '../base/closed-list.ts';
import type { Instant } from '../base/time.ts';
import type { blockKinds } from './host.ts';
import { runResults } from './host.ts';
import type { HostVerdict } from './verdict.ts';

/** A due time of a producer, or a stretch of `count` up to `nominal`, got its verdict. */
export interface ProducerSlotFact {
  readonly type: 'producerSlot';
  readonly producer: string;
  readonly verdict: HostVerdict;
  readonly nominal: Instant;
  readonly count: number;
}

/** A run of a producer or consumer was started. */
export interface HostRunStartedFact {
  readonly type: 'hostRunStarted';
  readonly kind: 'producer' | 'consumer';
  readonly handler: string;
  readonly runId: string;
  readonly task: 'run' | 'reconcile' | 'continue';
  readonly manual: boolean;
}

/** How an attempt of a run ended. `retried`: it failed and the host tries again. */
export const hostRunResults = [...runResults, 'retried'] as const;

export interface HostRunEndedFact {
  readonly type: 'hostRunEnded';
  readonly kind: 'producer' | 'consumer';
  readonly handler: string;
  readonly runId: string;
  readonly result: (typeof hostRunResults)[number];
  readonly empty: boolean;
  readonly durationMs: number;
  readonly error?: string;
}

export interface EventsPublishedFact {
  readonly type: 'eventsPublished';
  readonly topic: string;
  /** New events; messages whose id was there already are not counted. */
  readonly count: number;
  /** The run that published them; null: from outside. */
  readonly runId: string | null;
}

/** The host stopped a workflow until a person acts. */
export interface HostBlockedFact {
  readonly type: 'hostBlocked';
  readonly kind: (typeof blockKinds)[number];
  readonly handler: string;
  readonly runId: string;
  readonly message: string;
}

/** A person, or a resolved change, let the workflow go on. */
export interface HostUnblockedFact {
  readonly type: 'hostUnblocked';
  readonly by: string;
}

/** Several due times of a producer in a row found the workflow busy. */
export interface ProducerStarvingFact {
  readonly type: 'producerStarving';
  readonly producer: string;
  readonly skippedInARow: number;
}

export interface ConsumerSleptFact {
  readonly type: 'consumerSlept';
  readonly consumer: string;
  readonly until: Instant;
}

export interface ConsumerWokeFact {
  readonly type: 'consumerWoke';
  readonly consumer: string;
  readonly by: 'event' | 'timeout' | 'person';
}

export type HostFact =
  | ProducerSlotFact
  | HostRunStartedFact
  | HostRunEndedFact
  | EventsPublishedFact
  | HostBlockedFact
  | HostUnblockedFact
  | ProducerStarvingFact
  | ConsumerSleptFact
  | ConsumerWokeFact;

export const hostFactTypes = closedList<HostFact['type']>({
  producerSlot: true,
  hostRunStarted: true,
  hostRunEnded: true,
  eventsPublished: true,
  hostBlocked: true,
  hostUnblocked: true,
  producerStarving: true,
  consumerSlept: true,
  consumerWoke: true,
});
