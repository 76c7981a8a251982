/**
 * Reads runs in pieces, by slot or by start. Owner and alias have their own indexes; every other condition is judged here, so a
 * query by state or queue alone costs the runs it walks over.
 */
import { pageOf } from '../cursor.ts';
import { compareText } from '../order.ts';
import type { RunRow } from '../records.ts';
import type { RunKey, RunPlace } from '../run-order.ts';
import { compareRunsBy, runCursorOf, runKeyOf, runPlaceIn, runScoreOf } from '../run-order.ts';
import { withoutPayloads } from '../run-payloads.ts';
import type { Page, RunQuery } from '../store.ts';
import type { Connection } from './connection.ts';
import { storedRunOf, storedRunsOf } from './run-codec.ts';
import { escapeText } from './text.ts';

const piece = 500;

/** The approximate bytes of one piece: a run may have megabytes, and a piece is held in memory whole. */
const pieceBytes = 4 * 1024 * 1024;

/** The number of runs that should fit, by the average size of the last ones. */
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
    const key = runKeyOf(query);
    const after = query.after === undefined ? undefined : runPlaceIn(query.after, key);
    const rows: RunRow[] = [];
    for await (const found of this.#inOrder(query, after)) {
      for (const row of found) {
        if (isAsked(row, query)) rows.push(query.payloads === false ? withoutPayloads(row) : row);
      }
      if (rows.length > query.limit) break;
    }
    return pageOf(rows.slice(0, query.limit + 1), query.limit, (row) => runCursorOf(row, key));
  }

  async *#inOrder(query: RunQuery, after: RunPlace | undefined): AsyncGenerator<readonly RunRow[]> {
    const { ids } = query;
    const { set, isInOrder } = setOf(query);
    if (ids === undefined && isInOrder) yield* this.#walk(set, query, after);
    else yield* this.#sorted(ids ?? (await this.#members(set)), query, after);
  }

  /** The ids of all runs in a set. */
  async #members(set: string): Promise<readonly string[]> {
    return await this.#connection.call((client, key) => client.zrange(key(set), '0', '-1'));
  }

  /** By slot only ids are sorted, and rows are read as they are needed; otherwise all rows are read first. */
  async *#sorted(
    ids: readonly string[],
    query: RunQuery,
    after: RunPlace | undefined,
  ): AsyncGenerator<readonly RunRow[]> {
    const key = runKeyOf(query);
    const sign = query.order === 'ascending' ? 1 : -1;
    const distinct = [...new Set(ids)];
    if (key !== 'id') {
      const compare = compareRunsBy(key);
      const rows = await this.#rows(distinct);
      yield rows
        .filter((row) => after === undefined || compare(row, after) * sign > 0)
        .sort((a, b) => compare(a, b) * sign);
      return;
    }
    const wanted = distinct
      .filter((id) => after === undefined || compareText(id, after.id) * sign > 0)
      .sort((a, b) => compareText(a, b) * sign);
    let size = Math.min(query.limit + 1, piece);
    for (let from = 0; from < wanted.length; ) {
      const rows = await this.#rows(wanted.slice(from, from + size));
      yield rows;
      from += size;
      if (rows.length > 0) size = nextPiece(rows);
    }
  }

  /** The existing ones, in the order asked for. */
  async #rows(ids: readonly string[]): Promise<readonly RunRow[]> {
    if (ids.length === 0) return [];
    const values = await this.#connection.call((client, key) => client.hmget(key('runs'), ...ids));
    return ids.flatMap((id, i) => {
      const value = values[i];
      return value == null ? [] : [storedRunOf(id, value).row];
    });
  }

  async *#walk(set: string, query: RunQuery, after: RunPlace | undefined): AsyncGenerator<readonly RunRow[]> {
    const { order = 'descending' } = query;
    const key = runKeyOf(query);
    const isBare = Object.keys(query).every((name) => bareNames.has(name));
    // Runs that do not match are walked over in pieces whose size follows the size of the runs read so far.
    let size = Math.min(query.limit + 1, piece);
    let last: RunPlace | undefined = after;
    for (;;) {
      const place = last === undefined ? '' : placeText(last, key);
      const args = [set, order, place, size, key === 'id' ? '0' : '1'];
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
const bareNames = new Set(['owner', 'by', 'order', 'after', 'limit', 'payloads']);

/**
 * The smallest index that contains everything asked for, and whether it has the order asked for. Few runs share an alias, and retention
 * bounds the runs of an owner, so that these are sorted instead of being indexed twice.
 */
function setOf(query: RunQuery): { readonly set: string; readonly isInOrder: boolean } {
  const { alias, owner } = query;
  const isBySlot = runKeyOf(query) === 'id';
  if (owner !== undefined) return { set: `owner:${escapeText(owner)}`, isInOrder: !isBySlot };
  if (alias !== undefined) return { set: `alias:${escapeText(alias)}`, isInOrder: isBySlot };
  return { set: isBySlot ? 'run-ids' : 'starts', isInOrder: true };
}

function placeText(place: RunPlace, key: RunKey): string {
  return key === 'id' ? `=${place.id}` : `=${runScoreOf(place, key)}\0${place.id}`;
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
