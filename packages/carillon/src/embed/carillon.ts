/**
 * Carillon in your process: one node on one store, with your handlers. It uses the same services as the doors of the
 * server, without a socket.
 */
import type { ActionQueue } from '../action/action.ts';
import { given } from '../base/given.ts';
import type { Service } from '../base/service.ts';
import { InOrder } from '../base/service.ts';
import type { CallbackOutcome } from '../runs/callback.ts';
import { completeCallback } from '../runs/callback.ts';
import type { Handler, RunContext } from '../runs/context.ts';
import type { StopOptions } from '../runs/worker.ts';
import type { Archetype } from '../runtime/archetype.ts';
import type { Nodes } from '../runtime/nodes.ts';
import type { RuntimeObserver } from '../runtime/observer.ts';
import type { RuntimeParts } from '../runtime/runtime.ts';
import { Runtime } from '../runtime/runtime.ts';
import type { OperatorOptions } from '../scheduler/operator-settings.ts';
import type { HandlerRef } from '../service/action-input.ts';
import { defaultQueue } from '../service/action-input.ts';
import type { BackupProgress } from '../service/backup-service.ts';
import type { ClusterListener } from '../service/cluster-events.ts';
import type { CarillonEvent } from '../service/event.ts';
import { hosts } from '../service/hosts/host-archetype.ts';
import { scheduleSettings, schedules } from '../service/schedule-archetype.ts';
import type { Services } from '../service/services.ts';
import { openServices } from '../service/services.ts';
import { suggesting } from '../service/suggestions.ts';
import type { BackupReport } from '../store/store.ts';
import type { OptionNames } from './check-options.ts';
import { refuseUnknown } from './check-options.ts';
import type { HandlerDefinition } from './define-handler.ts';
import type { HandleOptions, Reloaded } from './handlers.ts';
import { HandlerTable } from './handlers.ts';
import { Hosts } from './hosts.ts';
import { keepInternals } from './internals.ts';
import { Runs } from './runs.ts';
import { Schedules } from './schedules.ts';
import type { CarillonWarning } from './warnings.ts';
import { Warnings } from './warnings.ts';

const handleOptions: OptionNames<HandleOptions> = { queue: true, concurrency: true, backoff: true };

/** Receives durations and errors of this process. An observer that throws is reported and does not affect the others. */
export type CarillonObserver = RuntimeObserver;

/** The end of a run that failed or timed out. */
export type FailedEvent = Extract<CarillonEvent, { readonly type: 'finished' }>;

function isFailed(event: CarillonEvent): event is FailedEvent {
  return event.type === 'finished' && (event.outcome === 'failed' || event.outcome === 'timedOut');
}

export interface CarillonParts extends Omit<RuntimeParts, 'archetypes' | 'queues' | 'name' | 'settings'> {
  /** The namespace of schedules and runs made through this object. Default `default`. */
  readonly namespace?: string;
  /** The name of this process in views of nodes and runs. */
  readonly name?: string;
  /** The most concurrent runs of one queue, unless `handle` says otherwise. Default 100. */
  readonly concurrency?: number;
  /** Handlers of actions outside this program, by queue. */
  readonly actions?: Readonly<Record<string, ActionQueue>>;
  /** Kinds of executions besides schedules; `of` gives their use cases. */
  readonly archetypes?: readonly Archetype<unknown>[];
  /** Called after a run of this process has failed or timed out for good; what it throws goes to `onTrouble`. */
  readonly onFailed?: (event: FailedEvent) => void;
  /**
   * Receives what a program should know without asking: failed runs, runs without a handler, errors of the store. At most one of a
   * kind per minute. `openCarillon` makes process warnings of them by default.
   */
  readonly onWarning?: (warning: CarillonWarning) => void;
  /** What the operator sets for schedules, for all namespaces and for some of them otherwise. */
  readonly scheduler?: OperatorOptions;
  /** The secret that signs callback tokens of parked runs: the same in every process, at least 16 characters. */
  readonly callbackSecret?: string;
}

