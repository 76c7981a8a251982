/**
 * The engine loads rows, lets pure code decide, commits, and runs the side effects that were leased.
 *
 * A *step* (`stepper.ts`) takes the executions whose time has come, decides and commits them in one transaction. The
 * claim is the transaction: there is no leader and nothing to hand over when a node dies. An *update* does the same
 * for one execution on behalf of a caller. *Side effects* run after the commit that leased them; a node that finds a
 * lapsed lease runs them again, and an answer under an old lease is dropped.
 */

import { assert } from '../base/assert.ts';
import { Outage } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import { stopwatch } from '../base/clock.ts';
import { given } from '../base/given.ts';
import type { Service } from '../base/service.ts';
import { InOrder } from '../base/service.ts';
import { Wakeup, wakeOnAbort } from '../base/wakeup.ts';
import { isConflict } from '../store/error.ts';
import type { ExecutionKey, ExecutionRow, ListedExecution, PartRef, RunRow } from '../store/records.ts';
import type { EventNeed, Selection, Store } from '../store/store.ts';
import type { AfterCommit } from './batch.ts';
import { Batch, unknownArchetype } from './batch.ts';
import type { AnyComponent, State } from './component.ts';
import { EffectRunner } from './effect-runner.ts';
import type { WaitingChanges } from './joined-changes.ts';
import type { Library } from './library.ts';
import { Loading } from './loading.ts';
import type { MutableNode, ReadNode } from './node.ts';
import type { Observer } from './observer.ts';
import { silentObserver } from './observer.ts';
import type {
  EngineOptions,
  PollOptions,
  Started,
  StartOptions,
  SyncFunction,
  TransactOptions,
  UpdateOptions,
} from './options.ts';
import { PartCache } from './part-cache.ts';
import type { Placement } from './placement.ts';
import { noPlacement } from './placement.ts';
import { alreadyExists, executionClosed, requestUsed } from './refusals.ts';
import { findAnswer, noRequests, remember } from './requests.ts';
import { noNames, RefusedNames } from './run-names.ts';
import { Stepper } from './stepper.ts';
import type { Target } from './target.ts';
import { keyOf, mustExist, nodeAt, onlyKey, sameKey } from './target.ts';
import { Tree } from './tree.ts';
import type { EngineTuning } from './tuning.ts';
import { defaultTuning } from './tuning.ts';
import { startsPerStep } from './work.ts';

export class Engine implements Service {
  readonly store: Store;
  readonly clock: Clock;
  readonly tuning: EngineTuning;
  readonly observer: Observer;
  /** Ends the pauses of all loops of this node when the store answers again. */
  readonly outage = new Outage();
  /** The archetypes that this node can decide about; it leaves all others alone. */
  readonly archetypes: readonly string[];
  readonly #libraries: ReadonlyMap<string, Library>;
  /** Whether some archetype wants events with the ends of its runs. */
  readonly #hasRunEvents: boolean;
  readonly #newId: () => string;
  readonly #cache: PartCache;
  readonly #effects: EffectRunner;
  readonly #stepper: Stepper;
  readonly #turns = new InOrder();
  /** Side effects are taken only between start and stop, so that none runs without a caller's knowledge. */
  #dispatching = false;
  #placement: Placement = noPlacement;

