/**
 * The one protocol by which workers outside the nodes work on runs. Every door that has workers translates it: the native
 * HTTP workers, Temporal's activity workers, Conductor's task workers.
 *
 * - *claim* leases runs of some queues to the worker and waits for them. The lease says how it is kept alive: by heartbeats for each run,
 *   by signs of life of the worker, or not at all (it then lives as long as the attempt may).
 * - *heartbeat* extends leases, stores progress, and says which runs were asked to stop and which are lost.
 * - *report* ends an attempt under its lease token: completed, failed, cancelled, or released (given back without counting the
 *   attempt). A repeated report is `ok`; one for a lease that is over is `stale` and changes nothing.
 * - *beat* is a sign of life of the worker; *leave* says that it takes nothing new. Its leases go on either way.
 *
 * A token works from any connection and any node. What ends a lease against its holder (time, another claim, terminate)
 * clears the token, so a late result is refused by its token alone.
 */
import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/error.ts';
import type { LogLine } from '../../base/log-lines.ts';
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { Wakeup, wakeOnAbort } from '../../base/wakeup.ts';
import type { Conclusion } from '../../runs/lifecycle.ts';
import type { OwnLease } from '../../runs/own-lease.ts';
import { defaultOwnLease, heldToken, silentLeaseMs } from '../../runs/own-lease.ts';
import type { ReportOutcome } from '../../runs/report.ts';
import { optionsOf } from '../../runs/run.ts';
import type { Held, RunQueue } from '../../runs/run-queue.ts';
import type { WorkerAbout, WorkerName, WorkerRecords, WorkerView } from '../../runs/worker-records.ts';
import type { RunRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { callerGone } from '../caller-gone.ts';
import { holderName } from './holder.ts';
import type { ClaimPatience } from './waiting-claims.ts';
import { WaitingClaims } from './waiting-claims.ts';

/** What keeps the leases of a claim alive. */
export type LeaseKept =
  /** Heartbeats for each run, at most `ms` apart. */
  | { readonly by: 'heartbeat'; readonly ms: number }
  /** Signs of life of the worker, at most `ms` apart, or heartbeats for the run. */
  | { readonly by: 'worker'; readonly ms: number }
  /** Nothing: the lease ends with the attempt timeout of the run, or after a day. */
  | { readonly by: 'attempt' };

export interface WorkerClaimRequest {
  readonly queues: readonly string[];
  /** The names that the worker has handlers for; absent: it takes every run. */
  readonly names?: readonly string[];
  /** The most runs to lease. Default 1. */
  readonly limit?: number;
  /** Default: heartbeats at most 30 s apart. A run may have its own lease length, which then counts. */
  readonly lease?: LeaseKept;
  readonly about?: Pick<WorkerAbout, 'name' | 'client' | 'slots'>;
}

/** A lease, as the worker that holds it names it. */
export interface LeaseName {
  readonly runId: string;
  readonly token: string;
}

export interface LeaseHeartbeat extends LeaseName {
  /** Progress as JSON; absent: unchanged. */
  readonly progress?: string;
  /** Lines of the attempt that are not stored yet; a line that is sent again is the same line. */
  readonly log?: readonly LogLine[];
}

export interface LeaseReport extends LeaseName {
  readonly conclusion: WorkerConclusion;
  /** Progress and lines that no heartbeat has stored. */
  readonly progress?: string;
  readonly log?: readonly LogLine[];
}

/** How a worker may end an attempt; timeouts are the server's to notice. */
export type WorkerConclusion = Extract<
  Conclusion,
  { readonly kind: 'completed' | 'failed' | 'cancelled' | 'released' }
>;

export interface WorkerServiceOptions {
  readonly store: Store;
  readonly queue: RunQueue;
  readonly clock: Clock;
  readonly records: WorkerRecords;
  /** Called with the end of a lease, by the local clock. */
  readonly examineRunsBy: (at: Instant) => void;
  /** Awaited before leases are made or extended: the clock that judges them may have been set. */
  readonly adjustLeasesToClock: () => Promise<void>;
  readonly trouble: (error: unknown) => void;
}

/** The most runs of one claim, the most queues it names, and the most leases of one heartbeat or report. */
export const workerLimits = {
  claimed: 100,
  queues: 100,
  names: 1000,
  leases: 1000,
  shortestLeaseMs: 100,
  longestLeaseMs: 24 * 60 * 60 * 1000,
  longestWaitMs: 60_000,
} as const;

export class WorkerService {
  readonly #options: WorkerServiceOptions;
  readonly #claims: WaitingClaims;
  readonly #records: WorkerRecords;

  constructor(options: WorkerServiceOptions) {
    this.#options = options;
    const { store, clock, queue, adjustLeasesToClock } = options;
    this.#records = options.records;
    this.#claims = new WaitingClaims({
      store,
      queue,
      clock,
      adjustLeasesToClock,
      // The end is by the store's clock; the sweeper reads the store's time itself, which corrects the difference.
      leasedUntil: (at) => options.examineRunsBy(at),
    });
  }

  /** Leases runs to the worker. Resolves to none when its time is over without work. */
  async claim(
    worker: WorkerName,
    request: WorkerClaimRequest,
    waiting: ClaimPatience,
  ): Promise<readonly RunRow[]> {
    const { queues, names, limit = 1, lease = defaultLease, about = {} } = request;
    const { namespace } = worker;
    checkQueues(queues);
    const holder = holderName(worker);
    const noted = this.#note(worker, { ...about, queues, names: names ?? null });
    const runs = await this.#claims.claim(
      {
        namespace,
        queues: [...new Set(queues)],
        ...(names === undefined ? {} : { names }),
        limit: Math.min(limit, workerLimits.claimed),
        holder: (run) => ({ worker: holder, lease: leaseOf(lease, run) }),
      },
      waiting,
    );
    await noted;
    return runs;
  }

  /** Extends leases and stores progress; the result has their order. */
  async heartbeat(namespace: string, leases: readonly LeaseHeartbeat[]): Promise<readonly Held[]> {
    if (leases.length === 0) return [];
    await this.#options.adjustLeasesToClock();
    return await this.#options.queue.extend(
      leases.map(({ runId, ...lease }) => ({ id: runId, namespace, ...lease })),
    );
  }

  /** Ends attempts; the result has the order of the reports. */
  async report(namespace: string, reports: readonly LeaseReport[]): Promise<readonly ReportOutcome[]> {
    if (reports.length === 0) return [];
    return await this.#options.queue.finish(
      reports.map(({ runId, ...report }) => ({ id: runId, namespace, ...report })),
    );
  }

  /** Notes that the worker lives and extends the leases that this keeps alive. Returns the runs it holds, with their tokens as it knows them. */
  async beat(worker: WorkerName, about: WorkerAbout = {}): Promise<readonly RunRow[]> {
    await this.#note(worker, about);
    await this.#options.adjustLeasesToClock();
    const runs = await this.#options.queue.extendHeld(holderName(worker));
    return runs.map((run) => ({ ...run, leaseToken: heldToken(run.leaseToken) }));
  }

  /** Notes that the worker takes nothing new. Its leases go on: handlers may still be at work. */
  async leave(worker: WorkerName): Promise<void> {
    await this.#note(worker, { isLeaving: true });
  }

  /** No lease depends on the record, so a record that cannot be written is not a reason to refuse work. */
  async #note(worker: WorkerName, about: WorkerAbout): Promise<void> {
    await this.#records.seen(worker, about).catch((error) => this.#options.trouble(error));
  }

  /** The workers that were heard of within a day. */
  async list(namespace?: string): Promise<readonly WorkerView[]> {
    return await this.#records.list(namespace);
  }

  /**
   * Waits until one of these leases was asked to stop or is over, and returns all such; none when the wait ends. Leases are not
   * extended meanwhile.
   */
  async stops(
    namespace: string,
    leases: readonly LeaseName[],
    { forMs, signal, leaving }: ClaimPatience,
  ): Promise<readonly (LeaseName & { readonly held: Held })[]> {
    const { queue, store, clock } = this.#options;
    const end = addTime(clock.now(), forMs);
    const named = leases.map(({ runId: id, token }) => ({ id, token, namespace }));
    const wanted = new Set(leases.map(({ runId }) => runId));
    const wakeup = new Wakeup(clock);
    const unsubscribe = [
      store.subscribe(({ cancelledRuns }) => {
        if (cancelledRuns.some((id) => wanted.has(id))) wakeup.wake();
      }, 'runs'),
      wakeOnAbort(wakeup, signal),
      wakeOnAbort(wakeup, leaving),
    ];
    try {
      for (;;) {
        wakeup.forget();
        const held = await queue.watch(named);
        const found = leases.flatMap((lease, place) => {
          const answer = held[place] as Held;
          return answer.state === 'held' ? [] : [{ ...lease, held: answer }];
        });
        if (found.length > 0 || clock.now() >= end || leaving?.aborted === true) return found;
        if (signal.aborted) throw callerGone();
        await wakeup.sleepUntil(end);
      }
    } finally {
      for (const each of unsubscribe) each();
    }
  }
}

const defaultLease: LeaseKept = { by: 'heartbeat', ms: defaultOwnLease.ms };

function leaseOf(kept: LeaseKept, run: RunRow): OwnLease {
  switch (kept.by) {
    case 'heartbeat':
      return { ms: kept.ms, extendedBy: 'run' };
    case 'worker':
      return { ms: kept.ms, extendedBy: 'worker' };
    case 'attempt':
      return { ms: optionsOf(run).attemptTimeoutMs ?? silentLeaseMs, extendedBy: 'run' };
  }
}

/** The queues of actions are worked on by the server itself; their inputs hold secrets. */
function checkQueues(queues: readonly string[]): void {
  const own = queues.find((queue) => queue.startsWith('@') || queue === '');
  if (queues.length > 0 && own === undefined) return;
  throw ServiceError.invalid([
    {
      path: 'queues',
      reason: 'BAD_QUEUE',
      message:
        own === undefined ? 'no queue was named' : `the queue '${own}' is worked on by the server itself`,
      fix: "name at least one queue of your own; names do not begin with '@'",
    },
  ]);
}
