/** Reads events: by id, by their run, and the beginning of the line of each topic and state. */
import { decodeCursor } from '../cursor.ts';
import { eventPage } from '../event-page.ts';
import type { EventRow } from '../records.ts';
import { eventStates } from '../records.ts';
import type { EventNeed, EventQuery, Page } from '../store.ts';
import type { CommandArgument, Connection } from './connection.ts';
import { eventLetter, eventOf } from './event-codec.ts';
import { escapeText, unescapeText } from './text.ts';

interface Asked {
  readonly owner: string;
  readonly args: readonly CommandArgument[];
}

export async function loadEvents(
  connection: Connection,
  needs: readonly EventNeed[],
): Promise<readonly EventRow[]> {
  return await read(connection, needs.map(argumentsOf));
}

export async function pageOfEvents(connection: Connection, query: EventQuery): Promise<Page<EventRow>> {
  const { owner, topic, ids, states = eventStates, order, after, limit } = query;
  if (ids !== undefined) return eventPage(query, await loadEvents(connection, [{ owner, topic, ids }]));
  const isDescending = order === 'descending';
  const from = after === undefined ? '' : `(${decodeCursor(after, ['number'])[0]}`;
  const [lowest, highest] = isDescending ? ['-inf', from || '+inf'] : [from || '-inf', '+inf'];
  const asked = states.map((state) => ({
    owner,
    args: ['line', escapeText(topic), eventLetter(state), isDescending ? 1 : 0, lowest, highest, limit + 1],
  }));
  return eventPage(query, await read(connection, asked));
}

function argumentsOf(need: EventNeed): Asked {
  const { owner } = need;
  if ('holder' in need) return { owner, args: ['held', escapeText(need.holder)] };
  const topic = escapeText(need.topic);
  if ('oldest' in need) return { owner, args: ['line', topic, 'p', 0, '-inf', '+inf', need.oldest] };
  const ids = [...new Set(need.ids)];
  return { owner, args: ['ids', topic, ids.length, ...ids.map(escapeText)] };
}

async function read(connection: Connection, asked: readonly Asked[]): Promise<readonly EventRow[]> {
  const args = asked.flatMap((each) => [each.owner, ...each.args]);
  const answers = await connection.run<readonly (readonly string[])[]>('events', [asked.length, ...args]);
  return answers.flatMap((values, place) => {
    const owner = asked[place]?.owner ?? '';
    const events: EventRow[] = [];
    for (let i = 0; i + 1 < values.length; i += 2) {
      const [topic, id] = (values[i] as string).split('\0') as [string, string];
      const ref = { owner, topic: unescapeText(topic), id: unescapeText(id) };
      events.push(eventOf(ref, values[i + 1] as string));
    }
    return events;
  });
}
