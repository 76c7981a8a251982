/** Cursors of paged readings: the sort key of the last row handed out, opaque to every caller. */
import { ServiceError } from '../base/error.ts';

export type CursorPart = string | number;

export function encodeCursor(parts: readonly CursorPart[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Reads a cursor whose parts have these types; any other text is not a cursor of ours and is refused. */
export function decodeCursor(text: string, types: readonly ('string' | 'number')[]): readonly CursorPart[] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    parts = undefined;
  }
  if (
    !Array.isArray(parts) ||
    parts.length !== types.length ||
    parts.some((part, i) => typeof part !== types[i])
  ) {
    throw new ServiceError({
      code: 'invalidArgument',
      reason: 'BAD_CURSOR',
      message: 'this page cursor was not issued for this query: start again without one',
    });
  }
  return parts;
}

/** Makes a page of at most `limit` items out of up to `limit + 1`: the surplus item proves that more follow. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  cursorOf: (row: T) => readonly CursorPart[],
): { readonly items: readonly T[]; readonly next: string | null } {
  if (rows.length <= limit) return { items: rows, next: null };
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last === undefined ? null : encodeCursor(cursorOf(last)) };
}
