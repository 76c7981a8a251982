/** How an event is stored in Redis: a field of its owner's hash, named by topic and id. `commit.lua` reads the columns before the data. */
import type { Instant } from '../../base/time.ts';
import { StoreError } from '../error.ts';
import type { EventRef, EventRow, EventState } from '../records.ts';
import { escapeText, optionalText, textOrNull } from './text.ts';

const letters: Readonly<Record<EventState, string>> = {
  pending: 'p',
  reserved: 'r',
  consumed: 'c',
  skipped: 's',
};
const states = new Map(Object.entries(letters).map(([state, letter]) => [letter, state as EventState]));

export function eventLetter(state: EventState): string {
  return letters[state];
}

export function eventValue(event: EventRow): string {
  const { sequence, state, holder, attempt, at, changedAt, data } = event;
  return [sequence, letters[state], optionalText(holder), changedAt, attempt, at, data].join('\0');
}

export function eventOf(ref: EventRef, value: string): EventRow {
  const [sequence, letter, holder, changedAt, attempt, at, ...data] = value.split('\0');
  const state = states.get(letter ?? '');
  if (state === undefined || at === undefined) {
    throw new StoreError('corrupt', `event ${ref.id} of topic ${ref.topic} is not what was written`);
  }
  const { owner, topic, id } = ref;
  return {
    owner,
    topic,
    id,
    sequence: Number(sequence),
    state,
    holder: textOrNull(holder ?? ''),
    attempt: Number(attempt),
    at: Number(at) as Instant,
    changedAt: Number(changedAt) as Instant,
    data: data.join('\0'),
  };
}

/** The arguments that name an event to a script. */
export function eventNames({ owner, topic, id }: EventRef): readonly string[] {
  return [owner, escapeText(topic), escapeText(id)];
}
