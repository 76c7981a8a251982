/** Lists and counts executions. */
import { decodeCursor, pageOf } from '../cursor.ts';
import { matchesFilter } from '../filter.ts';
import type { ListCondition, ListPosition } from '../listing-walk.ts';
import type { ListedExecution } from '../records.ts';
import type { ListQuery, Page } from '../store.ts';
import type { StoredExecution } from './execution-rows.ts';
import { compareListed, listedOf, positionOf } from './execution-rows.ts';
import type { Tables } from './tables.ts';

export function pageOfExecutions({ executions }: Tables, query: ListQuery): Page<ListedExecution> {
  const { after, limit } = query;
  const { listed } = executions;
  let first = 0;
  if (after !== undefined) {
    const position = decodeCursor(after, ['string', 'string', 'string', 'number']) as unknown as ListPosition;
    first = listed.search((stored) => compareListed(positionOf(stored), position) > 0);
  }
  const items = listed.items();
  const found: StoredExecution[] = [];
  for (let i = first; i < items.length && found.length <= limit; i++) {
    const stored = items[i] as StoredExecution;
    if (isListed(stored, query)) found.push(stored);
  }
  const { items: page, next } = pageOf(found, limit, positionOf);
  return { items: page.map(listedOf), next };
}

export function countExecutions({ executions }: Tables, query: ListCondition): number {
  let count = 0;
  for (const stored of executions.all()) if (isListed(stored, query)) count++;
  return count;
}

function isListed({ row, attributes }: StoredExecution, query: ListCondition): boolean {
  const { key, signals } = row;
  return (
    (query.namespace === undefined || key.namespace === query.namespace) &&
    (query.archetype === undefined || key.archetype === query.archetype) &&
    (query.status === undefined || row.status === query.status) &&
    (query.quarantined === undefined || (row.incident !== null) === query.quarantined) &&
    (query.filter === undefined || matchesFilter(query.filter, { key, attributes, signals }))
  );
}
