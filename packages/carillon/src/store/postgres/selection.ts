/**
 * Selects and locks the rows of requests.
 *
 * `due`, `claimable` and `lapsed` take rows that no other transaction holds. Named keys and runs are waited for, and several
 * requests that name some are served together: runs are locked first, in order of their ids, then executions in order
 * of creation, so that transactions never wait for each other in a circle.
 */
import type { Instant } from '../../base/time.ts';
import type { ExecutionKey, ExecutionRow, RunRow } from '../records.ts';
import type { Selection } from '../store.ts';
import { type Session, settle } from './connection.ts';
import type { SqlRow, Statement } from './driver.ts';
import { nowOr } from './execution-rows.ts';
import type { AnyRequest, Selected } from './request.ts';
import { locate, type RowLocations } from './row-locations.ts';
import { runOf } from './run-columns.ts';
import type { Tables } from './tables.ts';

/** A request that takes any free rows. */
export type TakingSelection = Extract<
  Selection,
  { readonly kind: 'due' | 'claimable' | 'lapsed' | 'step' | 'held' | 'owned' }
>;
type OwnedSelection = Extract<Selection, { readonly kind: 'owned' }>;
type HeldSelection = Extract<Selection, { readonly kind: 'held' }>;
type StepSelection = Extract<Selection, { readonly kind: 'step' }>;

export interface SelectedFor {
  readonly now: Instant;
  readonly served: readonly { readonly request: AnyRequest; readonly rows: Selected }[];
  /** Requests that want a row another request of the batch has: they follow after the commit. */
  readonly postponed: readonly AnyRequest[];
  readonly locations: RowLocations;
}

/** After every wait for a lock, another incarnation had replaced the locked one. */
export class NewestChanged extends Error {}

/** More attempts than real contention ever needs. */
const mostTries = 20;

const nothing: Promise<readonly SqlRow[]> = Promise.resolve([]);

interface LockedExecutions {
  readonly now: Instant;
  /** Executions by incarnation. */
  readonly locked: ReadonlyMap<string, ExecutionRow>;
  /** The newest incarnation under each key, by `keyText`. */
  readonly byKey: ReadonlyMap<string, ExecutionRow>;
  readonly locations: RowLocations;
}

export class RowSelection {
  readonly #tables: Tables;
  /** The time of judgement; null: the database's. */
  readonly #judge: () => Instant | null;

  constructor(tables: Tables, judge: () => Instant | null) {
    this.#tables = tables;
    this.#judge = judge;
  }

