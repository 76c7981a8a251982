/**
 * Lists and counts executions. Namespace, archetype, status, quarantine and conditions on the id are conditions of the
 * statement; other conditions are evaluated here, over slices of the listing, and the event loop runs
 * between them. This suits an embedded store; a listing of a large store should narrow by namespace.
 */
import { nextTurn } from '../../base/next-turn.ts';
import {
  addListTerms,
  countMatches,
  type ListCondition,
  type ListPosition,
  listPage,
} from '../listing-walk.ts';
import type { ListedExecution } from '../records.ts';
import type { ListQuery, Page } from '../store.ts';
import type { Connection } from './connection.ts';
import type { SqlRow, SqlValue } from './driver.ts';
import { listedFrom } from './execution-rows.ts';

export class Listing {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async page(query: ListQuery): Promise<Page<ListedExecution>> {
    return await listPage(query, this.#slice);
  }

  async count(query: ListCondition): Promise<number> {
    if (query.filter !== undefined) return await countMatches(query, this.#slice);
    const { where, values } = conditionOf(query, null);
    return this.#connection.get(`select count(*) from executions e${where}`, ...values)?.[0] as number;
  }

  readonly #slice = async (
    query: ListCondition,
    after: ListPosition | null,
    limit: number,
  ): Promise<readonly SqlRow[]> => {
    if (after !== null) await nextTurn();
    const { where, values } = conditionOf(query, after);
    return this.#connection.all(
      `${listedFrom}${where} order by e.namespace, e.archetype, e.id, e.row limit ?`,
      ...values,
      limit,
    );
  };
}

function conditionOf(query: ListCondition, after: ListPosition | null) {
  const terms: string[] = [];
  const values: SqlValue[] = [];
  addListTerms(query, after, (term, ...bound) => {
    terms.push(term);
    values.push(...bound);
  });
  return { where: terms.length === 0 ? '' : ` where ${terms.join(' and ')}`, values };
}
