/**
 * Statements that find, lock and write runs. Unfinished runs are in a small separate table (`open_runs`); the commit that
 * finishes a run moves its row to the history (`runs`), from which rows are only removed.
 */
import { runColumns, runStateCode } from '../columns.ts';
import { checkDistinct } from '../distinct-runs.ts';
import type { RunRow } from '../records.ts';
import type { RunKey } from '../run-order.ts';
import { runCursorOf, runKeyOf, runPlaceIn } from '../run-order.ts';
import type { KnownRuns, RunQuery, WaitingQuery } from '../store.ts';
import { smallArray, textArray } from './binary-array.ts';
import type { Statement } from './driver.ts';
import { nowOr } from './execution-rows.ts';
import { columnArrays, columnsOf, lightColumnsOf, outcomeCode, typeOf, unnested } from './run-columns.ts';
import { rowCount, Terms } from './terms.ts';

const columns = columnsOf('r');
const lightColumns = lightColumnsOf('r');

/** The columns of a run that change. The others never change, so an update neither sends nor reads them. */
const changingColumns = [
  'state',
  'outcome',
  'attempt',
  'available_at',
  'check_at',
  'started_at',
  'finished_at',
  'worker',
  'lease_token',
  'cancel',
  'progress',
  'result',
];
const replacedColumns = ['id', ...changingColumns];

const assignments = changingColumns.map((column) => `${column} = i.${column}`).join(', ');

/** The columns of a finished run: what changes comes from the commit, all else from the row of the unfinished run. */
const movedColumns = runColumns
  .map((column) => (changingColumns.includes(column) ? `i.${column}` : `r.${column}`))
  .join(', ');

/** The columns that a list is sorted by. Ordinals of one owner are all different. */
const sortColumns: Readonly<Record<RunKey, readonly string[]>> = {
  id: ['r.id'],
  ordinal: ['r.ordinal'],
  createdAt: ['r.created_at', 'r.id'],
};

/** How many more candidates than wanted are examined, because other transactions may hold the first of them. */
const spareCandidates = 200;

export class RunRows {
  readonly #open: string;
  /** The finished runs. */
  readonly #runs: string;
  readonly #schema: string;
  /** Removes the lines of the runs in `gone`. */
  readonly #logsOfGone: string;

  constructor(schema: string) {
    this.#schema = schema;
    this.#open = `${schema}.open_runs`;
    this.#runs = `${schema}.runs`;
    this.#logsOfGone = `lines as (delete from ${schema}.run_logs l using gone where l.run_id = gone.id)`;
  }

  /** Locks unfinished runs. Ids that are not among the rows are looked for by `finished`, in a separate statement. */
  lock(ids: readonly string[]): Statement {
    return {
      name: 'lock-runs',
      text: `select ${columns} from ${this.#open} r where r.id = any($1::text[]) order by r.id for update of r`,
      values: [textArray(ids)],
    };
  }

  /** Finished runs by id. They need no lock: only retention changes them. */
  finished(ids: readonly string[]): Statement {
    return {
      name: 'finished-runs',
      text: `select r.* from unnest($1::text[]) as i(id) cross join lateral (
          select ${columns} from ${this.#runs} r where r.id = i.id offset 0
        ) r order by r.id`,
      values: [textArray(ids)],
    };
  }