  constructor(options: EngineOptions) {
    this.store = options.store;
    this.clock = options.clock;
    this.tuning = { ...defaultTuning, ...options.tuning };
    const isTiming = () => options.observer?.transacted !== undefined;
    this.observer = { ...silentObserver, isTiming, ...options.observer };
    this.#libraries = new Map(options.libraries.map((library) => [library.name, library]));
    this.archetypes = [...this.#libraries.keys()];
    this.#hasRunEvents = options.libraries.some(({ runEvents }) => runEvents !== undefined);
    this.#newId = options.newId;
    this.#cache = new PartCache(this.tuning.partCacheSize);
    this.#effects = new EffectRunner(this, {
      limit: this.tuning.sideEffects,
      around: options.aroundEffect ?? ((run) => run()),
    });
    this.#stepper = new Stepper(this);
    this.store.watch?.(({ kind }) => {
      if (kind === 'rewound') this.#cache.clear();
    });
  }

  /** Offers runs that this engine's transactions start to these workers first, from now on. */
  placeRuns(placement: Placement): void {
    this.#placement = placement;
  }

  start(): Promise<void> {
    return this.#turns.run(async () => {
      this.#dispatching = true;
      this.#effects.start();
      await this.#stepper.start();
    });
  }

  stop(): Promise<void> {
    return this.#turns.run(async () => {
      this.#dispatching = false;
      // Both at once: the last step must not wait for effects, and effects must not wait for the step.
      await Promise.all([this.#stepper.stop(), this.#effects.stop()]);
      this.#stepper.commitAlone();
    });
  }

  /** Whether more is due than this node has taken yet. */
  get isBehind(): boolean {
    return this.#stepper.isBehind;
  }

  /** From now on, steps commit the changes that wait there. Returns a function that ends it. */
  commitWithSteps(changes: WaitingChanges): () => void {
    return this.#stepper.commitWithSteps(changes);
  }

  /** Whether the engine is stepping, so that waiting changes will be committed by a step. */
  get isStepping(): boolean {
    return this.#stepper.isStepping;
  }

  /** Says that changes wait: the next step comes at once. */
  wakeForChanges(): void {
    this.#stepper.wake();
  }

  /** One transaction over due executions, and over ends of runs that wait. Returns how many due executions it took. */
  runOnce(limit: number = this.tuning.stepSize): Promise<number> {
    return this.#stepper.runOnce(limit);
  }

  /** Whether this node can decide about executions of an archetype. */
  knows(archetype: string): boolean {
    return this.#libraries.has(archetype);
  }

  /** Whether a worker of this node takes runs again shortly. */
  get isAboutToTake(): boolean {
    return this.#placement.isAboutToTake;
  }

  /** Creates an execution: `create` fills the tree below the given root state. */
  async create<C extends AnyComponent>(
    library: Library<C>,
    id: { readonly namespace: string; readonly id: string },
    rootState: State<C>,
    fill: (root: MutableNode<C>) => undefined,
    options: StartOptions = {},
  ): Promise<Started> {
    const key: ExecutionKey = { namespace: id.namespace, archetype: library.name, id: id.id };
    const incarnation = this.#newId();
    return await this.#retryLostInsert(
      { kind: 'keys', keys: [key] },
      (batch) => {
        const existing = batch.rowOf(key);
        if (existing !== undefined) {
          const { created } = batch.requestsOf(existing);
          if (options.requestId !== undefined && created?.id === options.requestId) {
            // Reporting success would be false by now, and creating it again would bring back an execution that another caller ended.
            if (existing.status === 'closed') throw requestUsed(key, options.requestId);
            return { created: false, incarnation: existing.incarnation };
          }
          if (existing.status === 'open' && options.whenOpen === 'useExisting') {
            return { created: false, incarnation: existing.incarnation };
          }
          if (existing.status === 'open' || options.whenClosed === 'reject') throw alreadyExists(key);
        }
        const tree = batch.create(key, incarnation, rootState);
        fill(tree.root as MutableNode<C>);
        if (options.requestId !== undefined) {
          batch.saveRequests(tree, { ...noRequests, created: { id: options.requestId, at: batch.now } });
        }
        return { created: true, incarnation };
      },
      { withRequests: true, ...given({ rehearsed: options.rehearsed }) },
    );
  }

  /** Before the first insert there is no row to lock: a caller that loses against another decides again and then sees the row. */
  async #retryLostInsert(...args: Parameters<typeof this.transact<Started>>): Promise<Started> {
    try {
      return await this.transact(...args);
    } catch (error) {
      if (!isConflict(error)) throw error;
      return await this.transact(...args);
    }
  }

  async update<C extends AnyComponent, T>(
    component: C,
    target: Target,
    change: SyncFunction<MutableNode<C>, T>,
    options: UpdateOptions = {},
  ): Promise<T> {
    const { requestId, events } = options;
    return await this.transact(
      { kind: 'keys', keys: [keyOf(target)] },
      (batch) => {
        const row = mustExist(batch.rowOf(keyOf(target)), target);
        const log = requestId === undefined ? noRequests : batch.requestsOf(row);
        const answer = requestId === undefined ? undefined : findAnswer(log, requestId);
        if (answer !== undefined) return answer.result as T;
        if (row.status === 'closed' && options.evenClosed !== true) throw executionClosed(row.key);
        const tree = batch.open(row);
        const result = change(nodeAt(tree, component, target));
        if (requestId !== undefined) {
          batch.saveRequests(
            tree,
            remember(log, { id: requestId, at: batch.now, ...(result === undefined ? {} : { result }) }),
          );
        }
        return result;
      },
      {
        withRequests: requestId !== undefined,
        ...(events === undefined ? {} : { events: (rows) => rows.flatMap(events) }),
        ...given({ rehearsed: options.rehearsed }),
      },
    );
  }

  async read<C extends AnyComponent, T>(
    component: C,
    target: Target,
    view: (node: ReadNode<C>) => T,
  ): Promise<T> {
    const [row] = await this.store.read({ keys: [keyOf(target)] });
    return await this.view(component, mustExist(row, target), target, view);
  }

  /**
   * Looks at a row that was read or listed already. Its parts are read afterwards: when a commit has replaced one of them meanwhile,
   * the row is read again.
   */
  async view<C extends AnyComponent, T>(
    component: C,
    listed: ListedExecution,
    target: Target,
    look: (node: ReadNode<C>) => T,
  ): Promise<T> {
    const loading = new Loading(this.#cache, {});
    let row = listed;
    for (;;) {
      const refs = loading.missing([row]);
      const parts = refs.length === 0 ? [] : await this.store.parts({ refs });
      for (const part of parts) loading.addPart(part, part.data);
      if (parts.length === refs.length) break;
      const [fresh] = await this.store.read({ keys: [row.key] });
      if (fresh?.incarnation !== row.incarnation || fresh.version === row.version) break;
      row = fresh;
    }
    const library = this.#libraries.get(row.key.archetype);
    if (library === undefined) throw unknownArchetype(row.key);
    const { key, incarnation } = row;
    const readPart = (ref: PartRef) => loading.part(ref);
    const now = this.clock.now();
    const given = { names: noNames, loadedEvents: [] };
    const origin = { library, key, incarnation, now, readPart, ...given, mutable: false };
    const tree = Tree.open(origin, row, loading.document(row));
    return look(nodeAt(tree, component, target));
  }

  /** Waits until the view returns a value. The view must be monotonic: once it returns a value, it always does. */
  async poll<C extends AnyComponent, T>(
    component: C,
    target: Target,
    view: (node: ReadNode<C>) => T | undefined,
    options: PollOptions = {},
  ): Promise<T> {
    const key = keyOf(target);
    const wakeup = new Wakeup(this.clock);
    const unsubscribe = this.store.subscribe((change) => {
      if (change.keys.some((other) => sameKey(other, key))) wakeup.wake();
    });
    const unhook = wakeOnAbort(wakeup, options.signal);
    try {
      for (;;) {
        options.signal?.throwIfAborted();
        wakeup.forget();
        const found = await this.read(component, target, view);
        if (found !== undefined) return found;
        options.signal?.throwIfAborted();
        await wakeup.sleep(this.tuning.longestSleep);
      }
    } finally {
      unhook();
      unsubscribe();
    }
  }

  /** Removes an execution with everything stored under it, in any state. */
  async delete(key: ExecutionKey): Promise<boolean> {
    return await this.transact({ kind: 'keys', keys: [key] }, (batch) => {
      const row = batch.rowOf(key);
      if (row !== undefined) batch.remove(row.incarnation);
      return row !== undefined;
    });
  }

  /** Releases a quarantined execution, which continues with its own tasks. */
  async release(key: ExecutionKey, options: Pick<TransactOptions, 'rehearsed'> = {}): Promise<void> {
    const touch = (batch: Batch) => {
      const tree = batch.open(mustExist(batch.rowOf(key), key));
      tree.touched = true;
    };
    await this.transact({ kind: 'keys', keys: [key] }, touch, options);
  }

  /**
   * The path of every write. Higher parts (the run queue) build their own decisions on it. A decision whose new runs have names
   * that are in use is made again with these names (`RunNames`).
   */
  async transact<T>(
    selection: Selection,
    decide: (batch: Batch) => T,
    options: TransactOptions = {},
  ): Promise<T> {
    const { rehearsed, refused = RefusedNames.none } = options;
    const began = this.observer.isTiming() ? stopwatch() : undefined;
    let rows: readonly ExecutionRow[] = [];
    let afterCommit: AfterCommit | undefined;
    let loading: Loading | undefined;
    const deciding = this.store.transact<T>(selection, {
      need: (rows, runs) => {
        loading = new Loading(this.#cache, options);
        const parts = loading.missing(rows);
        const events = this.#eventsNeeded(rows, runs, options);
        return events === undefined ? { parts } : { parts, events };
      },
      decide: (loaded) => {
        this.#release(afterCommit);
        afterCommit = undefined;
        assert(loading !== undefined, 'a store calls need() before decide()');
        rows = loaded.executions;
        // A rehearsal reserves no worker and leases no side effect.
        const dispatching = this.#dispatching && rehearsed === undefined;
        const placement = rehearsed === undefined ? this.#placement : noPlacement;
        const libraries = this.#libraries;
        const { starts = startsPerStep } = options;
        const batch = new Batch({ libraries, loading, dispatching, placement, starts, refused }, loaded);
        const value = decide(batch);
        const finished = batch.finish(options);
        if (rehearsed !== undefined) {
          rehearsed(finished.writes);
          return { writes: {}, result: value };
        }
        afterCommit = finished.afterCommit;
        return { writes: finished.writes, result: value };
      },
    });
    let result: T;
    try {
      result = await deciding;
    } catch (error) {
      this.#release(afterCommit);
      if (!isConflict(error)) throw error;
      const attempt = options.attempt ?? 1;
      const known = error.taken.length === 0 ? undefined : refused.with(error.taken, rows);
      if (known !== undefined && attempt < mostAttempts)
        return await this.transact(selection, decide, { ...options, refused: known, attempt: attempt + 1 });
      this.observer.conflicted(onlyKey(selection));
      throw error;
    }
    if (began !== undefined) this.observer.transacted(selection.kind, stopwatch() - began);
    if (afterCommit !== undefined) this.#conclude(afterCommit);
    return result;
  }

  /** The events that the caller asks for, and those of the owners of runs that may end here. */
  #eventsNeeded(
    rows: readonly ExecutionRow[],
    runs: readonly RunRow[],
    { events, tellsNoOwner = false }: TransactOptions,
  ): readonly EventNeed[] | undefined {
    let needs = events?.(rows);
    if (runs.length === 0 || !this.#hasRunEvents || tellsNoOwner) return needs;
    const byIncarnation = new Map(rows.map((row) => [row.incarnation, row]));
    for (const run of runs) {
      const row = run.owner === null ? undefined : byIncarnation.get(run.owner);
      const library = row === undefined ? undefined : this.#libraries.get(row.key.archetype);
      const wanted = library?.runEvents?.(run);
      if (wanted !== undefined && wanted.length > 0) needs = [...(needs ?? []), ...wanted];
    }
    return needs;
  }

  /** A decision that was not committed gives its reservations back. */
  #release(afterCommit: AfterCommit | undefined): void {
    afterCommit?.placed?.rejected();
  }

  #conclude({ parts, commits, placed, facts, incidents, troubles, dispatches }: AfterCommit): void {
    // The next step needs the part that was just written. It is read back from its text: a caller may still hold, and change,
    // the objects it was made of.
    if (parts.length > 0) {
      for (const part of parts) this.#cache.set(part, JSON.parse(part.data), part.data.length);
    }
    if (commits.length > 0) {
      for (const { execution, tree } of commits) this.#cache.keep(execution.state, tree);
    }
    placed?.accepted();
    if (facts.length > 0) {
      for (const { key, of } of facts) for (const fact of of) this.observer.fact(key, fact);
    }
    if (incidents.length > 0) for (const { key, error } of incidents) this.observer.incident(key, error);
    if (troubles.length > 0) for (const error of troubles) this.observer.trouble(error);
    if (dispatches.length > 0) for (const dispatch of dispatches) this.#effects.run(dispatch);
  }
}

/** More attempts than names that a decision may have to try for one run. */
const mostAttempts = 40;
