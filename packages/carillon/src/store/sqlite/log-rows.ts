/** Reads and writes the lines of runs. A trigger removes them with their run. */
import { logColumns, logOf } from '../columns.ts';
import { logPage, logPosition } from '../log-page.ts';
import type { LogRow } from '../records.ts';
import type { AttemptRef, LogQuery, Page } from '../store.ts';
import type { Connection } from './connection.ts';
import type { SqlValue } from './driver.ts';

export class LogRows {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  add({ runId, attempt, lease, place, at, text }: LogRow): void {
    this.#connection.run(
      `insert into run_logs (${logColumns.join(', ')}) values (?, ?, ?, ?, ?, ?) on conflict do nothing`,
      runId,
      attempt,
      lease,
      place,
      at,
      text,
    );
  }

  drop(runId: string, beforeAttempt: number): void {
    this.#connection.run('delete from run_logs where run_id = ? and attempt < ?', runId, beforeAttempt);
  }

  page({ runId, attempt, after, limit }: LogQuery): Page<LogRow> {
    const terms = ['run_id = ?'];
    const values: SqlValue[] = [runId];
    if (attempt !== undefined) {
      terms.push('attempt = ?');
      values.push(attempt);
    }
    if (after !== undefined) {
      terms.push('(attempt, lease, place) > (?, ?, ?)');
      values.push(...logPosition(after));
    }
    const rows = this.#connection.all(
      `select ${logColumns.join(', ')} from run_logs where ${terms.join(' and ')} order by attempt, lease, place limit ?`,
      ...values,
      limit + 1,
    );
    return logPage(rows.map(logOf), limit);
  }

  last({ runId, attempt }: AttemptRef): LogRow | undefined {
    const [row] = this.#connection.all(
      `select ${logColumns.join(', ')} from run_logs where run_id = ? and attempt = ? order by lease desc, place desc limit 1`,
      runId,
      attempt,
    );
    return row === undefined ? undefined : logOf(row);
  }
}