  /**
   * Locks waiting runs that are available. Candidates are found without locks, and locked one by one until there are as
   * many as are wanted (`offset 0` keeps the planner from reversing that order).
   */
  claimable(now: number | null, { queues, known }: WaitingQuery, limit: number): Statement {
    const { name, text: isKnown, values } = knownBy(known, 4);
    return {
      name: `claimable${name}`,
      text: `with recursive clock as materialized (select ${nowOr('$1')} as now), ${this.#levels('$2')}, candidates as materialized (
          select c.id, c.priority, c.available_at from level l cross join lateral (
            select x.id, x.priority, x.available_at from ${this.#open} x
            where x.state = 0 and x.queue = l.queue and x.priority = l.priority and x.available_at <= (select now from clock)${isKnown}
            order by x.available_at, x.id limit $3 + ${spareCandidates}
          ) c order by c.priority desc, c.available_at, c.id limit $3 + ${spareCandidates}
        )
        select n.now, r.* from clock n left join lateral (
          select r.* from candidates c cross join lateral (
            select ${columns} from ${this.#open} r where r.id = c.id offset 0 for update of r skip locked
          ) r where r.state = 0 and r.available_at <= n.now limit $3
        ) r on true order by r.priority desc, r.available_at, r.id`,
      values: [now, textArray([...new Set(queues)]), limit, ...values],
    };
  }

