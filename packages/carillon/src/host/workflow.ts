/**
 * A workflow as a program writes it: topics, producers that read the outside world on a schedule, and consumers that work
 * on events.
 *
 * ```ts
 * const inbox = defineWorkflow({ name: 'inbox', topics: { mail: topic<Mail>() } })
 *   .producer('poll', { schedule: { interval: '5m' }, publishes: ['mail'], handler: async (ctx) => { … } })
 *   .consumer('file', { subscribe: ['mail'], prepare: async (ctx) => { … }, mutate: …, next: … });
 * ```
 *
 * Each call returns a new workflow; nothing is shared or changed.
 */
import type {
  Change,
  ChangeOutcome,
  MutateContext,
  PrepareContext,
  Prepared,
  ProducerContext,
  PublishContext,
} from './context.ts';
import type { Topics } from './topic.ts';

export type ProducerSchedule =
  /** `30s`, `5m`, `1h`, `1d`: on a fixed grid from the first activation. */
  | { readonly interval: string }
  /** Five fields, or six with seconds first; in UTC unless a zone is given. */
  | { readonly cron: string; readonly timezone?: string };

export interface ProducerDefinition<T extends Topics, Names extends keyof T & string, State> {
  readonly schedule: ProducerSchedule;
  readonly publishes: readonly Names[];
  /** A due time while the workflow is busy: `skip` (default), or wait for the run to end; at most one waits. */
  readonly onBusy?: 'skip' | 'queueOne';
  readonly handler: (
    ctx: ProducerContext<T, Names>,
    state: State | undefined,
    // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a result returns void
  ) => Promise<NoInfer<State> | undefined | void> | NoInfer<State> | undefined | void;
}

export interface ConsumerDefinition<
  T extends Topics,
  Subscribed extends keyof T & string,
  Published extends keyof T & string,
  Data,
  Result,
  State,
> {
  readonly subscribe: readonly Subscribed[];
  readonly publishes?: readonly Published[];
  /** Looks at events and chooses; may read the outside world, may not change it. */
  readonly prepare: (
    ctx: PrepareContext<T, Subscribed>,
    state: State | undefined,
  ) => Promise<Prepared<Subscribed, Data>> | Prepared<Subscribed, Data>;
  /** Makes at most one outside change. Not called when nothing was reserved. */
  readonly mutate?: (
    ctx: MutateContext,
    prepared: Data,
  ) => Promise<Change<Result> | undefined> | Change<Result> | undefined;
  /** Publishes, and returns the next state of the consumer. */
  readonly next?: (
    ctx: PublishContext<T, Published>,
    prepared: Data,
    change: ChangeOutcome<Result>,
    // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a result returns void
  ) => Promise<NoInfer<State> | undefined | void> | NoInfer<State> | undefined | void;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of handlers holds every type of data
export type AnyProducer = ProducerDefinition<any, any, any>;
// biome-ignore lint/suspicious/noExplicitAny: a table of handlers holds every type of data
export type AnyConsumer = ConsumerDefinition<any, any, any, any, any, any>;

export interface Workflow<T extends Topics = Topics> {
  readonly name: string;
  readonly topics: T;
  readonly producers: ReadonlyMap<string, AnyProducer>;
  readonly consumers: ReadonlyMap<string, AnyConsumer>;
  /** Names given twice: the later one is kept here, and the graph's check refuses it. */
  readonly repeated: readonly string[];
}

export interface WorkflowBuilder<T extends Topics> extends Workflow<T> {
  producer<const Names extends keyof T & string, State = unknown>(
    name: string,
    definition: ProducerDefinition<T, Names, State>,
  ): WorkflowBuilder<T>;
  consumer<
    const Subscribed extends keyof T & string,
    const Published extends keyof T & string = never,
    Data = undefined,
    Result = never,
    State = unknown,
  >(
    name: string,
    definition: ConsumerDefinition<T, Subscribed, Published, Data, Result, State>,
  ): WorkflowBuilder<T>;
}

/** Begins the definition of a workflow; `producer` and `consumer` add its handlers. */
export function defineWorkflow<const T extends Topics>(fields: {
  readonly name: string;
  readonly topics: T;
}): WorkflowBuilder<T> {
  return build({ ...fields, producers: new Map(), consumers: new Map(), repeated: [] });
}

function build<T extends Topics>(workflow: Workflow<T>): WorkflowBuilder<T> {
  const { producers, consumers, repeated } = workflow;
  const seen = (name: string) =>
    producers.has(name) || consumers.has(name) ? [...repeated, name] : repeated;
  return {
    ...workflow,
    producer: (name, definition) =>
      build({
        ...workflow,
        producers: new Map([...producers, [name, definition as AnyProducer]]),
        repeated: seen(name),
      }),
    consumer: (name, definition) =>
      build({
        ...workflow,
        consumers: new Map([...consumers, [name, definition as AnyConsumer]]),
        repeated: seen(name),
      }),
  };
}
