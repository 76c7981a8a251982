/**
 * Several nodes on one store, in virtual time, driven by one seed. It runs the real code and injects faults between
 * its parts. The same seed and the same calls give the same history on every machine, so a failing seed is a bug
 * report. Nothing global is patched: clocks and randomness are handed in.
 */
import type { Clock } from '../base/clock.ts';
import { parseDuration } from '../base/duration.ts';
import { nextTurn } from '../base/next-turn.ts';
import { pause } from '../base/pause.ts';
import { SeededRandom } from '../base/random.ts';
import type { Service } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { addTime, instant } from '../base/time.ts';
import type { AroundEffect } from '../engine/options.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import type { Store } from '../store/store.ts';
import type { Faults } from './faulty-store.ts';
import { FaultyStore, noFaults } from './faulty-store.ts';
import { PendingCalls } from './pending-calls.ts';
import { PausableClock, SkewedClock, VirtualClock } from './virtual-clock.ts';

export interface ClusterOptions<Body extends Service> {
  readonly seed: number;
  /** Builds the software of a node; called again after each restart. */
  readonly build: (node: NodeSetting) => Body | Promise<Body>;
  readonly nodes?: number;
  readonly faults?: Partial<Faults>;
  /** The first instant of virtual time. Default 2026-01-01T00:00:00Z. */
  readonly start?: Instant;
  /** The clock of virtual time, for a store that was opened with it. Default: a new one at `start`. */
  readonly clock?: VirtualClock;
  /** The store, opened with `clock`. Default: one in memory. */
  readonly store?: Store;
  /** Makes unique ids. Default: numbered ones, the same in every run. */
  readonly newId?: () => string;
  /** Whether a node has work that is not done in microtasks; it is given turns of the event loop. */
  readonly busy?: (body: Body) => boolean;
  /** Waits for that work in real time; called after such a turn. Default: virtual time does not wait. */
  readonly patience?: () => Promise<void>;
}

/** The dependencies of a node's code. */
export interface NodeSetting {
  readonly name: string;
  readonly clock: Clock;
  /** A clock that is never set while the node runs, even if its wall clock is. */
  readonly steadyClock: Clock;
  readonly random: SeededRandom;
  /** This node's connection to the one store. */
  readonly store: Store;
  readonly newId: () => string;
  /** Waits for virtual time to pass. Handlers under test use it in place of a timer. */
  readonly sleep: (length: number | string, signal?: AbortSignal) => Promise<void>;
  /** Repeats side effects with the probability that the faults give. */
  readonly aroundEffect: AroundEffect;
}

interface Node<Body> {
  readonly name: string;
  readonly clock: SkewedClock;
  readonly steadyClock: PausableClock;
  readonly random: SeededRandom;
  alive: { readonly body: Body; readonly connection: FaultyStore } | undefined;
}

/** Read when the module is loaded, because test frameworks replace it. */
const { nextTick } = process;

/** Sleeps on a clock. Rejects with the signal's reason when the signal aborts first. */
async function sleepOn(clock: Clock, length: number | string, signal?: AbortSignal): Promise<void> {
  const ms = typeof length === 'number' ? length : parseDuration(length);
  if (ms === undefined) throw new TypeError(`'${length}' is not a duration; write e.g. '90m'`);
  await pause(clock, ms, signal);
  signal?.throwIfAborted();
}

/** Resolves when no microtask is left. */
function quiet(): Promise<void> {
  return new Promise((resolve) => {
    nextTick(resolve);
  });
}

/** Resolves when the store has answered every call, and the calls that followed from the answers. */
async function answered(pending: PendingCalls): Promise<void> {
  while (pending.count > 0) {
    await nextTurn();
    await quiet();
  }
}

/** Steps between two turns of the event loop: a few milliseconds of simulation. */
const stepsPerTurn = 64;

/** With more timers than this at one instant, virtual time is considered stuck. */
const mostTimersPerInstant = 100_000;

