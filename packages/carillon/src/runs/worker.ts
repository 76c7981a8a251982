/**
 * Works on the runs of some queues. It claims as many as it has capacity for, highest priority first; runs that this node's
 * own transactions start arrive already leased (`Placement`) and begin as soon as their commit is durable.
 *
 * The worker never polls while an event can wake it sooner: the claim loop sleeps until a notification, the next availability,
 * free capacity when more runs are known to wait, or the longest sleep. A queue is *behind* while runs may wait in it that
 * this worker has not examined; new runs are then not placed ahead of them, so priorities hold.
 *
 * A claim or placement whose commit is in doubt is given back at once instead of being left to lapse.
 */
import type { Clock } from '../base/clock.ts';
import { given } from '../base/given.ts';
import { Loop } from '../base/loop.ts';
import type { Service } from '../base/service.ts';
import type { Instant } from '../base/time.ts';
import { Wakeup } from '../base/wakeup.ts';
import type { Engine } from '../engine/engine.ts';
import type { Placed, Placement } from '../engine/placement.ts';
import type { RunRow } from '../store/records.ts';
import type { CommittedChange, KnownRuns } from '../store/store.ts';
import { ActiveRun } from './active-run.ts';
import { Capacity } from './capacity.ts';
import type { ClaimGate } from './claim-gate.ts';
import { heldBackMs } from './claim-gate.ts';
import type { Handler } from './context.ts';
import type { RunFact } from './fact.ts';
import { startedFact } from './fact.ts';
import { Heartbeat } from './heartbeat.ts';
import { claim, isInTime } from './lifecycle.ts';
import type { NodeLease } from './node-lease.ts';
import type { WorkerObserver } from './observer.ts';
import { silentWorkerObserver } from './observer.ts';
import type { WorkerQueue } from './offered-queues.ts';
import { OfferedQueues } from './offered-queues.ts';
import { Reporter } from './reporter.ts';
import type { RunOptions } from './run.ts';
import { optionsOf } from './run.ts';
import { RunQueue } from './run-queue.ts';
import type { RunTuning } from './tuning.ts';
import { defaultRunTuning } from './tuning.ts';

export interface NodeWorkerOptions {
  readonly engine: Engine;
  /** Measures leases and timeouts. It is never shown or stored, so it need not be right, only steady. */
  readonly clock: Clock;
  /** Holds the leases of this worker's runs. Started before the worker, stopped after it. */
  readonly node: NodeLease;
  readonly queues: Readonly<Record<string, WorkerQueue>>;
  /** Makes lease tokens; must be unique among all workers of the store. */
  readonly newId: () => string;
  /** Offers this worker to the engine for the runs it starts. Default true; an engine has one such worker. */
  readonly placing?: boolean;
  /** What limits claims and placements. Default: nothing. */
  readonly gate?: ClaimGate | undefined;
  readonly observer?: Partial<WorkerObserver>;
  readonly tuning?: Partial<RunTuning>;
}

export interface StopOptions {
  /** How long running handlers may continue, in ms. Default `tuning.drainMs`. */
  readonly drainMs?: number;
}

/** The pause while runs past their deadline are in the way; the sweeper ends them soon. */
const afterSkippedMs = 1000;

const soon = Promise.resolve();

/** A run that belongs to this worker once its commit is durable. */
interface Reserved {
  readonly run: RunRow;
  readonly options: RunOptions;
  /** Undefined when the run was claimed and its handler is no longer registered. */
  readonly handler: Handler | undefined;
  readonly since: Instant;
}

export class Worker implements Service, Placement {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #node: NodeLease;
  readonly #queues: OfferedQueues;
  readonly #newId: () => string;
  readonly #placing: boolean;
  readonly #gate: ClaimGate | undefined;
  readonly #observer: WorkerObserver;
  readonly #tuning: RunTuning;
  readonly #runQueue: RunQueue;
  readonly #capacity: Capacity;
  readonly #reporter: Reporter;
  readonly #heartbeat: Heartbeat;
  readonly #loop: Loop;
  /** Active runs by lease token: a run that came back to this worker while its old handler still runs is here twice. */
  readonly #active = new Map<string, ActiveRun>();
  /** Runs placed by transactions that are not committed yet. */
  #reserved = 0;
  /** Runs that were placed, but perhaps never written; by run id. */
  readonly #doubtful = new Map<string, RunRow>();
  readonly #behind: Set<string>;
  /** Queues with runs that only their limits hold back: when one of these runs ends, another may be claimed. */
  #heldBack: ReadonlySet<string> = new Set();
  #state: 'idle' | 'working' | 'draining' = 'idle';
  #stopping: Promise<void> | undefined;
  #unsubscribe: () => void = () => {};
  #onQuiet: () => void = () => {};
  /** The number of ends that must be reported before work is taken again. */
  #reportFirst = 0;
  /** The number of runs skipped last time because this worker could not take them; the next claim examines that many more. */
  #inTheWay = 0;

