/** What publishing to a workflow would do to its events, in sentences. Pure. */
import type { EventRow } from '../../store/records.ts';
import type { Writes } from '../../store/store.ts';
import { eventSentences, several } from '../work-effects.ts';

export interface EventName {
  readonly topic: string;
  readonly id: string;
}

export type StoredEvent = Pick<EventRow, 'topic' | 'id' | 'state'>;

/** The most events that are named; more are only counted. */
const mostNamed = 3;

export function publishSentences(
  messages: readonly Partial<EventName>[],
  known: readonly StoredEvent[],
  writes: Writes,
): readonly string[] {
  const { newEvents = [], events = [] } = writes;
  const replaced = known.filter(({ topic, id }) =>
    events.some((each) => each.topic === topic && each.id === id),
  );
  const same = known.filter((each) => !replaced.includes(each));
  const ids = messages.flatMap(({ topic, id }) => (id === undefined ? [] : [JSON.stringify([topic, id])]));
  const repeated = ids.length - new Set(ids).size;
  return [
    ...eventSentences({ newEvents }),
    ...knownSentences(
      replaced,
      (count) => `${count === 1 ? 'its payload is' : 'their payloads are'} replaced`,
    ),
    ...knownSentences(same, () => 'nothing changes'),
    ...(repeated === 0
      ? []
      : [`${messagesText(repeated)} the id of another, and ${repeated === 1 ? 'is' : 'are'} no event.`]),
  ];
}

function knownSentences(known: readonly StoredEvent[], what: (count: number) => string): readonly string[] {
  if (known.length > mostNamed)
    return [`${several(known.length, 'is', 'are')} known already: ${what(known.length)}.`];
  return known.map(
    ({ topic, id, state }) => `The event '${id}' is ${state} in '${topic}' already: ${what(1)}.`,
  );
}

function messagesText(count: number): string {
  return count === 1 ? '1 message repeats' : `${count} messages repeat`;
}
