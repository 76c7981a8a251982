/**
 * Sends live events to many readers without extra cost for slow ones. The latest events are in one shared ring; a reader is
 * a position in the ring and a filter. Each event is encoded once for all readers, and readers with the same filter at the
 * same position share one chunk, so that a stalled connection holds references and no copies.
 *
 * A reader is *ready* (its connection accepts data) or *blocked* (it does not; `drained` makes it ready again). Chunks are
 * written at most every `flushMs`, which joins many small events into one write. A reader that falls behind the ring gets a
 * reset event, which tells it to fetch its data again, and is disconnected. It may reconnect at any time.
 */
import type { Clock } from 'carillon/internal/base';
import { addTime, second } from 'carillon/internal/base';

export interface LiveEvent {
  readonly type: string;
  /** Null when the event concerns every namespace; it then passes every filter. */
  readonly namespace: string | null;
  /** Null for events that belong to no schedule. */
  readonly schedule: string | null;
}

export interface Filter {
  readonly namespace: string;
  readonly schedule?: string;
  readonly types?: readonly string[];
}

/** The connection of a reader. */
export interface Sink {
  /** Returns false when the connection accepts no more data until it has drained. */
  write(bytes: Uint8Array): boolean;
  /** Writes the last bytes and closes the connection. */
  end(bytes: Uint8Array): void;
}

export interface Subscription {
  /** Call it when the connection accepts data again. */
  drained(): void;
  close(): void;
}

export interface BroadcastOptions<E extends LiveEvent> {
  readonly clock: Clock;
  /** Distinguishes event ids of this process from those of an earlier or another process. */
  readonly boot: string;
  /** Encodes an event, or the reset that says that events were missed. */
  readonly encode: (id: string, event: E | 'reset') => string;
  /** Number of events in the ring. Default `defaultKept`. */
  readonly kept?: number;
}

/** Number of events that a reader may fall behind, or miss while it is disconnected, without a reset. */
const defaultKept = 4096;

/** Events are collected for this time before they are written. */
const flushMs = 50;

/** The same for a ready reader that is behind, which has waited already. */
const behindMs = 1;

/** Size of one write; a chunk ends with the event that reaches it. */
const chunkBytes = 64 * 1024;

/** Interval of heartbeats. They keep proxies from closing the connection and detect readers that are gone. */
const heartbeatMs = 15 * second;
const beat = Buffer.from(': beat\n\n');

interface Entry<E> {
  readonly event: E;
  bytes: Buffer | undefined;
}

interface Reader {
  readonly filter: Filter;
  /** Readers with the same key want the same events. */
  readonly key: string;
  readonly sink: Sink;
  /** Sequence number of the next event for this reader. */
  position: number;
  isBlocked: boolean;
}

interface Chunk {
  /** Undefined when no event passed the filter. */
  readonly bytes: Buffer | undefined;
  /** Position at which the next chunk begins. */
  readonly next: number;
}

export class EventBroadcast<E extends LiveEvent> {
  readonly #options: BroadcastOptions<E>;
  readonly #kept: number;
  /** The event with sequence number n is at index n modulo the ring's length. */
  readonly #ring: Entry<E>[] = [];
  readonly #readers = new Set<Reader>();
  /** Sequence number of the next event. */
  #end = 1;
  #cancelFlush: (() => void) | undefined;
  #flushAt = 0;
  #cancelBeat: (() => void) | undefined;

  constructor(options: BroadcastOptions<E>) {
    this.#options = options;
    this.#kept = options.kept ?? defaultKept;
  }

  get readers(): number {
    return this.#readers.size;
  }

