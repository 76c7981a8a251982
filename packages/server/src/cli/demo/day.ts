/**
 * The demo day: two days of history on a new store, made by the real engine in virtual time before the server starts. It has
 * a slow run with skips, a retry, a failure, an edit, a pause, an outage with a merge, a clock change, a run by hand, an
 * excluded day, a run without a worker, a run that has not ended, and a workflow that asks a person.
 */
import type { Carillon } from 'carillon';
import type { Instant } from 'carillon/internal/base';
import { addTime, day, formatInstant } from 'carillon/internal/base';
import { internalsOf } from 'carillon/internal/embed';
import type { Store } from 'carillon/store';
import type { CarillonWorld, VirtualClock } from 'carillon/testing';
import { hostDay } from './day-host.ts';
import { daySchedules, demoOwner } from './day-schedules.ts';
import type { Scene } from './day-work.ts';
import { handleDay, workName } from './day-work.ts';
import { islandData, islandZone } from './island-zone.ts';

const hour = 3_600_000;
const minute = 60_000;
const halfHour = hour / 2;

/** The length of the history. */
export const dayLength = 2 * day;

/** The beginning of the history, for a server that starts at `now`. */
export function dayStart(now: Instant): Instant {
  return (Math.floor(now / halfHour) * halfHour - dayLength) as Instant;
}

export interface DayOptions {
  /** A new store that was opened with `clock`. It stays open. */
  readonly store: Store;
  /** Its time is `dayStart(now)`. */
  readonly clock: VirtualClock;
  /** The end of the history. */
  readonly now: Instant;
  readonly newId: () => string;
}

export async function makeDay({ store, clock, now, newId }: DayOptions): Promise<void> {
  const { CarillonWorld: World } = await import('carillon/testing');
  const start = clock.now();
  const scenes = scenesOf(start, now);
  const world = new World({
    store,
    clock,
    newId,
    expectFailures: true,
    // No handler of the day waits for anything but virtual time and the store.
    patienceMs: 0,
    setup: (carillon, { sleep, clock: own }) => {
      handleDay(carillon, {
        now: () => own.now(),
        sleep,
        sceneOf: (run) => sceneOf(scenes, run),
        // Only the server that starts next continues runs, and storing the end of a run costs a commit.
        isKept: (until) => until > now,
      });
      hostDay(carillon, { now: () => own.now(), silentFrom: addTime(now, -4 * hour) });
      const { tally } = internalsOf(carillon).services;
      carillon.subscribe((event) => tally.add(event));
    },
  });
  await world.start();
  await createAll(world.carillon(), start);
  for (const [hours, act] of acts) {
    await world.advanceTo(addTime(start, hours * hour));
    await act(world);
  }
  await world.advanceTo(now);
  await keepCounts(world.carillon());
  // The node gives its runs back, so that the server that starts next goes on with them under the same attempt.
  await world.carillon().stop({ drainMs: 0 });
  world.crash(0);
}

async function keepCounts(carillon: Carillon): Promise<void> {
  await internalsOf(carillon).services.tally.flush();
}

type Act = (world: CarillonWorld) => Promise<unknown>;

/**
 * What people and machines do, by hours since the start. All that happens to `invoice-sync` falls into the last half day, which is
 * what its timeline shows when it opens.
 */
const acts: readonly (readonly [hours: number, Act])[] = [
  [
    39.5,
    async (world) =>
      await world
        .carillon()
        .schedules.pause('token-rotate', { actor: 'Mara', note: 'until the new vault is there' }),
  ],
  [
    39.7,
    async (world) =>
      await world
        .carillon()
        .schedules.patch(
          'invoice-sync',
          { missed: 'once', catchup: '2h' },
          { actor: 'Mara', note: 'after an outage one sync is enough' },
        ),
  ],
  [
    40.1,
    async (world) =>
      await world
        .carillon()
        .schedules.pause('invoice-sync', { actor: 'Jonas', note: 'maintenance at the provider' }),
  ],
  [
    42.2,
    async (world) =>
      await world.carillon().schedules.resume('invoice-sync', { actor: 'Jonas', note: 'provider is back' }),
  ],
  [
    42.7,
    async (world) => {
      await keepCounts(world.carillon());
      world.crash(0);
    },
  ],
  [44.1, async (world) => await world.restart(0)],
  [
    46.1,
    async (world) =>
      await world
        .carillon()
        .schedules.trigger('invoice-sync', { actor: 'Ana', note: 'a customer asked', overlap: 'allowAll' }),
  ],
];

async function createAll(carillon: Carillon, start: Instant): Promise<void> {
  const { schedules } = carillon;
  const by = { actor: demoOwner };
  for (const [id, schedule] of Object.entries(daySchedules)) {
    await schedules.create(id, { run: workName, owner: demoOwner, ...schedule }, by);
  }
  const digest = {
    cron: '0 9 * * *',
    zone: 'UTC',
    run: workName,
    owner: demoOwner,
    tags: ['growth'],
    excludeDates: [formatInstant(addTime(start, day)).slice(0, '2026-01-01'.length)],
    description: 'Every morning, except on a day that its owner took out',
  };
  await schedules.create('daily-digest', digest, by);
  const island = {
    spec: {
      cron: [{ text: '0,30 0-6 * * *' }],
      zone: islandZone,
      zoneData: islandData((Math.floor(addTime(start, 26 * hour) / hour) * hour) as Instant),
    },
    run: workName,
    owner: demoOwner,
    tags: ['people'],
    description: 'Lives in a made-up zone whose clock was set back an hour',
  };
  await schedules.create('island-roster', island, by);
}

interface Scenes {
  /** Scenes by schedule, slot and attempt. */
  readonly of: ReadonlyMap<string, Scene>;
  /** From this time on the bank refuses every run. */
  readonly refusedFrom: Instant;
}

const failure = 'the ledger of the provider answered 503';

function scenesOf(start: Instant, now: Instant): Scenes {
  const scenes = new Map<string, Scene>();
  const add = (hours: number, attempt: number, scene: Scene) =>
    scenes.set(keyOf('invoice-sync', addTime(start, hours * hour), attempt), scene);
  add(36, 1, { takes: 83 * minute });
  add(38, 1, { takes: 4 * minute, fails: failure });
  for (const [index, takes] of [3, 4, 7].entries()) {
    add(39, index + 1, { takes: takes * minute, fails: failure });
  }
  const last = Math.floor(now / halfHour) * halfHour;
  add((last - start) / hour, 1, { takes: now - last + 7 * minute });
  return { of: scenes, refusedFrom: addTime(now, -3 * hour) };
}

const refusal = 'certificate has expired (CERT_HAS_EXPIRED)';

function sceneOf(
  scenes: Scenes,
  { schedule, scheduledAt, attempt }: { schedule: string | null; scheduledAt: Instant; attempt: number },
): Scene | undefined {
  if (schedule === 'refund-reconcile' && scheduledAt >= scenes.refusedFrom) return { fails: refusal };
  return scenes.of.get(keyOf(schedule ?? '', scheduledAt, attempt));
}

function keyOf(schedule: string, at: Instant, attempt: number): string {
  return `${schedule} ${at} ${attempt}`;
}
