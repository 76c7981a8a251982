/** Makes one page out of the events of several states, each read in order of sequence. */
import { decodeCursor, pageOf } from './cursor.ts';
import type { EventRow } from './records.ts';
import { eventStates } from './records.ts';
import type { EventQuery, Page } from './store.ts';

/** Drops what the query did not ask for: rows found by id may have any state and any position. */
export function eventPage(query: EventQuery, found: readonly EventRow[]): Page<EventRow> {
  const { states = eventStates, order, after, limit } = query;
  const sign = order === 'descending' ? -1 : 1;
  const from = after === undefined ? undefined : (decodeCursor(after, ['number'])[0] as number);
  const rows = found
    .filter(({ sequence, state }) => {
      const isLater = from === undefined || (sequence - from) * sign > 0;
      return isLater && states.includes(state);
    })
    .sort((a, b) => (a.sequence - b.sequence) * sign);
  return pageOf(rows.slice(0, limit + 1), limit, ({ sequence }) => [sequence]);
}
