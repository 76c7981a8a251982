/**
 * Reads runs in pieces, by id or by start. Owner and alias have indexes of their own; every other condition is judged here, so a
 * query by state or queue alone costs the runs it walks over.
 */
import { decodeCursor, pageOf } from '../cursor.ts';
import { compareText } from '../order.ts';
import type { RunRow } from '../records.ts';
import { withoutPayloads } from '../run-payloads.ts';
import type { Page, RunQuery } from '../store.ts';
import { isByStart } from '../store.ts';
import type { Connection } from './connection.ts';
import { storedRunOf, storedRunsOf } from './run-codec.ts';
import { escapeText } from './text.ts';

const piece = 500;

/** The approximate bytes of one piece: a run may have megabytes, and a piece is held in memory whole. */
const pieceBytes = 4 * 1024 * 1024;

/** As many runs as should fit, by the average size of the last ones. */
function nextPiece(rows: readonly RunRow[]): number {
  let bytes = 0;
  for (const { options, input, result } of rows)
    bytes += 500 + options.length + input.length + (result?.length ?? 0);
  return Math.max(1, Math.min(piece, Math.floor((pieceBytes * rows.length) / bytes)));
}

export class RunRows {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async page(query: RunQuery): Promise<Page<RunRow>> {
    const after = query.after === undefined ? undefined : positionIn(query, query.after);
    const rows: RunRow[] = [];
    for await (const found of this.#inOrder(query, after)) {
      for (const row of found) {
        if (isAsked(row, query)) rows.push(query.payloads === false ? withoutPayloads(row) : row);
      }
      if (rows.length > query.limit) break;
    }
    return pageOf(rows.slice(0, query.limit + 1), query.limit, (row) =>
      isByStart(query) ? [row.ordinal ?? -1, row.id] : [row.id],
    );
  }

  async *#inOrder(query: RunQuery, after: RunPosition | undefined): AsyncGenerator<readonly RunRow[]> {
    if (query.ids !== undefined) yield await this.#byId(query.ids, query, after);
    else yield* this.#walk(query, after);
  }

  async #byId(
    ids: readonly string[],
    query: RunQuery,
    after: RunPosition | undefined,
  ): Promise<readonly RunRow[]> {
    const sign = query.order === 'ascending' ? 1 : -1;
    const compare = isByStart(query)
      ? (a: RunPosition, b: RunPosition) => (a.ordinal ?? -1) - (b.ordinal ?? -1) || compareText(a.id, b.id)
      : (a: RunPosition, b: RunPosition) => compareText(a.id, b.id);
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return [];
    const values = await this.#connection.call((client, key) => client.hmget(key('runs'), ...wanted));
    const rows = wanted.flatMap((id, i) => {
      const value = values[i];
      return value == null ? [] : [storedRunOf(id, value).row];
    });
    return rows
      .filter((row) => after === undefined || compare(row, after) * sign > 0)
      .sort((a, b) => compare(a, b) * sign);
  }

  async *#walk(query: RunQuery, after: RunPosition | undefined): AsyncGenerator<readonly RunRow[]> {
    const { order = 'descending' } = query;
    const set = setOf(query);
    const isBare = Object.keys(query).every((name) => bareNames.has(name));
    // Runs that do not match are walked over in pieces whose size follows the size of the runs read so far.
    let size = Math.min(query.limit + 1, piece);
    const byStart = isByStart(query);
    let last: RunPosition | undefined = after;
    for (;;) {
      const place = last === undefined ? '' : byStart ? `=${last.ordinal ?? -1}\0${last.id}` : `=${last.id}`;
      const args = [set, order, place, size, byStart ? '1' : '0'];
      const rows = storedRunsOf(await this.#connection.run<readonly string[]>('runs', args)).map(
        ({ row }) => row,
      );
      yield rows;
      if (rows.length < size) return;
      last = rows.at(-1);
      if (!isBare) size = nextPiece(rows);
    }
  }
}

/** Conditions under which every run that is walked over matches. */
const bareNames = new Set(['owner', 'order', 'after', 'limit', 'payloads']);

/** The smallest index that contains everything asked for. */
function setOf({ alias, owner }: RunQuery): string {
  if (owner !== undefined) return `owner:${escapeText(owner)}`;
  return alias === undefined ? 'run-ids' : `alias:${escapeText(alias)}`;
}

/** The position of a run in the order of a listing. */
type RunPosition = Pick<RunRow, 'id' | 'ordinal'>;

function positionIn(query: RunQuery, cursor: string): RunPosition {
  if (!isByStart(query)) return { id: decodeCursor(cursor, ['string'])[0] as string, ordinal: null };
  const [ordinal, id] = decodeCursor(cursor, ['number', 'string']) as [number, string];
  return { ordinal, id };
}

function isAsked(row: RunRow, query: RunQuery): boolean {
  return (
    (query.owner === undefined || row.owner === query.owner) &&
    (query.alias === undefined || row.alias === query.alias) &&
    (query.namespace === undefined || row.namespace === query.namespace) &&
    (query.queue === undefined || row.queue === query.queue) &&
    (query.name === undefined || row.name === query.name) &&
    (query.states === undefined || query.states.includes(row.state)) &&
    (query.outcomes === undefined || (row.outcome !== null && query.outcomes.includes(row.outcome)))
  );
}
