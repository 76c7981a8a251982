/** The slot ledger of one execution, in order of nominal time, then cause. */
import type { Instant } from '../../base/time.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { compareText } from '../order.ts';
import type { SlotRow } from '../records.ts';
import type { Page, SlotQuery } from '../store.ts';
import type { Surplus } from './execution-walk.ts';
import { SortedSet } from './sorted-set.ts';

/** A stored slot. The row is replaced when its identity is written again; its position in the order stays. */
interface StoredSlot {
  readonly nominal: number;
  readonly cause: string;
  row: SlotRow;
}

export class SlotRows {
  /** Slots by cause, then by nominal time. */
  readonly #byIdentity = new Map<string, Map<number, StoredSlot>>();
  readonly #ordered = new SortedSet<StoredSlot>(compareSlots);

  get size(): number {
    return this.#ordered.size;
  }

  put(row: SlotRow): void {
    let ofCause = this.#byIdentity.get(row.cause);
    if (ofCause === undefined) {
      ofCause = new Map();
      this.#byIdentity.set(row.cause, ofCause);
    }
    const stored = ofCause.get(row.nominal);
    if (stored !== undefined) {
      stored.row = row;
      return;
    }
    const added = { nominal: row.nominal, cause: row.cause, row };
    ofCause.set(row.nominal, added);
    this.#ordered.add(added);
  }

  page(query: SlotQuery): Page<SlotRow> {
    const descending = query.order === 'descending';
    const items = this.#ordered.items();
    const rows: SlotRow[] = [];
    for (let i = this.#start(query); i >= 0 && i < items.length; i += descending ? -1 : 1) {
      const { row } = items[i] as StoredSlot;
      if (!descending && query.to !== undefined && row.nominal > query.to) break;
      if (isAsked(row, query)) rows.push(row);
      if (rows.length > query.limit) break;
    }
    return pageOf(rows, query.limit, (row) => [row.nominal, row.cause]);
  }

  /** Removes verdicts reached before a time, at most `limit`; returns the number removed. */
  sweep(before: Instant, limit: number): number {
    let swept = 0;
    // No verdict is older than its slot, so nothing after the first slot of that time can be old enough.
    const end = this.#ordered.search(({ nominal }) => nominal >= before);
    for (const stored of this.#ordered.items().slice(0, end)) {
      if (swept >= limit) break;
      if (stored.row.at >= before) continue;
      this.#forget(stored);
      swept++;
    }
    return swept;
  }

  /**
   * Removes all but the newest `keep` rows, oldest first, except those decided since `before` and stretches
   * that reach into the rows that stay; returns the number removed.
   */
  trim({ keep, before, limit }: Surplus): number {
    const surplus = this.size - keep;
    if (surplus <= 0) return 0;
    const items = this.#ordered.items();
    const edge = (items[surplus] as StoredSlot).nominal;
    const gone: StoredSlot[] = [];
    for (let i = 0; i < surplus && gone.length < limit; i++) {
      const { row } = items[i] as StoredSlot;
      const reachesIn = row.until > row.nominal && row.until >= edge;
      if (!reachesIn && row.at < before) gone.push(items[i] as StoredSlot);
    }
    for (const stored of gone) this.#forget(stored);
    return gone.length;
  }

  #forget(stored: StoredSlot): void {
    const ofCause = this.#byIdentity.get(stored.cause);
    ofCause?.delete(stored.nominal);
    if (ofCause?.size === 0) this.#byIdentity.delete(stored.cause);
    this.#ordered.delete(stored);
  }

  /** The index at which a page begins. The end of a range bounds it; its beginning does not, because stretches reach forward. */
  #start(query: SlotQuery): number {
    const descending = query.order === 'descending';
    if (query.after === undefined) {
      if (!descending) return 0;
      const { to } = query;
      return to === undefined ? this.size - 1 : this.#ordered.search((slot) => slot.nominal > to) - 1;
    }
    const [nominal, cause] = decodeCursor(query.after, ['number', 'string']) as [number, string];
    const last = { nominal, cause };
    if (descending) return this.#ordered.search((slot) => compareSlots(slot, last) >= 0) - 1;
    return this.#ordered.search((slot) => compareSlots(slot, last) > 0);
  }
}

function isAsked(row: SlotRow, query: SlotQuery): boolean {
  return (
    (query.cause === undefined || row.cause === query.cause) &&
    (query.verdicts === undefined || query.verdicts.includes(row.verdict)) &&
    (query.from === undefined || row.until >= query.from) &&
    (query.to === undefined || row.nominal <= query.to)
  );
}

type SlotPosition = Pick<StoredSlot, 'nominal' | 'cause'>;

function compareSlots(a: SlotPosition, b: SlotPosition): number {
  return a.nominal - b.nominal || compareText(a.cause, b.cause);
}
