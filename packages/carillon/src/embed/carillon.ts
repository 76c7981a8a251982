/**
 * Carillon in your process: one engine, one worker, one store. The same service that the doors of the server use,
 * without a socket.
 */
import type { ActionQueue } from '../action/action.ts';
import type { Clock } from '../base/clock.ts';
import { Listeners } from '../base/listeners.ts';
import type { Service } from '../base/service.ts';
import { InOrder } from '../base/service.ts';
import { addTime } from '../base/time.ts';
import { version } from '../base/version.ts';
import type { AroundEffect } from '../engine/engine.ts';
import { Engine } from '../engine/engine.ts';
import type { Observer } from '../engine/observer.ts';
import type { EngineTuning } from '../engine/tuning.ts';
import type { CallbackOutcome } from '../runs/callback.ts';
import { completeCallback } from '../runs/callback.ts';
import type { Handler, RunContext } from '../runs/context.ts';
import { findHandler } from '../runs/context.ts';
import type { WorkerObserver } from '../runs/observer.ts';
import { RunQueue } from '../runs/run-queue.ts';
import { RunSweeper } from '../runs/run-sweeper.ts';
import type { RunTuning } from '../runs/tuning.ts';
import type { WorkerQueue } from '../runs/worker.ts';
import { Worker } from '../runs/worker.ts';
import { scheduleLibrary } from '../scheduler/library.ts';
import type { HandlerRef } from '../service/action-input.ts';
import { defaultQueue } from '../service/action-input.ts';
import type { BackupProgress } from '../service/backup-service.ts';
import type { CarillonEvent } from '../service/event.ts';
import { eventOf } from '../service/event.ts';
import { Nodes } from '../service/nodes.ts';
import type { RetentionPolicy } from '../service/retention.ts';
import { RetentionSweeper } from '../service/retention.ts';
import { ScheduleService } from '../service/schedule-service.ts';
import type { Services } from '../service/services.ts';
import { openServices } from '../service/services.ts';
import type { ExecutionKey } from '../store/records.ts';
import type { BackupReport, Store } from '../store/store.ts';
import { traced } from '../tracing/run-span.ts';
import { traceStep } from '../tracing/step-span.ts';
import { Runs } from './runs.ts';
import { Schedules } from './schedules.ts';

/** Told how long things take and what goes wrong, beside what happens. One that throws is reported and hurts no other. */
export interface CarillonObserver
  extends Pick<Observer, 'stepped' | 'transacted' | 'conflicted'>,
    Pick<WorkerObserver, 'began' | 'concluded' | 'unknownName'> {
  /** Trouble with the store, or with the schedule that was quarantined for it. */
  trouble(error: unknown, schedule?: ExecutionKey): void;
  /** The store belongs to another process now, or its file is gone. Nothing works any more: end the process. */
  lost(error: Error): void;
}

export interface CarillonParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Measures leases and timeouts of the runs under way. Default `clock`; give one that cannot be set back. */
  readonly steadyClock?: Clock;
  /** Makes unique ids. */
  readonly newId: () => string;
  /** Of schedules and runs made through this object. Default `default`. */
  readonly namespace?: string;
  /** Shown where people ask who runs something. */
  readonly name?: string;
  /** Runs of one queue at once, unless `handle` says otherwise. Default 100. */
  readonly concurrency?: number;
  /** Handlers of work elsewhere, by queue. */
  readonly actions?: Readonly<Record<string, ActionQueue>>;
  /** Signs the tokens with which parked runs are called back; the same in every process, at least 16 characters. */
  readonly callbackSecret?: string;
  readonly retention?: Partial<RetentionPolicy>;
  /** Told of trouble with the store and of quarantined schedules. */
  readonly onTrouble?: (error: unknown, schedule?: ExecutionKey) => void;
  readonly aroundEffect?: AroundEffect;
  readonly tuning?: {
    readonly engine?: Partial<EngineTuning>;
    readonly runs?: Partial<RunTuning>;
    /** Between two looks at what may be forgotten; default one minute. */
    readonly retentionPauseMs?: number;
  };
}

export interface HandleOptions {
  /** Default `default`. */
  readonly queue?: string;
  /** Runs of that queue at once; the largest that any handler of the queue asks for. */
  readonly concurrency?: number;
}

const defaultConcurrency = 100;

