/** Makes the demo day on an empty store, and returns the store as `openCarillon` takes it. */
import { existsSync, rmSync } from 'node:fs';
import type { Clock, Instant } from 'carillon/internal/base';
import { uniqueIds } from 'carillon/internal/base';
import type { Store } from 'carillon/store';
import type { DayOptions } from './day.ts';
import { dayStart, makeDay } from './day.ts';

export interface WithDay {
  readonly store: string | Store;
  /** False when the file had content, which is never touched. */
  readonly hasDay: boolean;
}

export async function openWithDay(file: string | null, clock: Clock): Promise<WithDay> {
  const { VirtualClock } = await import('carillon/testing');
  const now = clock.now();
  const virtual = new VirtualClock(dayStart(now));
  const newId = uniqueIds(virtual);
  if (file !== null) return await openFile(file, { clock: virtual, now, newId });
  const { MemoryStore } = await import('carillon/store/memory');
  const time = new HandoverClock(virtual);
  const store = new MemoryStore({ clock: time });
  await makeDay({ store, clock: virtual, now, newId });
  time.handTo(clock);
  return { store, hasDay: true };
}

/** The whole day is one commit, at the end: after an interruption the file is empty, and the next start makes the day. */
async function openFile(path: string, day: Omit<DayOptions, 'store'>): Promise<WithDay> {
  const { SqliteStore } = await import('carillon/store/sqlite');
  const isKnown = existsSync(path);
  const store = new SqliteStore({ path, clock: day.clock, durability: 'atClose' });
  try {
    if (isKnown && (await hasAny(store))) return { store: `sqlite:${path}`, hasDay: false };
    await makeOrRemove(path, { ...day, store });
    return { store: `sqlite:${path}`, hasDay: true };
  } finally {
    await store.close();
  }
}

/** A failure leaves no file, as closing it would keep what was made so far. */
async function makeOrRemove(path: string, options: DayOptions): Promise<void> {
  try {
    await makeDay(options);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

async function hasAny(store: Store): Promise<boolean> {
  await store.migrate();
  const { items } = await store.list({ limit: 1 });
  return items.length > 0;
}

/** A clock that reads from another clock, which can be replaced. */
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
