/** Opens Carillons with real actions: in real time, or in a world whose time the test moves. */

import { onTestFinished } from 'vitest';
import type { CommandActionParts } from '../../packages/carillon/src/action/command-action.ts';
import { commandAction } from '../../packages/carillon/src/action/command-action.ts';
import type { HttpActionParts } from '../../packages/carillon/src/action/http-action.ts';
import { httpAction } from '../../packages/carillon/src/action/http-action.ts';
import { day, minute } from '../../packages/carillon/src/base/time.ts';
import type { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { CarillonOptions } from '../../packages/carillon/src/main.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { optionsOf } from '../../packages/carillon/src/runs/run.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/carillon-world.ts';
import { until } from '../support/until.ts';
import type { Reply } from './target.ts';
import { Target } from './target.ts';

export const secret = 'a secret for callbacks, long enough';

export async function aTarget(reply?: Reply): Promise<Target> {
  const target = await Target.open(reply);
  onTestFinished(() => target[Symbol.asyncDispose]());
  return target;
}

export async function aCarillon(options: CarillonOptions = {}): Promise<Carillon> {
  const carillon = await openCarillon({ store: 'memory:', ...options });
  onTestFinished(() => carillon.stop({ drainMs: 0 }));
  await carillon.start();
  return carillon;
}

export interface ActionWorldOptions {
  readonly http?: Partial<HttpActionParts>;
  readonly command?: Partial<CommandActionParts>;
  readonly start?: string;
  /** How long, in ms of real time, a request or a process that ends by itself is waited for before time moves on. Default 60,000. */
  readonly patienceMs?: number;
}

/** The patience for requests and processes that hang on purpose. */
export const hangs = { patienceMs: 300 };

/** Time moves only when the test says so; requests and processes are real. */
export async function aWorld({
  http,
  command,
  start,
  patienceMs = 60_000,
}: ActionWorldOptions = {}): Promise<CarillonWorld> {
  const closing: (() => Promise<void>)[] = [];
  const world = await CarillonWorld.start({
    ...(start === undefined ? {} : { start }),
    patienceMs,
    expectFailures: true,
    // Each heartbeat of a request that hangs would cost that wait once.
    tuning: { engine: { longestSleep: day }, retentionPauseMs: day, runs: { leaseMs: 10 * minute } },
    realActions: ({ clock }) => {
      const asking = httpAction({ clock, secrets: () => undefined, allowPrivateTargets: true, ...http });
      const running = commandAction({
        clock,
        environment: () => undefined,
        secrets: () => undefined,
        allowed: true,
        ...command,
      });
      closing.push(async () => await asking.close?.());
      return [asking, running];
    },
  });
  onTestFinished(async () => {
    await world[Symbol.asyncDispose]();
    for (const close of closing) await close();
  });
  return world;
}

/** The runs of a schedule as they are stored, newest first. */
export async function runsOf(carillon: Carillon, schedule: string): Promise<readonly RunRow[]> {
  const { items } = await internalsOf(carillon).runtime.store.runs({ limit: 1000 });
  return items.filter((run) => optionsOf(run).schedule === schedule);
}

/** The newest run of a schedule. */
export async function lastRun(carillon: Carillon, schedule: string): Promise<RunRow> {
  const [run] = await runsOf(carillon, schedule);
  if (run === undefined) throw new Error(`'${schedule}' has no run`);
  return run;
}

/** Triggers the schedule and waits until the run it started satisfies the claim; default: has ended. */
export async function runOf(
  carillon: Carillon,
  schedule: string,
  claim: (run: RunRow) => boolean = ({ state }) => state === 'done',
): Promise<RunRow> {
  await carillon.schedules.trigger(schedule);
  return await untilRun(carillon, schedule, claim);
}

export async function untilRun(
  carillon: Carillon,
  schedule: string,
  claim: (run: RunRow) => boolean = ({ state }) => state === 'done',
): Promise<RunRow> {
  const latest = async () => {
    const { items } = await internalsOf(carillon).services.schedules.runs(
      { namespace: 'default', id: schedule },
      { limit: 100, include: 'payloads' },
    );
    return items[0];
  };
  const found = await until(latest, (run) => run !== undefined && claim(run));
  // The line above waited for it.
  return found as RunRow;
}

export function failureIn(run: RunRow): Record<string, unknown> & { message: string } {
  return JSON.parse(run.result ?? '{}') as Record<string, unknown> & { message: string };
}
