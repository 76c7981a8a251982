/**
 * The durable run queue: every use case is one transaction over `engine.transact`. Ending a run and telling the
 * execution that owns it is the same transaction, so a schedule can neither miss the end of its run nor receive it twice.
 */

import { ServiceError } from '../base/error.ts';
import { given } from '../base/given.ts';
import type { LogLine } from '../base/log-lines.ts';
import type { Instant } from '../base/time.ts';
import type { Batch } from '../engine/batch.ts';
import type { Engine } from '../engine/engine.ts';
import type { ExecutionRow, RunRow } from '../store/records.ts';
import type { EventNeed, KnownRuns, Page, RunQuery } from '../store/store.ts';
import { chooseClaims } from './claim-choice.ts';
import type { ClaimGate } from './claim-gate.ts';
import { claimThrough } from './claim-gate.ts';
import { enqueuedFact, reportRun, startedFact } from './fact.ts';
import type { StopReason } from './failure.ts';
import { claim, extend, requestCancel, terminate } from './lifecycle.ts';
import type { Enqueue } from './new-runs.ts';
import { checkAlias, checkInput, NewRuns } from './new-runs.ts';
import { isLeasedBy, type OwnLease, ownLeaseOf } from './own-lease.ts';
import { isParked } from './parking.ts';
import type { Report, ReportOutcome } from './report.ts';
import { applyReport } from './report.ts';
import { newRun } from './run.ts';
import type { DoneBy } from './run-audit.ts';
import { auditRun } from './run-audit.ts';
import type { StopOwned } from './run-control.ts';
import { saveRun, takeReports } from './run-ending.ts';
import { addLines } from './run-log.ts';

export interface RunQueueOptions {
  readonly engine: Engine;
  /** Makes unique ids and lease tokens. */
  readonly newId: () => string;
  /** What limits claims. Default: nothing. */
  readonly gate?: ClaimGate | undefined;
}

/** Who holds a run after a claim. */
export interface Holder {
  readonly worker: string;
  /** Absent: the holder is a node, whose own lease covers its runs. */
  readonly lease?: OwnLease;
}

export interface ClaimRequest {
  /** Free capacity by queue. */
  readonly free: ReadonlyMap<string, number>;
  /** The holder of the runs, or of the run at each place of the claim. */
  readonly holder: Holder | ((place: number, run: RunRow) => Holder);
  /** How many runs to examine; default the sum of the free capacity. */
  readonly limit?: number;
  /** The most runs to take over all queues, and the most characters of their texts. Default: no limit. */
  readonly most?: number;
  readonly mostChars?: number;
  /** Whether the worker has a handler for a run. Default: for every run. */
  readonly knows?: (run: RunRow) => boolean;
  /** Looks only at runs of these names and this namespace, behind any number of others. Default: at all of the queues. */
  readonly known?: KnownRuns;
  /** Called with the leases that may have been written although the claim failed. */
  readonly doubtful?: (runs: readonly RunRow[]) => void;
}

export interface Claimed {
  readonly runs: readonly RunRow[];
  /** The search ended at its limit: there may be more. */
  readonly full: boolean;
  readonly skipped: readonly RunRow[];
  /** Queues with runs that only their limits hold back; ask again after `heldBackMs`. */
  readonly heldBack?: readonly string[];
}

export interface RunHeartbeat {
  readonly id: string;
  /** When given, a run of another namespace is not found. */
  readonly namespace?: string;
  readonly token: string;
  /** Progress as JSON; absent: unchanged. */
  readonly progress?: string;
  /** Lines that are not stored yet. */
  readonly log?: readonly LogLine[];
}

export interface Held {
  /** `cancel`: held, but the holder is asked to stop. `lost`: the lease is over. `terminated`: so is the run. */
  readonly state: 'held' | 'cancel' | 'lost' | 'terminated';
  readonly reason: string;
}

/** `ended`: finished now. `requested`: its worker was asked. `done`: was finished already. */
export type Stopped = 'ended' | 'requested' | 'done' | 'notFound';

/** `repeated`: that attempt was finished before. `expired`: its time is up, or another attempt has begun. */
export type Answered = 'ok' | 'repeated' | 'expired';

/** The result of a checkpoint. */
export type Checkpoint<T> = { readonly state: 'ok'; readonly result: T } | { readonly state: 'repeated' };

