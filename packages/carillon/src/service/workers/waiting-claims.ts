/**
 * The claims of workers behind doors that wait for work. Claims for the same work (namespace, queues and names) are served
 * together, in the order in which they came: a thousand waiting workers cost one transaction when one run arrives.
 *
 * A claim waits until a run is there, its time is over, or the server stops. A claim whose caller went away takes nothing; a run
 * that was leased in that very moment is given back at once.
 */
import type { Clock } from '../../base/clock.ts';
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { Wakeup } from '../../base/wakeup.ts';
import { heldBackMs } from '../../runs/claim-gate.ts';
import type { Holder, RunQueue } from '../../runs/run-queue.ts';
import type { RunRow } from '../../store/records.ts';
import type { KnownRuns, Store, WaitingQuery } from '../../store/store.ts';
import { callerGone } from '../caller-gone.ts';

export interface WaitingClaimsOptions {
  readonly store: Store;
  readonly queue: RunQueue;
  readonly clock: Clock;
  /** Awaited before each claim. */
  readonly adjustLeasesToClock: () => Promise<void>;
  /** Called with the earliest end of a lease that was written. */
  readonly leasedUntil: (at: Instant) => void;
}

export interface WorkRequest {
  readonly namespace: string;
  readonly queues: readonly string[];
  /** The names that the worker has handlers for; absent: it takes every run. */
  readonly names?: readonly string[];
  readonly limit: number;
  readonly holder: (run: RunRow) => Holder;
}

export interface ClaimPatience {
  /** How long to wait for work; 0: not at all. */
  readonly forMs: number;
  /** Aborts when the caller goes away: the claim then takes nothing and rejects. */
  readonly signal: AbortSignal;
  /** Aborts when the server stops: the claim then resolves to nothing. */
  readonly leaving?: AbortSignal;
}

interface Waiter {
  readonly request: WorkRequest;
  readonly signal: AbortSignal;
  /** Whether it waits when there is nothing. */
  readonly isPatient: boolean;
  /** Whether no pass has tried to serve it yet. */
  isNew: boolean;
  readonly settle: (runs: readonly RunRow[]) => void;
  readonly fail: (error: unknown) => void;
}

/** Runs that one pass examines beyond those it may take: the deadline of some may have passed. */
const spare = 16;
/** The groups of claims that are asked for one by one when they can be served next. */
const mostGroupsAsked = 20;
/** The most characters of inputs that one pass hands out. */
const mostChars = 4 * 1024 * 1024;
/** The pause when runs are available that no waiting claim can take, which hides when the next one becomes available. */
const tryAgainMs = 2000;
/** A notification may be lost: the queues are read at least this often. */
const longestPauseMs = 5000;
/** The shortest pause after a pass that found nothing, however many runs others start. */
const afterNothingMs = 5;

export class WaitingClaims {
  readonly #options: WaitingClaimsOptions;
  readonly #waiters = new Set<Waiter>();
  readonly #wakeup: Wakeup;
  /** The queues that have changed since the last pass. */
  readonly #changed = new Set<string>();
  #isServing = false;
  /** Whether the last pass found runs that only their limits hold back. */
  #isHeldBack = false;

  constructor(options: WaitingClaimsOptions) {
    this.#options = options;
    this.#wakeup = new Wakeup(options.clock);
  }

