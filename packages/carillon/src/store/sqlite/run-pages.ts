/**
 * Lists of runs.
 *
 * All runs are listed by id or by row, which is the order of start. The runs of one owner are two streams that are merged: those in turn,
 * whose ids ascend with their ordinals, and the others, which have an index by id (`0001-initial.sql`). So both orders are read from
 * an index, and a fire in turn writes only one.
 */
import { lightRunColumns, runColumns, runOf, runStateCode } from '../columns.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { compareText } from '../order.ts';
import type { RunRow } from '../records.ts';
import type { RunKey } from '../run-order.ts';
import { runKeyOf } from '../run-order.ts';
import type { Page, RunQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import { boundLimit } from './connection.ts';
import type { SqlValue } from './driver.ts';

/** The columns that follow those of the run. */
const placeColumns = ['row', 'out_of_turn'];
const selected = `select ${[...runColumns, ...placeColumns].join(', ')} from runs`;
const selectedLight = `select ${[...lightRunColumns, ...placeColumns].join(', ')} from runs`;

interface Listed {
  readonly run: RunRow;
  readonly row: number;
  readonly isInTurn: boolean;
}

/** The position after which a page begins. */
interface PagePosition {
  readonly id: string;
  /** The row; among the runs of one owner the ordinal, by slot that of the last run in turn. Null: no run in turn was listed. */
  readonly number: number | null;
}

/** Runs that one index has in the order asked for. */
interface Stream {
  readonly condition: string;
  readonly column: 'id' | 'row' | 'ordinal';
}

const inTurn: Stream = { condition: 'out_of_turn = 0', column: 'ordinal' };

function streamsOf(query: RunQuery, key: RunKey): readonly Stream[] {
  if (query.owner === undefined) return [{ condition: '', column: key === 'id' ? 'id' : 'row' }];
  const column = key === 'id' ? 'id' : 'ordinal';
  return isUnfinished(query)
    ? [{ condition: '', column }]
    : [inTurn, { condition: 'out_of_turn = 1', column }];
}

export class RunPages {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  page(query: RunQuery): Page<RunRow> {
    const key = runKeyOf(query);
    const after = query.after === undefined ? undefined : placeIn(query.after, query, key);
    const read = streamsOf(query, key).map((stream) => this.#read(query, stream, after));
    const [first = [], ...others] = read;
    const sign = query.order === 'ascending' ? 1 : -1;
    const listed =
      others.length === 0
        ? first
        : read
            .flat()
            .sort((a, b) => sign * compareOwned(a.run, b.run, key))
            .slice(0, query.limit + 1);
    const items = listed.slice(0, query.limit).map(({ run }) => run);
    const hasMore = listed.length > query.limit && items.length > 0;
    return { items, next: hasMore ? cursorAt(listed.slice(0, query.limit), query, after) : null };
  }

  #read(query: RunQuery, { condition, column }: Stream, after: PagePosition | undefined): readonly Listed[] {
    const { terms, values } = conditionsOf(query);
    if (condition !== '') terms.push(condition);
    const isAscending = query.order === 'ascending';
    const from = column === 'id' ? after?.id : after?.number;
    if (from !== undefined && from !== null) {
      terms.push(`${column} ${isAscending ? '>' : '<'} ?`);
      values.push(from);
    }
    const where = terms.length === 0 ? '' : ` where ${terms.join(' and ')}`;
    const sorted = `${column} ${isAscending ? 'asc' : 'desc'}`;
    return this.#connection
      .all(
        `${query.payloads === false ? selectedLight : selected}${hintOf(query)}${where} order by ${sorted} ${boundLimit}`,
        ...values,
        query.limit + 1,
      )
      .map((row) => ({
        run: runOf(row),
        row: row[runColumns.length] as number,
        isInTurn: row[runColumns.length + 1] === 0,
      }));
  }
}

function compareOwned(a: RunRow, b: RunRow, key: RunKey): number {
  return (key === 'ordinal' ? (a.ordinal ?? -1) - (b.ordinal ?? -1) : 0) || compareText(a.id, b.id);
}

/** Every list has cursors of its own form, so that the cursor of another order is refused. */
function placeIn(cursor: string, { owner }: RunQuery, key: RunKey): PagePosition {
  if (owner === undefined && key === 'id')
    return { id: decodeCursor(cursor, ['string'])[0] as string, number: null };
  if (owner === undefined) return { id: '', number: decodeCursor(cursor, ['number'])[0] as number };
  if (key === 'ordinal') {
    const [ordinal, id] = decodeCursor(cursor, ['number', 'string']) as [number, string];
    return { id, number: ordinal };
  }
  const [id, ordinal] = decodeCursor(cursor, ['string', 'number']) as [string, number];
  return { id, number: ordinal === nothing ? null : ordinal };
}

/** Stands for `null` in a cursor; no ordinal has this value. */
const nothing = -2;

function cursorAt(listed: readonly Listed[], query: RunQuery, after: PagePosition | undefined): string {
  const { run, row } = listed.at(-1) as Listed;
  const key = runKeyOf(query);
  if (query.owner === undefined) return encodeCursor(key === 'id' ? [run.id] : [row]);
  if (key === 'ordinal') return encodeCursor([run.ordinal ?? -1, run.id]);
  const lastInTurn = listed.findLast(({ isInTurn }) => isInTurn)?.run.ordinal ?? after?.number;
  return encodeCursor([run.id, lastInTurn ?? nothing]);
}

function isUnfinished({ states }: RunQuery): boolean {
  return states !== undefined && !states.includes('done');
}

/**
 * A list of unfinished runs: without a hint the planner walks over all finished runs in the order asked for. There are few unfinished
 * runs, so sorting them costs less.
 */
function hintOf(query: RunQuery): string {
  const isNarrow = query.ids !== undefined || query.alias !== undefined;
  return isUnfinished(query) && !isNarrow ? ' indexed by runs_open' : '';
}

function conditionsOf(query: RunQuery): { readonly terms: string[]; readonly values: SqlValue[] } {
  const terms: string[] = [];
  const values: SqlValue[] = [];
  const add = (term: string, value: SqlValue | undefined) => {
    if (value === undefined) return;
    terms.push(term);
    values.push(value);
  };
  const list = (items: readonly (string | number)[] | undefined) =>
    items === undefined ? undefined : JSON.stringify(items);
  add('id in (select value from json_each(?))', list(query.ids));
  add('namespace = ?', query.namespace);
  add('owner = ?', query.owner);
  add('alias = ?', query.alias);
  add('queue = ?', query.queue);
  add('name = ?', query.name);
  add('state in (select value from json_each(?))', list(query.states?.map((state) => runStateCode(state))));
  // Unfinished runs are found by their own index, however many are finished.
  if (isUnfinished(query)) terms.push('state < 2');
  add('outcome in (select value from json_each(?))', list(query.outcomes));
  return { terms, values };
}
