/**
 * A worker that reaches its server over HTTP: it needs an address and a key, no database. It claims runs of some queues with a
 * long poll, runs the handlers, keeps its leases alive with one request for all of them, and reports ends until the server has
 * acknowledged them.
 *
 * Only the server decides about a run. A worker that cannot reach it, or was frozen, learns that its lease is over: its handler
 * is interrupted (`leaseLost`), and a result that comes too late is refused. Handlers are the same as in `carillon`.
 *
 * A connection that hangs is noticed when a held request is not answered in time. After that the server is asked not to hold the
 * request, until it has answered one: the platform may send the next request over another idle connection that hangs as well, and
 * each of them would otherwise cost the whole time of a hold.
 */
import type { Clock } from '../base/clock.ts';
import { SteadyClock } from '../base/clock.ts';
import { callListener } from '../base/listeners.ts';
import { Loop } from '../base/loop.ts';
import type { Service } from '../base/service.ts';
import { instant } from '../base/time.ts';
import { version } from '../base/version.ts';
import { Wakeup } from '../base/wakeup.ts';
import type { Handler } from '../runs/context.ts';
import { requestKey } from './request-key.ts';
import type { ClientOptions } from './transport.ts';
import { Transport } from './transport.ts';
import { Attempt } from './worker-attempt.ts';
import type { ClaimedRun, HeldLease } from './worker-protocol.ts';
import { WorkerCalls } from './worker-protocol.ts';
import { WorkerReports } from './worker-reports.ts';

/** The options of `createWorker`. */
export interface WorkerOptions extends Omit<ClientOptions, 'attempts'> {
  /** Handlers by name. The worker claims runs of these names only. `never` admits handlers of every input type. */
  readonly handlers: Readonly<Record<string, Handler<never>>>;
  /** The queues to work on. Default `['default']`. */
  readonly queues?: readonly string[];
  /** The most runs at once. Default 10. */
  readonly concurrency?: number;
  /** The name for people. Default `worker`. */
  readonly name?: string;
  /** How long the worker may be silent before its runs are given to others, in ms. Default 30,000. */
  readonly leaseMs?: number;
  /** How long `stop` lets handlers continue, in ms. Default 10,000. */
  readonly drainMs?: number;
  /** Receives errors of the connection, and reports that came too late. Default: a warning of the process, or the console. */
  readonly onTrouble?: (error: unknown) => void;
  /** Measures leases. Default: a steady clock. */
  readonly clock?: Clock;
}

/** How long the server may hold a claim; proxies cut connections that are silent for a minute. */
const claimWaitMs = 25_000;
/** The longest time that one heartbeat is held. */
const longestWatchMs = 20_000;
/** The most runs that one claim asks for. */
const mostPerClaim = 100;
/**
 * The least time between two requests with progress, and between two with lines: soon for people who follow them, and
 * not a request per line.
 */
const progressMs = 1000;
const linesMs = 200;
const firstBackoffMs = 200;
const longestBackoffMs = 5000;

/** Makes a worker that takes runs from a server over HTTP and runs them here. */
export function createWorker(options: WorkerOptions): RemoteWorker {
  return new RemoteWorker(options);
}

export class RemoteWorker implements Service, AsyncDisposable {
  /** Unique for each worker object, so that a restarted program is another worker. */
  readonly id: string;
  readonly #options: WorkerOptions;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #concurrency: number;
  readonly #calls: WorkerCalls;
  readonly #reports: WorkerReports;
  readonly #attempts = new Map<string, Attempt>();
  readonly #claiming: Loop;
  readonly #keeping: Loop;
  /** Cuts the long polls: of claims when the worker stops, of heartbeats also when there is something new to watch or send. */
  #claimCut = new AbortController();
  #keepCut = new AbortController();
  #cancelKeepTimer: (() => void) | undefined;
  #lastKept = Number.NEGATIVE_INFINITY;
  /** Whether the last claim, and the last heartbeat, were answered. */
  #claimAnswered = true;
  #keepAnswered = true;
  /** When the next heartbeat with unsent progress or lines is sent; Infinity: none is planned. */
  #keepsAt = Number.POSITIVE_INFINITY;
  #state: 'idle' | 'working' | 'draining' = 'idle';
  #stopping: Promise<void> | undefined;
  #onQuiet: () => void = () => {};

