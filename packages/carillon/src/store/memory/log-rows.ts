/** The lines that runs wrote. */

import type { LogPosition } from '../log-page.ts';
import { logPage, logPosition } from '../log-page.ts';
import { compareText } from '../order.ts';
import type { LogRow } from '../records.ts';
import type { AttemptRef, LogQuery, Page } from '../store.ts';

export class LogRows {
  readonly #byRun = new Map<string, LogRow[]>();

  add(row: LogRow): void {
    const rows = this.#byRun.get(row.runId) ?? [];
    this.#byRun.set(row.runId, rows);
    const position = positionOf(row);
    let place = rows.length;
    while (place > 0 && compare(positionOf(rows[place - 1] as LogRow), position) > 0) place -= 1;
    const before = rows[place - 1];
    if (before === undefined || compare(positionOf(before), position) !== 0) rows.splice(place, 0, row);
  }

  drop(runId: string, beforeAttempt: number): void {
    const rows = this.#byRun.get(runId);
    if (rows === undefined) return;
    this.#byRun.set(
      runId,
      rows.filter(({ attempt }) => attempt >= beforeAttempt),
    );
  }

  forget(runId: string): void {
    this.#byRun.delete(runId);
  }

  page({ runId, attempt, after, limit }: LogQuery): Page<LogRow> {
    const from = after === undefined ? undefined : logPosition(after);
    const found = (this.#byRun.get(runId) ?? []).filter(
      (row) =>
        (attempt === undefined || row.attempt === attempt) &&
        (from === undefined || compare(positionOf(row), from) > 0),
    );
    return logPage(found.slice(0, limit + 1), limit);
  }

  last({ runId, attempt }: AttemptRef): LogRow | undefined {
    return this.#byRun.get(runId)?.findLast((row) => row.attempt === attempt);
  }
}

function positionOf({ attempt, lease, place }: LogRow): LogPosition {
  return [attempt, lease, place];
}

function compare(a: LogPosition, b: LogPosition): number {
  return a[0] - b[0] || compareText(a[1], b[1]) || a[2] - b[2];
}
