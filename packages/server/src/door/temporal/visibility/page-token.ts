/** Page tokens on the wire are bytes; ours are the cursors of the store in another coat. */
import type { CursorPart } from 'carillon/internal/service';
import { decodeCursor, encodeCursor } from 'carillon/internal/service';

export function writePageToken(parts: readonly CursorPart[]): Uint8Array {
  return Buffer.from(encodeCursor(parts));
}

/** Undefined for the first page; a token that was not ours is refused. */
export function readPageToken(
  token: Uint8Array | null | undefined,
  types: readonly ['string', ...'string'[]],
): readonly string[] | undefined {
  if (token === null || token === undefined || token.length === 0) return undefined;
  return decodeCursor(Buffer.from(token).toString(), types) as readonly string[];
}