/** Schedules, runs and handlers of one program on one store. */
export class Carillon implements Service, AsyncDisposable {
  /** The schedules of the namespace. */
  readonly schedules: Schedules;
  /** The runs of the namespace, with and without a schedule. */
  readonly runs: Runs;
  /** Workflows on hosts; `createHost` of `carillon/host` brings them. */
  readonly hosts: Hosts;
  /** The processes that work on the same store. */
  readonly nodes: Pick<Nodes, 'list'>;
  /** The namespace of schedules and runs made through this object. */
  readonly namespace: string;
  /** The name of this process in views of nodes and runs. */
  readonly name: string;
  readonly #parts: CarillonParts;
  readonly #runtime: Runtime;
  readonly #handlers: HandlerTable;
  readonly #services: Services;
  #isStopped = false;
  readonly #inOrder = new InOrder();
  readonly #reloads = new InOrder();

  constructor(parts: CarillonParts) {
    const { namespace = 'default', name = 'carillon', archetypes = [], actions = {} } = parts;
    this.#parts = parts;
    this.namespace = namespace;
    this.name = name;
    this.#handlers = new HandlerTable(parts.concurrency);
    const runtime = new Runtime({
      ...parts,
      settings: scheduleSettings(parts.scheduler ?? {}),
      name,
      archetypes: [schedules, hosts, ...archetypes],
      queues: () => ({ ...actions, ...this.#handlers.queues() }),
    });
    this.#runtime = runtime;
    const services = openServices(runtime);
    this.#services = services;
    const { onFailed } = parts;
    if (onFailed !== undefined) {
      services.events.subscribe((event) => (isFailed(event) ? onFailed(event) : undefined));
    }
    const warnings = this.#openWarnings();
    keepInternals(this, { runtime, services, ...given({ warnings }) });
    this.schedules = new Schedules(suggesting(services.schedules), namespace, services.now);
    this.runs = new Runs({ service: services.runs, store: runtime.store, clock: runtime.clock, namespace });
    this.hosts = new Hosts({ service: suggesting(services.hosts), events: services.hostEvents, namespace });
    this.nodes = services.nodes;
  }

  #openWarnings(): Warnings | undefined {
    const { onWarning: warn, onTrouble, clock } = this.#parts;
    if (warn === undefined) return undefined;
    const warnings = new Warnings({
      clock,
      warn,
      withTrouble: onTrouble === undefined,
      failed: (error) => this.#runtime.report(error),
      names: (queue) => this.#handlers.names(queue),
    });
    warnings.listen(this.#runtime, this.#services.events);
    return warnings;
  }

  /**
   * Registers a handler under a name, before `start` or later. Until then the process leaves runs of this name to other
   * processes.
   */
  handle<Input = unknown, Result = unknown>(
    definition: HandlerDefinition<Input, Result>,
  ): HandlerRef<Input, Result>;
  handle<Input = unknown, Result = unknown>(
    name: string,
    handler: (context: RunContext<Input>) => Result | Promise<Result>,
    options?: HandleOptions,
  ): HandlerRef<Input, Result>;
  handle(
    given: string | object,
    function_?: (context: RunContext<never>) => unknown,
    options: HandleOptions = {},
  ): HandlerRef<never, never> {
    if (typeof given === 'object' && given !== null) {
      // The overload admits nothing else; the input was stored as JSON, and the schema checks it.
      const definition = given as HandlerDefinition<never, never>;
      const { name, queue } = definition;
      this.#handlers.add(queue, name, definition.handler as Handler<never>, definition);
      this.#runtime.offer(queue);
      return definition;
    }
    const name = given as string;
    const handler = function_ as Handler<never>;
    refuseUnknown(`handle(${JSON.stringify(name)})`, options, handleOptions);
    const { queue = defaultQueue } = options;
    this.#handlers.add(queue, name, handler, options);
    this.#runtime.offer(queue);
    return { name, queue };
  }

  /**
   * Calls `register`, in which `handle` may replace the handlers that the previous call registered; handlers that it
   * does not register again are removed. For development, where code is exchanged while the process runs. Runs that
   * have begun keep the code they began with. When `register` throws, everything stays as it was.
   */
  reloadHandlers(register: () => unknown): Promise<Reloaded> {
    return this.#reloads.run(async () => {
      const { hosts } = this.#services;
      const { result, workflows, removed } = await hosts.reload(() => this.#handlers.reload(register));
      for (const queue of [...result.queues, ...Object.keys(hosts.queues())]) this.#runtime.offer(queue);
      return {
        handlers: [...result.handlers, ...workflows],
        removed: [...result.removed, ...removed],
      };
    });
  }

  /** The use cases of an archetype that this Carillon was opened with. */
  of<S>(archetype: Archetype<S>): S {
    return this.#runtime.of(archetype);
  }

  /**
   * Finishes a parked run for the caller that holds its token, the target of an HTTP action that answered 202. Any
   * process on the same store can do it. A forged, used or expired token is refused, and nothing changes.
   */
  async completeCallback(token: string, outcome: CallbackOutcome): Promise<void> {
    const { callbackSecret: secret } = this.#parts;
    await completeCallback({ queue: this.#runtime.runs, secret, token, outcome });
  }

  /**
   * Makes a consistent copy of a SQLite store while work goes on; no file may exist at the path. For other databases
   * the error names the tool to use.
   */
  async backup(path: string, options: { readonly progress?: BackupProgress } = {}): Promise<BackupReport> {
    return await this.#services.backups.make(path, options.progress);
  }

  /**
   * Calls the listener after each durable event that this process decided: events of schedules, and of runs enqueued
   * without a schedule. Errors of a listener go to `onTrouble`. Returns an unsubscribe function.
   */
  subscribe(listener: (event: CarillonEvent) => void, options?: { readonly scope?: 'process' }): () => void;
  /**
   * Calls the listener also with the events of all other started processes on the same store, at most once each;
   * `missed` says that some were lost. A store that one process owns has no others.
   */
  subscribe(listener: ClusterListener, options: { readonly scope: 'cluster' }): () => void;
  subscribe(
    listener: ((event: CarillonEvent) => void) & ClusterListener,
    { scope = 'process' }: { readonly scope?: 'process' | 'cluster' } = {},
  ): () => void {
    const { events, clusterEvents } = this.#services;
    return scope === 'cluster' ? clusterEvents.subscribe(listener) : events.subscribe(listener);
  }

  /** Adds an observer of this process. Returns an unsubscribe function. */
  observe(observer: Partial<CarillonObserver>): () => void {
    return this.#runtime.observe(observer);
  }

  /** Begins to run schedules and handlers. Safe to call twice. */
  start(): Promise<void> {
    return this.#inOrder.run(async () => {
      if (this.#isStopped)
        throw new Error('this Carillon was stopped and its store is closed; open a new one');
      await this.#runtime.start();
      await this.#services.clusterEvents.start();
    });
  }

  /** Takes no new work, lets running handlers finish (up to `drainMs`), releases the other runs and closes the store. */
  stop(options: StopOptions = {}): Promise<void> {
    return this.#inOrder.run(async () => {
      await this.#runtime.stop(options);
      await this.#services.clusterEvents.stop();
      for (const action of Object.values(this.#parts.actions ?? {})) await action.close?.();
      this.#isStopped = true;
      await this.#runtime.store.close();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** The number of runs whose handlers are at work in this process. */
  get activeRuns(): number {
    return this.#runtime.activeRuns;
  }

  /** The queues that this process works on. */
  get queues(): readonly string[] {
    return this.#runtime.queues;
  }
}
