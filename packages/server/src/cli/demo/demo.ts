/** Three schedules for a first look at what happens now: one that runs, one that overlaps and skips, one that is paused. */

import type { Carillon, ScheduleInput } from 'carillon';
import type { Clock } from 'carillon/internal/base';
import { pause, ServiceError } from 'carillon/internal/base';
import { hostDay, hostName } from './day-host.ts';
import { dayIds, demoOwner } from './day-schedules.ts';
import { handleDay } from './day-work.ts';

/** The schedule is due every ten seconds and a run takes twenty-five, so that two of three slots overlap a running run. */
const slowMs = 25_000;

export const demoSchedules: Readonly<Record<string, ScheduleInput & { readonly description: string }>> = {
  'demo-hello': {
    every: '10s',
    run: 'demo.hello',
    description: 'Says hello every ten seconds',
    owner: demoOwner,
    tags: ['demo'],
  },
  'demo-slow': {
    every: '10s',
    run: 'demo.slow',
    overlap: 'skip',
    description: 'Due every ten seconds, takes twenty-five: see why two of three are skipped',
    owner: demoOwner,
    tags: ['demo'],
  },
  'demo-report': {
    cron: '0 9 * * 1-5',
    zone: 'Europe/Berlin',
    run: 'demo.hello',
    paused: 'Paused to show what a pause looks like; resume it whenever you like',
    description: 'Weekdays at nine in Berlin',
    owner: demoOwner,
    tags: ['demo'],
  },
};

/** Call it before `start`, also without the demo: runs from an earlier demo may still wait for these handlers. */
export function handleDemo(carillon: Carillon, clock: Clock): void {
  carillon.handle('demo.hello', ({ lastResult }) => {
    const before = typeof lastResult === 'object' && lastResult !== null && 'count' in lastResult;
    const count = before ? Number(lastResult.count) + 1 : 1;
    return { greeting: `Hello number ${count}`, count };
  });
  const sleep = async (ms: number, signal: AbortSignal) => {
    await pause(clock, ms, signal);
    signal.throwIfAborted();
  };
  carillon.handle('demo.slow', async ({ signal, heartbeat }) => {
    heartbeat({ note: `takes ${slowMs / 1000} seconds` });
    await sleep(slowMs, signal);
    return { slept: `${slowMs / 1000}s` };
  });
  handleDay(carillon, { now: () => clock.now(), sleep });
}

/** Defines the demo's workflow when the store already has it. Call it before `start`. */
export async function hostDemo(carillon: Carillon, clock: Clock): Promise<void> {
  const { items } = await carillon.hosts.list({ text: hostName });
  if (items.some(({ id }) => id === hostName)) hostDay(carillon, { now: () => clock.now() });
}

/** Leaves existing demo schedules as they are, because the user may have changed them. */
export async function createDemo(carillon: Carillon): Promise<void> {
  for (const [id, schedule] of Object.entries(demoSchedules)) {
    try {
      await carillon.schedules.create(id, schedule, { actor: demoOwner });
    } catch (error) {
      if (ServiceError.from(error).reason !== 'ALREADY_EXISTS') throw error;
    }
  }
}

/** The ids of the demo's schedules that are there: those of a first look, then those with a history. */
export async function demoIds(carillon: Carillon): Promise<readonly string[]> {
  const { items } = await carillon.schedules.list({ filter: ofDemo });
  const there = new Set(items.map(({ id }) => id));
  return [...Object.keys(demoSchedules), ...dayIds].filter((id) => there.has(id));
}

const ofDemo = { field: '$owner', is: '=', value: demoOwner } as const;

/** Deletes what an earlier start created, but no schedule that merely has the same id. */
export async function removeDemo(carillon: Carillon): Promise<void> {
  const { items } = await carillon.schedules.list({ filter: ofDemo });
  const known = new Set([...Object.keys(demoSchedules), ...dayIds]);
  for (const { id } of items) {
    if (known.has(id)) await carillon.schedules.delete(id, { actor: demoOwner });
  }
  const hosts = await carillon.hosts.list({ text: hostName });
  if (hosts.items.some(({ id }) => id === hostName))
    await carillon.hosts.delete(hostName, { actor: demoOwner });
}
