/**
 * Listing and counting in stores that find some conditions by index and evaluate the rest of a filter here, over slices
 * of the listing. A listing by a condition without an index costs the rows it walks over.
 */
import { type ColumnValues, listedOf, parseStored } from './columns.ts';
import { decodeCursor, pageOf } from './cursor.ts';
import { matchesFilter } from './filter.ts';
import { idDemandOf } from './id-range.ts';
import type { Attributes, ListedExecution } from './records.ts';
import type { Filter, ListQuery, Page } from './store.ts';

/** Rows walked over at once, which takes about 5 ms. */
const sliceSize = 2000;

export type ListCondition = Omit<ListQuery, 'after' | 'limit'>;
export type ListPosition = readonly [namespace: string, archetype: string, id: string, row: number];

/** Reads the next `limit` rows after a position, in order of the listing: the columns of an execution, then its attributes. */
export type SliceReader = (
  condition: ListCondition,
  after: ListPosition | null,
  limit: number,
) => Promise<readonly ColumnValues[]>;

export async function listPage(query: ListQuery, read: SliceReader): Promise<Page<ListedExecution>> {
  const { limit } = query;
  const found: ColumnValues[] = [];
  let last = query.after === undefined ? null : positionOf(query.after);
  for (;;) {
    const wanted = query.filter === undefined ? limit + 1 - found.length : sliceSize;
    const rows = await read(query, last, wanted);
    for (const row of rows) if (isMatch(row, query.filter)) found.push(row);
    if (found.length > limit || rows.length < wanted) break;
    last = cursorOf(rows.at(-1) as ColumnValues);
  }
  const { items, next } = pageOf(found.slice(0, limit + 1), limit, cursorOf);
  return { items: items.map(listedOf), next };
}

export async function countMatches(query: ListCondition, read: SliceReader): Promise<number> {
  let count = 0;
  let last: ListPosition | null = null;
  for (;;) {
    const rows = await read(query, last, sliceSize);
    for (const row of rows) if (isMatch(row, query.filter)) count++;
    if (rows.length < sliceSize) return count;
    last = cursorOf(rows.at(-1) as ColumnValues);
  }
}

function isMatch(row: ColumnValues, filter: Filter | undefined): boolean {
  if (filter === undefined) return true;
  return matchesFilter(filter, {
    key: { id: row[3] as string },
    attributes: parseStored<Attributes>((row[13] ?? '{}') as string),
    signals: parseStored<Record<string, number>>(row[9] as string),
  });
}

function cursorOf(row: ColumnValues): ListPosition {
  return [row[1] as string, row[2] as string, row[3] as string, row[0] as number];
}

function positionOf(cursor: string): ListPosition {
  return decodeCursor(cursor, ['string', 'string', 'string', 'number']) as unknown as ListPosition;
}

/**
 * The terms of a condition, and of the position to continue after. Columns with a fixed value are left out of the position,
 * so that the index can seek to it. `add` takes a term with `?` where each value goes.
 */
export function addListTerms(
  query: ListCondition,
  after: ListPosition | null,
  add: (term: string, ...values: (string | number)[]) => void,
): void {
  if (query.namespace !== undefined) add('e.namespace = ?', query.namespace);
  if (query.archetype !== undefined) add('e.archetype = ?', query.archetype);
  if (query.status !== undefined) add('e.status = ?', query.status === 'open' ? 0 : 1);
  if (query.quarantined !== undefined) add(`e.incident is ${query.quarantined ? 'not ' : ''}null`);
  const demand = query.filter === undefined ? null : idDemandOf(query.filter);
  if (demand !== null && 'equal' in demand) add('e.id = ?', demand.equal);
  if (demand !== null && 'from' in demand) {
    add('e.id >= ?', demand.from);
    if (demand.before !== null) add('e.id < ?', demand.before);
  }
  if (after === null) return;
  const [namespace, archetype, id, row] = after;
  if (query.namespace === undefined) {
    add('(e.namespace, e.archetype, e.id, e.row) > (?, ?, ?, ?)', namespace, archetype, id, row);
  } else if (query.archetype === undefined) {
    add('(e.archetype, e.id, e.row) > (?, ?, ?)', archetype, id, row);
  } else {
    add('(e.id, e.row) > (?, ?)', id, row);
  }
}
