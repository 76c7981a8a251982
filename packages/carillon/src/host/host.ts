/**
 * A workflow on a host is an execution: this root with its graph and settings (cold), one child per producer and consumer with
 * the state of its handler (cold), and the data of the run under way (cold).
 *
 * At most one *work* is under way: a chain of attempts (runs) of one handler, from its first start to its commit or to the
 * release of what it reserved. Between two attempts it waits (`retryAt`), or for a person (`block`). The root is the only
 * lock: the node that starts work writes it, so two nodes cannot both do so.
 *
 * A work of a consumer moves through its phases and never back:
 *
 * - *pending*: `prepare` runs. Nothing is reserved.
 * - *prepared*: the reservations and the data of `prepare` are stored. No change was begun.
 * - *mutating*: a change was begun and its end is not recorded. If the run ends here, the change is **uncertain**.
 * - *mutated*: the outcome of the change is known (`applied`, or `skipped` by a person). From here on only `next` is repeated.
 *
 * What happens after a failure or a crash is decided by the change, never by the phase: no change begun → what was reserved is
 * released and a fresh run prepares again; uncertain → reconcile, then a person; outcome known → a continuation runs `next`.
 */
import type { Instant } from '../base/time.ts';
import { defineComponent, factsOf, many, one, stateOf } from '../engine/component.ts';
import type { MutableNode, ReadNode } from '../engine/node.ts';
import { taskName } from '../engine/task.ts';
import type { Era } from '../ledger/era.ts';
import type { Pass } from '../ledger/find-slots.ts';
import type { Stretch } from '../ledger/ledger.ts';
import type { HostFact } from './fact.ts';
import type { Graph } from './graph.ts';
import { consumerPacking, hostPacking, producerPacking } from './packing.ts';
import type { HostSettings } from './settings.ts';
import type { HostVerdict } from './verdict.ts';

/** Counters of one topic; depth, age and order are read from here, never counted. */
export interface TopicState {
  readonly pending: number;
  readonly reserved: number;
  /** Sequence and time of the oldest pending event; 0 when none is pending. */
  readonly oldest: number;
  readonly oldestAt: Instant;
  /** The sequence of the newest event. */
  readonly last: number;
}

export type Phase = 'pending' | 'prepared' | 'mutating' | 'mutated';

export interface BegunChange {
  readonly name: string;
  /** The idempotency key that the other system was given. */
  readonly key: string;
  readonly outcome: 'uncertain' | 'applied' | 'skipped';
  readonly canReconcile: boolean;
}

export interface Work {
  readonly kind: 'producer' | 'consumer';
  readonly handler: string;
  /** The id of its first run; all its runs have it as their alias. */
  readonly chain: string;
  /** The run that is under way; null between two attempts. */
  readonly run: string | null;
  /** The run before that one. */
  readonly previous: string | null;
  /** What the next or present run does: everything, ask about a change, or only `next`. */
  readonly task: 'run' | 'reconcile' | 'continue';
  readonly phase: Phase;
  /** Attempts that failed or crashed, and questions about the change without an answer. */
  readonly failures: number;
  readonly reconciles: number;
  /** The run that reserved the events of this work; null: none are reserved. */
  readonly holder: string | null;
  readonly change: BegunChange | null;
  /** The due time of a producer; for a manual run when it was asked for. */
  readonly nominal: Instant | null;
  readonly manual: boolean;
  /** The last sequence of the workflow when the present run began. */
  readonly seen: number;
  /** When the present run, or the last one, began. */
  readonly since: Instant;
  /** When the next attempt may begin; null while a run is under way. */
  readonly retryAt: Instant | null;
  /** `prepare` reserved nothing. */
  readonly empty: boolean;
  /** When `prepare` wants to be called again. */
  readonly wakeAt: Instant | null;
}

export interface PauseNote {
  readonly by: string;
  readonly note: string;
  readonly at: Instant;
}

/** Why a workflow is stopped until a person acts. */
export const blockKinds = ['failed', 'uncertain'] as const;

/** Why the host stopped the workflow by itself. A person ends it. */
export interface Block {
  readonly kind: (typeof blockKinds)[number];
  readonly since: Instant;
  readonly runId: string;
  readonly message: string;
}

export interface HostState {
  readonly closed: 'deleted' | null;
  /** The sequence of the newest event of any topic. */
  readonly sequence: number;
  /** Runs started so far; the next run's ordinal. */
  readonly starts: number;
  /** Counts manual runs, so that each has its own cause. */
  readonly causes: number;
  readonly topics: Readonly<Record<string, TopicState>>;
  readonly work: Work | null;
  readonly paused: PauseNote | null;
  readonly block: Block | null;
  /** Since when no scheduled run starts, because of a pause or a block; null otherwise. */
  readonly haltedAt: Instant | null;
}

