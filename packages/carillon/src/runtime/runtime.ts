/**
 * One node on a store: an engine over the libraries of the given archetypes, a worker for their runs and for the
 * handlers of the program, and their maintenance (run sweeper, retention, the node's own record).
 *
 * The parts are started in the order of their dependencies and stopped in reverse. The node's lease comes before the
 * first step, because it releases what a dead process of the store held, and its record exists as long as any part
 * works. The engine starts after the worker, so that its first runs have a worker, and stops before it, so that no
 * run starts while handlers finish.
 */
import type { Clock } from '../base/clock.ts';
import { callListener, Listeners } from '../base/listeners.ts';
import type { Service } from '../base/service.ts';
import { InOrder } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import { version } from '../base/version.ts';
import type { Fact } from '../engine/component.ts';
import { Engine } from '../engine/engine.ts';
import type { Library } from '../engine/library.ts';
import type { AroundEffect } from '../engine/options.ts';
import type { Settings } from '../engine/setting.ts';
import { noSettings } from '../engine/setting.ts';
import type { EngineTuning } from '../engine/tuning.ts';
import type { ClaimGate } from '../runs/claim-gate.ts';
import { findHandler } from '../runs/context.ts';
import type { ProcessTable } from '../runs/node-lease.ts';
import { NodeLease } from '../runs/node-lease.ts';
import type { WorkerQueue } from '../runs/offered-queues.ts';
import type { RunControl } from '../runs/run-control.ts';
import { RunQueue } from '../runs/run-queue.ts';
import { RunSweeper } from '../runs/run-sweeper.ts';
import type { RunTuning } from '../runs/tuning.ts';
import type { StopOptions } from '../runs/worker.ts';
import { Worker } from '../runs/worker.ts';
import { WorkerRecords } from '../runs/worker-records.ts';
import type { ExecutionKey } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { traceStep } from '../tracing/step-span.ts';
import type { Archetype } from './archetype.ts';
import { handlerNames, joinedQueues, tracedQueue } from './joined-queues.ts';
import { Nodes } from './nodes.ts';
import type { RuntimeObserver } from './observer.ts';
import { RetentionSweeper } from './retention.ts';
import type { RetentionPolicy } from './retention-policy.ts';
import { defaultRetention } from './retention-policy.ts';
import type { Roster } from './roster.ts';
import { readRoster } from './roster.ts';
import { Silences } from './silences.ts';
import { Unattended } from './unattended.ts';

export interface RuntimeTuning {
  readonly engine?: Partial<EngineTuning>;
  readonly runs?: Partial<RunTuning>;
  /** Ms between two retention walks; default one minute. */
  readonly retentionPauseMs?: number;
}

export interface RuntimeParts {
  readonly archetypes: readonly Archetype<unknown>[];
  readonly store: Store;
  readonly clock: Clock;
  /** Measures leases and timeouts of runs. Default `clock`; pass a clock that cannot be set back. */
  readonly steadyClock?: Clock;
  /** Knows which processes of this host have ended, so that their runs need not wait for the end of their leases. */
  readonly processes?: ProcessTable;
  /** Makes unique ids. */
  readonly newId: () => string;
  /** The name of this process in views of nodes and runs. */
  readonly name: string;
  /** Handlers of the program, by queue. Read when the runtime starts, and for the record of the node. */
  readonly queues?: () => Readonly<Record<string, WorkerQueue>>;
  /** How long finished work and history are kept. Default: see `RetentionPolicy`. */
  readonly retention?: Partial<RetentionPolicy>;
  /** Receives errors of the store and of quarantined executions. */
  readonly onTrouble?: (error: unknown, key?: ExecutionKey) => void;
  /** Wraps every effect outside the store; tests repeat or delay them with it. Default: nothing. */
  readonly aroundEffect?: AroundEffect;
  /** Sizes and pauses of the engine's loops, for tests and benchmarks. Default: values that suit most programs. */
  readonly tuning?: RuntimeTuning;
  /** What the operator set for executions, read by their decisions. */
  readonly settings?: Settings;
}

/** `key` is null for a fact without an execution; such a fact names its subject itself. */
export type FactListener = (key: ExecutionKey | null, fact: Fact) => void;

export class Runtime implements Service {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly name: string;
  readonly engine: Engine;
  readonly runs: RunQueue;
  /** The processes that work on the same store. */
  readonly nodes: Nodes;
  /** The spans of time in which no node was alive. */
  readonly silences: Silences;
  /** The workers behind doors. */
  readonly workers: WorkerRecords;
  readonly #parts: RuntimeParts;
  readonly #services = new Map<Archetype<unknown>, unknown>();
  readonly #facts = new Listeners<FactListener>((error) => this.#trouble(error));
  readonly #observers = new Listeners<Partial<RuntimeObserver>>((error) => this.#trouble(error));
  readonly #lease: NodeLease;
  readonly #sweeper: RunSweeper;
  readonly #retention: RetentionSweeper;
  readonly #unattended: Unattended;
  readonly #inOrder = new InOrder();
  readonly #gate: ClaimGate | undefined;
  #worker: Worker | undefined;

