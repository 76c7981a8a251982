/** Slow readers of live events, measured by what is encoded and held, not by time. */
import { instant } from 'carillon/internal/base';
import { VirtualClock } from 'carillon/testing';
import { describe, expect, test } from 'vitest';
import type { Filter, LiveEvent, Subscription } from './event-broadcast.ts';
import { EventBroadcast } from './event-broadcast.ts';

interface Numbered extends LiveEvent {
  readonly n: number;
}

const kept = 256;
const everything: Filter = { namespace: 'default' };

/** A connection that takes `room` writes and then stalls until it is drained. */
class Connection {
  readonly chunks: Uint8Array[] = [];
  /** What was written and not taken by the other side. */
  held: Uint8Array[] = [];
  ended = false;
  reading: Subscription | undefined;
  #room: number;

  constructor(room: number) {
    this.#room = room;
  }

  write(bytes: Uint8Array): boolean {
    expect(this.held, 'a blocked connection is left alone').toEqual([]);
    this.chunks.push(bytes);
    if (this.#room > 0) {
      this.#room -= 1;
      return true;
    }
    this.held.push(bytes);
    return false;
  }

  end(bytes: Uint8Array): void {
    this.chunks.push(bytes);
    this.ended = true;
  }

  drain(room: number): void {
    this.held = [];
    this.#room = room;
    this.reading?.drained();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }

  /** Numbers of the events it got, in order. */
  get numbers(): readonly number[] {
    return [...this.text.matchAll(/^event (\d+) /gm)].map(([, n]) => Number(n));
  }
}

function aBroadcast() {
  const clock = new VirtualClock(instant(0));
  let encoded = 0;
  const broadcast = new EventBroadcast<Numbered>({
    clock,
    boot: 'boot',
    kept,
    encode: (id, event) => {
      if (event === 'reset') return `reset ${id}\n`;
      encoded += 1;
      return `event ${event.n} ${'x'.repeat(200)}\n`;
    },
  });
  let told = 0;
  const publish = (count: number, fields: Partial<LiveEvent> = {}) => {
    for (let left = count; left > 0; left -= 1) {
      broadcast.publish({ type: 'slot', namespace: 'default', schedule: 's', ...fields, n: told });
      told += 1;
    }
  };
  /** Lets everything be written that is due by then. */
  const flush = () => {
    clock.moveTo(instant(clock.now() + 50));
    while (clock.fireNext()) {}
  };
  const connect = (room: number, filter = everything, lastId?: string) => {
    const connection = new Connection(room);
    connection.reading = broadcast.open(filter, lastId, connection);
    return connection;
  };
  return { broadcast, publish, flush, connect, encoded: () => encoded };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('readers', () => {
  test('1,000 stalled ones cost references, 150 healthy ones get all, and each event is encoded once', () => {
    const { publish, flush, connect, encoded, broadcast } = aBroadcast();
    const stalled = Array.from({ length: 1000 }, () => connect(0));
    const healthy = Array.from({ length: 150 }, () => connect(Number.POSITIVE_INFINITY));
    const bursts = 100;
    const burst = 64;
    let mostHeld = 0;
    for (let left = bursts; left > 0; left -= 1) {
      publish(burst);
      flush();
      const held = new Set(stalled.flatMap((connection) => connection.held));
      mostHeld = Math.max(
        mostHeld,
        [...held].reduce((sum, bytes) => sum + bytes.length, 0),
      );
    }
    expect(encoded()).toBe(bursts * burst);
    // One chunk for all of them: the first burst, which is all they were ever given.
    expect(mostHeld).toBeLessThan(burst * 250);
    for (const { numbers } of healthy) expect(numbers).toEqual(range(0, bursts * burst));
    for (const { numbers, ended } of stalled) expect([numbers.length, ended]).toEqual([burst, true]);
    expect(broadcast.readers).toBe(150);
    // Readers of the same are given the same bytes, not copies of them.
    expect(new Set(healthy.map(({ chunks }) => chunks[50])).size).toBe(1);
  });

  test('without any, nothing is encoded', () => {
    const { publish, flush, encoded } = aBroadcast();
    publish(1000);
    flush();
    expect(encoded()).toBe(0);
  });

  test('one that falls behind and catches up in time misses nothing', () => {
    const { publish, flush, connect } = aBroadcast();
    const slow = connect(0);
    publish(10);
    flush();
    publish(kept - 10);
    flush();
    slow.drain(100);
    flush();
    expect(slow.numbers).toEqual(range(0, kept));
    expect(slow.ended).toBe(false);
  });

  test('one that is overtaken gets a reset and is closed', () => {
    const { publish, flush, connect } = aBroadcast();
    const slow = connect(0);
    publish(10);
    flush();
    publish(kept + 1);
    flush();
    expect(slow.ended).toBe(true);
    expect(slow.text.endsWith(`reset boot.${kept + 11}\n`)).toBe(true);
    // With the id it was given it continues where it was disconnected.
    const back = connect(100, everything, `boot.${kept + 11}`);
    publish(1);
    flush();
    expect(back.numbers).toEqual([kept + 11]);
  });

  test('a large backlog goes out in pieces', () => {
    const { publish, flush, connect } = aBroadcast();
    publish(kept, { type: 'x'.repeat(10) });
    const back = connect(100, everything, 'boot.0');
    for (let turns = 0; turns < 3; turns += 1) flush();
    expect(back.numbers).toEqual(range(0, kept));
  });

  test('each gets what it asked for, and a filter without events does not make one fall behind', () => {
    const { publish, flush, connect } = aBroadcast();
    const narrow = connect(100, { namespace: 'default', schedule: 'rare' });
    const typed = connect(100, { namespace: 'default', types: ['finished'] });
    const foreign = connect(100, { namespace: 'other' });
    for (let left = 10; left > 0; left -= 1) {
      publish(kept);
      flush();
    }
    publish(1, { schedule: 'rare', type: 'finished' });
    flush();
    expect(narrow.numbers).toEqual([10 * kept]);
    expect(typed.numbers).toEqual([10 * kept]);
    expect(foreign.chunks).toEqual([]);
    publish(1, { namespace: null });
    flush();
    for (const reader of [narrow, typed, foreign]) expect(reader.numbers.at(-1)).toBe(10 * kept + 1);
  });

  test('one that was away too long, or before a restart of the server, first gets a reset', () => {
    const { publish, flush, connect } = aBroadcast();
    publish(kept + 5);
    for (const id of ['boot.1', 'other.7', 'boot.99999', 'nonsense']) {
      const back = connect(100, everything, id);
      expect(back.text).toBe(`reset boot.${kept + 5}\n`);
      back.reading?.close();
    }
    const back = connect(100, everything, 'boot.6');
    flush();
    expect(back.numbers).toEqual(range(6, kept + 5));
  });
});
