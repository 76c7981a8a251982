// What a TypeScript user writes: every public entry point, its values and some of its types.
import {
  type Carillon,
  isServiceError,
  NonRetryable,
  type Occurrence,
  openCarillon,
  type RunContext,
  type Store as StoreOption,
} from 'carillon';
import { CarillonClient, type ScheduleJson } from 'carillon/client';
import { lintSubjects, readManifest } from 'carillon/doctor';
import * as engine from 'carillon/engine';
import { createHost, defineWorkflow, topic } from 'carillon/host';
import { withLock } from 'carillon/lock';
import { createPeriodic } from 'carillon/periodic';
import { compileSpec, type ScheduleSpec } from 'carillon/spec';
import type { Store } from 'carillon/store';
import { MemoryStore } from 'carillon/store/memory';
import { PostgresStore } from 'carillon/store/postgres';
import { RedisStore } from 'carillon/store/redis';
import { SqliteStore } from 'carillon/store/sqlite';
import * as testing from 'carillon/testing';

export async function main(): Promise<Carillon> {
  const carillon = await openCarillon('memory:');
  const report = carillon.handle('report', async ({ input, signal }: RunContext<{ of: string }>) => {
    if (signal.aborted) throw new NonRetryable(input.of);
    return input.of.length;
  });
  await carillon.schedules.upsert('nightly', { cron: '0 2 * * *', run: report, input: { of: 'x' } });
  const echo = defineWorkflow({ name: 'echo', topics: { word: topic<{ text: string }>() } }).consumer('say', {
    subscribe: ['word'],
    prepare: async (ctx) => {
      const words = await ctx.peek('word');
      return {
        reservations: [{ topic: 'word', ids: words.map(({ id }) => id) }],
        data: words[0]?.payload.text,
      };
    },
  });
  await createHost({ carillon, workflows: [echo] }).send(echo, 'word', { payload: { text: 'x' } });
  return carillon;
}

/** What calls of the main entry point take and return has its names there. */
export async function coming(store: StoreOption & Store): Promise<readonly Occurrence[]> {
  return await (await openCarillon({ store })).schedules.next('nightly');
}

interface Order {
  readonly id: string;
  readonly lines: readonly { readonly sku: string; readonly count?: number }[];
}

/** Ordinary types are plain data; what JSON would change does not compile. */
export async function plain(carillon: Carillon, order: Order): Promise<void> {
  await carillon.runs.enqueue({ run: 'ship', input: order });
  await carillon.schedules.upsert('ship', { every: '1h', run: 'ship', input: { order, list: [1, null] } });
  await client.runs.enqueue({ run: 'ship', input: order });
  // @ts-expect-error a Date becomes a text
  await carillon.runs.enqueue({ run: 'ship', input: { at: new Date() } });
  // @ts-expect-error a Map becomes an empty object
  await carillon.schedules.create('map', { every: '1h', run: 'ship', input: { by: new Map([['a', 1]]) } });
  // @ts-expect-error a Date becomes a text
  await client.schedules.create('dated', { every: '1h', run: 'ship', input: { at: new Date() } });
  carillon.subscribe((event, { node }) => console.log(event.type, node), { scope: 'cluster' });
}

export const client: CarillonClient = new CarillonClient({ url: 'http://127.0.0.1:8080' });
export const first: Promise<ScheduleJson> = client.schedules.describe('nightly');
export const spec: ScheduleSpec = { cron: [{ text: '0 2 * * *' }] };
export const stores: readonly (new (options: never) => Store)[] = [
  MemoryStore,
  PostgresStore,
  RedisStore,
  SqliteStore,
];
export const others = {
  compileSpec,
  createPeriodic,
  engine,
  isServiceError,
  lintSubjects,
  readManifest,
  testing,
  withLock,
};
