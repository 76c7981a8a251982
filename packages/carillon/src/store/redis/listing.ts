/**
 * Lists and counts executions. The index is ordered by key, so namespace, archetype and the beginning of an id bound the
 * walk; everything else is judged here, over pieces of the listing, each a round trip. A listing by attributes
 * therefore costs the rows it walks over.
 */
import { decodeCursor, pageOf } from '../cursor.ts';
import { matchesFilter } from '../filter.ts';
import type { ListedExecution } from '../records.ts';
import type { Filter, ListQuery, Page } from '../store.ts';
import type { Connection } from './connection.ts';
import type { Listed } from './execution-codec.ts';
import { listedOf } from './execution-codec.ts';
import { escapeText } from './text.ts';

/** Rows walked over in one round trip, which takes about a millisecond of the server's time. */
const piece = 500;

type Condition = Omit<ListQuery, 'after' | 'limit'>;

export class Listing {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async page(query: ListQuery): Promise<Page<ListedExecution>> {
    const { limit } = query;
    const found: Listed[] = [];
    const after = query.after === undefined ? '' : positionText(query.after);
    // Where everything in the range matches, no more rows are read than are returned.
    const size = isRange(query) ? Math.min(limit + 1, piece) : piece;
    for await (const rows of this.#pieces(query, after, size)) {
      for (const each of rows) if (isMatch(each.row, query)) found.push(each);
      if (found.length > limit) break;
    }
    const { items, next } = pageOf(found.slice(0, limit + 1), limit, ({ row, sequence }) => [
      row.key.namespace,
      row.key.archetype,
      row.key.id,
      sequence,
    ]);
    return { items: items.map(({ row }) => row), next };
  }

  async count(query: Condition): Promise<number> {
    if (isRange(query)) return await this.#size(rangeOf(query));
    let count = 0;
    for await (const rows of this.#pieces(query, '', piece)) {
      for (const { row } of rows) if (isMatch(row, query)) count++;
    }
    return count;
  }

  async *#pieces(query: Condition, after: string, size: number): AsyncGenerator<readonly Listed[]> {
    const range = rangeOf(query);
    let last = after;
    for (;;) {
      const [walked, ...values] = await this.#connection.run<[number, ...string[]]>('list', [
        range,
        last,
        size,
      ]);
      const rows = listedOf(values);
      yield rows;
      const end = rows.at(-1);
      if (walked < size || end === undefined) return;
      last = placeOf(end);
    }
  }

  #size(range: string): Promise<number> {
    return this.#connection.call((client, key) => {
      if (range === '') return client.zcard(key('index'));
      const beyond = Buffer.concat([Buffer.from(`(${range}`), Buffer.from([0xff])]);
      return client.zlexcount(key('index'), `[${range}`, beyond);
    });
  }
}

/** The name of an execution in the index, without its incarnation. */
function placeOf({ row: { key }, sequence }: Listed): string {
  return placeText(key.namespace, key.archetype, key.id, sequence);
}

function placeText(namespace: string, archetype: string, id: string, sequence: number): string {
  return `${escapeText(namespace)}\0${escapeText(archetype)}\0${escapeText(id)}\0${String(sequence).padStart(16, '0')}`;
}

/** The position in the index of a cursor of a listing, or of the walk of retention. */
export function positionText(cursor: string): string {
  const [namespace, archetype, id, sequence] = decodeCursor(cursor, [
    'string',
    'string',
    'string',
    'number',
  ]) as unknown as [string, string, string, number];
  return placeText(namespace, archetype, id, sequence);
}

/** Whether every row of the range matches. */
function isRange({ namespace, archetype, status, quarantined, filter }: Condition): boolean {
  if (status !== undefined || quarantined !== undefined || filter !== undefined) return false;
  return archetype === undefined || namespace !== undefined;
}

/** The text that all matches begin with in the index. */
function rangeOf({ namespace, archetype, filter }: Condition): string {
  if (namespace === undefined) return '';
  if (archetype === undefined) return `${escapeText(namespace)}\0`;
  const keys = `${escapeText(namespace)}\0${escapeText(archetype)}\0`;
  return keys + (filter === undefined ? '' : (idRange(filter) ?? ''));
}

/** The first condition on the id that every match must satisfy. */
function idRange(filter: Filter): string | undefined {
  if ('all' in filter) {
    for (const each of filter.all) {
      const range = idRange(each);
      if (range !== undefined) return range;
    }
    return undefined;
  }
  if (!('field' in filter) || filter.field !== 'id' || !('value' in filter)) return undefined;
  const { is, value } = filter;
  // Half a surrogate pair has no bytes of its own that an id with the other half would begin with.
  if (typeof value !== 'string' || Buffer.from(value).toString() !== value) return undefined;
  if (is === '=') return `${escapeText(value)}\0`;
  return is === 'startsWith' ? escapeText(value) : undefined;
}

function isMatch(row: ListedExecution, query: Condition): boolean {
  return (
    (query.namespace === undefined || row.key.namespace === query.namespace) &&
    (query.archetype === undefined || row.key.archetype === query.archetype) &&
    (query.status === undefined || row.status === query.status) &&
    (query.quarantined === undefined || (row.incident !== null) === query.quarantined) &&
    (query.filter === undefined || matchesFilter(query.filter, row))
  );
}
