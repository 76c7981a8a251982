/** Reads and writes the audit, a table that only grows at its end. */
import type { Instant } from '../../base/time.ts';
import { auditOf } from '../columns.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import type { AuditRow } from '../records.ts';
import type { AuditQuery, Page } from '../store.ts';
import type { Connection } from './connection.ts';
import type { SqlValue } from './driver.ts';

export class JournalRows {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
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
  sweep(before: Instant, limit: number): number {
    // Mostly no row is old enough, which the very oldest row shows.
    const old = this.#connection.get(
      `select 1 from (select at from audit order by sequence limit ?) where at < ? limit 1`,
      Math.min(limit, examinedAtMost),
      before,
    );
    if (old === undefined) return 0;
    return this.#connection.run(
      `delete from audit where at < ? and sequence in (select sequence from audit order by sequence limit ?)`,
      before,
      limit,
    );
  }
}

/** How many of the oldest rows are examined for their age: more than one, because clocks jump. */
const examinedAtMost = 20;