export const runResults = ['committed', 'failed', 'suspended'] as const;
export type RunResult = (typeof runResults)[number];

/** The last run of a producer or consumer that ended. */
export interface LastRun {
  readonly runId: string;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  readonly result: RunResult;
  /** It committed, but had reserved nothing. */
  readonly empty: boolean;
  /** Why it failed. */
  readonly error: string | null;
}

export interface ProducerState {
  /** The schedule as text: when a deployment changes it, the grid begins anew. */
  readonly text: string;
  /** Where the grid of an interval begins. */
  readonly anchor: Instant;
  readonly cursor: Instant;
  /** The next due time; null while the workflow is halted, or when there is none. */
  readonly next: Instant | null;
  readonly eras: readonly Era[];
  readonly stretch: Stretch<HostVerdict> | null;
  readonly pass: Pass | null;
  /** A due time that waits for the present run to end. */
  readonly queued: Instant | null;
  /** When a person made the request that waits; null when none waits. */
  readonly asked: Instant | null;
  readonly skipped: number;
  readonly skippedInARow: number;
  readonly last: LastRun | null;
}

export interface Sleep {
  readonly since: Instant;
  readonly until: Instant;
}

export interface ConsumerState {
  readonly sleep: Sleep | null;
  /** What ended its last sleep. */
  readonly wokenBy: 'event' | 'timeout' | 'person' | null;
  /** When a person made the request that waits; null when none waits. */
  readonly asked: Instant | null;
  readonly last: LastRun | null;
}

/** What a deployment stores. The code itself is in the programs that know the workflow. */
export interface Deployment {
  readonly graph: Graph;
  readonly hash: string;
  readonly settings: HostSettings;
  /** +1 with each deployment that changed something. */
  readonly version: number;
  readonly at: Instant;
}

/** The state that a handler returned, as JSON; null: it returned nothing yet. */
export interface HandlerMemory {
  readonly json: string | null;
}

/** What `prepare` returned, and the result of the change, as JSON. */
export interface WorkData {
  readonly data: string | null;
  readonly result: string | null;
}

export const Memory = defineComponent({ name: 'memory', state: stateOf<HandlerMemory>(), storage: 'cold' });
export const Data = defineComponent({ name: 'data', state: stateOf<WorkData>(), storage: 'cold' });
export const Deployed = defineComponent({
  name: 'deployment',
  state: stateOf<Deployment>(),
  storage: 'cold',
});

export const Producer = defineComponent({
  name: 'producer',
  state: stateOf<ProducerState>(),
  children: { memory: one(Memory) },
  packing: producerPacking,
});

export const Consumer = defineComponent({
  name: 'consumer',
  state: stateOf<ConsumerState>(),
  children: { memory: one(Memory) },
  packing: consumerPacking,
});

export const Host = defineComponent({
  name: 'host',
  state: stateOf<HostState>(),
  facts: factsOf<HostFact>(),
  children: {
    deployment: one(Deployed),
    data: one(Data),
    producers: many(Producer),
    consumers: many(Consumer),
  },
  isOpen: ({ closed }) => closed === null,
  packing: hostPacking,
});

export type HostNode = MutableNode<typeof Host>;
export type HostView = ReadNode<typeof Host>;
export type ProducerNode = MutableNode<typeof Producer>;
export type ConsumerNode = MutableNode<typeof Consumer>;

/** Due when the next attempt of the present work may begin. */
export const retryWork = taskName(Host, 'retryWork');
/** Due at a producer's next time, or at once while a search continues. */
export const dueTimes = taskName(Producer, 'dueTimes');
/** Due when a consumer with pending events has slept long enough. */
export const wakeUp = taskName(Consumer, 'wakeUp');

export function change(host: HostNode, fields: Partial<HostState>): void {
  host.set({ ...host.state, ...fields });
}

/** Whether no scheduled run may start: a person paused the workflow, or the host had to. */
export function isHalted({ paused, block }: HostState): boolean {
  return paused !== null || block !== null;
}

export const noTopic: TopicState = { pending: 0, reserved: 0, oldest: 0, oldestAt: 0 as Instant, last: 0 };

export function topicOf({ topics }: HostState, name: string): TopicState {
  return topics[name] ?? noTopic;
}