  constructor(options: WorkerOptions) {
    const { concurrency = 10, leaseMs = 30_000, name = 'worker' } = options;
    checkOptions(options, { concurrency, leaseMs });
    this.#options = options;
    this.#clock = options.clock ?? new SteadyClock();
    this.#leaseMs = leaseMs;
    this.#concurrency = concurrency;
    this.id = `${name}-${requestKey()}`;
    this.#calls = new WorkerCalls(new Transport({ ...options, attempts: 1 }), this.#clock, this.id);
    const trouble = (error: unknown) => this.#trouble(error);
    this.#reports = new WorkerReports({
      calls: this.#calls,
      clock: this.#clock,
      trouble,
      longestBackoffMs,
      onFewer: () => this.#claiming.nudge(),
    });
    // An attempt whose lease has ended must learn it soon, also while the server cannot be reached.
    const longestBackoff = Math.min(longestBackoffMs, Math.max(firstBackoffMs, leaseMs / 6));
    const backoff = { backoff: firstBackoffMs, longestBackoff };
    this.#claiming = new Loop({ clock: this.#clock, runOnce: () => this.#claim(), trouble, ...backoff });
    this.#keeping = new Loop({ clock: this.#clock, runOnce: () => this.#keep(), trouble, ...backoff });
  }

  /** The number of handlers at work. */
  get running(): number {
    return this.#attempts.size;
  }

  async start(): Promise<void> {
    await this.#stopping;
    if (this.#state !== 'idle') return;
    this.#state = 'working';
    this.#claimCut = new AbortController();
    this.#reports.start();
    this.#claiming.start();
    this.#keeping.start();
  }

  /** Takes nothing new, lets handlers end for up to `drainMs`, then interrupts the others and gives their runs back. */
  async stop(options: { readonly drainMs?: number } = {}): Promise<void> {
    if (this.#state === 'idle') return;
    const { drainMs = this.#options.drainMs ?? 10_000 } = options;
    this.#stopping ??= this.#drain(drainMs).finally(() => {
      this.#state = 'idle';
      this.#stopping = undefined;
    });
    await this.#stopping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #claim(): Promise<number> {
    const free = this.#concurrency - this.#attempts.size;
    // Ends that the server has not acknowledged would be repeated if this process died.
    if (free <= 0 || this.#reports.isFull) return Number.POSITIVE_INFINITY;
    const { handlers, queues = ['default'], name = 'worker' } = this.#options;
    const since = this.#clock.now();
    let answer: Awaited<ReturnType<WorkerCalls['claim']>>;
    try {
      answer = await this.#calls.claim(
        {
          queues,
          names: Object.keys(handlers),
          limit: Math.min(free, mostPerClaim),
          leaseMs: this.#leaseMs,
          waitMs: this.#claimAnswered ? claimWaitMs : 0,
          name,
          client: `carillon ${version}`,
          slots: this.#concurrency,
        },
        this.#claimCut.signal,
      );
    } catch (error) {
      if (this.#claimCut.signal.aborted) return Number.POSITIVE_INFINITY;
      this.#claimAnswered = false;
      throw error;
    }
    this.#claimAnswered = true;
    // Counted from before the lease was written, however long the answer was under way.
    const leaseEnds = since + answer.waitedMs + this.#leaseMs;
    for (const run of answer.items) this.#begin(run, leaseEnds);
    return 0;
  }

  #begin(run: ClaimedRun, leaseEnds: number): void {
    const { handlers } = this.#options;
    const handler = Object.hasOwn(handlers, run.name) ? (handlers[run.name] as Handler) : undefined;
    const mayBegin = this.#state === 'working' && this.#clock.now() < leaseEnds;
    if (handler === undefined || !mayBegin) {
      this.#reports.push({ runId: run.runId, token: run.token, end: { released: {} } });
      return;
    }
    const attempt = new Attempt({
      run,
      handler,
      clock: this.#clock,
      leaseEnds,
      onUnsent: (isLine) => this.#keepSoon(isLine ? linesMs : progressMs),
      onEnd: (ended, report) => {
        this.#attempts.delete(ended.run.token);
        if (report !== undefined) this.#reports.push(report);
        this.#claiming.nudge();
        if (this.#attempts.size === 0) this.#onQuiet();
      },
    });
    this.#attempts.set(run.token, attempt);
    void attempt.perform();
    this.#keepSoon();
  }

  /** Sends a heartbeat soon: there is progress to store, or a run that the present one does not watch. */
  #keepSoon(afterMs = progressMs): void {
    const at = instant(Math.max(this.#clock.now(), this.#lastKept + afterMs));
    if (at >= this.#keepsAt) return;
    this.#cancelKeepTimer?.();
    this.#keepsAt = at;
    this.#cancelKeepTimer = this.#clock.wakeAt(at, () => {
      this.#keepsAt = Number.POSITIVE_INFINITY;
      this.#keepCut.abort();
      this.#keeping.nudge();
    });
  }

  /** Extends all leases; the server answers at once when a run has to stop, and otherwise after a third of the lease. */
  async #keep(): Promise<number> {
    this.#endLostLeases();
    const attempts = [...this.#attempts.values()];
    if (attempts.length === 0) return Number.POSITIVE_INFINITY;
    this.#keepCut = new AbortController();
    const since = this.#clock.now();
    this.#lastKept = since;
    const leases = attempts.map((attempt) => attempt.lease);
    const hasUnsent = leases.some(({ progress, log }) => progress !== undefined || log !== undefined);
    // What is new is acknowledged at once; the next request waits.
    const isHeld = this.#keepAnswered && !hasUnsent;
    const waitMs = isHeld ? Math.trunc(Math.min(this.#leaseMs / 3, longestWatchMs)) : 0;
    const soonest = Math.min(...attempts.map(({ leaseEnds }) => leaseEnds));
    const cancelTimer = this.#clock.wakeAt(instant(soonest), () => this.#endLostLeases());
    let held: readonly HeldLease[];
    try {
      const forMs = waitMs + Math.max(firstBackoffMs, this.#leaseMs / 6);
      held = await this.#calls.heartbeat(leases, { waitMs, forMs, signal: this.#keepCut.signal });
    } catch (error) {
      // The server extended the leases before it held the request; the next one confirms it.
      if (this.#keepCut.signal.aborted) return 0;
      this.#keepAnswered = false;
      throw error;
    } finally {
      cancelTimer();
    }
    this.#keepAnswered = true;
    const states = new Map(held.map((each) => [each.runId, each]));
    attempts.forEach((attempt, place) => {
      const answer = states.get(attempt.run.runId);
      if (answer?.state === 'lost') {
        attempt.interrupt('leaseLost', 'the run was taken from this worker');
        return;
      }
      if (answer?.state === 'terminated') {
        attempt.interrupt('terminated', answer.reason);
        return;
      }
      attempt.leaseEnds = since + this.#leaseMs;
      attempt.stored(leases[place] ?? attempt.lease);
      if (answer?.state === 'cancel') attempt.interrupt('cancelled', answer.reason);
    });
    const asked = held.some(({ state }) => state !== 'held');
    // With the third of the lease for which the next one is held, it is answered before a short lease ends.
    return asked || hasUnsent ? Math.min(progressMs, this.#leaseMs / 3) : 0;
  }

  #endLostLeases(): void {
    const now = this.#clock.now();
    for (const attempt of this.#attempts.values()) {
      if (attempt.leaseEnds <= now)
        attempt.interrupt('leaseLost', 'the server was not reached before the lease ended');
    }
  }

  async #drain(drainMs: number): Promise<void> {
    this.#state = 'draining';
    this.#claimCut.abort();
    await this.#claiming.stop();
    if (this.#attempts.size > 0 && drainMs > 0) {
      const wakeup = new Wakeup(this.#clock);
      this.#onQuiet = () => wakeup.wake();
      await wakeup.sleep(drainMs);
      this.#onQuiet = () => {};
    }
    for (const attempt of [...this.#attempts.values()]) attempt.release();
    this.#cancelKeepTimer?.();
    this.#keepsAt = Number.POSITIVE_INFINITY;
    this.#keepCut.abort();
    await this.#keeping.stop();
    await this.#reports.stop();
    await this.#calls.leave().catch(() => undefined);
  }

  #trouble(error: unknown): void {
    const { onTrouble = warn } = this.#options;
    callListener(() => onTrouble(error), warn);
  }
}

function checkOptions(
  { handlers, queues = ['default'] }: WorkerOptions,
  { concurrency, leaseMs }: { readonly concurrency: number; readonly leaseMs: number },
): void {
  const refuse = (option: string, wanted: string): never => {
    throw new TypeError(`createWorker: ${option} must be ${wanted}`);
  };
  if (typeof handlers !== 'object' || handlers === null || Object.keys(handlers).length === 0)
    refuse('handlers', 'an object with at least one handler');
  for (const [name, handler] of Object.entries(handlers))
    if (typeof handler !== 'function') refuse(`handlers.${name}`, 'a function');
  if (!Array.isArray(queues) || queues.length === 0) refuse('queues', 'a list of at least one queue');
  if (!Number.isInteger(concurrency) || concurrency < 1)
    refuse('concurrency', 'a whole number of at least 1');
  if (!Number.isInteger(leaseMs) || leaseMs < 100) refuse('leaseMs', 'a whole number of at least 100');
}

/** A process warning where there is a process; pages have a console. */
function warn(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  const { process } = globalThis as {
    readonly process?: { readonly emitWarning?: (text: string, options: object) => void };
  };
  if (process?.emitWarning === undefined) console.warn(`carillon worker: ${text}`);
  else process.emitWarning(text, { type: 'CarillonWorkerWarning' });
}
