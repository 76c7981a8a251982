/** The API of workflows on hosts for programs, embedded or over HTTP; see `api.ts`. */
import type { EventState } from '../../store/records.ts';
import type { Page, PageOptions } from '../api.ts';
import type { InstantInput } from '../schedule-input.ts';

export type { EventState };

/** The types of the answers, with either kind of time. */
export interface HostViews {
  readonly host: object;
  readonly hostSummary: object;
  readonly hostEvent: object;
  readonly hostRun: object;
  readonly hostExplanation: object;
  readonly hostSlot: object;
}

export interface HostChangeOptions {
  /** The reason of the change, for the audit log. */
  readonly note?: string;
  /** The idempotency key: a repeated call with the same key changes nothing and returns the first answer. */
  readonly requestId?: string;
}

export interface HostFilters extends PageOptions {
  /** A part of the name of the workflow, a topic, a producer or a consumer. */
  readonly text?: string;
  /** Only workflows that wait for a person. */
  readonly blocked?: boolean;
}

export interface EventFilters extends PageOptions {
  readonly state?: readonly EventState[];
  readonly id?: readonly string[];
  /** The order by publication. Default `ascending`, oldest first. */
  readonly order?: 'ascending' | 'descending';
}

export type HandlerName = { readonly producer: string } | { readonly consumer: string };

export interface OutsideMessage {
  readonly id?: string;
  readonly payload: unknown;
}

export type ChangeResolution =
  | { readonly action: 'happened'; readonly result?: unknown }
  | { readonly action: 'didNotHappen' }
  | { readonly action: 'tryAgain' }
  | { readonly action: 'skip' };

export type HostQuestion =
  | { readonly producer: string; readonly at: InstantInput }
  | { readonly consumer: string }
  | { readonly topic: string; readonly event: string };

export interface HostsApi<V extends HostViews> {
  /** Lists workflows in the order of their names. */
  list(filters?: HostFilters): Promise<Page<V['hostSummary']>>;
  /** Describes a workflow: its topics, producers and consumers, the run under way, and what a person must do. */
  describe(workflow: string): Promise<V['host']>;
  /** Lets the run under way finish; after it, only manual runs start. */
  pause(workflow: string, options?: HostChangeOptions): Promise<void>;
  /** Ends a pause, or the block of a failed run. Refused while a change is unresolved. */
  resume(workflow: string, options?: HostChangeOptions): Promise<void>;
  /** Starts a producer or consumer now, also while paused. A consumer waits while the workflow is busy: `runId` is null. */
  trigger(
    workflow: string,
    handler: HandlerName,
    options?: HostChangeOptions,
  ): Promise<{ readonly runId: string | null }>;
  /**
   * Publishes to a topic from outside. `published` counts the new events, without messages whose id is known already.
   */
  publish(
    workflow: string,
    topic: string,
    messages: OutsideMessage | readonly OutsideMessage[],
    options?: HostChangeOptions,
  ): Promise<{ readonly published: number; readonly ids: readonly string[] }>;
  /** Sets an event aside for good. `tooLate`: its run has begun its change and will consume it. */
  skip(
    workflow: string,
    topic: string,
    event: string,
    options?: HostChangeOptions,
  ): Promise<{ readonly outcome: 'skipped' | 'tooLate' }>;
  /** Decides about a change whose outcome is not known. */
  resolve(workflow: string, resolution: ChangeResolution, options?: HostChangeOptions): Promise<void>;
  /** The events of a topic. */
  events(workflow: string, topic: string, filters?: EventFilters): Promise<Page<V['hostEvent']>>;
  /** The runs of a workflow, newest first. */
  runs(workflow: string, options?: PageOptions): Promise<Page<V['hostRun']>>;
  /** All attempts of the work that a run belongs to, oldest first. */
  attempts(workflow: string, run: string): Promise<readonly V['hostRun'][]>;
  /** The verdicts over a producer's due times, newest first, each with what became of the work that it started. */
  slots(workflow: string, producer: string, options?: PageOptions): Promise<Page<V['hostSlot']>>;
  /** Why a producer did or did not run, why a consumer sleeps, or why an event was not taken. */
  explain(workflow: string, question: HostQuestion): Promise<V['hostExplanation']>;
  /** Takes a workflow out of quarantine. */
  release(workflow: string, options?: HostChangeOptions): Promise<void>;
  /** Closes the workflow, with its events. Refused while a run is under way. */
  delete(workflow: string, options?: HostChangeOptions): Promise<void>;
}
