/** Reads the ledger of one execution in pieces. */
import { decodeCursor, pageOf } from '../cursor.ts';
import { compareText } from '../order.ts';
import type { SlotRow } from '../records.ts';
import type { Page, SlotQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import { slotsOf } from './slot-codec.ts';

const piece = 500;

type SlotPosition = Pick<SlotRow, 'nominal' | 'cause'>;

export class SlotRows {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async page(query: SlotQuery): Promise<Page<SlotRow>> {
    const after = query.after === undefined ? null : positionOf(query.after);
    const rows: SlotRow[] = [];
    for await (const found of this.#inOrder(query, after)) {
      for (const row of found) if (isAsked(row, query, after)) rows.push(row);
      if (rows.length > query.limit) break;
    }
    return pageOf(rows.slice(0, query.limit + 1), query.limit, (row) => [row.nominal, row.cause]);
  }

  /** Slots that begin in the range, and before them in time the few stretches that began earlier and reach into it. */
  async *#inOrder(query: SlotQuery, after: SlotPosition | null): AsyncGenerator<readonly SlotRow[]> {
    if (query.order === 'descending') {
      yield* this.#range(query, after);
      yield (await this.#stretches(query)).reverse();
    } else {
      yield await this.#stretches(query);
      yield* this.#range(query, after);
    }
  }

  async #stretches({ incarnation, from }: SlotQuery): Promise<SlotRow[]> {
    if (from === undefined) return [];
    const values = await this.#connection.run<readonly string[]>('stretches', [incarnation, from]);
    return slotsOf(incarnation, values).sort(compareSlots);
  }

  async *#range(query: SlotQuery, after: SlotPosition | null): AsyncGenerator<readonly SlotRow[]> {
    const { incarnation, order = 'ascending' } = query;
    const isAscending = order === 'ascending';
    let from: number | string = query.from ?? '-inf';
    let to: number | string = query.to ?? '+inf';
    if (after !== null && isAscending && after.nominal > Number(query.from ?? Number.NEGATIVE_INFINITY))
      from = after.nominal;
    if (after !== null && !isAscending && after.nominal < Number(query.to ?? Number.POSITIVE_INFINITY))
      to = after.nominal;
    const size = Math.min(query.limit + 2, piece);
    // Each piece begins at the last nominal time of the previous one, after the rows of that time that were read.
    let seen = 0;
    for (;;) {
      const args = [incarnation, order, from, to, seen, size];
      const rows = slotsOf(incarnation, await this.#connection.run<readonly string[]>('slots', args));
      yield rows;
      const last = rows.at(-1);
      if (rows.length < size || last === undefined) return;
      const ofLast = rows.filter((row) => row.nominal === last.nominal).length;
      seen = ofLast === rows.length && (isAscending ? from : to) === last.nominal ? seen + ofLast : ofLast;
      if (isAscending) from = last.nominal;
      else to = last.nominal;
    }
  }
}

function positionOf(cursor: string): SlotPosition {
  const [nominal, cause] = decodeCursor(cursor, ['number', 'string']) as unknown as [
    SlotRow['nominal'],
    string,
  ];
  return { nominal, cause };
}

function compareSlots(a: SlotPosition, b: SlotPosition): number {
  return a.nominal - b.nominal || compareText(a.cause, b.cause);
}

function isAsked(row: SlotRow, query: SlotQuery, after: SlotPosition | null): boolean {
  const isBehind = after === null || compareSlots(row, after) * (query.order === 'descending' ? -1 : 1) > 0;
  return (
    isBehind &&
    (query.cause === undefined || row.cause === query.cause) &&
    (query.verdicts === undefined || query.verdicts.includes(row.verdict)) &&
    (query.to === undefined || row.nominal <= query.to)
  );
}