  /** Selects the rows; begins the transaction in the same round trip. */
  async take(session: Session, request: AnyRequest, selection: TakingSelection): Promise<SelectedFor> {
    if (selection.kind === 'step') return await this.#step(session, request, selection);
    if (selection.kind === 'owned') return await this.#owned(session, request, selection);
    if (selection.kind === 'held') return await this.#held(session, request, selection);
    const [, found] = (await settle([session.begin(), session.send(this.#taking(selection))])) as [
      unknown,
      readonly SqlRow[],
    ];
    const now = found[0]?.[0] as Instant;
    const rows = found.filter((row) => row[1] !== null).map((row) => row.slice(1));
    const locations: RowLocations = new Map();
    const served = (rows: Selected) => ({ now, served: [{ request, rows }], postponed: [], locations });
    if (selection.kind === 'due')
      return served({ executions: rows.map((row) => locate(row, locations)), runs: [] });
    const runs = rows.map(runOf);
    if (selection.kind === 'claimable' || runs.every((run) => run.owner === null)) {
      return served({ executions: [], runs });
    }
    const ids = runs.map((run) => run.id);
    const owners = (await session.send(this.#tables.executions.lock([], ids))).map((row) =>
      locate(row, locations),
    );
    return served({ executions: inOrderOf(runs, byIncarnation(owners)), runs });
  }

  /**
   * Named runs are locked by id, then their owners by row, and waited for; what is due comes last and is not. A holder of
   * due rows therefore waits for nothing, and transactions never wait in a circle.
   */
  async #step(session: Session, request: AnyRequest, selection: StepSelection): Promise<SelectedFor> {
    const { executions, runs } = this.#tables;
    const { due, runs: ids } = selection;
    const [, runRows, owners, found] = (await settle([
      session.begin(),
      session.send(runs.lock(ids)),
      session.send(executions.lock([], ids)),
      session.send(executions.due(this.#judge(), due.limit, due.archetypes)),
    ])) as [unknown, readonly SqlRow[], readonly SqlRow[], readonly SqlRow[]];
    const locations: RowLocations = new Map();
    const rows = new Map<string, ExecutionRow>();
    const dueRows = found.filter((row) => row[1] !== null).map((row) => row.slice(1));
    for (const row of [...owners, ...dueRows].map((each) => locate(each, locations))) {
      if (!rows.has(row.incarnation)) rows.set(row.incarnation, row);
    }
    const byId = await this.#withFinished(session, ids, runRows);
    const selected = { executions: [...rows.values()], runs: distinct(ids.map((id) => byId.get(id))) };
    return {
      now: found[0]?.[0] as Instant,
      served: [{ request, rows: selected }],
      postponed: [],
      locations,
    };
  }

  /** The holder's own row is locked with the owners: its heartbeat comes before this judgement or after it. */
  async #held(session: Session, request: AnyRequest, selection: HeldSelection): Promise<SelectedFor> {
    const { executions, runs } = this.#tables;
    const { worker, limit } = selection;
    const [, found] = (await settle([session.begin(), session.send(runs.held(worker, limit))])) as [
      unknown,
      readonly SqlRow[],
    ];
    const held = found.map(runOf);
    const ids = held.map((run) => run.id);
    const [rows, time] = (await settle([
      session.send(executions.lock([], ids, [worker])),
      session.send(this.#time()),
    ])) as [readonly SqlRow[], readonly SqlRow[]];
    const locations: RowLocations = new Map();
    const selected = { executions: rows.map((row) => locate(row, locations)), runs: held };
    return {
      now: time[0]?.[0] as Instant,
      served: [{ request, rows: selected }],
      postponed: [],
      locations,
    };
  }

  /** Runs are found first, then locked by id like all runs, so that transactions never wait in a circle. */
  async #owned(session: Session, request: AnyRequest, selection: OwnedSelection): Promise<SelectedFor> {
    const { executions, runs } = this.#tables;
    const { incarnation, upTo, limit } = selection;
    const [, found] = (await settle([
      session.begin(),
      session.send(runs.owned(incarnation, upTo ?? null, limit)),
    ])) as [unknown, readonly SqlRow[]];
    const ids = found.map(runOf).map(({ id }) => id);
    const [runRows, rows, time] = (await settle([
      ids.length === 0 ? nothing : session.send(runs.lock(ids)),
      session.send(executions.lock([], [], [incarnation])),
      session.send(this.#time()),
    ])) as [readonly SqlRow[], readonly SqlRow[], readonly SqlRow[]];
    const locations: RowLocations = new Map();
    const byId = new Map(runRows.map(runOf).map((run) => [run.id, run]));
    const owned = distinct(ids.map((id) => byId.get(id))).filter(({ state }) => state !== 'done');
    return {
      now: time[0]?.[0] as Instant,
      served: [{ request, rows: { executions: rows.map((row) => locate(row, locations)), runs: owned } }],
      postponed: [],
      locations,
    };
  }

  /** Selects named rows; begins the transaction as well. */
  async name(session: Session, requests: readonly AnyRequest[]): Promise<SelectedFor> {
    const keys = requests.flatMap(({ selection }) => (selection.kind === 'keys' ? selection.keys : []));
    const ids = requests.flatMap(({ selection }) => (selection.kind === 'runs' ? selection.ids : []));
    const begun = session.begin();
    const lockedRuns = ids.length === 0 ? nothing : session.send(this.#tables.runs.lock(ids));
    const [, runRows, named] = (await settle([begun, lockedRuns, this.#lock(session, keys, ids)])) as [
      unknown,
      readonly SqlRow[],
      LockedExecutions,
    ];
    const runById = await this.#withFinished(session, ids, runRows);
    const { now, byKey, locations } = named;
    const locked = await this.#withOwners(session, runById, named);
    const rowsOf = ({ selection }: AnyRequest): Selected => {
      if (selection.kind === 'keys') {
        const found = selection.keys.map((key) => byKey.get(keyText(key)));
        return { executions: distinct(found), runs: [] };
      }
      const found = distinct((selection as { ids: readonly string[] }).ids.map((id) => runById.get(id)));
      return { executions: inOrderOf(found, locked), runs: found };
    };
    return { now, ...shareOut(requests, rowsOf), locations };
  }

  /**
   * Runs by id: the locked ones, and those of the history. The history is asked only when an id was not found among the unfinished
   * runs, which is rare: a report that comes late. The statement comes after the locks, so it sees what their holders finished.
   */
  async #withFinished(
    session: Session,
    ids: readonly string[],
    locked: readonly SqlRow[],
  ): Promise<ReadonlyMap<string, RunRow>> {
    const byId = new Map(locked.map(runOf).map((run) => [run.id, run]));
    const missing = ids.filter((id) => !byId.has(id));
    if (missing.length === 0) return byId;
    for (const run of (await session.send(this.#tables.runs.finished(missing))).map(runOf))
      byId.set(run.id, run);
    return byId;
  }

  /** The locked executions, with the owners of finished runs. */
  async #withOwners(
    session: Session,
    runs: ReadonlyMap<string, RunRow>,
    { locked, locations }: LockedExecutions,
  ): Promise<ReadonlyMap<string, ExecutionRow>> {
    const owners = new Set<string>();
    for (const { owner, state } of runs.values())
      if (state === 'done' && owner !== null && !locked.has(owner)) owners.add(owner);
    if (owners.size === 0) return locked;
    const rows = await session.send(this.#tables.executions.lock([], [], [...owners]));
    return new Map([...locked, ...byIncarnation(rows.map((row) => locate(row, locations)))]);
  }

  /**
   * Locks executions until the locked ones are the newest of their keys: while we waited for a lock, its holder may have created
   * another incarnation, which is then waited for in the same transaction.
   */
  async #lock(
    session: Session,
    keys: readonly ExecutionKey[],
    runIds: readonly string[],
  ): Promise<LockedExecutions> {
    const { executions } = this.#tables;
    for (let tries = 1; tries <= mostTries; tries++) {
      const [rows, newest, time] = (await settle([
        keys.length + runIds.length === 0 ? nothing : session.send(executions.lock(keys, runIds)),
        keys.length === 0 ? nothing : session.send(executions.newest(keys)),
        // The time is read after the locks are taken: no later decision over a row has an earlier time.
        session.send(this.#time()),
      ])) as [readonly SqlRow[], readonly SqlRow[], readonly SqlRow[]];
      const locations: RowLocations = new Map();
      const locked = byIncarnation(rows.map((row) => locate(row, locations)));
      const incarnations = newest.map(([incarnation]) => incarnation as string | null);
      if (incarnations.some((each) => each !== null && !locked.has(each))) continue;
      const byKey = new Map<string, ExecutionRow>();
      keys.forEach((key, i) => {
        const row = locked.get(incarnations[i] ?? '');
        if (row !== undefined) byKey.set(keyText(key), row);
      });
      return { now: time[0]?.[0] as Instant, locked, byKey, locations };
    }
    throw new NewestChanged();
  }

  #taking(selection: Exclude<TakingSelection, StepSelection | HeldSelection | OwnedSelection>): Statement {
    const { executions, runs } = this.#tables;
    const now = this.#judge();
    switch (selection.kind) {
      case 'due':
        return executions.due(now, selection.limit, selection.archetypes);
      case 'claimable':
        return runs.claimable(now, selection, selection.limit);
      case 'lapsed':
        return runs.lapsed(now, selection.limit);
    }
  }

  #time(): Statement {
    return { name: 'time', text: `select ${nowOr('$1')}`, values: [this.#judge()] };
  }
}

/** Each row goes to the first request that wants it; other requests that want it wait for the next transaction. */
function shareOut(requests: readonly AnyRequest[], rowsOf: (request: AnyRequest) => Selected) {
  const taken = new Set<ExecutionRow | RunRow>();
  const served: { readonly request: AnyRequest; readonly rows: Selected }[] = [];
  const postponed: AnyRequest[] = [];
  for (const request of requests) {
    const rows = rowsOf(request);
    const wanted = [...rows.executions, ...rows.runs];
    if (wanted.some((row) => taken.has(row))) {
      postponed.push(request);
      continue;
    }
    for (const row of wanted) taken.add(row);
    served.push({ request, rows });
  }
  return { served, postponed };
}

/** The text of a key within one process. JSON keeps odd characters apart. */
export function keyText({ namespace, archetype, id }: ExecutionKey): string {
  return JSON.stringify([namespace, archetype, id]);
}

function byIncarnation(rows: readonly ExecutionRow[]): ReadonlyMap<string, ExecutionRow> {
  return new Map(rows.map((row) => [row.incarnation, row]));
}

function inOrderOf(
  runs: readonly RunRow[],
  owners: ReadonlyMap<string, ExecutionRow>,
): readonly ExecutionRow[] {
  return distinct(runs.map((run) => (run.owner === null ? undefined : owners.get(run.owner))));
}

function distinct<T>(items: readonly (T | undefined)[]): readonly T[] {
  return [...new Set(items.filter((item) => item !== undefined))];
}