  constructor(options: NodeWorkerOptions) {
    const { engine, clock } = options;
    this.#engine = engine;
    this.#clock = clock;
    this.#node = options.node;
    this.#queues = new OfferedQueues(options.queues);
    this.#newId = options.newId;
    this.#placing = options.placing ?? true;
    this.#observer = { ...silentWorkerObserver, ...options.observer };
    this.#tuning = { ...defaultRunTuning, ...options.tuning };
    this.#gate = options.gate;
    this.#runQueue = new RunQueue({ engine, newId: options.newId, gate: options.gate });
    this.#capacity = new Capacity(
      new Map(Object.entries(options.queues).map(([name, { concurrency }]) => [name, concurrency])),
    );
    this.#behind = new Set(this.#queues.names());
    this.#reporter = new Reporter({
      queue: this.#runQueue,
      engine,
      tuning: this.#tuning,
      onOutcome: (report, outcome) => this.#observer.reported(report.id, outcome),
      onFewer: () => {
        if (this.#behind.size > 0 && this.#mayTake()) this.#loop.nudge();
      },
    });
    this.#heartbeat = new Heartbeat({
      queue: this.#runQueue,
      engine,
      clock,
      active: () => this.#active.values(),
      progressMs: this.#tuning.progressMs,
      linesMs: this.#tuning.linesMs,
      watchMs: this.#tuning.watchMs,
    });
    this.#loop = new Loop({
      clock,
      runOnce: () => this.#claimOnce(),
      trouble: (error) => engine.observer.trouble(error),
      longestSleep: engine.tuning.longestSleep,
      outage: engine.outage,
      backoff: engine.tuning.backoff,
      longestBackoff: engine.tuning.longestBackoff,
    });
  }

  /** The number of handlers under way. */
  get running(): number {
    return this.#active.size;
  }

  /** Works on one more queue from now on, or on a queue with other handlers; runs that wait for them are looked at again. */
  offer(name: string, queue: WorkerQueue): void {
    this.#queues.offer(name, queue);
    this.#capacity.limit(name, queue.concurrency);
    this.#behind.add(name);
    this.#loop.nudge();
  }

  async start(): Promise<void> {
    while (this.#stopping !== undefined) await this.#stopping;
    if (this.#state !== 'idle') return;
    this.#state = 'working';
    const unsubscribe = this.#engine.store.subscribe((change) => this.#heard(change), 'runs');
    const unwatch = this.#engine.store.watch?.((event) => {
      if (event.kind === 'lost') this.#storeLost(event.error);
    });
    const ignoreLoss = this.#node.onLost(() => this.#lost());
    const ignoreReady = this.#node.onReady(() => this.#loop.nudge());
    this.#unsubscribe = () => {
      unsubscribe();
      unwatch?.();
      ignoreLoss();
      ignoreReady();
    };
    for (const queue of this.#queues.names()) this.#behind.add(queue);
    if (this.#placing) this.#engine.placeRuns(this);
    this.#reporter.start();
    this.#heartbeat.start();
    this.#loop.start();
  }

  /**
   * Takes nothing new, lets running handlers end for up to `drainMs`, then interrupts the others and gives their runs
   * back at once, without counting the attempt.
   */
  async stop(options: StopOptions = {}): Promise<void> {
    if (this.#state === 'idle') return;
    this.#stopping ??= this.#drain(options.drainMs ?? this.#tuning.drainMs).finally(() => {
      this.#state = 'idle';
      this.#stopping = undefined;
    });
    await this.#stopping;
  }

  place(runs: readonly RunRow[], now: Instant, ending: number): Placed {
    const reserved: Reserved[] = [];
    const mayPlace = this.#state === 'working' && this.#mayTake(ending);
    const placed = mayPlace ? this.#placeAll(runs, now, reserved) : runs;
    this.#reserved += reserved.length;
    const facts: RunFact[] = [];
    for (const { run } of reserved) {
      const fact = startedFact(run);
      if (fact !== undefined) facts.push(fact);
    }
    return {
      runs: placed,
      facts,
      accepted: () => {
        this.#reserved -= reserved.length;
        for (const each of reserved) this.#startHandler(each);
      },
      rejected: () => {
        this.#reserved -= reserved.length;
        this.#doubt(reserved);
      },
    };
  }

  /** True after an outage or a suspension, until a heartbeat is answered and earlier ends are reported. */
  get isAboutToTake(): boolean {
    return this.#state === 'working' && !this.#isTrusted();
  }

  #placeAll(runs: readonly RunRow[], now: Instant, reserved: Reserved[]): readonly RunRow[] {
    const [only] = runs;
    if (only !== undefined && runs.length === 1) return [this.#place(only, now, reserved)];
    const placed = new Map<string, RunRow>();
    for (const run of [...runs].sort((a, b) => b.priority - a.priority)) {
      placed.set(run.id, this.#place(run, now, reserved));
    }
    return runs.map((run) => placed.get(run.id) as RunRow);
  }

  #place(run: RunRow, now: Instant, reserved: Reserved[]): RunRow {
    const handler = this.#canPlace(run, now) ? this.#queues.handlerOf(run) : undefined;
    if (handler === undefined) return run;
    const options = optionsOf(run);
    if (!isInTime(options, now)) return run;
    const leased = claim(run, { worker: this.#node.id, token: this.#newId(), now, options });
    this.#capacity.take(run.queue);
    if (this.#doubtful.size > 0) this.#doubtful.delete(run.id);
    reserved.push({ run: leased, options, handler, since: this.#clock.now() });
    return leased;
  }

  #doubt(reserved: readonly Reserved[]): void {
    for (const { run } of reserved) {
      this.#freed(run.queue);
      this.#doubtful.set(run.id, run);
    }
    // A decision that is rerun places the same runs again before this microtask runs.
    if (this.#doubtful.size > 0) void Promise.resolve().then(() => this.#giveBackDoubtful());
  }

  #canPlace(run: RunRow, now: Instant): boolean {
    return (
      run.state === 'waiting' &&
      run.availableAt <= now &&
      !this.#behind.has(run.queue) &&
      this.#capacity.free(run.queue) > 0 &&
      this.#gate?.mayPlace(run) !== false
    );
  }

  /**
   * While too many ends are unreported the worker takes no more work: a crash would repeat their runs. A node that other nodes
   * may have declared dead sends a heartbeat first, then reports earlier ends, and only then takes more. `ending` is the number of
   * ends that the commit which brings the work makes durable.
   */
  #mayTake(ending = 0): boolean {
    if (!this.#isTrusted()) return false;
    return this.#reporter.unacknowledged - ending < this.#tuning.mostUnacknowledged;
  }

  #isTrusted(): boolean {
    if (this.#node.mayAct) return this.#reporter.settled >= this.#reportFirst;
    this.#reportFirst = this.#reporter.pushed;
    return false;
  }

  /** Called when other nodes have declared this one dead: its runs belong to them. */
  #lost(): void {
    for (const active of this.#active.values()) {
      if (active.holdsLease)
        active.interrupt('leaseLost', 'this node was silent for too long and others took over');
    }
  }

  #heard(change: CommittedChange): void {
    if (change.cancelledRuns.length > 0) {
      const wanted = new Set(change.cancelledRuns);
      // Our own heartbeats for a run that is slow to stop are announced as well; its handler has been told already.
      for (const active of this.#active.values()) {
        if (active.interrupted || !wanted.has(active.run.id)) continue;
        this.#heartbeat.ask();
        break;
      }
    }
    for (const queue of change.queues) {
      if (!this.#queues.has(queue)) continue;
      this.#behind.add(queue);
      if (this.#capacity.free(queue) > 0) this.#loop.nudge();
    }
  }

  /** Claims once from the queues with free capacity. Returns when to claim next. */
  async #claimOnce(): Promise<number> {
    const free = this.#capacity.all();
    for (const queue of this.#queues.names()) if (!free.has(queue)) this.#behind.add(queue);
    if (free.size === 0 || this.#state !== 'working' || !this.#mayTake()) return Number.POSITIVE_INFINITY;
    for (const queue of free.keys()) this.#behind.delete(queue);
    const first = await this.#claim(free);
    for (const run of first.skipped) {
      if (this.#queues.isNewUnknown(run)) this.#observer.unknownName(run.queue, run.name);
    }
    // Runs without a handler here may hide others of the same queue: those are then looked for by name.
    const known = first.skipped.length === 0 ? undefined : this.#queues.knownRuns(free.keys());
    const left = known === undefined ? new Map<string, number>() : this.#capacity.all();
    const { runs, full, skipped, heldBack = [] } = left.size === 0 ? first : await this.#claim(left, known);
    this.#inTheWay = skipped.length;
    this.#heldBack = new Set(heldBack);
    if (full) {
      for (const queue of free.keys()) this.#behind.add(queue);
      return 0;
    }
    const longest = heldBack.length === 0 ? Number.POSITIVE_INFINITY : heldBackMs;
    const queues = [...free.keys()].filter((queue) => !this.#heldBack.has(queue));
    if (queues.length === 0) return longest;
    const times = await this.#engine.store.wakeTimes({ archetypes: [], queues, ...given({ known }) });
    if (times.claimable === null) return longest;
    const wait = times.claimable - times.now;
    if (wait > 0) return Math.min(wait, longest);
    // A run that is available now is either one that this worker skips, or claimed by another node, or new.
    if (skipped.length > 0) return Math.min(known === undefined ? longest : afterSkippedMs, longest);
    return runs.length > 0 || first.runs.length > 0 ? 0 : this.#tuning.contendedMs;
  }

  async #claim(free: ReadonlyMap<string, number>, known?: KnownRuns) {
    const { largestClaim } = this.#tuning;
    const places = [...free.values()].reduce((sum, count) => sum + count, 0);
    const since = this.#clock.now();
    const queues = [...free.keys()];
    try {
      const claimed = await this.#runQueue.claim({
        free,
        holder: { worker: this.#node.id },
        limit: Math.min(places, largestClaim) + this.#inTheWay,
        knows: (run) => this.#queues.handlerOf(run) !== undefined,
        ...given({ known }),
        doubtful: (runs) => this.#giveBack(runs),
      });
      for (const run of claimed.runs) {
        this.#capacity.take(run.queue);
        this.#startHandler({ run, options: optionsOf(run), handler: this.#queues.handlerOf(run), since });
      }
      return claimed;
    } catch (error) {
      for (const queue of queues) this.#behind.add(queue);
      throw error;
    }
  }

  /** Starts the handler of a run; its capacity is counted already. */
  #startHandler({ run, options, handler, since }: Reserved): void {
    if (this.#state !== 'working' || handler === undefined || !this.#isOurs(run)) {
      this.#giveBack([run]);
      this.#freed(run.queue);
      return;
    }
    const active: ActiveRun = new ActiveRun({
      run,
      settings: options,
      handler,
      backoff: this.#queues.get(run.queue)?.backoffs?.(run.name),
      clock: this.#clock,
      wallClock: this.#engine.clock,
      since,
      onConclusion: (conclusion, unstored) => {
        this.#reporter.push({ id: run.id, token: run.leaseToken, conclusion, ...unstored });
        this.#observer.concluded(run, conclusion);
      },
      onChangedResult: (note) => this.#observer.changedResult(run, note),
      onProgress: () => this.#heartbeat.tell(active),
      onLasting: () => this.#heartbeat.watch(active),
      onEnd: () => {
        this.#active.delete(run.leaseToken);
        if (this.#active.size === 0) this.#heartbeat.idle();
        this.#freed(run.queue);
      },
    });
    this.#active.set(run.leaseToken, active);
    this.#observer.began(run);
    // The transaction that brought this run may still be notifying its observers; they come first.
    void soon.then(() => active.perform());
  }

  /** Another process may run all of this by now: the leases belong to the owner of the store. */
  #storeLost({ message }: Error): void {
    for (const active of this.#active.values()) active.interrupt('leaseLost', message);
  }

  /** Whether its lease was written under the present name of this node, and the node's own lease holds. */
  #isOurs(run: RunRow): boolean {
    return run.worker === this.#node.id && this.#node.mayAct;
  }

  #freed(queue: string): void {
    this.#capacity.give(queue);
    if (this.#behind.has(queue) || this.#heldBack.has(queue)) this.#loop.nudge();
    if (this.#isQuiet()) this.#onQuiet();
  }

  #giveBack(runs: readonly RunRow[]): void {
    for (const { id, leaseToken } of runs) {
      this.#reporter.push({ id, token: leaseToken, conclusion: { kind: 'released' } });
    }
  }

  #giveBackDoubtful(): void {
    this.#giveBack([...this.#doubtful.values()]);
    this.#doubtful.clear();
  }

  #isQuiet(): boolean {
    return this.#active.size === 0 && this.#reserved === 0;
  }

  async #drain(drainMs: number): Promise<void> {
    this.#state = 'draining';
    await this.#loop.stop();
    for (const active of this.#active.values()) {
      if (this.#queues.get(active.run.queue)?.waitsElsewhere === true && !active.concluded) active.release();
    }
    await this.#untilQuiet(drainMs);
    for (const active of this.#active.values()) if (!active.concluded) active.release();
    this.#unsubscribe();
    await this.#heartbeat.stop();
    await this.#reporter.stop();
  }

  async #untilQuiet(longestMs: number): Promise<void> {
    if (this.#isQuiet() || longestMs <= 0) return;
    const wakeup = new Wakeup(this.#clock);
    this.#onQuiet = () => wakeup.wake();
    await wakeup.sleep(longestMs);
    this.#onQuiet = () => {};
  }
}