const checkpoint = { keeping: true, tellsNoOwner: true };

const lost: Held = { state: 'lost', reason: '' };

/** The number of runs of one execution that one transaction stops. */
const stoppedAtOnce = 200;

/** The most runs of one holder outside the nodes; more than any known worker has capacity for. */
const mostHeld = 2000;

/** The number of runs read by one query about leases. */
const watchedAtOnce = 500;

function heldBy(run: RunRow | undefined, { token, namespace }: RunHeartbeat): Held {
  if (run === undefined || (namespace !== undefined && run.namespace !== namespace)) return lost;
  if (run.outcome === 'terminated') return { state: 'terminated', reason: reasonOf(run) };
  if (run.state !== 'leased' || !isLeasedBy(run, token)) return lost;
  return run.cancel === 'none' ? { state: 'held', reason: '' } : { state: 'cancel', reason: reasonOf(run) };
}

export class RunQueue {
  readonly #engine: Engine;
  readonly #newId: () => string;
  readonly #newRuns: NewRuns;
  #gate: ClaimGate | undefined;

  constructor(options: RunQueueOptions) {
    this.#engine = options.engine;
    this.#newId = options.newId;
    this.#newRuns = new NewRuns(options.engine.clock, options.newId);
    this.#gate = options.gate;
  }

  /** Sets what limits claims from now on. */
  limitBy(gate: ClaimGate | undefined): void {
    this.#gate = gate;
  }

  async enqueue(work: Enqueue, by?: DoneBy, action?: string): Promise<RunRow> {
    const [run] = await this.enqueueAll([work], by, action);
    return run as RunRow;
  }

  /** Queues all of them or none; the result has their order. Audited under the name of the action when an actor is given. */
  async enqueueAll(works: readonly Enqueue[], by?: DoneBy, action = 'enqueue'): Promise<readonly RunRow[]> {
    for (const work of works) checkInput(work);
    const planned = works.map((work) => this.#newRuns.plan(work));
    const ids = planned.flatMap(({ candidates }) => candidates);
    const insert = (batch: Batch) => {
      const known = new Map(batch.runs.map((run) => [run.id, run]));
      return planned.map(({ work, candidates, id }) => {
        const existing = candidates.map((candidate) => known.get(candidate)).find((run) => run !== undefined);
        if (existing !== undefined) return existing;
        const run = newRun({ ...work, id, now: batch.now });
        checkAlias(batch, run);
        known.set(id, run);
        batch.addRun(run);
        reportRun(batch, enqueuedFact(run));
        if (by !== undefined) auditRun(batch, by, { action, before: null, after: run });
        return run;
      });
    };
    // When another call with the same request id is faster, the engine decides again, and the run is found.
    return await this.#engine.transact({ kind: 'runs', ids }, insert, given({ rehearsed: by?.rehearsed }));
  }

  async claim(request: ClaimRequest): Promise<Claimed> {
    const gate = this.#gate;
    if (gate === undefined) return await this.#claim(request);
    const limited = await gate.limited([...request.free.keys()], request.known?.namespace);
    if (limited.length === 0) return await this.#claim(request);
    return await claimThrough({ gate, limited }, request, (part) => this.#claim(part));
  }

  async #claim(request: ClaimRequest): Promise<Claimed> {
    const { free, holder, knows = () => true } = request;
    const queues = [...free.keys()];
    const limit = request.limit ?? [...free.values()].reduce((sum, places) => sum + places, 0);
    let decided: readonly RunRow[] = [];
    try {
      return await this.#engine.transact(
        { kind: 'claimable', queues, limit, ...given({ known: request.known }) },
        (batch) => {
          const { most, mostChars } = request;
          const limits = { free, knows, now: batch.now, ...given({ most, mostChars }) };
          const { take, skipped } = chooseClaims(batch.runs, limits);
          const runs = take.map((run, place) => {
            const held = typeof holder === 'function' ? holder(place, run) : holder;
            return claim(run, { ...held, now: batch.now, token: this.#newId() });
          });
          for (const run of runs) {
            batch.saveRun(run);
            reportRun(batch, startedFact(run));
          }
          decided = runs;
          return { runs, full: batch.runs.length >= limit, skipped };
        },
      );
    } catch (error) {
      if (decided.length > 0) request.doubtful?.(decided);
      throw error;
    }
  }

  /** Extends many leases at once; the result has the order of the heartbeats. */
  async extend(heartbeats: readonly RunHeartbeat[]): Promise<readonly Held[]> {
    return await this.#engine.transact({ kind: 'runs', ids: heartbeats.map(({ id }) => id) }, (batch) => {
      const known = new Map(batch.runs.map((run) => [run.id, run]));
      return heartbeats.map((heartbeat): Held => {
        const { id, progress, log } = heartbeat;
        const run = known.get(id);
        const held = heldBy(run, heartbeat);
        if (run === undefined || held.state === 'lost' || held.state === 'terminated') return held;
        addLines(batch, run, log);
        // A heartbeat that was under way when its run was parked must not shorten the wait.
        if (isParked(run)) return { state: 'held', reason: '' };
        const next = extend(run, { now: batch.now, ...(progress === undefined ? {} : { progress }) });
        known.set(id, next);
        batch.saveRun(next);
        return held;
      });
    });
  }