export class Cluster<Body extends Service> implements AsyncDisposable {
  /** Decides every random choice; the same seed gives the same history. */
  readonly seed: number;
  /** Random numbers of the world, by its seed. */
  readonly random: SeededRandom;
  /** Virtual time. */
  readonly clock: VirtualClock;
  /** The store itself, without faults, for inspecting the actual state. */
  readonly store: Store;
  readonly #options: ClusterOptions<Body>;
  readonly #nodes: Node<Body>[] = [];
  /** Calls of a store that was given; a store in memory answers in microtasks. */
  readonly #pending: PendingCalls | undefined;
  #ids = 0;
  #settled = 0;
  #isAway = false;
  #faults: Faults;

  constructor(options: ClusterOptions<Body>) {
    this.seed = options.seed;
    this.random = new SeededRandom(options.seed);
    this.clock = options.clock ?? new VirtualClock(options.start ?? instant(Date.UTC(2026, 0, 1)));
    this.#pending = options.store === undefined ? undefined : new PendingCalls(options.store);
    this.store = this.#pending?.store ?? new MemoryStore({ clock: this.clock });
    this.#options = options;
    this.#faults = { ...noFaults, ...options.faults };
    for (let index = 0; index < (options.nodes ?? 1); index += 1) {
      const random = new SeededRandom(this.random.integer(0, 0xffffffff));
      const steadyClock = new PausableClock(this.clock);
      this.#nodes.push({
        name: `node-${index}`,
        clock: new SkewedClock(steadyClock),
        steadyClock,
        random,
        alive: undefined,
      });
    }
  }

  /** Starts every node. */
  async start(): Promise<this> {
    await this.store.migrate();
    for (let index = 0; index < this.#nodes.length; index += 1) await this.restart(index);
    await this.settle();
    return this;
  }

  /** The present virtual time. */
  get now(): Instant {
    return this.clock.now();
  }

  /** The name of a node, by its index. */
  nameOf(index: number): string {
    return this.#node(index).name;
  }

  /** The number of nodes, alive or not. */
  get nodeCount(): number {
    return this.#nodes.length;
  }

  /** What `build` returned for a running node. */
  body(index = 0): Body {
    const { alive, name } = this.#node(index);
    if (alive === undefined) throw new Error(`${name} is down; restart it first`);
    return alive.body;
  }

  /** The clock of a node that changes of its wall clock do not affect. */
  steadyClock(index = 0): Clock {
    return this.#node(index).steadyClock;
  }

  /** Whether the node has not crashed. */
  isAlive(index: number): boolean {
    return this.#node(index).alive !== undefined;
  }

  /** Crashes a node between two instructions: its work stops, and nothing is released. */
  crash(index: number): void {
    const node = this.#node(index);
    node.alive?.connection.cut();
    node.alive = undefined;
  }

  /** Starts or restarts a node with empty memory. A running node is crashed first. */
  async restart(index: number): Promise<void> {
    this.crash(index);
    const node = this.#node(index);
    node.steadyClock.thaw();
    const connection = new FaultyStore({
      store: this.store,
      clock: this.clock,
      random: node.random,
      faults: this.#faults,
      isShared: this.#nodes.length > 1,
    });
    connection.isUnreachable = this.#isAway;
    const body = await this.#options.build({
      name: node.name,
      clock: node.clock,
      steadyClock: node.steadyClock,
      random: node.random,
      store: connection,
      newId: this.#options.newId ?? (() => this.#newId()),
      sleep: (length, signal) => sleepOn(node.steadyClock, length, signal),
      aroundEffect: async (run) => {
        const { repeatEffect } = connection.faults;
        if (repeatEffect > 0 && node.random.chance(repeatEffect)) await run();
        return await run();
      },
    });
    node.alive = { body, connection };
    // A start must not wait for virtual time, because time passes only after the start.
    connection.faults = noFaults;
    await body.start();
    connection.faults = this.#faults;
  }

  /** Sets how far a node's clock is ahead of the store's (negative: behind). */
  skew(index: number, byMs: number): void {
    this.#node(index).clock.skew = byMs;
  }

  /** Suspends the process of a node, as SIGSTOP or a suspended machine does. Time and other nodes go on. */
  freeze(index: number): void {
    const { steadyClock, alive } = this.#node(index);
    steadyClock.freeze();
    alive?.connection.freeze();
  }

  /** Resumes a suspended node; it receives at once what it missed. */
  thaw(index: number): void {
    const { steadyClock, alive } = this.#node(index);
    alive?.connection.thaw();
    steadyClock.thaw();
  }

  /** Cuts one node off from the store, or reconnects it. */
  cutOff(index: number, isUnreachable = true): void {
    const { alive } = this.#node(index);
    if (alive !== undefined) alive.connection.isUnreachable = isUnreachable;
  }

  /** Makes the store unreachable for all nodes, including those that start meanwhile, or reachable again. */
  outage(isAway: boolean): void {
    this.#isAway = isAway;
    for (let index = 0; index < this.#nodes.length; index += 1) this.cutOff(index, isAway);
  }

  /** Crashes the node when its next commit is durable, before the node receives the answer. */
  killAtNextCommit(index: number): void {
    const { alive } = this.#node(index);
    if (alive !== undefined) alive.connection.onNextCommit = () => this.crash(index);
  }

  /** Runs work without faults. The work must end before virtual time advances. */
  async withoutFaults<T>(work: () => Promise<T>): Promise<T> {
    const faults = this.#faults;
    this.clearFaults();
    try {
      return await work();
    } finally {
      this.setFaults(faults);
    }
  }

  /** Sets the faults of all nodes; `clearFaults()` ends them. */
  setFaults(faults: Partial<Faults>): void {
    this.#faults = { ...noFaults, ...faults };
    for (const node of this.#nodes) if (node.alive !== undefined) node.alive.connection.faults = this.#faults;
  }

  /** From now on nothing goes wrong. */
  clearFaults(): void {
    this.setFaults({});
  }

  /** Advances virtual time. Resolves when everything due by then has settled. */
  async advance(byMs: number): Promise<void> {
    await this.advanceTo(addTime(this.now, byMs));
  }

  async advanceTo(target: Instant): Promise<void> {
    await this.settle();
    let firedAtOnce = 0;
    for (let next = this.clock.nextTimer; next !== undefined && next <= target; next = this.clock.nextTimer) {
      firedAtOnce = next > this.now ? 0 : firedAtOnce + 1;
      if (firedAtOnce > mostTimersPerInstant) {
        throw new Error(`virtual time is stuck at ${new Date(this.now).toISOString()} (seed ${this.seed})`);
      }
      this.clock.moveTo(next);
      this.clock.fireNext();
      // Does the same as `settle` with one promise less, because a simulated year runs this line ten thousand times.
      await quiet();
      if (this.#pending !== undefined) await answered(this.#pending);
      if (this.#wantsTurn()) await this.#nextTurn();
    }
    this.clock.moveTo(target);
  }

  /**
   * Waits until nothing more happens at the present instant. Carillon's own code runs in microtasks; work with real
   * input and output is awaited as `patience` says.
   */
  async settle(): Promise<void> {
    await quiet();
    if (this.#pending !== undefined) await answered(this.#pending);
    if (this.#wantsTurn()) await this.#nextTurn();
  }

  /**
   * Whether it is time for a turn of the event loop. A turn costs as much as a fire, so the rest of the program gets
   * one only now and then.
   */
  #wantsTurn(): boolean {
    this.#settled += 1;
    return this.#settled % stepsPerTurn === 0 || this.#isBusy();
  }

  #isBusy(): boolean {
    const { busy } = this.#options;
    if (busy === undefined) return false;
    for (const { alive } of this.#nodes) if (alive !== undefined && busy(alive.body)) return true;
    return false;
  }

  async #nextTurn(): Promise<void> {
    await nextTurn();
    await this.#options.patience?.();
  }

  /** Crashes the nodes that still run. The cluster cannot be used afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (let index = 0; index < this.#nodes.length; index += 1) this.crash(index);
    await this.settle();
  }

  #node(index: number): Node<Body> {
    const node = this.#nodes[index];
    if (node === undefined)
      throw new RangeError(`this world has ${this.#nodes.length} nodes, not ${index + 1}`);
    return node;
  }

  #newId(): string {
    this.#ids += 1;
    return `id-${this.#ids.toString().padStart(6, '0')}`;
  }
}
