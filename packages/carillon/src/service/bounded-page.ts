/**
 * Pages that are bounded by bytes as well as by count. A store's cursor is at the end of a read, so rows are read in
 * pieces: a few first, and then as many as should fit by the average so far. So the memory of one answer is bounded,
 * no matter what callers have stored.
 */
import type { Page } from '../store/store.ts';
import { largestPageBytes } from './limits.ts';

/** A row with its approximate stored size. */
export interface Sized<T> {
  readonly item: T;
  readonly bytes: number;
}

export interface Paging {
  readonly limit: number;
  readonly after?: string;
}

/** The rows read first, before their average size is known. */
const firstPiece = 4;

/** Reads a page. It may be shorter than its limit and still have a `next`. */
export async function boundedPage<T>(
  { limit, after }: Paging,
  read: (paging: Paging) => Promise<Page<Sized<T>>>,
  most: number = largestPageBytes,
): Promise<Page<T>> {
  const items: T[] = [];
  let bytes = 0;
  let next = after ?? null;
  do {
    const room = items.length === 0 ? firstPiece : Math.floor(((most - bytes) * items.length) / bytes);
    const piece = Math.max(1, Math.min(limit - items.length, room));
    const page = await read({ limit: piece, ...(next === null ? {} : { after: next }) });
    for (const { item, bytes: size } of page.items) {
      items.push(item);
      bytes += Math.max(1, size);
    }
    next = page.next;
  } while (next !== null && items.length < limit && bytes < most);
  return { items, next };
}