  /** Reads the state of leases without writing; the result has the order of the heartbeats. */
  async watch(heartbeats: readonly RunHeartbeat[]): Promise<readonly Held[]> {
    const known = new Map<string, RunRow>();
    for (let from = 0; from < heartbeats.length; from += watchedAtOnce) {
      const ids = heartbeats.slice(from, from + watchedAtOnce).map(({ id }) => id);
      const { items } = await this.#engine.store.runs({ ids, limit: ids.length });
      for (const run of items) known.set(run.id, run);
    }
    return heartbeats.map((heartbeat) => heldBy(known.get(heartbeat.id), heartbeat));
  }

  /** Extends the leases of one holder that its signs of life extend. Returns all its runs. */
  async extendHeld(worker: string): Promise<readonly RunRow[]> {
    return await this.#engine.transact({ kind: 'held', worker, limit: mostHeld }, (batch) => {
      for (const run of batch.runs) {
        if (ownLeaseOf(run)?.extendedBy === 'worker') batch.saveRun(extend(run, { now: batch.now }));
      }
      return batch.runs;
    });
  }

  /** Takes many reports in one transaction; the result has their order. */
  finish(reports: readonly Report[]): Promise<readonly ReportOutcome[]> {
    const ids: string[] = [];
    for (const { id } of reports) ids.push(id);
    return this.#engine.transact({ kind: 'runs', ids }, (batch) => takeReports(batch, reports), {
      isolating: true,
    });
  }

  /**
   * Commits a checkpoint of a run, and changes of the execution that owns it, under the run's lease. Refused when the lease
   * is lost. `repeated`: the run has ended under this lease, so the checkpoint that ended it is done. The decision must not keep
   * a piece of the owner's tree, and asks for every event that it needs itself.
   */
  async commit<T>(
    { id, token }: { readonly id: string; readonly token: string },
    decide: (batch: Batch, owner: ExecutionRow, run: RunRow) => T,
    options: { readonly events?: (owner: ExecutionRow) => readonly EventNeed[] } = {},
  ): Promise<Checkpoint<T>> {
    const { events } = options;
    return await this.#engine.transact(
      { kind: 'runs', ids: [id] },
      (batch): Checkpoint<T> => {
        const [run] = batch.runs;
        const owner = batch.rows.find(({ incarnation }) => incarnation === run?.owner);
        if (run === undefined || owner === undefined || run.leaseToken !== token) throw leaseLost(id);
        if (run.state === 'done') return { state: 'repeated' };
        if (run.state !== 'leased') throw leaseLost(id);
        return { state: 'ok', result: decide(batch, owner, run) };
      },
      events === undefined ? checkpoint : { ...checkpoint, events: (rows) => rows.flatMap(events) },
    );
  }

  /**
   * Takes a report from outside, once: a worker repeats a report until it is acknowledged, but an outside caller
   * must learn that it was too late. The report may come before the handler's own report that the run is parked.
   */
  async answer(report: Report): Promise<Answered> {
    return await this.#engine.transact(
      { kind: 'runs', ids: [report.id] },
      (batch): Answered => {
        const [run] = batch.runs;
        if (run === undefined || !isLeasedBy(run, report.token)) return 'expired';
        if (run.state !== 'leased') return 'repeated';
        if (isParked(run) && run.checkAt !== null && run.checkAt <= batch.now) return 'expired';
        const { next } = applyReport(run, report, batch.now);
        if (next !== undefined) saveRun(batch, next);
        return 'ok';
      },
      { isolating: true },
    );
  }

  /** Requests an end: at once for a run that waits or is parked, through its AbortSignal for a running one. */
  async cancel(ids: readonly string[], reason = 'cancelled', by?: DoneBy): Promise<readonly Stopped[]> {
    const why = { reason, ...given({ askedBy: by?.actor }) };
    const change = (run: RunRow, now: Instant) => requestCancel(run, why, now);
    return await this.#stop(ids, { action: 'cancel', change, by });
  }

  /** Ends runs at once, also those that a worker holds. */
  async terminate(
    ids: readonly string[],
    { reason = 'terminated', details }: Partial<Pick<StopReason, 'reason' | 'details'>> = {},
    by?: DoneBy,
  ): Promise<readonly Stopped[]> {
    const why = { reason, ...given({ askedBy: by?.actor, details }) };
    const change = (run: RunRow, now: Instant) => terminate(run, why, now);
    return await this.#stop(ids, { action: 'terminate', change, by });
  }

  /** Removes those of the runs that have finished, with their lines. */
  async remove(ids: readonly string[], by: DoneBy): Promise<void> {
    const remove = (batch: Batch) => {
      for (const run of batch.runs) {
        if (run.state !== 'done') continue;
        batch.removeRun(run.id);
        auditRun(batch, by, { action: 'delete', before: run, after: null });
      }
    };
    await this.#engine.transact({ kind: 'runs', ids }, remove, given({ rehearsed: by.rehearsed }));
  }

  /** Stops the unfinished runs of an execution up to an ordinal, newest first, a limited number per transaction. */
  async stopOwned({ incarnation, how, upTo, reason }: StopOwned): Promise<void> {
    const stop = how === 'cancel' ? requestCancel : terminate;
    for (let next = upTo; next >= 0; ) {
      next = await this.#engine.transact(
        { kind: 'owned', incarnation, upTo: next, limit: stoppedAtOnce },
        (batch) => {
          for (const run of batch.runs) {
            const stopped = stop(run, { reason }, batch.now);
            if (stopped !== run) saveRun(batch, stopped, run);
          }
          const last = batch.runs.at(-1)?.ordinal ?? 0;
          return batch.runs.length < stoppedAtOnce ? -1 : last - 1;
        },
        { isolating: true },
      );
    }
  }

  async get(id: string): Promise<RunRow | undefined> {
    const { items } = await this.#engine.store.runs({ ids: [id], limit: 1 });
    return items[0];
  }

  async list(query: RunQuery): Promise<Page<RunRow>> {
    return await this.#engine.store.runs(query);
  }

  async #stop(
    ids: readonly string[],
    how: {
      readonly action: string;
      readonly change: (run: RunRow, now: Instant) => RunRow;
      readonly by: DoneBy | undefined;
    },
  ): Promise<readonly Stopped[]> {
    const { action, change, by } = how;
    return await this.#engine.transact(
      { kind: 'runs', ids },
      (batch) => {
        const known = new Map(batch.runs.map((run) => [run.id, run]));
        return ids.map((id): Stopped => {
          const run = known.get(id);
          if (run === undefined) return 'notFound';
          if (run.state === 'done') return 'done';
          const next = change(run, batch.now);
          known.set(id, next);
          if (next !== run) saveRun(batch, next, run);
          if (next !== run && by !== undefined) auditRun(batch, by, { action, before: run, after: next });
          return next.state === 'done' ? 'ended' : 'requested';
        });
      },
      { isolating: true, ...given({ rehearsed: by?.rehearsed }) },
    );
  }
}

function reasonOf(run: RunRow): string {
  const failure = run.result === null ? null : (JSON.parse(run.result) as { readonly message?: unknown });
  return typeof failure?.message === 'string' ? failure.message : 'cancelled';
}

function leaseLost(id: string): ServiceError {
  return new ServiceError({
    code: 'failedPrecondition',
    reason: 'LEASE_LOST',
    message: `the run ${id} belongs to another node now, or has ended`,
  });
}
