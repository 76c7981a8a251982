/**
 * Lists and counts executions. Namespace, archetype, status, quarantine and conditions on the id are the
 * database's work; other conditions are evaluated here, over slices of the listing, with the event loop free to
 * turn between them. A listing by attributes therefore costs the rows it walks over: fine for an embedded store,
 * and the reason a busy one narrows by namespace.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeCursor, pageOf } from '../cursor.ts';
import { matchesFilter } from '../filter.ts';
import type { Attributes, ListedExecution } from '../records.ts';
import type { Filter, ListQuery, Page } from '../store.ts';
import type { Connection } from './connection.ts';
import type { SqlRow, SqlValue } from './driver.ts';
import { listedFrom, listedOf, parseStored } from './execution-rows.ts';

/** Rows walked over at once: about 5 ms. */
const slice = 2000;

type Condition = Omit<ListQuery, 'after' | 'limit'>;
type Position = readonly [namespace: string, archetype: string, id: string, row: number];

export class Listing {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async page(query: ListQuery): Promise<Page<ListedExecution>> {
    const { limit } = query;
    const found: SqlRow[] = [];
    let last = query.after === undefined ? null : positionOf(query.after);
    for (;;) {
      const wanted = query.filter === undefined ? limit + 1 - found.length : slice;
      const rows = this.#slice(query, last, wanted);
      for (const row of rows) if (isMatch(row, query.filter)) found.push(row);
      if (found.length > limit || rows.length < wanted) break;
      last = cursorOf(rows.at(-1) as SqlRow);
      await nextTurn();
    }
    const { items, next } = pageOf(found.slice(0, limit + 1), limit, cursorOf);
    return { items: items.map(listedOf), next };
  }

  async count(query: Condition): Promise<number> {
    if (query.filter === undefined) {
      const { where, values } = conditionOf(query, null);
      return this.#connection.get(`select count(*) from executions e${where}`, ...values)?.[0] as number;
    }
    let count = 0;
    let last: Position | null = null;
    for (;;) {
      const rows = this.#slice(query, last, slice);
      for (const row of rows) if (isMatch(row, query.filter)) count++;
      if (rows.length < slice) return count;
      last = cursorOf(rows.at(-1) as SqlRow);
      await nextTurn();
    }
  }

  #slice(query: Condition, after: Position | null, limit: number): readonly SqlRow[] {
    const { where, values } = conditionOf(query, after);
    return this.#connection.all(
      `${listedFrom}${where} order by e.namespace, e.archetype, e.id, e.row limit ?`,
      ...values,
      limit,
    );
  }
}

function isMatch(row: SqlRow, filter: Filter | undefined): boolean {
  if (filter === undefined) return true;
  return matchesFilter(filter, {
    key: { id: row[3] as string },
    attributes: parseStored<Attributes>((row[13] ?? '{}') as string),
    signals: parseStored<Record<string, number>>(row[9] as string),
  });
}

function cursorOf(row: SqlRow): Position {
  return [row[1] as string, row[2] as string, row[3] as string, row[0] as number];
}

function positionOf(cursor: string): Position {
  return decodeCursor(cursor, ['string', 'string', 'string', 'number']) as unknown as Position;
}

function conditionOf(query: Condition, after: Position | null) {
  const terms: string[] = [];
  const values: SqlValue[] = [];
  const add = (term: string, ...bound: SqlValue[]) => {
    terms.push(term);
    values.push(...bound);
  };
  if (query.namespace !== undefined) add('e.namespace = ?', query.namespace);
  if (query.archetype !== undefined) add('e.archetype = ?', query.archetype);
  if (query.status !== undefined) add('e.status = ?', query.status === 'open' ? 0 : 1);
  if (query.quarantined !== undefined) add(`e.incident is ${query.quarantined ? 'not ' : ''}null`);
  if (query.filter !== undefined) addIdCondition(query.filter, add);
  if (after !== null) addPosition(query, after, add);
  return { where: terms.length === 0 ? '' : ` where ${terms.join(' and ')}`, values };
}

/** Goes on behind a row. Columns that are fixed anyway are left out, so that the index can seek to the place. */
function addPosition(
  query: Condition,
  after: Position,
  add: (term: string, ...bound: SqlValue[]) => void,
): void {
  const [namespace, archetype, id, row] = after;
  if (query.namespace === undefined) {
    add('(e.namespace, e.archetype, e.id, e.row) > (?, ?, ?, ?)', namespace, archetype, id, row);
  } else if (query.archetype === undefined) {
    add('(e.archetype, e.id, e.row) > (?, ?, ?)', archetype, id, row);
  } else {
    add('(e.id, e.row) > (?, ?)', id, row);
  }
}

/**
 * Hands the first condition on the id that every match must satisfy to the database; the filter itself still
 * decides. One is enough to seek, and keeps the number of different statements small.
 */
function addIdCondition(filter: Filter, add: (term: string, ...bound: SqlValue[]) => void): boolean {
  if ('all' in filter) return filter.all.some((each) => addIdCondition(each, add));
  if (!('field' in filter) || filter.field !== 'id') return false;
  if (filter.is === '=' && typeof filter.value === 'string') {
    add('e.id = ?', filter.value);
    return true;
  }
  if (filter.is !== 'startsWith' || typeof filter.value !== 'string') return false;
  add('e.id >= ?', filter.value);
  const end = afterPrefix(filter.value);
  if (end !== null) add('e.id < ?', end);
  return true;
}

/** The least text greater than every text with this prefix, by code point; null when there is none. */
function afterPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.length > 0) {
    const last = points.pop() as number;
    if (last === 0x10ffff) continue;
    // U+D800 to U+DFFF are no characters: the one after U+D7FF is U+E000.
    points.push(last === 0xd7ff ? 0xe000 : last + 1);
    return String.fromCodePoint(...points);
  }
  return null;
}
