/** One chaos run over one store: faults, check, and report. */
import { expect } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { openStore } from '../../packages/carillon/src/main.ts';
import { until } from '../support/until.ts';
import type { ChaosOptions } from './chaos.ts';
import { chaos } from './chaos.ts';
import { checkLedger, spreadOf } from './check-ledger.ts';

/** Slots within this time after a kill are attributed to it. */
const aroundMs = 3000;

export async function weather(title: string, options: Omit<ChaosOptions, 'caughtUp'>): Promise<void> {
  const { url, schedules, seed } = options;
  const { kills, storeRestarts } = await chaos({ ...options, caughtUp: () => caughtUp(url) });
  const store = await openStore(url, { clock: new SystemClock() });
  try {
    await store.migrate();
    const { problems, slots, runs, takenOver, lateness } = await checkLedger(store, schedules);
    const near = (times: readonly number[], at: number) =>
      times.some((time) => at > time - 1000 && at < time + aroundMs);
    const away = lateness.filter(({ nominal }) => !near([...kills, ...storeRestarts], nominal));
    const around = lateness.filter(({ nominal }) => near(kills, nominal) && !near(storeRestarts, nominal));
    const say = (name: string, some: typeof lateness) =>
      `  lateness ${name}: ${some.length === 0 ? 'no slots' : spreadOf(some.map(({ lateMs }) => lateMs))}`;
    console.log(
      [
        `${title} (seed ${seed}): ${options.nodes} nodes, ${kills.length} kills, ${storeRestarts.length} restarts of the store`,
        `  ${slots} slots, ${runs} runs, ${takenOver} of them begun again by another node`,
        say('far from trouble', away),
        say(`within ${aroundMs / 1000} s of a kill`, around),
        say('of all', lateness),
      ].join('\n'),
    );
    expect(problems).toEqual([]);
    // Every schedule fired in every second of the chaos run.
    expect(slots).toBeGreaterThanOrEqual(schedules * options.seconds);
  } finally {
    await store.close();
  }
}

/** Waits until every execution sleeps beyond what is now the present of the store. */
async function caughtUp(url: string): Promise<void> {
  const store = await openStore(url, { clock: new SystemClock() });
  try {
    await store.migrate();
    const { now } = await store.wakeTimes({});
    await until(async () => {
      const { due } = await store.wakeTimes({});
      return due === null || due > now;
    });
  } finally {
    await store.close();
  }
}

/** Small enough for every test run; `CARILLON_CHAOS=full` makes it the size we report. */
export const isFull = process.env.CARILLON_CHAOS === 'full';
