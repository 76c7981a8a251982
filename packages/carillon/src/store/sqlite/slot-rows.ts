/** Reads and writes the slot ledger. */
import type { Instant } from '../../base/time.ts';
import { slotColumns, slotOf } from '../columns.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import type { SlotRow } from '../records.ts';
import type { Page, SlotQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import type { SqlValue, Statement } from './driver.ts';
import type { ExecutionRows } from './execution-rows.ts';
import type { Surplus } from './execution-walk.ts';

const columns = slotColumns.join(', ');

export class SlotRows {
  readonly #connection: Connection;
  readonly #executions: ExecutionRows;
  readonly #put: Statement;

  constructor(connection: Connection, executions: ExecutionRows) {
    this.#connection = connection;
    this.#executions = executions;
    this.#put = connection.statement(
      `insert into slots (execution, ${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (execution, nominal, cause) do update set until = excluded.until, count = excluded.count,
       verdict = excluded.verdict, at = excluded.at, run_id = excluded.run_id, detail = excluded.detail`,
    );
  }

  put(slot: SlotRow): void {
    this.#put.run(
      this.#executions.rowId(slot.incarnation),
      slot.nominal,
      slot.cause,
      slot.until,
      slot.count,
      slot.verdict,
      slot.at,
      slot.runId,
      slot.detail,
    );
  }

  page(query: SlotQuery): Page<SlotRow> {
    const rowId = this.#executions.findRowId(query.incarnation);
    if (rowId === undefined) return { items: [], next: null };
    const { limit } = query;
    const order = query.order === 'descending' ? 'desc' : 'asc';
    const common = conditionOf(query, rowId);
    let sql: string;
    let values: readonly SqlValue[];
    if (query.from === undefined) {
      sql = `select ${columns} from slots where ${common.sql}`;
      values = common.values;
    } else {
      // Slots that begin in the range, and the few stretches that began before it and reach into it.
      sql = `select ${columns} from slots where ${common.sql} and nominal >= ?
             union all
             select ${columns} from slots indexed by slots_stretches
             where ${common.sql} and until > nominal and until >= ? and nominal < ?`;
      values = [...common.values, query.from, ...common.values, query.from, query.from];
    }
    const rows = this.#connection.all(
      `${sql} order by nominal ${order}, cause ${order} limit ?`,
      ...values,
      limit + 1,
    );
    return pageOf(
      rows.map((row) => slotOf(query.incarnation, row)),
      limit,
      (slot) => [slot.nominal, slot.cause],
    );
  }

  /** Removes slots of one execution, at most `limit`, oldest first; returns the number removed. */
  sweepExecution(rowId: number, limit: number): number {
    return this.#connection.run(
      `delete from slots where execution = ?1 and (nominal, cause) in
       (select nominal, cause from slots where execution = ?1 order by nominal limit ?2)`,
      rowId,
      limit,
    );
  }

  hasAny(rowId: number): boolean {
    return this.#connection.get('select 1 from slots where execution = ? limit 1', rowId) !== undefined;
  }

  /**
   * Removes verdicts of one execution that were reached before a time, at most `limit`. A verdict is never reached
   * before its nominal time, so the tree is walked only to that time.
   */
  sweepOld(rowId: number, before: Instant, limit: number): number {
    return this.#connection.run(
      `delete from slots where execution = ?1 and (nominal, cause) in
       (select nominal, cause from slots where execution = ?1 and nominal < ?2 and at < ?2
        order by nominal, cause limit ?3)`,
      rowId,
      before,
      limit,
    );
  }

  /**
   * Removes all but the newest `keep` rows of one execution, oldest first. Examines no more than `limit` of
   * them, so rows that must stay can delay the removal of others for a while, but never block the store.
   */
  trim(rowId: number, { keep, before, limit }: Surplus): number {
    const edge = this.#connection.get(
      'select nominal, cause from slots where execution = ? order by nominal desc, cause desc limit 1 offset ?',
      rowId,
      keep - 1,
    );
    if (edge === undefined) return 0;
    const [nominal, cause] = edge as [number, string];
    return this.#connection.run(
      `delete from slots where execution = ?1 and (nominal, cause) in
       (select nominal, cause from
         (select nominal, cause, at from slots where execution = ?1 and (nominal, cause) < (?2, ?3)
          and (until = nominal or until < ?2) order by nominal, cause limit ?5)
        where at < ?4)`,
      rowId,
      nominal,
      cause,
      before,
      limit,
    );
  }
}

function conditionOf(query: SlotQuery, rowId: number) {
  const terms = ['execution = ?'];
  const values: SqlValue[] = [rowId];
  if (query.cause !== undefined) {
    terms.push('cause = ?');
    values.push(query.cause);
  }
  if (query.verdicts !== undefined) {
    terms.push('verdict in (select value from json_each(?))');
    values.push(JSON.stringify(query.verdicts));
  }
  if (query.to !== undefined) {
    terms.push('nominal <= ?');
    values.push(query.to);
  }
  if (query.after !== undefined) {
    const [nominal, cause] = decodeCursor(query.after, ['number', 'string']) as [number, string];
    terms.push(`(nominal, cause) ${query.order === 'descending' ? '<' : '>'} (?, ?)`);
    values.push(nominal, cause);
  }
  return { sql: terms.join(' and '), values };
}
