/** Reads and writes the events of executions. */
import type { Instant } from '../../base/time.ts';
import { eventColumns, eventOf, eventStateCode } from '../columns.ts';
import { decodeCursor } from '../cursor.ts';
import { StoreError } from '../error.ts';
import { eventPage } from '../event-page.ts';
import { eventKey } from '../loaded.ts';
import type { EventRow } from '../records.ts';
import { eventStates } from '../records.ts';
import type { EventNeed, EventQuery, Page } from '../store.ts';
import type { Connection } from './connection.ts';
import { boundLimit } from './connection.ts';
import type { SqlRow, SqlValue, Statement } from './driver.ts';
import type { ExecutionRows } from './execution-rows.ts';

const selected = `select ${eventColumns.join(', ')} from events`;
const ofOwner = '(select row from executions where incarnation = ?)';

/** A section of the line of one topic and state. */
interface LineSection {
  readonly state: number;
  /** Rows come after this sequence, in this direction. */
  readonly start: number;
  readonly sign: number;
  readonly limit: number;
}

/** Pending events from the oldest. */
const line = { state: 0, start: -1, sign: 1 };

export class EventRows {
  readonly #connection: Connection;
  readonly #executions: ExecutionRows;
  readonly #insert: Statement;
  readonly #update: Statement;

  constructor(connection: Connection, executions: ExecutionRows) {
    this.#connection = connection;
    this.#executions = executions;
    this.#insert = connection.statement(
      `insert into events (execution, ${eventColumns.join(', ')}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    );
    this.#update = connection.statement(
      `update events set state = ?, holder = ?, attempt = ?, changed_at = ?, data = ? where execution = ? and topic = ? and id = ?`,
    );
  }

  add(event: EventRow): void {
    const added = this.#insert.run(
      this.#executions.rowId(event.owner),
      event.topic,
      event.id,
      event.sequence,
      eventStateCode(event.state),
      event.holder,
      event.attempt,
      event.at,
      event.changedAt,
      event.data,
    );
    if (added !== 1) throw refused(event, 'exists already');
  }

  replace(event: EventRow): void {
    const changed = this.#update.run(
      eventStateCode(event.state),
      event.holder,
      event.attempt,
      event.changedAt,
      event.data,
      this.#executions.rowId(event.owner),
      event.topic,
      event.id,
    );
    if (changed !== 1) throw refused(event, 'is not stored');
  }

  /**
   * The events that these needs name. A decision that takes the oldest events of a topic also asks which is the oldest after
   * them: its own events are then among the oldest, and need no statement of their own.
   */
  needed(needs: readonly EventNeed[]): readonly EventRow[] {
    const found: EventRow[] = [];
    for (const need of needs) if ('oldest' in need) this.#load(need, found);
    const known = new Set(found.map(eventKey));
    for (const need of needs) {
      if ('holder' in need) this.#load(need, found);
      else if ('ids' in need) {
        const { owner, topic } = need;
        const ids = need.ids.filter((id) => !known.has(eventKey({ owner, topic, id })));
        if (ids.length > 0) this.#load({ owner, topic, ids }, found);
      }
    }
    return found;
  }

  #load(need: EventNeed, into: EventRow[]): void {
    const rowId = this.#executions.findRowId(need.owner);
    if (rowId === undefined) return;
    for (const row of this.#find(need, '?', rowId)) into.push(eventOf(need.owner, row));
  }

  /** `execution` is the SQL for the row of the owner, and `value` what it is bound to. */
  #find(need: EventNeed, execution: string, value: SqlValue): readonly SqlRow[] {
    const from = `${selected} where execution = ${execution}`;
    if ('holder' in need)
      return this.#connection.all(`${from} and holder = ? and state = 1`, value, need.holder);
    if ('oldest' in need) return this.#inState(from, value, need.topic, { ...line, limit: need.oldest });
    const [only] = need.ids;
    if (only !== undefined && need.ids.length === 1)
      return this.#connection.all(`${from} and topic = ? and id = ?`, value, need.topic, only);
    return this.#connection.all(
      `${from} and topic = ? and id in (select value from json_each(?))`,
      value,
      need.topic,
      JSON.stringify(need.ids),
    );
  }

  page(query: EventQuery): Page<EventRow> {
    const { owner, topic, ids, states = eventStates, order, after, limit } = query;
    const sign = order === 'descending' ? -1 : 1;
    const start =
      after === undefined ? -sign * Number.MAX_SAFE_INTEGER : (decodeCursor(after, ['number'])[0] as number);
    const from = `${selected} where execution = ${ofOwner}`;
    const rows =
      ids === undefined
        ? states.flatMap((state) =>
            this.#inState(from, owner, topic, {
              state: eventStateCode(state),
              start,
              sign,
              limit: limit + 1,
            }),
          )
        : this.#find({ owner, topic, ids }, ofOwner, owner);
    return eventPage(
      query,
      rows.map((row) => eventOf(owner, row)),
    );
  }

  #inState(from: string, value: SqlValue, topic: string, section: LineSection): readonly SqlRow[] {
    const { state, start, sign, limit } = section;
    const [after, order] = sign > 0 ? ['>', 'asc'] : ['<', 'desc'];
    return this.#connection.all(
      `${from} and topic = ? and state = ${state} and sequence ${after} ? order by sequence ${order} ${boundLimit}`,
      value,
      topic,
      start,
      limit,
    );
  }

  sweep(before: Instant, limit: number): number {
    return this.#connection.run(
      `delete from events where rowid in
       (select rowid from events where state >= 2 and changed_at < ? order by changed_at limit ?)`,
      before,
      limit,
    );
  }

  /** Removes events of one execution in any state, at most `limit`; returns the number removed. */
  sweepExecution(rowId: number, limit: number): number {
    return this.#connection.run(
      'delete from events where rowid in (select rowid from events where execution = ? limit ?)',
      rowId,
      limit,
    );
  }

  hasAny(rowId: number): boolean {
    return this.#connection.get('select 1 from events where execution = ? limit 1', rowId) !== undefined;
  }
}

function refused({ owner, topic, id }: EventRow, what: string): StoreError {
  return new StoreError('conflict', `event ${id} of topic ${topic} of ${owner} ${what}`);
}
