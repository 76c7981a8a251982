/** How `prepare` looks at the events of its topics. */
import { encodeCursor } from '../store/cursor.ts';
import type { EventRow } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Brief } from './brief.ts';
import type { TopicEvent } from './context.ts';
import { dataOf } from './event-lines.ts';
import { mostPeeked } from './settings.ts';

export interface ReadingOptions {
  readonly store: Store;
  readonly brief: Brief;
  /** Throws when the topic may not be read, or no longer. */
  readonly check: (topic: string) => void;
  /** The error of a rule that was broken. */
  readonly breach: (message: string) => Error;
}

export function reading({ store, brief, check, breach }: ReadingOptions) {
  const { incarnation: owner, settings, pending } = brief;
  return {
    peek: async (topic: string, options: { readonly limit?: number; readonly after?: number } = {}) => {
      check(topic);
      const limit = Math.min(options.limit ?? settings.peek, mostPeeked);
      const page = { owner, topic, states: ['pending'] as const, limit, ...cursorAfter(options.after) };
      const { items } = await store.events(page);
      return items.map(viewEvent);
    },
    get: async (topic: string, ids: readonly string[]) => {
      check(topic);
      if (ids.length > mostPeeked)
        throw breach(`asked for ${ids.length} events at once, at most ${mostPeeked}`);
      const { items } = await store.events({ owner, topic, ids, limit: Math.max(1, ids.length) });
      return items.map(viewEvent);
    },
    pending: (topic: string) => {
      check(topic);
      return pending[topic] ?? 0;
    },
  };
}

function viewEvent(event: EventRow): TopicEvent {
  const { id, at: publishedAt, sequence, attempt, state } = event;
  return { id, payload: dataOf(event).payload, publishedAt, sequence, attempt, state };
}

function cursorAfter(after: number | undefined): { readonly after?: string } {
  return after === undefined ? {} : { after: encodeCursor([after]) };
}
