/**
 * The transitions of events: published, reserved, released, consumed, skipped. Each keeps the counters of the root right, so
 * that how many are pending, and since when, is never counted. Events must have been asked for by the transaction.
 */
import type { Instant } from '../base/time.ts';
import type { EventRow } from '../store/records.ts';
import type { EventNeed } from '../store/store.ts';
import type { HostNode, TopicState } from './host.ts';
import { change, topicOf } from './host.ts';

/** The stored data of an event. */
export interface EventData {
  readonly payload: unknown;
  /** The run that published it; absent: from outside. */
  readonly by?: string;
  /** The person who skipped it, and why. */
  readonly skippedBy?: string;
  readonly note?: string;
}

export interface NewMessage {
  readonly topic: string;
  readonly id: string;
  /** The payload as JSON. */
  readonly json: string;
}

export function dataOf({ data }: EventRow): EventData {
  return JSON.parse(data) as EventData;
}

function setTopic(host: HostNode, name: string, fields: Partial<TopicState>): void {
  const { topics } = host.state;
  change(host, { topics: { ...topics, [name]: { ...topicOf(host.state, name), ...fields } } });
}

/** The events that a transaction needs to publish these messages. */
export function publishNeeds(owner: string, messages: readonly NewMessage[]): readonly EventNeed[] {
  const byTopic = new Map<string, string[]>();
  for (const { topic, id } of messages) {
    const ids = byTopic.get(topic);
    if (ids === undefined) byTopic.set(topic, [id]);
    else ids.push(id);
  }
  return [...byTopic].map(([topic, ids]) => ({ owner, topic, ids: [...new Set(ids)] }));
}

/**
 * Returns the topics that got a new event, with how many. A message with a known id makes no new event: while that
 * event is pending, the message replaces its payload.
 */
export function publish(
  host: HostNode,
  messages: readonly NewMessage[],
  by: string | null,
): ReadonlyMap<string, number> {
  const fresh = new Map<string, number>();
  for (const { topic, id, json } of messages) {
    const data = by === null ? `{"payload":${json}}` : `{"payload":${json},"by":${JSON.stringify(by)}}`;
    const known = host.events.get(topic, id);
    if (known !== undefined) {
      if (known.state === 'pending' && JSON.stringify(dataOf(known).payload) !== json) {
        host.events.save({ ...known, data, changedAt: host.now });
        change(host, {});
      }
      continue;
    }
    const sequence = host.state.sequence + 1;
    const { now } = host;
    host.events.add({
      topic,
      id,
      sequence,
      state: 'pending',
      holder: null,
      attempt: 1,
      at: now,
      changedAt: now,
      data,
    });
    change(host, { sequence });
    const { pending, oldest, oldestAt } = topicOf(host.state, topic);
    const first = pending === 0 ? { oldest: sequence, oldestAt: now } : { oldest, oldestAt };
    setTopic(host, topic, { pending: pending + 1, ...first, last: sequence });
    fresh.set(topic, (fresh.get(topic) ?? 0) + 1);
  }
  for (const [topic, count] of fresh) host.report({ type: 'eventsPublished', topic, count, runId: by });
  return fresh;
}

/**
 * The events that a transaction needs to take these events out of their line: the events themselves, and the oldest one
 * after them.
 */
export function takeNeeds(
  owner: string,
  taken: readonly { readonly topic: string; readonly ids: readonly string[] }[],
): readonly EventNeed[] {
  return taken.flatMap(({ topic, ids }): readonly EventNeed[] => [
    { owner, topic, ids },
    { owner, topic, oldest: ids.length + 1 },
  ]);
}

/** Reserves pending events for a run. */
export function reserve(host: HostNode, events: readonly EventRow[], holder: string): void {
  take(host, events, { state: 'reserved', holder });
  const counts = byTopic(events);
  for (const [topic, ofTopic] of counts)
    setTopic(host, topic, { reserved: topicOf(host.state, topic).reserved + ofTopic.length });
}

/** Takes a pending event out of the line for good. */
export function skipPending(host: HostNode, event: EventRow, data: EventData): void {
  take(host, [{ ...event, data: JSON.stringify(data) }], { state: 'skipped', holder: null });
}

function take(host: HostNode, events: readonly EventRow[], fields: Pick<EventRow, 'state' | 'holder'>): void {
  for (const event of events) host.events.save({ ...event, ...fields, changedAt: host.now });
  for (const [topic, ofTopic] of byTopic(events)) {
    const pending = topicOf(host.state, topic).pending - ofTopic.length;
    const left = host.events.all().filter((event) => event.topic === topic && event.state === 'pending');
    const [oldest] = left.sort((a, b) => a.sequence - b.sequence);
    const { oldest: before, oldestAt } = topicOf(host.state, topic);
    const isOldestTaken = ofTopic.some(({ sequence }) => sequence === before);
    const first =
      pending === 0
        ? { oldest: 0, oldestAt: 0 as Instant }
        : isOldestTaken && oldest !== undefined
          ? { oldest: oldest.sequence, oldestAt: oldest.at }
          : { oldest: before, oldestAt };
    setTopic(host, topic, { pending, ...first });
  }
}

/** The events that a run has reserved. */
export function heldBy(host: HostNode, holder: string | null): readonly EventRow[] {
  if (holder === null) return [];
  return host.events.all().filter((event) => event.state === 'reserved' && event.holder === holder);
}

/** Puts reserved events back into their line, at their old place. */
export function release(host: HostNode, events: readonly EventRow[]): void {
  for (const event of events) {
    host.events.save({
      ...event,
      state: 'pending',
      holder: null,
      attempt: event.attempt + 1,
      changedAt: host.now,
    });
    const { pending, reserved, oldest, oldestAt } = topicOf(host.state, event.topic);
    const isFirst = pending === 0 || event.sequence < oldest;
    const first = isFirst ? { oldest: event.sequence, oldestAt: event.at } : { oldest, oldestAt };
    setTopic(host, event.topic, { pending: pending + 1, reserved: reserved - 1, ...first });
  }
}

/** Ends reserved events. */
export function finish(host: HostNode, events: readonly EventRow[], state: 'consumed' | 'skipped'): void {
  for (const event of events) host.events.save({ ...event, state, changedAt: host.now });
  for (const [topic, ofTopic] of byTopic(events))
    setTopic(host, topic, { reserved: topicOf(host.state, topic).reserved - ofTopic.length });
}

function byTopic(events: readonly EventRow[]): ReadonlyMap<string, readonly EventRow[]> {
  const found = new Map<string, EventRow[]>();
  for (const event of events) {
    const ofTopic = found.get(event.topic);
    if (ofTopic === undefined) found.set(event.topic, [event]);
    else ofTopic.push(event);
  }
  return found;
}
