/** The order of the lines of a run, and their cursor. */
import { decodeCursor, pageOf } from './cursor.ts';
import type { LogRow } from './records.ts';
import type { Page } from './store.ts';

/** The identity of a line among those of its run. */
export type LogPosition = readonly [attempt: number, lease: string, place: number];

export function logPosition(cursor: string): LogPosition {
  return decodeCursor(cursor, ['number', 'string', 'number']) as unknown as LogPosition;
}

/** A page out of up to `limit + 1` lines. */
export function logPage(rows: readonly LogRow[], limit: number): Page<LogRow> {
  return pageOf(rows, limit, ({ attempt, lease, place }) => [attempt, lease, place]);
}
