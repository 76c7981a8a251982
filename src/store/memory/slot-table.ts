/** The slot ledger of one execution, in order of nominal time, then cause. */
import type { Instant } from '../../base/time.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import { compareText } from '../order.ts';
import type { SlotRow } from '../records.ts';
import type { Page, SlotQuery } from '../store.ts';
import { SortedSet } from './sorted-set.ts';

/** The row is replaced when its identity is written again; its place in the order stays. */
interface StoredSlot {
  readonly nominal: number;
  readonly cause: string;
  row: SlotRow;
}

export class SlotTable {
  readonly #byIdentity = new Map<string, StoredSlot>();
  readonly #ordered = new SortedSet<StoredSlot>(compareSlots);

  get size(): number {
    return this.#byIdentity.size;
  }

  put(row: SlotRow): void {
    const identity = identityOf(row);
    const stored = this.#byIdentity.get(identity);
    if (stored !== undefined) {
      stored.row = row;
      return;
    }
    const added = { nominal: row.nominal, cause: row.cause, row };
    this.#byIdentity.set(identity, added);
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

  /** Forgets verdicts reached before a time, at most `limit`; returns how many went. */
  sweep(before: Instant, limit: number): number {
    let swept = 0;
    for (const [identity, stored] of this.#byIdentity) {
      if (swept >= limit) break;
      if (stored.row.at >= before) continue;
      this.#byIdentity.delete(identity);
      this.#ordered.delete(stored);
      swept++;
    }
    return swept;
  }

  /** Where a page begins. The end of a range bounds it; its beginning does not, because stretches reach forward. */
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

function identityOf(row: SlotRow): string {
  return `${row.nominal}\0${row.cause}`;
}