  async claim(request: WorkRequest, { forMs, signal, leaving }: ClaimPatience): Promise<readonly RunRow[]> {
    if (signal.aborted) throw callerGone();
    const { clock } = this.#options;
    let stop = () => {};
    const answer = new Promise<readonly RunRow[]>((resolve, reject) => {
      const isPatient = forMs > 0;
      const waiter: Waiter = { request, signal, isPatient, isNew: true, settle: resolve, fail: reject };
      this.#waiters.add(waiter);
      const giveUp = () => {
        if (this.#waiters.delete(waiter)) resolve([]);
      };
      const gone = () => {
        if (this.#waiters.delete(waiter)) reject(callerGone());
      };
      const cancelTimer = isPatient ? clock.wakeAt(addTime(clock.now(), forMs), giveUp) : () => {};
      signal.addEventListener('abort', gone);
      leaving?.addEventListener('abort', giveUp);
      stop = () => {
        cancelTimer();
        signal.removeEventListener('abort', gone);
        leaving?.removeEventListener('abort', giveUp);
      };
      if (leaving?.aborted === true) giveUp();
    });
    this.#wakeup.wake();
    if (!this.#isServing && this.#waiters.size > 0) void this.#serve();
    try {
      return await answer;
    } finally {
      stop();
    }
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    const { store, clock } = this.#options;
    const unsubscribe = store.subscribe(({ queues }) => {
      for (const queue of queues) this.#changed.add(queue);
      if (queues.length > 0) this.#wakeup.wake();
    }, 'runs');
    try {
      while (this.#waiters.size > 0) {
        this.#wakeup.forget();
        const end = clock.now() + (await this.#serveOnce());
        if (this.#waiters.size === 0) break;
        await this.#wakeup.sleep(end - clock.now());
        if (clock.now() >= end) for (const queue of this.#queues()) this.#changed.add(queue);
      }
    } finally {
      unsubscribe();
      this.#isServing = false;
    }
  }

  /**
   * One pass: tries to serve every group of claims whose queues may have something. Returns the pause until the next
   * pass.
   */
  async #serveOnce(): Promise<number> {
    const changed = new Set(this.#changed);
    this.#changed.clear();
    let found = 0;
    this.#isHeldBack = false;
    for (const group of this.#groups()) {
      if (!group.some(({ isNew, request }) => isNew || request.queues.some((queue) => changed.has(queue))))
        continue;
      try {
        found += await this.#serveGroup(group);
      } catch (error) {
        for (const waiter of group) if (this.#waiters.delete(waiter)) waiter.fail(error);
      }
    }
    if (this.#waiters.size === 0) return 0;
    const next = await this.#nextAvailable();
    const shortest = this.#isHeldBack ? heldBackMs : found > 0 ? 0 : afterNothingMs;
    return Math.max(next, shortest);
  }

  async #serveGroup(group: readonly Waiter[]): Promise<number> {
    const waiting = group.filter(({ signal }) => !signal.aborted);
    const [first] = waiting;
    if (first === undefined) return 0;
    const places = waiting.flatMap((waiter) => new Array<Waiter>(waiter.request.limit).fill(waiter));
    const { queues } = first.request;
    await this.#options.adjustLeasesToClock();
    const {
      runs,
      full,
      heldBack = [],
    } = await this.#options.queue.claim({
      free: new Map(queues.map((queue) => [queue, places.length])),
      most: places.length,
      mostChars,
      limit: places.length + spare,
      known: knownBy(first.request),
      holder: (place, run) => (places[place] as Waiter).request.holder(run),
      doubtful: (doubtful) => void this.#giveBack(doubtful),
    });
    if (heldBack.length > 0) this.#isHeldBack = true;
    const handed = new Map<Waiter, RunRow[]>();
    runs.forEach((run, place) => {
      const waiter = places[place] as Waiter;
      handed.set(waiter, [...(handed.get(waiter) ?? []), run]);
    });
    this.#tellEnd(runs);
    for (const waiter of waiting) this.#answer(waiter, handed.get(waiter) ?? []);
    if (full && runs.length > 0) for (const queue of queues) this.#changed.add(queue);
    return runs.length;
  }

  #answer(waiter: Waiter, runs: readonly RunRow[]): void {
    waiter.isNew = false;
    if (runs.length === 0 && waiter.isPatient) return;
    if (this.#waiters.delete(waiter)) waiter.settle(runs);
    else if (runs.length > 0) void this.#giveBack(runs);
  }

  async #giveBack(runs: readonly RunRow[]): Promise<void> {
    const reports = runs.map(({ id, leaseToken: token }) => ({
      id,
      token,
      conclusion: { kind: 'released' } as const,
    }));
    // Without an answer of the store the lease lapses.
    await this.#options.queue.finish(reports).catch(() => undefined);
  }

  async #nextAvailable(): Promise<number> {
    const queues = this.#queues();
    if ([...this.#waiters].some(({ isNew }) => isNew) || queues.some((queue) => this.#changed.has(queue)))
      return 0;
    const all = await this.#pauseUntil({ queues });
    if (all > 0) return all;
    // Runs are available that no claim could take; they hide when the next one of a claim's own becomes available.
    const groups = this.#groups().slice(0, mostGroupsAsked);
    const pauses = await Promise.all(
      groups.flatMap(([first]) =>
        first === undefined
          ? []
          : this.#pauseUntil({ queues: first.request.queues, known: knownBy(first.request) }),
      ),
    );
    return Math.max(afterNothingMs, Math.min(tryAgainMs, ...pauses));
  }

  /** The pause until such a run is available; 0 when one is. */
  async #pauseUntil(query: WaitingQuery): Promise<number> {
    const times = await this.#options.store.wakeTimes({ archetypes: [], ...query }).catch(() => undefined);
    if (times === undefined) return tryAgainMs;
    if (times.claimable === null) return longestPauseMs;
    return Math.min(Math.max(0, times.claimable - times.now), longestPauseMs);
  }

  /** The queues that some claim waits for. */
  #queues(): readonly string[] {
    return [...new Set([...this.#waiters].flatMap(({ request }) => request.queues))];
  }

  #tellEnd(runs: readonly RunRow[]): void {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { checkAt } of runs) if (checkAt !== null) earliest = Math.min(earliest, checkAt);
    if (earliest < Number.POSITIVE_INFINITY) this.#options.leasedUntil(earliest as Instant);
  }

  #groups(): readonly (readonly Waiter[])[] {
    const groups = new Map<string, Waiter[]>();
    for (const waiter of this.#waiters) {
      const { namespace, queues, names } = waiter.request;
      const key = JSON.stringify([
        namespace,
        [...queues].sort(),
        names === undefined ? null : [...names].sort(),
      ]);
      groups.set(key, [...(groups.get(key) ?? []), waiter]);
    }
    return [...groups.values()];
  }
}

function knownBy({ namespace, queues, names }: WorkRequest): KnownRuns {
  if (names === undefined) return { namespace };
  return { namespace, names: Object.fromEntries(queues.map((queue) => [queue, names])) };
}