  constructor(parts: RuntimeParts) {
    const { store, clock, newId, name, archetypes, tuning } = parts;
    this.#parts = parts;
    this.store = store;
    this.clock = clock;
    this.newId = newId;
    this.name = name;
    // The queue needs the engine, the engine its libraries, and their side effects reach the queue only when they run.
    const control: RunControl = {
      stopOwned: (request) => this.runs.stopOwned(request),
    };
    const libraries = librariesOf(archetypes, control, parts.settings ?? noSettings);
    this.engine = new Engine({
      store,
      clock,
      newId,
      libraries: [...libraries.values()],
      observer: {
        fact: (key, fact) => this.#facts.each((listener) => listener(key, fact)),
        incident: (key, error) => this.#trouble(error, key),
        trouble: (error) => this.#trouble(error),
        stepped: (step) => {
          traceStep(step, clock);
          this.#observers.each((observer) => observer.stepped?.(step));
        },
        conflicted: (key) => this.#observers.each((observer) => observer.conflicted?.(key)),
        isTiming: () => this.#observers.size > 0,
        transacted: (kind, tookMs) => this.#observers.each((observer) => observer.transacted?.(kind, tookMs)),
      },
      ...(parts.aroundEffect === undefined ? {} : { aroundEffect: parts.aroundEffect }),
      ...(tuning?.engine === undefined ? {} : { tuning: tuning.engine }),
    });
    const { engine } = this;
    this.runs = new RunQueue({ engine, newId });
    this.#lease = new NodeLease({
      engine,
      steadyClock: parts.steadyClock ?? clock,
      name,
      newId,
      ...(parts.processes === undefined ? {} : { process: parts.processes }),
      ...(tuning?.runs === undefined ? {} : { tuning: tuning.runs }),
    });
    this.nodes = new Nodes({
      store,
      clock,
      lease: this.#lease,
      name,
      version,
      work: () => ({
        queues: this.queues,
        handlers: handlerNames(this.#queues()),
        activeRuns: this.activeRuns,
      }),
      trouble: (error) => this.#trouble(error),
    });
    this.silences = new Silences({
      store,
      newId,
      keepMs: parts.retention?.ledger ?? defaultRetention.ledger,
      trouble: (error) => this.#trouble(error),
    });
    this.workers = new WorkerRecords({ store, clock, newId });
    this.#sweeper = new RunSweeper({
      engine,
      node: this.#lease,
      readRoster: async () => (await this.roster()).knows,
    });
    this.#retention = new RetentionSweeper({
      store,
      clock,
      policy: parts.retention ?? {},
      ...(tuning?.retentionPauseMs === undefined ? {} : { pauseMs: tuning.retentionPauseMs }),
      trouble: (error) => this.#trouble(error),
    });
    this.#unattended = new Unattended({
      store,
      clock,
      roster: () => this.roster(),
      hasListener: () => this.#observers.some(({ unattended }) => unattended !== undefined),
      tell: (work) => this.#observers.each((observer) => observer.unattended?.(work)),
      trouble: (error) => this.#trouble(error),
    });
    store.watch?.((event) => {
      if (event.kind === 'lost') this.#storeLost(event.error);
    });
    for (const [archetype, library] of libraries) {
      this.#services.set(archetype, archetype.services(this, library));
    }
    this.#gate = this.#onlyGate();
    this.runs.limitBy(this.#gate);
  }

  /** The use cases of an archetype that this runtime was given. */
  of<S>(archetype: Archetype<S>): S {
    if (!this.#services.has(archetype)) {
      throw new Error(
        `this runtime has no archetype '${archetype.name}'; give the same object in \`archetypes\``,
      );
    }
    // The map holds what this archetype made.
    return this.#services.get(archetype) as S;
  }

  /** Calls the listener after each durable fact that this process decided. Returns an unsubscribe function. */
  facts(listener: FactListener): () => void {
    return this.#facts.add(listener);
  }

  /** Adds an observer of this process. Returns an unsubscribe function. */
  observe(observer: Partial<RuntimeObserver>): () => void {
    return this.#observers.add(observer);
  }

  /** Reports an error of a part on top of this runtime to the observers and `onTrouble`. */
  report(error: unknown): void {
    this.#trouble(error);
  }

  start(): Promise<void> {
    return this.#inOrder.run(async () => {
      if (this.#worker !== undefined) return;
      this.#worker = this.#openWorker();
      for (const archetype of this.#parts.archetypes) await archetype.starting?.(this);
      for (const part of this.#partsInStartOrder(this.#worker)) await part.start();
    });
  }

  /**
   * Takes no new work, lets running handlers finish (up to `drainMs`) and releases the other runs. The store stays
   * open.
   */
  stop(options: StopOptions = {}): Promise<void> {
    return this.#inOrder.run(async () => {
      const worker = this.#worker;
      this.#worker = undefined;
      for (const part of this.#partsInStartOrder(worker).reverse()) {
        await (part === worker ? worker.stop(options) : part.stop());
      }
    });
  }

  /**
   * Stops all parts, because every call of the store would be refused from now on. The worker has already interrupted
   * its handlers.
   */
  #storeLost(error: Error): void {
    this.#trouble(error);
    this.#observers.each((observer) => observer.lost?.(error));
    void this.#inOrder.run(async () => {
      for (const part of this.#partsInStartOrder(undefined).reverse()) await part.stop();
    });
  }

  #partsInStartOrder(worker: Worker | undefined): Service[] {
    return [
      this.silences,
      this.#lease,
      this.nodes,
      this.#sweeper,
      this.#retention,
      this.#unattended,
      ...(worker === undefined ? [] : [worker]),
      this.engine,
    ];
  }

  /** Examines runs whose time is up at the given local time at the latest. Leases are written without a notification. */
  examineRunsBy(at: Instant): void {
    this.#sweeper.lookBy(at);
  }

  /** Callers await this before they make or extend leases of holders outside the nodes: the clock that judges them may have been set. */
  async adjustLeasesToClock(): Promise<void> {
    await this.#lease.adjustLeasesToClock();
  }

  /** The retention policy: as it was given, and as it is in force with the defaults. */
  get retention(): { readonly given: Partial<RetentionPolicy>; readonly inForce: RetentionPolicy } {
    const { retention: given = {} } = this.#parts;
    return { given, inForce: { ...defaultRetention, ...given } };
  }

  /** The number of runs whose handlers are at work in this process. */
  get activeRuns(): number {
    return this.#worker?.running ?? 0;
  }

  /** Takes work from a queue whose handlers have changed; without effect before the start, which reads all queues. */
  offer(name: string): void {
    if (this.#worker === undefined) return;
    const queue = this.#queues()[name];
    if (queue !== undefined) this.#worker.offer(name, tracedQueue(queue));
  }

  /** The living workers and the names that they know. */
  async roster(): Promise<Roster> {
    return await readRoster(this.nodes, this.workers);
  }

  /** The queues that this process works on. */
  get queues(): readonly string[] {
    return Object.keys(this.#queues());
  }

  /** Whether the program has its own handler under a name. */
  hasHandler(queue: string, name: string): boolean {
    const found = this.#parts.queues?.()[queue];
    return found !== undefined && findHandler(found.handlers, name) !== undefined;
  }

  #queues(): Readonly<Record<string, WorkerQueue>> {
    return joinedQueues(this, this.#parts);
  }

  #onlyGate(): ClaimGate | undefined {
    const [limiting, other] = this.#parts.archetypes.filter(({ gate }) => gate !== undefined);
    if (limiting !== undefined && other !== undefined)
      throw new Error(
        `the archetypes '${limiting.name}' and '${other.name}' both limit claims; only one may`,
      );
    return limiting?.gate?.(this);
  }

  #openWorker(): Worker {
    const { clock, steadyClock = clock, newId, tuning } = this.#parts;
    const queues = Object.entries(this.#queues()).map(([queue, given]) => [queue, tracedQueue(given)]);
    return new Worker({
      engine: this.engine,
      clock: steadyClock,
      newId,
      node: this.#lease,
      gate: this.#gate,
      queues: Object.fromEntries(queues),
      observer: {
        began: (run) => this.#observers.each((observer) => observer.began?.(run)),
        unknownName: (queue, handler) =>
          this.#observers.each((observer) => observer.unknownName?.(queue, handler)),
        changedResult: (run, note) => {
          this.#observers.each((observer) => observer.changedResult?.(run, note));
        },
        concluded: (run, conclusion) => {
          this.#observers.each((observer) => observer.concluded?.(run, conclusion));
          if (conclusion.kind === 'parked') this.#sweeper.lookBy(addTime(clock.now(), conclusion.forMs));
        },
      },
      ...(tuning?.runs === undefined ? {} : { tuning: tuning.runs }),
    });
  }

  #trouble(error: unknown, key?: ExecutionKey): void {
    callListener(() => this.#parts.onTrouble?.(error, key), ignore);
    this.#observers.each((observer) => callListener(() => observer.trouble?.(error, key), ignore));
  }
}

function librariesOf(
  archetypes: readonly Archetype<unknown>[],
  runs: RunControl,
  settings: Settings,
): ReadonlyMap<Archetype<unknown>, Library> {
  const names = new Set<string>();
  const libraries = new Map<Archetype<unknown>, Library>();
  for (const archetype of archetypes) {
    const { name } = archetype;
    if (names.has(name)) throw new Error(`two archetypes are called '${name}'; give each name once`);
    names.add(name);
    libraries.set(archetype, archetype.library({ runs, settings }));
  }
  return libraries;
}

/** For what the error listeners throw: there is no other listener to report it to. */
function ignore(): void {}
