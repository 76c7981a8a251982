/** Statements on the events of executions. */
import type { Instant } from '../../base/time.ts';
import { eventColumns, eventOf, eventStateCode } from '../columns.ts';
import { decodeCursor } from '../cursor.ts';
import type { EventRow } from '../records.ts';
import { eventStates } from '../records.ts';
import type { EventNeed, EventQuery } from '../store.ts';
import { bigArray, smallArray, textArray } from './binary-array.ts';
import type { SqlRow, Statement } from './driver.ts';
import { locationArrays, type RowLocation, rowOf } from './row-locations.ts';

type Locations = ReadonlyMap<string, RowLocation>;
type ById = Extract<EventNeed, { readonly ids: readonly string[] }>;
type Oldest = Extract<EventNeed, { readonly oldest: number }>;
type OfHolder = Extract<EventNeed, { readonly holder: string }>;

const columns = eventColumns.map((column) => `e.${column}`).join(', ');

/** A statement, and whose events its rows are: each row begins with a position in this list, from 1. */
export interface EventReading {
  readonly statement: Statement;
  readonly owners: readonly string[];
}

export class EventRows {
  readonly #schema: string;
  readonly #events: string;
  /** The number of `i`, see `rowOf`. */
  readonly #row: string;

  constructor(schema: string) {
    this.#schema = schema;
    this.#events = `${schema}.events`;
    this.#row = rowOf(schema);
  }

  add(events: readonly EventRow[], locations: Locations): Statement {
    return {
      name: 'add-events',
      text: `with added as (
          insert into ${this.#events} (execution, ${eventColumns.join(', ')})
          select * from (
            select ${this.#row} as execution, i.topic, i.id, i.sequence, i.state, i.holder, i.attempt, i.at, i.changed_at, i.data
            from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::smallint[], $7::text[], $8::bigint[],
              $9::bigint[], $10::bigint[], $11::text[])
              as i(row, incarnation, topic, id, sequence, state, holder, attempt, at, changed_at, data) offset 0
          ) i where i.execution is not null on conflict do nothing returning 1
        ) select ${this.#schema}.expect(count(*), $12, 'an event exists already, or its execution is not stored') from added`,
      values: [
        ...identityArrays(events, locations),
        bigArray(events.map(({ sequence }) => sequence)),
        smallArray(events.map(({ state }) => eventStateCode(state))),
        textArray(events.map(({ holder }) => holder)),
        bigArray(events.map(({ attempt }) => attempt)),
        bigArray(events.map(({ at }) => at)),
        bigArray(events.map(({ changedAt }) => changedAt)),
        textArray(events.map(({ data }) => data)),
        events.length,
      ],
    };
  }

  replace(events: readonly EventRow[], locations: Locations): Statement {
    return {
      name: 'replace-events',
      text: `with changed as (
          update ${this.#events} e set state = i.state, holder = i.holder, attempt = i.attempt, changed_at = i.changed_at, data = i.data
          from (
            select ${this.#row} as execution, i.* from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::smallint[],
              $6::text[], $7::bigint[], $8::bigint[], $9::text[])
              as i(row, incarnation, topic, id, state, holder, attempt, changed_at, data) offset 0
          ) i where e.execution = i.execution and e.topic = i.topic and e.id = i.id returning 1
        ) select ${this.#schema}.expect(count(*), $10, 'an event is not stored') from changed`,
      values: [
        ...identityArrays(events, locations),
        smallArray(events.map(({ state }) => eventStateCode(state))),
        textArray(events.map(({ holder }) => holder)),
        bigArray(events.map(({ attempt }) => attempt)),
        bigArray(events.map(({ changedAt }) => changedAt)),
        textArray(events.map(({ data }) => data)),
        events.length,
      ],
    };
  }

