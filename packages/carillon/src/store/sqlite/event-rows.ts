/** Reads and writes the events of executions. */
import type { Instant } from '../../base/time.ts';
import { eventColumns, eventOf, eventStateCode } from '../columns.ts';
import { decodeCursor } from '../cursor.ts';
import { StoreError } from '../error.ts';
import { eventPage } from '../event-page.ts';
import type { EventRow } from '../records.ts';
import { eventStates } from '../records.ts';
import type { EventNeed, EventQuery, Page } from '../store.ts';
import type { Connection } from './connection.ts';
import type { SqlRow, Statement } from './driver.ts';
import type { ExecutionRows } from './execution-rows.ts';

const selected = `select ${eventColumns.join(', ')} from events`;

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

  needed(need: EventNeed): readonly EventRow[] {
    const rowId = this.#executions.findRowId(need.owner);
    if (rowId === undefined) return [];
    return this.#find(need, rowId).map((row) => eventOf(need.owner, row));
  }

  #find(need: EventNeed, rowId: number): readonly SqlRow[] {
    if ('holder' in need)
      return this.#connection.all(
        `${selected} where execution = ? and holder = ? and state = 1`,
        rowId,
        need.holder,
      );
    if ('oldest' in need)
      return this.#inState(rowId, need.topic, 0, { from: -1, sign: 1, limit: need.oldest });
    return this.#connection.all(
      `${selected} where execution = ? and topic = ? and id in (select value from json_each(?))`,
      rowId,
      need.topic,
      JSON.stringify(need.ids),
    );
  }

  page(query: EventQuery): Page<EventRow> {
    const { owner, topic, ids, states = eventStates, order, after, limit } = query;
    const rowId = this.#executions.findRowId(owner);
    if (rowId === undefined) return { items: [], next: null };
    const sign = order === 'descending' ? -1 : 1;
    const from =
      after === undefined ? -sign * Number.MAX_SAFE_INTEGER : (decodeCursor(after, ['number'])[0] as number);
    const rows =
      ids === undefined
        ? states.flatMap((state) =>
            this.#inState(rowId, topic, eventStateCode(state), { from, sign, limit: limit + 1 }),
          )
        : this.#find({ owner, topic, ids }, rowId);
    return eventPage(
      query,
      rows.map((row) => eventOf(owner, row)),
    );
  }

  #inState(
    rowId: number,
    topic: string,
    state: number,
    { from, sign, limit }: { readonly from: number; readonly sign: number; readonly limit: number },
  ): readonly SqlRow[] {
    const [after, order] = sign > 0 ? ['>', 'asc'] : ['<', 'desc'];
    return this.#connection.all(
      `${selected} where execution = ? and topic = ? and state = ? and sequence ${after} ? order by sequence ${order} limit ?`,
      rowId,
      topic,
      state,
      from,
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