  publish(event: E): void {
    this.#ring[this.#end % this.#kept] = { event, bytes: undefined };
    this.#end += 1;
    if (this.#readers.size > 0) this.#flushSoon();
  }

  /** A reader that gives the id of its last event continues after it; without an id it begins with the next event. */
  open(filter: Filter, lastId: string | undefined, sink: Sink): Subscription {
    const { namespace, schedule = null, types = null } = filter;
    const key = JSON.stringify([namespace, schedule, types]);
    const resumed = lastId === undefined ? this.#end : this.#after(lastId);
    const reader: Reader = { filter, key, sink, position: resumed ?? this.#end, isBlocked: false };
    if (resumed === undefined) reader.isBlocked = !sink.write(this.#reset());
    this.#readers.add(reader);
    if (reader.position < this.#end) this.#flushSoon();
    this.#beatLater();
    return {
      drained: () => {
        reader.isBlocked = false;
        if (reader.position < this.#end && this.#readers.has(reader)) this.#flushSoon(behindMs);
      },
      close: () => {
        this.#readers.delete(reader);
        if (this.#readers.size === 0) this.#rest();
      },
    };
  }

  close(): void {
    this.#readers.clear();
    this.#rest();
  }

  /** The position after the event; undefined when the ring no longer holds what followed it. */
  #after(lastId: string): number | undefined {
    const [boot, sequence] = lastId.split('.');
    const next = Number(sequence) + 1;
    const isKnown = boot === this.#options.boot && next >= this.#first && next <= this.#end;
    return isKnown ? next : undefined;
  }

  get #first(): number {
    return Math.max(1, this.#end - this.#kept);
  }

  #flushSoon(delayMs = flushMs): void {
    const { clock } = this.#options;
    const at = addTime(clock.now(), delayMs);
    if (this.#cancelFlush !== undefined && this.#flushAt <= at) return;
    this.#cancelFlush?.();
    this.#flushAt = at;
    this.#cancelFlush = clock.wakeAt(at, () => this.#flush());
  }

  #flush(): void {
    this.#cancelFlush = undefined;
    const chunks = new Map<string, Chunk>();
    let isBehind = false;
    for (const reader of this.#readers) {
      if (reader.position < this.#first) this.#cut(reader);
      else if (!reader.isBlocked) {
        this.#feed(reader, chunks);
        if (!reader.isBlocked && reader.position < this.#end) isBehind = true;
      }
    }
    if (isBehind) this.#flushSoon(behindMs);
  }

  #feed(reader: Reader, chunks: Map<string, Chunk>): void {
    const key = `${reader.position} ${reader.key}`;
    let chunk = chunks.get(key);
    if (chunk === undefined) {
      chunk = this.#chunk(reader);
      chunks.set(key, chunk);
    }
    reader.position = chunk.next;
    if (chunk.bytes !== undefined) reader.isBlocked = !reader.sink.write(chunk.bytes);
  }

  #chunk({ filter, position }: Reader): Chunk {
    const pieces: Buffer[] = [];
    let size = 0;
    let next = position;
    for (; next < this.#end && size < chunkBytes; next += 1) {
      const entry = this.#ring[next % this.#kept] as Entry<E>;
      if (!passes(filter, entry.event)) continue;
      entry.bytes ??= Buffer.from(this.#options.encode(this.#id(next), entry.event));
      pieces.push(entry.bytes);
      size += entry.bytes.length;
    }
    const [only] = pieces;
    const bytes = pieces.length > 1 ? Buffer.concat(pieces, size) : only;
    return { bytes, next };
  }

  #cut(reader: Reader): void {
    this.#readers.delete(reader);
    reader.sink.end(this.#reset());
  }

  #reset(): Buffer {
    return Buffer.from(this.#options.encode(this.#id(this.#end - 1), 'reset'));
  }

  #id(sequence: number): string {
    return `${this.#options.boot}.${sequence}`;
  }

  #beatLater(): void {
    const { clock } = this.#options;
    this.#cancelBeat ??= clock.wakeAt(addTime(clock.now(), heartbeatMs), () => {
      this.#cancelBeat = undefined;
      for (const reader of this.#readers) if (!reader.isBlocked) reader.isBlocked = !reader.sink.write(beat);
      if (this.#readers.size > 0) this.#beatLater();
    });
  }

  #rest(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    this.#cancelBeat?.();
    this.#cancelBeat = undefined;
  }
}

function passes({ namespace, schedule, types }: Filter, event: LiveEvent): boolean {
  if (event.namespace === null) return true;
  return (
    event.namespace === namespace &&
    (schedule === undefined || event.schedule === schedule) &&
    (types === undefined || types.includes(event.type))
  );
}
