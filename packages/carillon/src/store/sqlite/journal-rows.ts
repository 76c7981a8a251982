/** Reads and writes append-only tables: events and audit. */
import type { Instant } from '../../base/time.ts';
import { auditOf } from '../columns.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import type { AuditRow, EventRow } from '../records.ts';
import type { AuditQuery, EventQuery, Page } from '../store.ts';
import type { Connection } from './connection.ts';
import type { SqlValue } from './driver.ts';

export class JournalRows {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  addEvent(event: EventRow): void {
    this.#connection.run(
      'insert into events (topic, key, at, data) values (?, ?, ?, ?)',
      event.topic,
      event.key,
      event.at,
      event.data,
    );
  }

  addAudit(row: AuditRow): void {
    this.#connection.run(
      `insert into audit (namespace, target, at, actor, door, action, note, before, after)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.namespace,
      row.target,
      row.at,
      row.actor,
      row.door,
      row.action,
      row.note,
      row.before,
      row.after,
    );
  }

  events({ topic, afterSequence, limit }: EventQuery): readonly EventRow[] {
    return this.#connection
      .all(
        `select sequence, topic, key, at, data from events where topic = ? and sequence > ?
         order by sequence limit ?`,
        topic,
        afterSequence,
        limit,
      )
      .map(([sequence, , key, at, data]) => ({
        sequence: sequence as number,
        topic,
        key: key as string,
        at: at as Instant,
        data: data as string,
      }));
  }

  audit({ namespace, target, after, limit }: AuditQuery): Page<AuditRow> {
    const terms: string[] = [];
    const values: SqlValue[] = [];
    const add = (term: string, value: SqlValue | undefined) => {
      if (value === undefined) return;
      terms.push(term);
      values.push(value);
    };
    add('namespace = ?', namespace);
    add('target = ?', target);
    add('sequence < ?', after === undefined ? undefined : decodeCursor(after, ['number'])[0]);
    const rows = this.#connection.all(
      `select sequence, namespace, target, at, actor, door, action, note, before, after from audit
       ${terms.length === 0 ? '' : `where ${terms.join(' and ')}`} order by sequence desc limit ?`,
      ...values,
      limit + 1,
    );
    const { items, next } = pageOf(rows, limit, (row) => [row[0] as number]);
    return { items: items.map(auditOf), next };
  }

  /** Examines the oldest `limit` rows, which are in order of time except for jumps of a clock. */
  sweep(table: 'events' | 'audit', before: Instant, limit: number): number {
    // Mostly no row is old enough, which the very oldest row shows.
    const old = this.#connection.get(
      `select 1 from (select at from ${table} order by sequence limit ?) where at < ? limit 1`,
      Math.min(limit, glance),
      before,
    );
    if (old === undefined) return 0;
    return this.#connection.run(
      `delete from ${table} where at < ? and sequence in (select sequence from ${table} order by sequence limit ?)`,
      before,
      limit,
    );
  }
}

/** How many of the oldest rows are examined for their age: more than one, because clocks jump. */
const glance = 20;
