/** Reads and writes the run queue. */
import type { Instant } from '../../base/time.ts';
import { runColumns, runOf, runStateCode, runValues } from '../columns.ts';
import { checkDistinct } from '../distinct-runs.ts';
import { namesTaken, runUnfinished, StoreError, type TakenName } from '../error.ts';
import { compareText } from '../order.ts';
import type { RunRow } from '../records.ts';
import type { KnownRuns, WaitingQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import { boundLimit } from './connection.ts';
import type { Statement } from './driver.ts';
import type { Surplus } from './execution-walk.ts';

const selected = `select ${runColumns.join(', ')} from runs`;
/** A parameter of the insertion: the value of a column. */
const inserted = (column: string) => `?${runColumns.indexOf(column) + 1}`;
/** A run is in turn when both its ordinal and its id are above those of all its owner's runs in turn. */
const isOutOfTurn = `coalesce(
  (select not coalesce(r.ordinal < ${inserted('ordinal')} and r.id < ${inserted('id')}, 0) from runs r
    where r.owner = ${inserted('owner')} and r.out_of_turn = 0 order by r.ordinal desc limit 1),
  ${inserted('owner')} is not null and ${inserted('ordinal')} is null)`;
const inserting = `insert into runs (${runColumns.join(', ')}, out_of_turn)
  values (${runColumns.map(inserted).join(', ')}, ${isOutOfTurn}) on conflict do nothing`;
/** Only columns that change: an index over a column that is set is written anew, whether the value changed or not. */
const updating = `update runs set state = ?, outcome = ?, attempt = ?, available_at = ?, check_at = ?, started_at = ?,
  finished_at = ?, worker = ?, lease_token = ?, cancel = ?, progress = ?, result = ? where id = ?`;

/** The finished runs of the owner ?1. */
const finishedOf = [0, 1]
  .map(
    (outOfTurn) =>
      `select id, ordinal, finished_at from runs where owner = ?1 and out_of_turn = ${outOfTurn} and state = 2`,
  )
  .join(' union all ');

export class RunRows {
  readonly #connection: Connection;
  readonly #insert: Statement;
  readonly #update: Statement;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#insert = connection.statement(inserting);
    this.#update = connection.statement(updating);
  }

  /** Reads the existing ones, in the order asked for. */
  get(ids: readonly string[]): readonly RunRow[] {
    if (ids.length === 1)
      return this.#connection.all(`${selected} where id = ?`, ids[0] as string).map(runOf);
    const found = new Map<string, RunRow>();
    const among = `${selected} where id in (select value from json_each(?))`;
    for (const row of this.#connection.all(among, JSON.stringify(ids)))
      found.set(row[0] as string, runOf(row));
    return ids.map((id) => found.get(id)).filter((run) => run !== undefined);
  }

  insert(runs: readonly RunRow[]): void {
    for (let place = 0; place < runs.length; place += 1) {
      if (this.#insert.run(...runValues(runs[place] as RunRow)) !== 1) this.#refuse(runs, place);
    }
  }

  /** Names everything that is in the way of these runs, of which those before `place` have been inserted. */
  #refuse(runs: readonly RunRow[], place: number): never {
    checkDistinct(runs);
    const own = new Set(runs.slice(0, place).map(({ id }) => id));
    const taken: TakenName[] = [];
    for (const { id, namespace, alias, exclusive } of runs.slice(place)) {
      const stored = this.#connection.get('select state from runs where id = ?', id);
      if (stored !== undefined) taken.push({ id, finished: stored[0] === 2 });
      if (!exclusive || alias === null) continue;
      const holder = this.#connection.get(
        'select id from runs where namespace = ? and alias = ? and exclusive = 1 and state < 2',
        namespace,
        alias,
      );
      if (holder !== undefined && !own.has(holder[0] as string))
        taken.push({ namespace, alias, runId: holder[0] as string });
    }
    throw namesTaken(taken);
  }

  replace(run: RunRow): void {
    const changed = this.#update.run(
      runStateCode(run.state),
      run.outcome,
      run.attempt,
      run.availableAt,
      run.checkAt,
      run.startedAt,
      run.finishedAt,
      run.worker,
      run.leaseToken,
      run.cancel,
      run.progress,
      run.result,
      run.id,
    );
    if (changed !== 1) throw new StoreError('conflict', `run ${run.id} is not stored`);
  }

  remove(id: string): void {
    const gone = this.#connection.run('delete from runs where id = ? and state = 2', id);
    if (gone === 0 && this.#connection.get('select 1 from runs where id = ?', id) !== undefined)
      throw runUnfinished(id);
  }

  claimable({ queues, known }: WaitingQuery, now: Instant, limit: number): readonly RunRow[] {
    const found: RunRow[] = [];
    for (const queue of new Set(queues)) {
      let wanted = limit;
      const { text, values } = knownIn(queue, known);
      for (const priority of this.#levels(queue)) {
        const rows = this.#connection.all(
          `${selected} where state = 0 and queue = ? and priority = ? and available_at <= ?${text}
           order by available_at, id ${boundLimit}`,
          queue,
          priority,
          now,
          ...values,
          wanted,
        );
        for (const row of rows) found.push(runOf(row));
        wanted -= rows.length;
        if (wanted <= 0) break;
      }
    }
    return found.sort(compareClaims).slice(0, Math.max(0, limit));
  }

  nextClaimable({ queues, known }: WaitingQuery): Instant | null {
    let earliest: number | null = null;
    for (const queue of new Set(queues)) {
      const { text, values } = knownIn(queue, known);
      for (const priority of this.#levels(queue)) {
        const row = this.#connection.get(
          `select available_at from runs where state = 0 and queue = ? and priority = ?${text} order by available_at limit 1`,
          queue,
          priority,
          ...values,
        );
        const at = row?.[0] as number | undefined;
        if (at !== undefined && (earliest === null || at < earliest)) earliest = at;
      }
    }
    return earliest as Instant | null;
  }

  lapsed(now: Instant, limit: number): readonly RunRow[] {
    return this.#connection
      .all(`${selected} where state < 2 and check_at <= ? order by check_at, id ${boundLimit}`, now, limit)
      .map(runOf);
  }

  /** `state < 2` as well: without it the index of unfinished runs does not apply. */
  held(worker: string, limit: number): readonly RunRow[] {
    return this.#connection
      .all(
        `${selected} where state < 2 and state = 1 and worker = ? order by id ${boundLimit}`,
        worker,
        limit,
      )
      .map(runOf);
  }

  owned(owner: string, upTo: number | null, limit: number): readonly RunRow[] {
    const most = upTo ?? Number.MAX_SAFE_INTEGER;
    return this.#connection
      .all(
        // Without a hint the planner takes the index of all runs of the owner, and walks over all of its finished runs.
        `${selected} indexed by runs_open where state < 2 and owner = ? and ordinal <= ? order by ordinal desc ${boundLimit}`,
        owner,
        most,
        limit,
      )
      .map(runOf);
  }

  nextLapsed(): Instant | null {
    const row = this.#connection.get(
      'select min(check_at) from runs where state < 2 and check_at is not null',
    );
    return (row?.[0] ?? null) as Instant | null;
  }

  sweep(finishedBefore: Instant, limit: number): number {
    return this.#connection.run(
      `delete from runs where rowid in
       (select rowid from runs where state = 2 and finished_at < ? order by finished_at limit ?)`,
      finishedBefore,
      limit,
    );
  }

  /** Removes those of these runs that are finished; returns the number removed. */
  forget(ids: readonly string[]): number {
    return this.#connection.run(
      'delete from runs where state = 2 and id in (select value from json_each(?))',
      JSON.stringify(ids),
    );
  }

  /** Removes all but the newest `keep` finished runs of one owner, oldest first; examines `limit` of them. */
  trim(owner: string, { keep, before, limit }: Surplus): number {
    const newestSurplus = this.#connection.get(
      `select ordinal from (${finishedOf}) order by ordinal desc limit 1 offset ?2`,
      owner,
      keep,
    );
    if (newestSurplus === undefined) return 0;
    return this.#connection.run(
      `delete from runs where id in
       (select id from
         (select * from (${finishedOf}) where ordinal <= ?2 order by ordinal limit ?3)
        where finished_at < ?4)`,
      owner,
      newestSurplus[0] as number,
      limit,
      before,
    );
  }

  /**
   * The priorities that wait in a queue, highest first. Each is a step of its own through the index, so runs that
   * are backing off at one priority are never walked over to reach the next.
   */
  *#levels(queue: string): Generator<number> {
    let row = this.#connection.get(
      'select priority from runs where state = 0 and queue = ? order by priority desc limit 1',
      queue,
    );
    while (row !== undefined) {
      const priority = row[0] as number;
      yield priority;
      row = this.#connection.get(
        'select priority from runs where state = 0 and queue = ? and priority < ? order by priority desc limit 1',
        queue,
        priority,
      );
    }
  }
}

function compareClaims(a: RunRow, b: RunRow): number {
  return b.priority - a.priority || a.availableAt - b.availableAt || compareText(a.id, b.id);
}

/** The condition for the runs of a queue that a worker knows. The rows of others are passed over inside the database. */
function knownIn(queue: string, { namespace, names = {} }: KnownRuns = {}) {
  const known = Object.hasOwn(names, queue) ? names[queue] : undefined;
  return {
    text: `${namespace === undefined ? '' : ' and namespace = ?'}${known === undefined ? '' : ' and name in (select value from json_each(?))'}`,
    values: [
      ...(namespace === undefined ? [] : [namespace]),
      ...(known === undefined ? [] : [JSON.stringify(known)]),
    ],
  };
}
