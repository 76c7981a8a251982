/** Statements that find, lock and write executions with their wake times and attributes. */

import { dueTime } from '../change.ts';
import { executionColumns } from '../columns.ts';
import type { ExecutionKey, ExecutionWrite } from '../records.ts';
import { bigArray, smallArray, textArray } from './binary-array.ts';
import type { Statement } from './driver.ts';
import { locationArrays, type RowLocation, rowOf } from './row-locations.ts';

const columns = executionColumns.map((column) => `e.${column}`).join(', ');

/** Milliseconds since 1970 by the database's clock, or the time that a test passes in. */
export const nowOr = (parameter: string) =>
  `coalesce(${parameter}::bigint, floor(extract(epoch from clock_timestamp()) * 1000)::bigint)`;

const isKey = 'x.namespace = k.namespace and x.archetype = k.archetype and x.id = k.id';

export class ExecutionRows {
  readonly #schema: string;
  /** Reads executions with their attributes; a listing adds its conditions. */
  readonly listedFrom: string;

  constructor(schema: string) {
    this.#schema = schema;
    this.listedFrom = `select ${columns}, a.data from ${schema}.executions e left join ${schema}.attributes a on a.execution = e.row`;
  }

  /**
   * Locks due rows that no other transaction holds. Each result row begins with the time of judgement; when no row is due, there is
   * one result row with only that time. A row that another node stepped between the search and the lock is judged again as it is now.
   */
  due(now: number | null, limit: number, archetypes: readonly string[] | undefined): Statement {
    return {
      name: 'due',
      text: `with clock as materialized (select ${nowOr('$1')} as now)
        select c.now, e.* from clock c left join lateral (
          select ${columns} from ${this.#schema}.wakes w join ${this.#schema}.executions e on e.row = w.row
          where w.due_at <= c.now and e.due_at <= c.now and ($3::text[] is null or e.archetype = any($3::text[]))
          order by w.due_at, w.row limit $2 for update of e skip locked
        ) e on true order by e.wake_at, e.row`,
      values: [now, limit, archetypes === undefined ? null : textArray(archetypes)],
    };
  }

  /**
   * Locks the newest incarnation under each key, the owners of the runs and the named incarnations, in order of creation, so that two
   * transactions never wait for each other. (`coalesce` keeps the planner from the partial index on owners, which it would
   * rather read from end to end for each run while the table is young.)
   */
  lock(
    keys: readonly ExecutionKey[],
    runIds: readonly string[],
    incarnations: readonly string[] = [],
  ): Statement {
    return {
      name: 'lock',
      text: `select ${columns} from ${this.#schema}.executions e where e.row = any (array(
          select (select x.row from ${this.#schema}.executions x where ${isKey} order by x.row desc limit 1)
          from unnest($1::text[], $2::text[], $3::text[]) as k(namespace, archetype, id)
          union all
          select x.row from unnest($4::text[]) as i(id) join ${this.#schema}.open_runs r on r.id = i.id
            join ${this.#schema}.executions x on x.incarnation = coalesce(r.owner, '')
          union all
          select x.row from unnest($5::text[]) as i(incarnation)
            join ${this.#schema}.executions x on x.incarnation = i.incarnation
        )) order by e.row for update of e`,
      values: [...keyArrays(keys), textArray(runIds), textArray(incarnations)],
    };
  }

  /**
   * Reads which incarnation is the newest under each key. It runs after locking, with a new snapshot: while we waited for a
   * lock, its holder may have closed or removed the execution and created another under the same key.
   */
  newest(keys: readonly ExecutionKey[]): Statement {
    return {
      name: 'newest',
      text: `select (select x.incarnation from ${this.#schema}.executions x where ${isKey} order by x.row desc limit 1)
        from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k(namespace, archetype, id, place)
        order by k.place`,
      values: keyArrays(keys),
    };
  }

