/**
 * Does everything to a service that a caller may do: start twice, stop twice, stop before start, and both at
 * random without waiting. What it leaves behind once it is stopped is a leak: a timer on the clock, a subscription on
 * the store, a timer or an immediate of the process.
 */
import { describe, expect, test } from 'vitest';
import { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import type { Service } from '../../packages/carillon/src/base/service.ts';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { addTime, instant } from '../../packages/carillon/src/base/time.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/memory-store.ts';
import type { CommittedChange } from '../../packages/carillon/src/store/store.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';

/** Counts its timers. */
export class WatchedClock extends VirtualClock {
  readonly #pending = new Set<symbol>();

  get timers(): number {
    return this.#pending.size;
  }

  override wakeAt(at: Instant, wake: () => void): () => void {
    const id = Symbol();
    this.#pending.add(id);
    const cancel = super.wakeAt(at, () => {
      this.#pending.delete(id);
      wake();
    });
    return () => {
      this.#pending.delete(id);
      cancel();
    };
  }
}

/** Counts its listeners. */
export class WatchedStore extends MemoryStore {
  readonly #listening = new Set<symbol>();

  get subscriptions(): number {
    return this.#listening.size;
  }

  override subscribe(listener: (change: CommittedChange) => void): () => void {
    const id = Symbol();
    this.#listening.add(id);
    const leave = super.subscribe(listener);
    return () => {
      this.#listening.delete(id);
      leave();
    };
  }
}

/** The dependencies of a service under stress. */
export interface Ground {
  readonly clock: WatchedClock;
  readonly store: WatchedStore;
  readonly newId: () => string;
}

export interface StressOptions {
  /** Default true; a service that closes its store refuses to start again, with an error and with nothing begun. */
  readonly restarts?: boolean;
  /** Gives it something to do before each call. */
  readonly work?: (ground: Ground, random: SeededRandom) => Promise<void>;
}

const rounds = 60;
const callsPerRound = 12;

export function stressService(
  name: string,
  build: (ground: Ground) => Service,
  options: StressOptions = {},
): void {
  const { restarts = true } = options;
  const ready = async () => {
    const ground = await aGround();
    return { ground, service: build(ground), before: processTimers() };
  };

  describe(name, () => {
    test('starts twice, stops twice, and leaves nothing behind', async () => {
      const { ground, service, before } = await ready();
      await driven(ground, Promise.all([service.start(), service.start()]));
      await driven(ground, service.start());
      const once = { timers: ground.clock.timers, subscriptions: ground.store.subscriptions };
      expect(once.timers + once.subscriptions).toBeGreaterThan(0);
      await driven(ground, Promise.all([service.stop(), service.stop()]));
      await driven(ground, service.stop());
      await expectNothingLeft(ground, before);
    });

    test('starting twice is no more than starting once', async () => {
      const alone = await ready();
      await driven(alone.ground, alone.service.start());
      const { ground, service } = await ready();
      await driven(ground, Promise.all([service.start(), service.start(), service.start()]));
      expect(traces(ground)).toEqual(traces(alone.ground));
      await driven(ground, service.stop());
      await driven(alone.ground, alone.service.stop());
    });

    test('stops before it was ever started', async () => {
      const { ground, service, before } = await ready();
      await driven(ground, service.stop());
      await expectNothingLeft(ground, before);
    });

    if (restarts)
      test('starts again after each stop', async () => {
        const { ground, service, before } = await ready();
        await driven(ground, service.start());
        const first = traces(ground);
        for (let round = 0; round < 10; round++) {
          await driven(ground, service.stop());
          await expectNothingLeft(ground, before);
          await driven(ground, service.start());
          expect(traces(ground)).toEqual(first);
        }
        await driven(ground, service.stop());
      });

    if (restarts)
      test('is running when start was called last, during a stop', async () => {
        const { ground, service, before } = await ready();
        await driven(ground, service.start());
        const running = traces(ground);
        await driven(ground, Promise.all([service.stop(), service.start()]));
        expect(traces(ground)).toEqual(running);
        await driven(ground, service.stop());
        await expectNothingLeft(ground, before);
      });

    test('is stopped when stop was called last, during a start', async () => {
      const { ground, service, before } = await ready();
      await driven(ground, Promise.all([service.start(), service.stop()]));
      await expectNothingLeft(ground, before);
    });

    test(`survives ${rounds} rounds of starts and stops at random, one after the other`, async () => {
      for (let seed = 1; seed <= rounds; seed++) await oneRound({ seed, patience: 1 }, ready, options);
    });

    test(`survives ${rounds} rounds of starts and stops that overlap`, async () => {
      for (let seed = 1; seed <= rounds; seed++) await oneRound({ seed, patience: 0.3 }, ready, options);
    });
  });
}

/** `patience`: how often a call is waited for before the next. */
async function oneRound(
  { seed, patience }: { readonly seed: number; readonly patience: number },
  ready: () => Promise<{ ground: Ground; service: Service; before: number }>,
  { restarts = true, work }: StressOptions,
): Promise<void> {
  const random = new SeededRandom(seed);
  const { ground, service, before } = await ready();
  const calls: Promise<unknown>[] = [];
  const script: string[] = [];
  const mayFail = (call: Promise<void>) => (restarts ? call : call.catch(() => undefined));
  for (let call = 0; call < callsPerRound; call++) {
    const starts = random.chance(0.5);
    script.push(starts ? 'start' : 'stop');
    await work?.(ground, random).catch(() => undefined);
    const begun = starts ? mayFail(service.start()) : service.stop();
    if (random.chance(patience)) await driven(ground, begun);
    else calls.push(begun);
    for (let turns = random.integer(0, 4); turns > 0; turns--) await Promise.resolve();
    if (random.chance(0.3)) ground.clock.moveTo(addTime(ground.clock.now(), random.integer(0, 5000)));
    while (ground.clock.fireNext());
  }
  await driven(ground, Promise.all(calls));
  await driven(ground, service.stop());
  await expectNothingLeft(ground, before, `seed ${seed}: ${script.join(', ')}, stop`);
}

async function aGround(): Promise<Ground> {
  const clock = new WatchedClock(instant(Date.UTC(2026, 0, 1)));
  const store = new WatchedStore({ clock });
  await store.migrate();
  let ids = 0;
  return {
    clock,
    store,
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
  };
}

function traces({ clock, store }: Ground): { readonly timers: number; readonly subscriptions: number } {
  return { timers: clock.timers, subscriptions: store.subscriptions };
}

/** Beyond this a call is considered stuck. */
const mostTimers = 1000;

/** Waits for a call, moving time on as long as it is waiting for that. */
async function driven<T>(ground: Ground, call: Promise<T>): Promise<T> {
  let over = false;
  const done = call.finally(() => {
    over = true;
  });
  done.catch(() => undefined);
  for (let fired = 0; fired < mostTimers; fired++) {
    await turn();
    if (over) return await done;
    const next = ground.clock.nextTimer;
    if (next === undefined) continue;
    ground.clock.moveTo(next);
    ground.clock.fireNext();
  }
  throw new Error(`a start or stop is still waiting after ${mostTimers} timers`);
}

async function expectNothingLeft(ground: Ground, before: number, message?: string): Promise<void> {
  await turn();
  expect(traces(ground), message).toEqual({ timers: 0, subscriptions: 0 });
  // The test runner has timers of its own, which come and go; one that stays is ours.
  for (let turns = 0; processTimers() > before && turns < 100; turns++) await turn();
  expect(processTimers(), message).toBeLessThanOrEqual(before);
}

/** Timers and immediates that keep the process going. */
function processTimers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout' || kind === 'Immediate').length;
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