  /** The events that decisions asked for, in as few statements as there are kinds of needs. */
  needed(needs: readonly EventNeed[], locations: Locations): readonly EventReading[] {
    const byId = needs.filter((need): need is ById => 'ids' in need);
    const oldest = needs.filter((need): need is Oldest => 'oldest' in need);
    const ofHolder = needs.filter((need): need is OfHolder => 'holder' in need);
    return [
      ...(byId.length === 0 ? [] : [this.#byId(byId, locations)]),
      ...(oldest.length === 0 ? [] : [this.#oldest(oldest, locations)]),
      ...(ofHolder.length === 0 ? [] : [this.#ofHolder(ofHolder, locations)]),
    ];
  }

  #byId(needs: readonly ById[], locations: Locations): EventReading {
    const refs = needs.flatMap(({ owner, topic, ids }) => ids.map((id) => ({ owner, topic, id })));
    return {
      owners: refs.map(({ owner }) => owner),
      statement: {
        name: 'events-by-id',
        text: `select i.place, ${columns}
          from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) with ordinality as i(row, incarnation, topic, id, place)
          join ${this.#events} e on e.execution = ${this.#row} and e.topic = i.topic and e.id = i.id`,
        values: identityArrays(refs, locations),
      },
    };
  }

  #oldest(needs: readonly Oldest[], locations: Locations): EventReading {
    return {
      owners: needs.map(({ owner }) => owner),
      statement: {
        name: 'oldest-events',
        text: `select i.place, ${columns}
          from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[]) with ordinality as i(row, incarnation, topic, most, place)
          cross join lateral (select * from ${this.#events} e where e.execution = ${this.#row} and e.topic = i.topic and e.state = 0
            order by e.sequence limit i.most) e`,
        values: [
          ...ownerArrays(needs, locations),
          textArray(needs.map(({ topic }) => topic)),
          bigArray(needs.map((need) => need.oldest)),
        ],
      },
    };
  }

  #ofHolder(needs: readonly OfHolder[], locations: Locations): EventReading {
    return {
      owners: needs.map(({ owner }) => owner),
      statement: {
        name: 'held-events',
        text: `select i.place, ${columns}
          from unnest($1::bigint[], $2::text[], $3::text[]) with ordinality as i(row, incarnation, holder, place)
          join ${this.#events} e on e.execution = ${this.#row} and e.holder = i.holder and e.state = 1`,
        values: [...ownerArrays(needs, locations), textArray(needs.map(({ holder }) => holder))],
      },
    };
  }

  /** The statement for a page. It finds at most one row more than the limit of each state asked for. */
  page(query: EventQuery): Statement {
    const { owner, topic, ids, states = eventStates, order, after, limit } = query;
    const execution = `(select x.row from ${this.#schema}.executions x where x.incarnation = $1)`;
    if (ids !== undefined) {
      return {
        name: 'events-of-ids',
        text: `select ${columns} from ${this.#events} e where e.execution = ${execution} and e.topic = $2 and e.id = any($3::text[])`,
        values: [owner, topic, textArray(ids)],
      };
    }
    const isDescending = order === 'descending';
    const farthest = isDescending ? Number.MAX_SAFE_INTEGER : -1;
    const from = after === undefined ? farthest : (decodeCursor(after, ['number'])[0] as number);
    const [side, direction] = isDescending ? ['<', 'desc'] : ['>', 'asc'];
    return {
      name: `events-${direction}`,
      text: `select ${columns} from unnest($3::smallint[]) as s(state) cross join lateral (
          select * from ${this.#events} e where e.execution = ${execution} and e.topic = $2 and e.state = s.state and e.state >= 0
            and e.sequence ${side} $4 order by e.sequence ${direction} limit $5) e`,
      values: [owner, topic, smallArray(states.map(eventStateCode)), from, limit + 1],
    };
  }

  sweep(before: Instant, limit: number): Statement {
    return {
      name: 'sweep-events',
      // Materialized: a plan may run a subquery with a limit more than once, and remove more than the limit. The rows are locked
      // and final, so their state is not asked for again: it would let the planner use the index of lines (see the migration).
      text: `with old as materialized (
          select execution, topic, id from ${this.#events} where state >= 2 and changed_at < $1
          order by changed_at limit $2 for update skip locked
        ), gone as (
          delete from ${this.#events} e using old
          where e.execution = old.execution and e.topic = old.topic and e.id = old.id
          returning 1
        ) select count(*) from gone`,
      values: [before, limit],
    };
  }

  /** Removes events of one execution in any state, at most `limit`; returns how many it removed and how many there were. */
  sweepExecution(row: number, limit: number): Statement {
    return {
      name: 'sweep-events-of',
      text: `with taken as materialized (
          select topic, id from ${this.#events} where execution = $1 limit $2
        ), gone as (
          delete from ${this.#events} e using taken
          where e.execution = $1 and e.topic = taken.topic and e.id = taken.id
          returning 1
        ) select (select count(*) from gone),
          (select count(*) from (select 1 from ${this.#events} where execution = $1 limit $2 + 1) e)`,
      values: [row, limit],
    };
  }
}

/** The events of a reading. */
export function eventsOf({ owners }: EventReading, rows: readonly SqlRow[]): readonly EventRow[] {
  return rows.map(([place, ...rest]) => eventOf(owners[(place as number) - 1] as string, rest));
}

function ownerArrays(items: readonly { readonly owner: string }[], locations: Locations): readonly Buffer[] {
  return locationArrays(
    items.map(({ owner }) => ({ incarnation: owner })),
    locations,
  );
}

function identityArrays(
  items: readonly { readonly owner: string; readonly topic: string; readonly id: string }[],
  locations: Locations,
): readonly Buffer[] {
  return [
    ...ownerArrays(items, locations),
    textArray(items.map(({ topic }) => topic)),
    textArray(items.map(({ id }) => id)),
  ];
}
