/** Makes the demo day on a new store, and returns the store as `openCarillon` takes it. */
import type { Clock, Instant } from 'carillon/internal/base';
import { uniqueIds } from 'carillon/internal/base';
import type { Store } from 'carillon/store';
import { dayStart, makeDay } from './day.ts';

/** A file is closed again and opened by its URL; a store in memory is handed over as it is. */
export async function openWithDay(url: string, clock: Clock): Promise<string | Store> {
  const { openStore } = await import('carillon');
  const { VirtualClock } = await import('carillon/testing');
  const now = clock.now();
  const virtual = new VirtualClock(dayStart(now));
  const time = new HandoverClock(virtual);
  // No caller relies on a single one of these commits, so they need not reach the disk one by one.
  const store = await openStore(url, { clock: time, durability: 'fast' });
  await makeDay({ store, clock: virtual, now, newId: uniqueIds(virtual) });
  if (url === 'memory:') {
    time.handTo(clock);
    return store;
  }
  await store.close();
  return url;
}

/** A clock that goes by another clock from one moment on. */
class HandoverClock implements Clock {
  #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  handTo(clock: Clock): void {
    this.#clock = clock;
  }

  now(): Instant {
    return this.#clock.now();
  }

  wakeAt(at: Instant, wake: () => void): () => void {
    return this.#clock.wakeAt(at, wake);
  }
}