  listedNewest(keys: readonly ExecutionKey[]): Statement {
    return {
      name: 'listed-newest',
      text: `select ${columns}, a.data
        from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k(namespace, archetype, id, place)
        join lateral (select * from ${this.#schema}.executions x where ${isKey} order by x.row desc limit 1) e on true
        left join ${this.#schema}.attributes a on a.execution = e.row order by k.place`,
      values: keyArrays(keys),
    };
  }

  listed(incarnations: readonly string[]): Statement {
    return {
      name: 'listed',
      text: `select ${columns}, a.data from unnest($1::text[]) with ordinality as i(incarnation, place)
        join ${this.#schema}.executions e on e.incarnation = i.incarnation
        left join ${this.#schema}.attributes a on a.execution = e.row order by i.place`,
      values: [textArray(incarnations)],
    };
  }

  /** Null: without archetypes there is no row to ask for. */
  nextDue(archetypes: readonly string[] | undefined): Statement | null {
    const { wakes, executions } = {
      wakes: `${this.#schema}.wakes`,
      executions: `${this.#schema}.executions`,
    };
    if (archetypes === undefined) {
      return { name: 'next-due', text: `select due_at from ${wakes} order by due_at, row limit 1` };
    }
    if (archetypes.length === 0) return null;
    return {
      name: 'next-due-of',
      text: `select w.due_at from ${wakes} w join ${executions} e on e.row = w.row where e.archetype = any($1::text[])
        order by w.due_at, w.row limit 1`,
      values: [textArray(archetypes)],
    };
  }

  /** Replaces version n − 1; a row with another version, or a row that would be opened again, refuses the commit. */
  replace(writes: readonly ExecutionWrite[], locations: ReadonlyMap<string, RowLocation>): Statement {
    return {
      name: 'replace',
      text: `with input as materialized (
          select o.row, i.version, i.status, i.wake_at, i.due_at, i.state, i.signals, i.incident, i.closed_at,
            case when i.row is null then (select x.due_at from ${this.#schema}.executions x where x.row = o.row)
              else i.was end as was
          from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::smallint[], $6::bigint[], $7::bigint[],
            $8::text[], $9::text[], $10::text[], $11::bigint[])
            as i(row, incarnation, was, version, status, wake_at, due_at, state, signals, incident, closed_at)
          cross join lateral (select ${rowOf(this.#schema)} as row offset 0) o
        ), updated as (
          update ${this.#schema}.executions e set version = i.version, status = i.status, wake_at = i.wake_at,
            due_at = i.due_at, state = i.state, signals = i.signals, incident = i.incident, closed_at = i.closed_at
          from input i where e.row = i.row and e.version = i.version - 1 and e.status <= i.status
          returning 1
        ), gone as (
          delete from ${this.#schema}.wakes w using input i
          where w.due_at = i.was and w.row = i.row and i.was is distinct from i.due_at
        ), come as (
          insert into ${this.#schema}.wakes (due_at, row)
          select i.due_at, i.row from input i where i.due_at is not null and i.due_at is distinct from i.was
        )
        select ${this.#schema}.expect(count(*), $12, 'an execution is not stored, no longer at the version that was read, or closed meanwhile') from updated`,
      values: [
        ...locationArrays(writes, locations),
        bigArray(writes.map((write) => locations.get(write.incarnation)?.dueAt ?? null)),
        bigArray(writes.map((write) => write.version)),
        smallArray(writes.map(statusCode)),
        bigArray(writes.map((write) => write.wakeAt)),
        bigArray(writes.map(dueTime)),
        textArray(writes.map((write) => write.state)),
        textArray(writes.map((write) => JSON.stringify(write.signals))),
        textArray(writes.map((write) => write.incident)),
        bigArray(writes.map((write) => write.closedAt)),
        writes.length,
      ],
    };
  }

