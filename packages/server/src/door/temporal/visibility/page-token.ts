/** Encodes the store's cursors as page tokens, which are bytes on the wire. */
import type { CursorPart } from 'carillon/internal/service';
import { decodeCursor, encodeCursor } from 'carillon/internal/service';

export function writePageToken(parts: readonly CursorPart[]): Uint8Array {
  return Buffer.from(encodeCursor(parts));
}

/** Returns undefined for the first page. Refuses a token that this server did not write. */
export function readPageToken(
  token: Uint8Array | null | undefined,
  types: readonly ['string', ...'string'[]],
): readonly string[] | undefined {
  if (token === null || token === undefined || token.length === 0) return undefined;
  return decodeCursor(Buffer.from(token).toString(), types) as readonly string[];
}
