/**
 * Lists and counts executions. Namespace, archetype, status, quarantine, conditions on the id, and the commonest conditions
 * on attributes are conditions of the statement; the exact meaning of a filter is judged here, over the rows it returns.
 */
import {
  addListTerms,
  countMatches,
  type ListCondition,
  type ListPosition,
  listPage,
} from '../listing-walk.ts';
import type { ListedExecution } from '../records.ts';
import type { Filter, ListQuery, Page } from '../store.ts';
import type { Connections } from './connection.ts';
import type { SqlRow } from './driver.ts';
import type { Tables } from './tables.ts';
import { rowCount, Terms } from './terms.ts';

export class Listing {
  readonly #connections: Connections;
  readonly #tables: Tables;

  constructor(connections: Connections, tables: Tables) {
    this.#connections = connections;
    this.#tables = tables;
  }

  async page(query: ListQuery): Promise<Page<ListedExecution>> {
    return await listPage(query, this.#slice);
  }

  async count(query: ListCondition): Promise<number> {
    if (query.filter !== undefined) return await countMatches(query, this.#slice);
    const terms = new Terms();
    addListTerms(query, null, (term, ...values) => terms.add(term, ...values));
    const text = `select count(*) from ${this.#tables.schema}.executions e${terms.where()}`;
    const [rows] = await this.#connections.read({ text, values: terms.values });
    return rows?.[0]?.[0] as number;
  }

  readonly #slice = async (
    query: ListCondition,
    after: ListPosition | null,
    limit: number,
  ): Promise<readonly SqlRow[]> => {
    const terms = new Terms();
    addListTerms(query, after, (term, ...values) => terms.add(term, ...values));
    if (query.filter !== undefined) addAttributeTerms(query.filter, terms);
    const text = `${this.#tables.executions.listedFrom}${terms.where()}
      order by e.namespace, e.archetype, e.id, e.row limit ${rowCount(limit)}`;
    const [rows] = await this.#connections.read({ text, values: terms.values });
    return rows ?? [];
  };
}

/**
 * Equalities that every match must satisfy, as the index of attributes knows them: the field is the value, or a list that
 * contains it. A field may be a signal as well, and attributes come first; only text is certainly an attribute.
 */
function addAttributeTerms(filter: Filter, terms: Terms): void {
  if ('all' in filter) {
    for (const each of filter.all) addAttributeTerms(each, terms);
    return;
  }
  if (!('field' in filter) || filter.field === 'id' || filter.is !== '=' || typeof filter.value !== 'string')
    return;
  const { field, value } = filter;
  if (!isStorable(field) || !isStorable(value)) return;
  terms.add(
    '(a.data::jsonb @> ?::jsonb or a.data::jsonb @> ?::jsonb)',
    JSON.stringify({ [field]: value }),
    JSON.stringify({ [field]: [value] }),
  );
}

/** A value that no attribute can hold is left to the exact filter, which finds nothing. */
function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}