export class Carillon implements Service, AsyncDisposable {
  readonly schedules: Schedules;
  readonly runs: Runs;
  readonly engine: Engine;
  readonly service: ScheduleService;
  /** Every use case there is; what doors are made of. */
  readonly services: Services;
  /** Who works on the same store. */
  readonly nodes: Nodes;
  readonly store: Store;
  /** Of what is made through this object. */
  readonly namespace: string;
  /** Shown where people ask who runs something. */
  readonly name: string;
  readonly #parts: CarillonParts;
  readonly #handlers = new Map<string, Map<string, Handler<never>>>();
  readonly #concurrency = new Map<string, number>();
  readonly #listeners = new Listeners<(event: CarillonEvent) => void>((error) => this.#trouble(error));
  readonly #observers = new Listeners<Partial<CarillonObserver>>((error) => this.#trouble(error));
  readonly #sweeper: RunSweeper;
  readonly #retention: RetentionSweeper;
  #worker: Worker | undefined;
  #stopped = false;
  readonly #turns = new InOrder();

  constructor(parts: CarillonParts) {
    const { store, clock, newId, namespace = 'default', name = 'carillon' } = parts;
    this.#parts = parts;
    this.namespace = namespace;
    this.name = name;
    this.store = store;
    const library = scheduleLibrary({
      cancel: async (id, reason) => void (await this.#runQueue.cancel([id], reason)),
      terminate: async (id, reason) => void (await this.#runQueue.terminate([id], reason)),
    });
    this.engine = new Engine({
      store,
      clock,
      newId,
      libraries: [library],
      observer: {
        fact: (key, fact) => {
          if (this.#listeners.size === 0) return;
          const event = eventOf(key, fact);
          if (event !== undefined) this.#listeners.each((listener) => listener(event));
        },
        incident: (key, error) => this.#trouble(error, key),
        trouble: (error) => this.#trouble(error),
        stepped: (step) => {
          traceStep(step, clock);
          this.#observers.each((observer) => observer.stepped?.(step));
        },
        conflicted: (key) => this.#observers.each((observer) => observer.conflicted?.(key)),
        isTiming: () => this.#observers.size > 0,
        transacted: (kind, tookMs) => {
          this.#observers.each((observer) => observer.transacted?.(kind, tookMs));
        },
      },
      ...(parts.aroundEffect === undefined ? {} : { aroundEffect: parts.aroundEffect }),
      ...(parts.tuning?.engine === undefined ? {} : { tuning: parts.tuning.engine }),
    });
    this.#runQueue = new RunQueue({ engine: this.engine, newId });
    this.service = new ScheduleService({ engine: this.engine, store, clock, library });
    this.schedules = new Schedules(this.service, namespace, () => clock.now());
    this.nodes = new Nodes({
      store,
      clock,
      newId,
      name,
      version,
      work: () => ({ queues: this.queues, activeRuns: this.activeRuns }),
      trouble: (error) => this.#trouble(error),
    });
    const { engine, service: schedules, nodes } = this;
    this.services = openServices({ engine, newId, schedules, nodes });
    this.runs = new Runs({ service: this.services.runs, store, clock, namespace });
    this.#sweeper = new RunSweeper({ engine: this.engine, queue: this.#runQueue });
    this.#retention = new RetentionSweeper({
      store,
      clock,
      policy: parts.retention ?? {},
      ...(parts.tuning?.retentionPauseMs === undefined ? {} : { pauseMs: parts.tuning.retentionPauseMs }),
      trouble: (error) => this.#trouble(error),
    });
    store.watch?.((event) => {
      if (event.kind === 'lost') this.#storeLost(event.error);
    });
  }

  readonly #runQueue: RunQueue;

  /**
   * Registers the code that runs under a name. Do it before `start`: a process that does not know a name leaves its
   * runs to others.
   */
  handle<Input = unknown, Result = unknown>(
    name: string,
    handler: (context: RunContext<Input>) => Result | Promise<Result>,
    options: HandleOptions = {},
  ): HandlerRef<Input> {
    if (this.#worker !== undefined) throw new Error(`register the handler '${name}' before start()`);
    const queue = options.queue ?? defaultQueue;
    const handlers = this.#handlers.get(queue) ?? new Map<string, Handler<never>>();
    if (handlers.has(name)) throw new Error(`the queue '${queue}' has a handler '${name}' already`);
    this.#handlers.set(queue, handlers.set(name, handler as Handler<never>));
    const { concurrency } = options;
    if (concurrency !== undefined) {
      this.#concurrency.set(queue, Math.max(concurrency, this.#concurrency.get(queue) ?? 0));
    }
    return { name, queue };
  }

  /**
   * Finishes a parked run for whoever holds its token: the target of an HTTP action that answered 202. Any process on the
   * same store will do. A token that is forged, used or too late is refused, and nothing changes.
   */
  async completeCallback(token: string, outcome: CallbackOutcome): Promise<void> {
    const { callbackSecret: secret } = this.#parts;
    await completeCallback({ queue: this.#runQueue, secret, token, outcome });
  }

  /**
   * Makes a consistent copy of a SQLite store at a path where nothing is yet, while work goes on. Other databases have
   * tools of their own; the refusal names them.
   */
  async backup(path: string, options: { readonly progress?: BackupProgress } = {}): Promise<BackupReport> {
    return await this.services.backups.make(path, options.progress);
  }

  /**
   * Calls the listener after each durable event that this process decided: of schedules, and of runs that were enqueued by
   * hand. What a listener throws goes to `onTrouble`. Returns an unsubscribe function.
   */
  subscribe(listener: (event: CarillonEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Shows an observer how this process works. Returns an unsubscribe function. */
  observe(observer: Partial<CarillonObserver>): () => void {
    return this.#observers.add(observer);
  }

  start(): Promise<void> {
    return this.#turns.run(() => this.#start());
  }

  async #start(): Promise<void> {
    if (this.#stopped) throw new Error('this Carillon was stopped and its store is closed; open a new one');
    if (this.#worker !== undefined) return;
    const { clock, newId, tuning } = this.#parts;
    this.#worker = new Worker({
      engine: this.engine,
      clock: this.#parts.steadyClock ?? clock,
      newId,
      name: this.name,
      queues: this.#queues(),
      observer: {
        began: (run) => {
          this.#observers.each((observer) => observer.began?.(run));
        },
        unknownName: (queue, handler) => {
          this.#observers.each((observer) => observer.unknownName?.(queue, handler));
        },
        concluded: (run, conclusion) => {
          this.#observers.each((observer) => observer.concluded?.(run, conclusion));
          if (conclusion.kind === 'parked') this.#sweeper.lookBy(addTime(clock.now(), conclusion.forMs));
        },
      },
      ...(tuning?.runs === undefined ? {} : { tuning: tuning.runs }),
    });
    await this.#worker.start();
    await this.#sweeper.start();
    await this.#retention.start();
    await this.engine.start();
    await this.nodes.start();
  }

  /** Takes nothing new, lets running handlers finish (up to `drainMs`), hands the rest back, closes the store. */
  stop(options: { readonly drainMs?: number } = {}): Promise<void> {
    return this.#turns.run(() => this.#stop(options));
  }

  /** Every call would be refused from now on: nothing asks any more, and handlers were interrupted by the worker. */
  #storeLost(error: Error): void {
    this.#trouble(error);
    this.#observers.each((observer) => observer.lost?.(error));
    void this.#turns.run(async () => {
      await this.engine.stop();
      await this.nodes.stop();
      await this.#sweeper.stop();
      await this.#retention.stop();
    });
  }

  async #stop(options: { readonly drainMs?: number }): Promise<void> {
    await this.engine.stop();
    await this.nodes.stop();
    await this.#worker?.stop(options);
    this.#worker = undefined;
    for (const action of Object.values(this.#parts.actions ?? {})) await action.close?.();
    await this.#sweeper.stop();
    await this.#retention.stop();
    this.#stopped = true;
    await this.store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Handlers under way in this process. */
  get activeRuns(): number {
    return this.#worker?.running ?? 0;
  }

  /** The queues this process works on. */
  get queues(): readonly string[] {
    return [...new Set([...Object.keys(this.#parts.actions ?? {}), ...this.#handlers.keys()])];
  }

  #queues(): Readonly<Record<string, WorkerQueue>> {
    const queues = new Map<string, WorkerQueue>();
    for (const [queue, action] of Object.entries(this.#parts.actions ?? {})) queues.set(queue, seen(action));
    for (const [queue, handlers] of this.#handlers) {
      const concurrency = this.#concurrency.get(queue) ?? this.#parts.concurrency ?? defaultConcurrency;
      const known = new Map([...handlers].map(([name, handler]) => [name, traced(handler)]));
      queues.set(queue, { concurrency, handlers: (name) => known.get(name) });
    }
    return Object.fromEntries(queues);
  }

  #trouble(error: unknown, key?: ExecutionKey): void {
    quietly(() => this.#parts.onTrouble?.(error, key));
    this.#observers.each((observer) => quietly(() => observer.trouble?.(error, key)));
  }
}

/** What the listeners of trouble throw cannot be told to them again. */
function quietly(tell: () => void): void {
  try {
    tell();
  } catch {}
}

/** The same queue, where what handlers do is a span when somebody wants spans. */
function seen(queue: WorkerQueue): WorkerQueue {
  return {
    ...queue,
    handlers: (name) => {
      const handler = findHandler(queue.handlers, name);
      return handler === undefined ? undefined : traced(handler);
    },
  };
}
