/** What a handler may do. Each phase has a context of its own that offers nothing else. */
import type { Instant } from '../base/time.ts';
import type { EventState } from '../store/records.ts';
import type { PayloadOf, Topics } from './topic.ts';

export interface HandlerContext {
  /** The name of the workflow, and of this producer or consumer. */
  readonly workflow: string;
  readonly handler: string;
  /** The run this call belongs to. A repeated attempt is another run. */
  readonly runId: string;
  /** 1 for the first attempt, one more for each retry. */
  readonly attempt: number;
  /** The time now, by the clock of this node. In tests it is virtual. */
  readonly now: () => Instant;
  /** Aborts when the phase is out of time, or the node stops or has lost the run. */
  readonly signal: AbortSignal;
}

export interface Message<Payload> {
  /** The id of the message in its topic: two messages with the same id are one event. Default: a new id. */
  readonly id?: string;
  readonly payload: Payload;
}

export interface PublishContext<T extends Topics, Names extends keyof T> extends HandlerContext {
  /** Publishes with the commit of this run: if the run fails, nothing was published. */
  publish<Name extends Names & string>(topic: Name, message: Message<PayloadOf<T[Name]>>): void;
}

export interface ProducerContext<T extends Topics, Names extends keyof T> extends PublishContext<T, Names> {
  /** The time the schedule was due; for a manual run, when it was asked for. */
  readonly scheduledAt: Instant;
  /** Whether a person asked for this run. */
  readonly manual: boolean;
}

export interface TopicEvent<Payload = unknown> {
  readonly id: string;
  readonly payload: Payload;
  readonly publishedAt: Instant;
  /** The number of the event in its topic: later events have higher numbers. */
  readonly sequence: number;
  /** 1 at first, one more for each run that reserved the event and failed. */
  readonly attempt: number;
  readonly state: EventState;
}

export interface PrepareContext<T extends Topics, Names extends keyof T> extends HandlerContext {
  /** Pending events, oldest first. The host's settings bound how many; `after` is the sequence of the last one seen. */
  peek<Name extends Names & string>(
    topic: Name,
    options?: { readonly limit?: number; readonly after?: number },
  ): Promise<readonly TopicEvent<PayloadOf<T[Name]>>[]>;
  /** Events by their ids, in any state; unknown ids are left out. */
  get<Name extends Names & string>(
    topic: Name,
    ids: readonly string[],
  ): Promise<readonly TopicEvent<PayloadOf<T[Name]>>[]>;
  /** The number of pending events in a topic. */
  pending(topic: Names & string): number;
}

export interface Reservation<Names> {
  readonly topic: Names;
  readonly ids: readonly string[];
}

/** What `prepare` chose. Without reservations the consumer sleeps. */
export interface Prepared<Names, Data> {
  /** The events to work on; they are this run's until it ends. */
  readonly reservations: readonly Reservation<Names>[];
  /** Data for `mutate` and `next`, as JSON. */
  readonly data: Data;
  /** Wakes the sleeping consumer earlier than the host's timeout would: a time, in ms since 1970 or RFC 3339. */
  readonly wakeAt?: number | string | Date;
}

declare const changeType: unique symbol;

/** The change a `mutate` made; `next` gets its result. */
export interface Change<Result> {
  readonly [changeType]?: Result;
}

export interface ChangeSteps<Result> {
  /**
   * Makes the change. `key` is the same for every try of this change: hand it to the other system as an idempotency key.
   * Throw `ChangeRefused` when the change certainly did not happen; any other error leaves it uncertain.
   */
  readonly run: (key: string, signal: AbortSignal) => Promise<Result> | Result;
  /**
   * Finds out whether a change under this key happened: returns its result, or null or undefined when it did not. An error
   * means that it is still not known. Without it, a person decides.
   */
  readonly reconcile?: (
    key: string,
    signal: AbortSignal,
  ) => Promise<Result | null | undefined> | Result | null | undefined;
}

export interface MutateContext extends HandlerContext {
  /** Makes one change in the outside world. It is recorded before and after; a run makes at most one. */
  change<Result>(name: string, steps: ChangeSteps<Result>): Promise<Change<Result>>;
}

export type ChangeOutcome<Result> =
  /** The change happened. */
  | { readonly status: 'applied'; readonly result: Result }
  /** There was nothing to change. */
  | { readonly status: 'none' }
  /** A person decided to go on without it. */
  | { readonly status: 'skipped' };