  /**
   * The priorities that wait in each queue, highest first, as a recursive `with` query. Each is a separate step through
   * the index, so that runs backing off at one priority are never walked over to reach the next.
   */
  #levels(queues: string): string {
    const highest = (below: string) =>
      `(select x.priority from ${this.#open} x where x.state = 0 and x.queue = q.queue ${below} order by x.priority desc limit 1)`;
    return `level(queue, priority) as (
          select q.queue, ${highest('')} from unnest(${queues}::text[]) as q(queue)
          union all
          select q.queue, ${highest('and x.priority < q.priority')} from level q where q.priority is not null
        )`;
  }

  lapsed(now: number | null, limit: number): Statement {
    return {
      name: 'lapsed',
      text: `with clock as materialized (select ${nowOr('$1')} as now)
        select n.now, r.* from clock n left join lateral (
          select ${columns} from ${this.#open} r where r.check_at <= n.now
          order by r.check_at limit $2 for update of r skip locked
        ) r on true order by r.check_at, r.id`,
      values: [now, limit],
    };
  }

  /** Leaves out runs that their holder reports at this moment. */
  held(worker: string, limit: number): Statement {
    return {
      name: 'held',
      text: `select ${columns} from ${this.#open} r where r.state = 1 and r.worker = $1
        order by r.id limit $2 for update of r skip locked`,
      values: [worker, limit],
    };
  }

  /** Waits for locks: an execution and all of its unfinished runs are to be judged. */
  owned(owner: string, upTo: number | null, limit: number): Statement {
    return {
      name: 'owned',
      text: `select ${columns} from ${this.#open} r where r.owner = $1
          and ($2::bigint is null or r.ordinal <= $2) order by r.ordinal desc limit $3`,
      values: [owner, upTo, limit],
    };
  }

  nextLapsed(): Statement {
    return {
      name: 'next-lapsed',
      text: `select check_at from ${this.#open} where check_at is not null order by check_at limit 1`,
    };
  }

  nextClaimable({ queues, known }: WaitingQuery): Statement {
    const { name, text: isKnown, values } = knownBy(known, 2);
    return {
      name: `next-claimable${name}`,
      text: `with recursive ${this.#levels('$1')}
        select min((select x.available_at from ${this.#open} x
          where x.state = 0 and x.queue = l.queue and x.priority = l.priority${isKnown} order by x.available_at, x.id limit 1))
        from level l where l.priority is not null`,
      values: [textArray([...new Set(queues)]), ...values],
    };
  }

  /** Adds unfinished runs. Whether their ids are in the history is checked by `refuseFinished`. */
  insert(runs: readonly RunRow[]): Statement {
    checkDistinct(runs);
    return this.#inserting('insert-runs', this.#open, runs);
  }

  /**
   * Refuses new runs whose ids are in the history. Its own statement, after the insert: the insert waits for a commit that
   * finishes a run of the same id, and only a later statement sees what that commit moved to the history.
   */
  refuseFinished(runs: readonly RunRow[]): Statement {
    const names = ['id', 'namespace', 'alias', 'exclusive'];
    const given = names.map((column, i) => `$${i + 1}::${typeOf(column)}[]`).join(', ');
    return {
      name: 'refuse-finished',
      text: `select case when exists (select 1 from ${this.#runs} r where r.id = any($1::text[])) then ${this.#schema}.refuse_taken(${given}, $1::text[]) end`,
      values: columnArrays(runs, names),
    };
  }

  /** Adds runs that are finished already. */
  insertFinished(runs: readonly RunRow[]): Statement {
    checkDistinct(runs);
    return this.#inserting('insert-finished', this.#runs, runs);
  }

  #inserting(name: string, table: string, runs: readonly RunRow[]): Statement {
    const given = (column: string) => `$${runColumns.indexOf(column) + 1}::${typeOf(column)}[]`;
    return {
      name,
      text: `with inserted as (
          insert into ${table} (${runColumns.join(', ')}) select * from ${unnested(runColumns)}
          on conflict do nothing returning id
        ) select case when count(*) <> $${runColumns.length + 1} then ${this.#schema}.refuse_taken(
          ${given('id')}, ${given('namespace')}, ${given('alias')}, ${given('exclusive')}, array_agg(id)) end from inserted`,
      values: [...columnArrays(runs, runColumns), runs.length],
    };
  }

  /** Replaces runs that stay unfinished. */
  replace(runs: readonly RunRow[]): Statement {
    return {
      name: 'replace-runs',
      text: `with updated as (
          update ${this.#open} r set ${assignments} from ${unnested(replacedColumns)} where r.id = i.id returning 1
        ) select ${this.#schema}.expect(count(*), $${replacedColumns.length + 1}, 'a run is not stored') from updated`,
      values: [...columnArrays(runs, replacedColumns), runs.length],
    };
  }

  /** Moves runs to the history. */
  finish(runs: readonly RunRow[]): Statement {
    return {
      name: 'finish-runs',
      text: `with gone as (
          delete from ${this.#open} r using ${unnested(replacedColumns)} where r.id = i.id returning ${movedColumns}
        ), moved as (
          insert into ${this.#runs} (${runColumns.join(', ')}) select * from gone returning 1
        ) select ${this.#schema}.expect(count(*), $${replacedColumns.length + 1}, 'a run is not stored, or finished already') from moved`,
      values: [...columnArrays(runs, replacedColumns), runs.length],
    };
  }

  /** Removes finished runs. */
  remove(ids: readonly string[]): Statement {
    return {
      name: 'remove-runs',
      text: `with gone as (
          delete from ${this.#runs} where id = any($1::text[]) returning id
        ), ${this.#logsOfGone}
        select ${this.#schema}.expect(count(*), 0, 'a run to remove has not finished') from ${this.#open} where id = any($1::text[])`,
      values: [textArray(ids)],
    };
  }

  page(query: RunQuery): Statement {
    const key = runKeyOf(query);
    const by = sortColumns[key];
    const terms = new Terms();
    const among = (column: string, items: readonly string[] | undefined) => {
      if (items !== undefined) terms.add(`r.${column} = any(?::text[])`, textArray(items));
    };
    const equals = (column: string, value: string | undefined) => {
      if (value !== undefined) terms.add(`r.${column} = ?`, value);
    };
    among('id', query.ids);
    equals('namespace', query.namespace);
    equals('owner', query.owner);
    equals('alias', query.alias);
    equals('queue', query.queue);
    equals('name', query.name);
    const { states, outcomes } = query;
    if (states !== undefined) terms.add('r.state = any(?::smallint[])', smallArray(states.map(runStateCode)));
    if (outcomes !== undefined)
      terms.add('r.outcome = any(?::smallint[])', smallArray(outcomes.map(outcomeCode)));
    const isAscending = query.order === 'ascending';
    if (query.after !== undefined) {
      const sign = isAscending ? '>' : '<';
      const last = runCursorOf(runPlaceIn(query.after, key), key);
      terms.add(`(${by.join(', ')}) ${sign} (${by.map(() => '?').join(', ')})`, ...last.slice(0, by.length));
    }
    const direction = isAscending ? 'asc' : 'desc';
    const sorted = by.map((column) => `${column} ${direction}`).join(', ');
    const where = terms.where();
    const most = rowCount(query.limit + 1);
    const wanted = query.payloads === false ? lightColumns : columns;
    // `offset 0` hides the order from the planner, which would walk over the runs of all owners to find some of one in that order.
    const source =
      key === 'id' && query.owner !== undefined
        ? (table: string) => `(select * from ${table} r${where} offset 0) r`
        : (table: string) => `${table} r${where}`;
    const piece = (table: string) =>
      `select ${wanted} from ${source(table)} order by ${sorted} limit ${most}`;
    const tables = this.#tablesOf(query);
    const text =
      tables.length === 1
        ? piece(tables[0] as string)
        : `select * from (${tables.map((table) => `(${piece(table)})`).join(' union all ')}) r order by ${sorted} limit ${most}`;
    return { text, values: terms.values };
  }

  /** The tables that may hold what is asked for. */
  #tablesOf({ states, outcomes }: RunQuery): readonly string[] {
    const tables: string[] = [];
    const isOpenAsked = states === undefined || states.some((state) => state !== 'done');
    if (isOpenAsked && outcomes === undefined) tables.push(this.#open);
    if (states === undefined || states.includes('done')) tables.push(this.#runs);
    return tables.length === 0 ? [this.#open] : tables;
  }

  /** Removes rows of days without a partition. */
  sweep(finishedBefore: number, limit: number): Statement {
    const other = `${this.#schema}.runs_other`;
    return {
      name: 'sweep-runs',
      // Materialized: otherwise the planner may run a subquery with a limit once for each row it compares, and remove too many.
      text: `with old as materialized (
          select id from ${other} where finished_at < $1 order by finished_at limit $2 for update skip locked
        ), gone as (
          delete from ${other} r using old where r.id = old.id returning r.id
        ), ${this.#logsOfGone} select count(*) from gone`,
      values: [finishedBefore, limit],
    };
  }

  /** Removes those of these runs that are finished. */
  forget(ids: readonly string[]): Statement {
    return {
      name: 'forget-runs',
      text: `with gone as (
          delete from ${this.#runs} where id = any($1::text[]) returning id
        ), ${this.#logsOfGone} select count(*) from gone`,
      values: [ids],
    };
  }

  /** Removes all but the newest `keep` finished runs of one owner, oldest first; examines `limit` of them. */
  trim(owner: string, keep: number, before: number, limit: number): Statement {
    return {
      name: 'trim-runs',
      text: `with gone as (
          delete from ${this.#runs} where id in (
            select id from (
              select id, finished_at from ${this.#runs} where owner = $1 and ordinal <= (
                select ordinal from ${this.#runs} where owner = $1 order by ordinal desc limit 1 offset $2)
              order by ordinal limit $4) old
            where finished_at < $3
          ) returning id
        ), ${this.#logsOfGone} select count(*) from gone`,
      values: [owner, keep, before, limit],
    };
  }
}

/**
 * The condition for the runs that a worker knows, with parameters from `$first` on: a namespace, the queues with a list of names,
 * and those names with their queues. Without a list it is another statement, so that the common one keeps its plan.
 */
function knownBy(known: KnownRuns | undefined, first: number) {
  if (known === undefined) return { name: '', text: '', values: [] };
  const pairs = Object.entries(known.names ?? {}).flatMap(([queue, names]) =>
    names.map((name) => [queue, name] as const),
  );
  return {
    name: '-known',
    text: ` and ($${first}::text is null or x.namespace = $${first}) and (x.queue <> all($${first + 1}::text[])
              or (x.queue, x.name) in (select * from unnest($${first + 2}::text[], $${first + 3}::text[])))`,
    values: [
      known.namespace ?? null,
      textArray(Object.keys(known.names ?? {})),
      textArray(pairs.map(([queue]) => queue)),
      textArray(pairs.map(([, name]) => name)),
    ],
  };
}