  /** A unique index refuses a second open incarnation of a key; a closed one is refused while an open one exists. */
  insert(writes: readonly ExecutionWrite[]): Statement {
    return {
      name: 'insert',
      text: `with input as (
          select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::smallint[], $6::bigint[],
            $7::bigint[], $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::text[])
            with ordinality as i(namespace, archetype, id, incarnation, status, wake_at, due_at, state, signals, incident,
              created_at, closed_at, attributes, place)
        ), inserted as (
          insert into ${this.#schema}.executions (namespace, archetype, id, incarnation, version, status, wake_at,
            due_at, state, signals, incident, created_at, closed_at)
          select k.namespace, k.archetype, k.id, k.incarnation, 1, k.status, k.wake_at, k.due_at, k.state, k.signals,
            k.incident, k.created_at, k.closed_at
          from input k where k.status = 0
            or not exists (select 1 from ${this.#schema}.executions x where ${isKey} and x.status = 0)
          order by k.place returning row, incarnation, due_at
        ), come as (
          insert into ${this.#schema}.wakes (due_at, row) select due_at, row from inserted where due_at is not null
        ), described as (
          insert into ${this.#schema}.attributes (execution, data)
          select n.row, i.attributes from inserted n join input i on i.incarnation = n.incarnation
        )
        select ${this.#schema}.expect(count(*), $14, 'an execution is open already under its key') from inserted`,
      values: [
        ...keyArrays(writes.map((write) => write.key)),
        textArray(writes.map((write) => write.incarnation)),
        smallArray(writes.map(statusCode)),
        bigArray(writes.map((write) => write.wakeAt)),
        bigArray(writes.map(dueTime)),
        textArray(writes.map((write) => write.state)),
        textArray(writes.map((write) => JSON.stringify(write.signals))),
        textArray(writes.map((write) => write.incident)),
        bigArray(writes.map((write) => write.createdAt)),
        bigArray(writes.map((write) => write.closedAt)),
        textArray(writes.map((write) => JSON.stringify(write.attributes ?? {}))),
        writes.length,
      ],
    };
  }

  /** Every execution gets attributes when it is inserted. They are written more often than they change, so equal ones are skipped. */
  describe(writes: readonly ExecutionWrite[], locations: ReadonlyMap<string, RowLocation>): Statement {
    return {
      name: 'describe',
      text: `update ${this.#schema}.attributes a set data = i.data
        from unnest($1::bigint[], $2::text[], $3::text[]) as i(row, incarnation, data)
        where a.execution = ${rowOf(this.#schema)} and a.data <> i.data`,
      values: [
        ...locationArrays(writes, locations),
        textArray(writes.map((write) => JSON.stringify(write.attributes))),
      ],
    };
  }

  /** Removes executions with everything that belongs to them; returns incarnation and key of each. */
  remove(incarnations: readonly string[]): Statement {
    return {
      name: 'remove',
      text: `with gone as (
          delete from ${this.#schema}.executions where incarnation = any($1::text[])
          returning row, incarnation, namespace, archetype, id, due_at
        ), w as (delete from ${this.#schema}.wakes w using gone g where w.due_at = g.due_at and w.row = g.row
        ), a as (delete from ${this.#schema}.attributes a using gone g where a.execution = g.row
        ), p as (delete from ${this.#schema}.parts p using gone g where p.execution = g.row
        ), s as (delete from ${this.#schema}.slots s using gone g where s.execution = g.row
        ), v as (delete from ${this.#schema}.events v using gone g where v.execution = g.row)
        select incarnation, namespace, archetype, id from gone`,
      values: [textArray(incarnations)],
    };
  }
}

function statusCode(write: ExecutionWrite): number {
  return write.status === 'open' ? 0 : 1;
}

function keyArrays(keys: readonly ExecutionKey[]): readonly Buffer[] {
  return [
    textArray(keys.map((key) => key.namespace)),
    textArray(keys.map((key) => key.archetype)),
    textArray(keys.map((key) => key.id)),
  ];
}
