/**
 * The events of all started processes of a store, for listeners in any of them. A process with such a listener says so every few seconds;
 * the others publish their events only while one listens. Delivery is at most once: a notification may be lost, and too many events
 * at once are dropped. The listener is then told that it has missed some, and reads what it needs.
 *
 * A message is JSON: `{ hear: true }` from a process with a listener, or `{ node, name, place, events, dropped }`,
 * where `place` counts the messages of a sender.
 */
import type { Clock } from '../base/clock.ts';
import { Listeners } from '../base/listeners.ts';
import type { Service } from '../base/service.ts';
import { addTime, second } from '../base/time.ts';
import type { Store } from '../store/store.ts';
import { longestMessage } from '../store/store.ts';
import type { CarillonEvent } from './event.ts';
import type { NodeEvents } from './events.ts';

/** Events of other processes were lost: read again what depends on them. */
export interface EventsMissed {
  readonly type: 'missed';
  /** How many; null when it is not known. */
  readonly count: number | null;
}

export type ClusterEvent = CarillonEvent | EventsMissed;

export interface EventOrigin {
  /** The name of the process that decided the event; null for lost events of an unknown process. */
  readonly node: string | null;
}

export type ClusterListener = (event: ClusterEvent, origin: EventOrigin) => void;

export interface ClusterEventsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly events: Pick<NodeEvents, 'subscribe'>;
  /** The name of this process for people. */
  readonly name: string;
  readonly newId: () => string;
  readonly trouble: (error: unknown) => void;
}

interface Message {
  readonly hear?: true;
  readonly node?: string;
  readonly name?: string;
  readonly place?: number;
  readonly events?: readonly CarillonEvent[];
  readonly dropped?: number;
}

/** How often a process with listeners says so, and for how long the others believe it. */
const announceMs = 10 * second;
const believedMs = 35 * second;
/** Events that are decided within this time are sent together. */
const gatherMs = 50;
/** The most messages that are sent at once; events that do not fit are dropped and counted. */
const mostMessages = 10;
/** The most processes whose last place is remembered. */
const mostSenders = 1000;

export class ClusterEvents implements Service {
  readonly #options: ClusterEventsOptions;
  /** Made when it is first needed: most processes never send an event. */
  #id: string | undefined;
  readonly #listeners: Listeners<ClusterListener>;
  /** The place of the last message of each sender. */
  readonly #places = new Map<string, number>();
  #place = 0;
  #gathered: CarillonEvent[] = [];
  #heardUntil = Number.NEGATIVE_INFINITY;
  #isStarted = false;
  #stopListening: (() => void) | undefined;
  #stopSharing: (() => void) | undefined;
  #cancelGathering: (() => void) | undefined;
  #cancelAnnouncing: (() => void) | undefined;

  constructor(options: ClusterEventsOptions) {
    this.#options = options;
    this.#listeners = new Listeners(options.trouble);
  }

  /** Calls the listener with events of this and of all other started processes. Returns an unsubscribe function. */
  subscribe(listener: ClusterListener): () => void {
    const { events, name } = this.#options;
    const leaveOwn = events.subscribe((event) => listener(event, { node: name }));
    const leave = this.#listeners.add(listener);
    this.#listen();
    if (this.#cancelAnnouncing === undefined) this.#announce();
    return () => {
      leaveOwn();
      leave();
      if (this.#listeners.size > 0) return;
      this.#cancelAnnouncing?.();
      this.#cancelAnnouncing = undefined;
      if (!this.#isStarted) this.#leave();
    };
  }

  async start(): Promise<void> {
    this.#isStarted = true;
    this.#listen();
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#flush();
    this.#unshare();
    this.#cancelAnnouncing?.();
    this.#cancelAnnouncing = undefined;
    this.#leave();
  }

  #listen(): void {
    this.#stopListening ??= this.#options.store.messages?.((text) => this.#heard(text));
  }

  #leave(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  #announce(): void {
    const { clock } = this.#options;
    this.#send({ hear: true });
    this.#cancelAnnouncing = clock.wakeAt(addTime(clock.now(), announceMs), () => this.#announce());
  }

  #heard(text: string | null): void {
    if (text === null) {
      this.#tell({ type: 'missed', count: null }, null);
      return;
    }
    const { hear, node, name = '', place = 0, events = [], dropped = 0 } = messageIn(text);
    if (hear === true) this.#share();
    if (node === undefined || node === this.#id) return;
    const last = this.#places.get(node);
    this.#places.delete(node);
    this.#places.set(node, place);
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= mostSenders) break;
      this.#places.delete(oldest);
    }
    if (last !== undefined && place > last + 1) this.#tell({ type: 'missed', count: null }, name);
    for (const event of events) this.#tell(event, name);
    if (dropped > 0) this.#tell({ type: 'missed', count: dropped }, name);
  }

  #tell(event: ClusterEvent, node: string | null): void {
    this.#listeners.each((listener) => listener(event, { node }));
  }

  /** Another process listens: it gets the events of this one for a while. */
  #share(): void {
    const { clock, events } = this.#options;
    if (!this.#isStarted) return;
    this.#heardUntil = addTime(clock.now(), believedMs);
    this.#stopSharing ??= events.subscribe((event) => {
      this.#gathered.push(event);
      this.#cancelGathering ??= clock.wakeAt(addTime(clock.now(), gatherMs), () => this.#flush());
    });
  }

  #unshare(): void {
    this.#stopSharing?.();
    this.#stopSharing = undefined;
  }

  #flush(): void {
    this.#cancelGathering?.();
    this.#cancelGathering = undefined;
    const gathered = this.#gathered;
    this.#gathered = [];
    if (this.#options.clock.now() > this.#heardUntil) this.#unshare();
    if (gathered.length === 0) return;
    const { parts, dropped } = partsOf(gathered);
    parts.forEach((events, index) => {
      const isLast = index === parts.length - 1;
      this.#place += 1;
      const { name, newId } = this.#options;
      this.#id ??= newId();
      this.#send({ node: this.#id, name, place: this.#place, events, ...(isLast ? { dropped } : {}) });
    });
  }

  #send(message: Message): void {
    // A message that is not sent leaves a gap in the places, which its readers notice.
    this.#options.store.publish?.(JSON.stringify(message)).catch(() => undefined);
  }
}

/** Bytes that a message has around its events. */
const envelope = 1000;

/** The events in parts that each fit into a message. An event that is too long for any is dropped. */
function partsOf(events: readonly CarillonEvent[]) {
  const parts: CarillonEvent[][] = [[]];
  let bytes = 0;
  let dropped = 0;
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event)) + 1;
    if (bytes + size > longestMessage - envelope && bytes > 0 && parts.length < mostMessages) {
      parts.push([]);
      bytes = 0;
    }
    if (bytes + size > longestMessage - envelope) {
      dropped += 1;
      continue;
    }
    parts.at(-1)?.push(event);
    bytes += size;
  }
  return { parts, dropped };
}

/** Empty for a text that is none of these messages. */
function messageIn(text: string): Message {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Message) : {};
  } catch {
    return {};
  }
}
