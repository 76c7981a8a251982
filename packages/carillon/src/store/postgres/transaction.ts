/**
 * Carries requests through one transaction: begin and select in one round trip, the cold parts in a second if any are
 * asked for, the writes and the commit in the last.
 *
 * A decision runs again after a deadlock or a conflict with another node. When the connection is lost, it is unknown
 * whether a commit under way was made: the callers get `unavailable`.
 */
import type { Instant } from '../../base/time.ts';
import { StoreError } from '../error.ts';
import { partKey } from '../loaded.ts';
import type { EventRow, ExecutionKey, PartRef } from '../records.ts';
import type { EventNeed, Writes } from '../store.ts';
import { type Connections, type Session, settle } from './connection.ts';
import type { SqlRow } from './driver.ts';
import { eventsOf } from './event-rows.ts';
import type { AnyRequest, Selected } from './request.ts';
import type { RowLocations } from './row-locations.ts';
import { NewestChanged, RowSelection, type SelectedFor } from './selection.ts';
import type { Tables } from './tables.ts';
import { isOfOne, isWorthRepeating, troubleOf } from './trouble.ts';
import { joinWrites, sendWrites } from './writing.ts';

/** More attempts than real contention ever needs. */
const mostAttempts = 10;

const noEvents: readonly EventRow[] = [];

export interface Committed {
  /** Requests that wanted a row another request of the batch had. */
  readonly postponed: readonly AnyRequest[];
}

interface Decided {
  readonly request: AnyRequest;
  readonly writes: Writes;
  readonly rows: Selected;
}

/** The database refused the writes of a batch: each request must be tried alone. */
export class BatchRefused extends Error {}

export class Transaction {
  readonly #connections: Connections;
  readonly #tables: Tables;
  readonly #selecting: RowSelection;
  readonly #committed: (requests: readonly AnyRequest[], removed: ReadonlyMap<string, ExecutionKey>) => void;

  constructor(options: {
    readonly connections: Connections;
    readonly tables: Tables;
    /** The time of judgement; null: the database's. */
    readonly judge: () => Instant | null;
    readonly committed: (requests: readonly AnyRequest[], removed: ReadonlyMap<string, ExecutionKey>) => void;
  }) {
    this.#connections = options.connections;
    this.#tables = options.tables;
    this.#selecting = new RowSelection(options.tables, options.judge);
    this.#committed = options.committed;
  }

  /** Answers every request except those it postpones. Throws `BatchRefused` when the requests must be tried one by one. */
  async carry(requests: readonly AnyRequest[]): Promise<Committed> {
    try {
      return await this.#repeatedly(requests);
    } catch (error) {
      if (isOfOne(error) && requests.length > 1) throw new BatchRefused();
      const trouble = troubleOf(error, this.#connections.place);
      for (const request of requests) if (!request.isAnswered) request.fail(trouble);
      return { postponed: [] };
    }
  }

  async #repeatedly(requests: readonly AnyRequest[]): Promise<Committed> {
    for (let attempt = 1; ; attempt++) {
      try {
        const open = requests.filter((request) => !request.isAnswered);
        if (open.length === 0) return { postponed: [] };
        return await this.#connections.withSession((session) => this.#once(session, open));
      } catch (error) {
        const mayRepeat = error instanceof NewestChanged || isWorthRepeating(error);
        if (!mayRepeat) throw error;
        if (attempt < mostAttempts) continue;
        throw new StoreError(
          'unavailable',
          `${this.#connections.place}: other transactions keep changing the same rows: ${String(error)}`,
          error,
        );
      }
    }
  }

  async #once(session: Session, requests: readonly AnyRequest[]): Promise<Committed> {
    const { now, served, postponed, locations } = await this.#select(session, requests);
    const asking = served.map(({ request, rows }) => ({ request, rows, needs: this.#needs(request, rows) }));
    const [parts, events] = (await settle([
      this.#parts(
        session,
        asking.flatMap(({ needs }) => needs?.parts ?? []),
        locations,
      ),
      this.#events(
        session,
        asking.flatMap(({ needs }) => needs?.events ?? []),
        locations,
      ),
    ])) as [ReadonlyMap<string, string | undefined>, readonly EventRow[]];
    const decided: Decided[] = [];
    for (const { request, rows, needs } of asking) {
      if (needs === null) continue;
      try {
        decided.push({ request, rows, writes: request.decide({ now, ...rows, parts, events }) });
      } catch (error) {
        // The error concerns this request only: it has written nothing, and the others continue.
        request.fail(error);
      }
    }
    await this.#write(session, decided, locations);
    return { postponed };
  }

  async #select(session: Session, requests: readonly AnyRequest[]): Promise<SelectedFor> {
    const [only] = requests;
    const kind = only?.selection.kind;
    if (only === undefined || kind === 'keys' || kind === 'runs')
      return await this.#selecting.name(session, requests);
    return await this.#selecting.take(session, only, only.selection as Parameters<RowSelection['take']>[2]);
  }

  /** Null when the decider threw: its caller has been answered. */
  #needs(request: AnyRequest, rows: Selected) {
    try {
      return request.need(rows);
    } catch (error) {
      request.fail(error);
      return null;
    }
  }

  async #parts(session: Session, refs: readonly PartRef[], locations: RowLocations) {
    const keys = refs.map(partKey);
    const parts = new Map<string, string | undefined>(keys.map((key) => [key, undefined]));
    if (refs.length === 0) return parts;
    for (const [place, data] of await session.send(this.#tables.parts.get(refs, locations))) {
      parts.set(keys[(place as number) - 1] as string, data as string);
    }
    return parts;
  }

  /** The events that all requests of the batch asked for: each takes those of its own executions. */
  async #events(session: Session, needs: readonly EventNeed[], locations: RowLocations) {
    if (needs.length === 0) return noEvents;
    const readings = this.#tables.events.needed(needs, locations);
    const found = (await settle(
      readings.map(({ statement }) => session.send(statement)),
    )) as (readonly SqlRow[])[];
    return readings.flatMap((reading, place) => eventsOf(reading, found[place] ?? []));
  }

  async #write(session: Session, decided: readonly Decided[], locations: RowLocations): Promise<void> {
    const writes = joinWrites(decided.map((each) => each.writes));
    const isEmpty = Object.values(writes).every((rows) => rows === undefined || rows.length === 0);
    const { sent, removed } = sendWrites(session, this.#tables, writes, locations);
    await settle([...sent, session.end(isEmpty ? 'rollback' : 'commit')]);
    const requests = decided.map(({ request }) => request);
    this.#committed(requests, await removed);
    for (const request of requests) request.succeed();
  }
}
