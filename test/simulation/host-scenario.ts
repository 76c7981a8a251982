/**
 * A random life of a host: three nodes, events from outside and from a producer, changes in a recorded outside world, crashes
 * at random commits, lost answers, clock steps, pauses, skips and decisions of a person. Everything that must hold is checked at
 * every commit, and again when the faults are over.
 */
import { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import { createHost, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { Host } from '../../packages/carillon/src/host/host.ts';
import type { EventRow } from '../../packages/carillon/src/store/records.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/carillon-world.ts';

export interface Outcome {
  readonly problems: readonly string[];
  readonly consumed: number;
  readonly changes: number;
  readonly crashes: number;
  readonly asked: number;
}

/** The outside world: changes by key, which survive every crash. */
class Outside {
  readonly #random: SeededRandom;
  readonly applied = new Map<string, readonly string[]>();
  asked = 0;
  /** Whether the answers are reliable. */
  isCalm = false;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** Applies the change, or not, and answers, or not. */
  make(key: string, ids: readonly string[]): string {
    const roll = this.isCalm ? 1 : this.#random.integer(0, 99) / 100;
    if (roll < 0.08) throw new Error('the request was lost');
    this.applied.set(key, ids);
    if (roll < 0.2) throw new Error('the answer was lost');
    return key;
  }

  find(key: string): string | null {
    this.asked += 1;
    if (!this.isCalm && this.#random.chance(0.3)) throw new Error('away');
    return this.applied.has(key) ? key : null;
  }
}

export async function simulateHost(seed: number): Promise<Outcome> {
  const random = new SeededRandom(seed);
  const outside = new Outside(new SeededRandom(seed + 1));
  const problems: string[] = [];
  const published = new Set<string>();
  /** Keys of changes that a person declared not to have happened, so that their events may be changed again. */
  let declared = 0;
  let polled = 0;
  const workflow = defineWorkflow({
    name: 'w',
    topics: { in: topic<{ id: string }>(), out: topic<{ of: string }>() },
  })
    .producer('poll', {
      schedule: { interval: '30s' },
      publishes: ['in'],
      handler: (ctx, state: { n: number } | undefined) => {
        if (!outside.isCalm && random.chance(0.1)) throw new Error('poll failed');
        const n = (state?.n ?? 0) + 1;
        polled = Math.max(polled, n);
        for (let i = 0; i < 2; i += 1) {
          const id = `p${n}-${i}`;
          published.add(id);
          ctx.publish('in', { id, payload: { id } });
        }
        return { n };
      },
    })
    .consumer('work', {
      subscribe: ['in'],
      publishes: ['out'],
      prepare: async (ctx) => {
        if (!outside.isCalm && random.chance(0.05)) throw new Error('prepare failed');
        const some = await ctx.peek('in', { limit: random.integer(1, 4) });
        const isPatient = !outside.isCalm && random.chance(0.1);
        const ids = isPatient ? [] : some.map(({ id }) => id);
        return { reservations: [{ topic: 'in', ids }], data: { ids } };
      },
      mutate: async (ctx, prepared) =>
        await ctx.change('make', {
          run: (key) => outside.make(key, prepared.ids),
          reconcile: (key) => outside.find(key),
        }),
      next: (ctx, prepared) => {
        if (!outside.isCalm && random.chance(0.1)) throw new Error('next failed');
        for (const id of prepared.ids) ctx.publish('out', { id, payload: { of: id } });
      },
    })
    .consumer('count', {
      subscribe: ['out'],
      prepare: async (ctx) => {
        const all = await ctx.peek('out');
        return { reservations: [{ topic: 'out', ids: all.map(({ id }) => id) }], data: null };
      },
    });

  const world = new CarillonWorld({
    seed,
    nodes: 3,
    patienceMs: 0,
    expectFailures: true,
    faults: { failBefore: 0.02, failAfter: 0.02, delay: 0.05, longestDelayMs: 200, loseNotification: 0.1 },
    setup: (carillon) => {
      createHost({
        carillon,
        workflows: [workflow],
        settings: { sleepTimeout: '1m', retryPause: '1s', longestRetryPause: '8s', phaseLimit: '1h' },
      });
    },
  });
  const check = (holds: boolean, problem: string) => {
    if (!holds && problems.length < 5) problems.push(problem);
  };

  // Every commit that changes the workflow is looked at.
  const { store } = world;
  const transact = store.transact.bind(store);
  store.transact = async (selection, decider) => {
    const result = await transact(selection, decider);
    await look();
    return result;
  };
  const key = { namespace: 'default', archetype: 'host', id: 'w' };
  let seen = 0;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    const [row] = await store.read({ keys: [key] });
    isLooking = false;
    if (row === undefined || row.version === seen) return;
    seen = row.version;
    const document = JSON.parse(row.state) as { c: Record<string, readonly unknown[]> };
    const state = Host.packing.unpack(document.c['']?.[0]);
    const open = (await store.runs({ owner: row.incarnation, states: ['waiting', 'leased'], limit: 9 }))
      .items;
    const [after] = await store.read({ keys: [key] });
    if (after?.version !== row.version) return;
    check(open.length <= 1, `${open.length} runs are unfinished at version ${row.version}`);
    check(
      (state.work?.run ?? null) === (open[0]?.id ?? null),
      `the work names ${state.work?.run}, unfinished is ${open[0]?.id}`,
    );
    for (const [name, counters] of Object.entries(state.topics)) {
      const { items } = await store.events({
        owner: row.incarnation,
        topic: name,
        states: ['pending', 'reserved'],
        limit: 5000,
      });
      const [again] = await store.read({ keys: [key] });
      if (again?.version !== row.version) return;
      const pending = items.filter((event) => event.state === 'pending');
      const reserved = items.filter((event) => event.state === 'reserved');
      check(
        pending.length === counters.pending,
        `${name}: ${pending.length} pending, counted ${counters.pending}`,
      );
      check(
        reserved.length === counters.reserved,
        `${name}: ${reserved.length} reserved, counted ${counters.reserved}`,
      );
      check(
        (pending[0]?.sequence ?? 0) === counters.oldest,
        `${name}: oldest is ${pending[0]?.sequence}, counted ${counters.oldest}`,
      );
      check(
        reserved.every(({ holder }) => holder === state.work?.holder),
        `${name}: a reservation was left behind`,
      );
    }
  };

  await world.start();
  let crashes = 0;
  let sent = 0;
  for (let step = 0; step < 60; step += 1) {
    const alive = [0, 1, 2].filter((node) => world.isAlive(node));
    const [node = 0] = alive;
    const hosts = alive.length > 0 ? world.carillon(node).hosts : undefined;
    const attempt = async (work: Promise<unknown> | undefined) => {
      void work?.catch(() => {});
      await world.settle();
    };
    const roll = random.integer(0, 99);
    if (roll < 35) {
      const id = `o${sent++}`;
      // A message whose answer is lost may or may not have been published; its id makes it one event.
      published.add(id);
      await attempt(hosts?.publish('w', 'in', { id, payload: { id } }));
    } else if (roll < 55) {
      world.killAtNextCommit(random.integer(0, 2));
      crashes += 1;
    } else if (roll < 62) {
      world.crash(random.integer(0, 2));
      crashes += 1;
    } else if (roll < 70) await attempt(hosts?.trigger('w', { consumer: 'work' }));
    else if (roll < 74) await attempt(hosts?.pause('w'));
    else if (roll < 82) await attempt(hosts?.resume('w'));
    else if (roll < 88) world.skew(random.integer(0, 2), random.integer(-60_000, 60_000));
    else if (roll < 92) await attempt(hosts?.resolve('w', { action: 'tryAgain' }));
    await world.advance(random.integer(1, 20_000));
    for (let index = 0; index < 3; index += 1)
      if (!world.isAlive(index) && random.chance(0.5)) await world.restart(index);
  }
  // The faults end; everything that is left is worked off.
  world.clearFaults();
  outside.isCalm = true;
  // A kill that is still awaited happens with the next heartbeat at the latest.
  await world.advance('5s');
  for (let index = 0; index < 3; index += 1) {
    world.skew(index, 0);
    if (!world.isAlive(index)) await world.restart(index);
  }
  await world.advance('2m');
  const { hosts } = world.carillon(0);
  for (let round = 0; round < 6; round += 1) {
    const { block, paused } = await hosts.describe('w');
    if (block?.kind === 'uncertain') await hosts.resolve('w', { action: 'tryAgain' });
    else if (block !== null || paused !== null) await hosts.resume('w');
    await world.advance('2m');
  }
  await world.carillon(0).hosts.pause('w');
  await world.advance('2m');

  const [row] = await store.read({ keys: [key] });
  const all = async (name: string): Promise<readonly EventRow[]> =>
    (await store.events({ owner: row?.incarnation ?? '', topic: name, limit: 10_000 })).items;
  const inbox = await all('in');
  const consumed = inbox.filter(({ state }) => state === 'consumed');
  check(
    inbox.every(({ state }) => state !== 'reserved'),
    'a reservation was left behind at the end',
  );
  check(
    inbox.filter(({ state }) => state === 'pending').length <= 2,
    `${inbox.filter(({ state }) => state === 'pending').length} events were never taken`,
  );
  check(
    inbox.every(({ id }) => published.has(id)),
    'an event appeared that was not published',
  );
  const times = new Map<string, number>();
  for (const ids of outside.applied.values()) for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
  for (const { id } of consumed) check(times.get(id) === 1, `${id} was changed ${times.get(id) ?? 0} times`);
  for (const [id, count] of times) check(count === 1 + declared, `${id} was changed ${count} times`);
  const out = await all('out');
  check(out.length === consumed.length, `${consumed.length} were consumed, ${out.length} published`);
  for (const { id } of consumed)
    check(
      out.some((event) => event.id === id),
      `${id} was not passed on`,
    );
  declared += 0;
  await world[Symbol.asyncDispose]();
  return {
    problems,
    consumed: consumed.length,
    changes: outside.applied.size,
    crashes,
    asked: outside.asked,
  };
}
