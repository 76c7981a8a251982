/** Requests that are in progress or waiting for their turn when a worker stops. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CarillonOptions } from '../../packages/carillon/src/main.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { aTarget, failureIn, lastRun, untilRun } from './stage.ts';
import { answering, closedPort } from './target.ts';

const local = { allowPrivate: true };

function aFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-http-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, 'data.db')}`;
}

async function started(store: string, options: CarillonOptions = {}) {
  const carillon = await openCarillon({ store, durability: 'fast', ...options });
  await carillon.start();
  return carillon;
}

async function stored(store: string) {
  const carillon = await openCarillon({ store });
  const run = await lastRun(carillon, 'hook');
  const slots = await carillon.schedules.slots('hook');
  await carillon.stop();
  return { run, verdicts: slots.items.map(({ verdict }) => verdict) };
}

test('a request under way is given back, and the next worker repeats it under the same key', async () => {
  const store = aFile();
  const target = await aTarget(() => {});
  const first = await started(store);
  await first.schedules.create('hook', { http: { url: target.url, ...local } });
  await first.schedules.trigger('hook');
  await target.until(1);
  await first.stop({ drainMs: 0 });
  const between = await stored(store);
  expect(between.run).toMatchObject({ state: 'waiting', attempt: 0, outcome: null });
  expect(between.verdicts).toEqual(['started']);
  target.reply = answering(200, 'done');
  const second = await started(store);
  const run = await untilRun(second, 'hook');
  await second.stop();
  expect(run).toMatchObject({ outcome: 'completed', result: '"done"' });
  expect(target.asked.map(({ headers }) => headers['idempotency-key'])).toEqual([run.id, run.id]);
});

test('a request that was sent once has begun, also when its next worker reaches no server', async () => {
  const store = aFile();
  const target = await aTarget(() => {});
  const first = await started(store);
  await first.schedules.create('hook', { http: { url: target.url, ...local }, retry: { attempts: 1 } });
  await first.schedules.trigger('hook');
  await target.until(1);
  await first.stop({ drainMs: 0 });
  await target[Symbol.asyncDispose]();
  const second = await started(store);
  const run = await untilRun(second, 'hook');
  const { counters } = await second.schedules.describe('hook');
  await second.stop();
  expect(run.outcome).toBe('failed');
  expect(failureIn(run).startFailed).toBeUndefined();
  expect(counters.actions).toBe(1);
  expect((await stored(store)).verdicts).toEqual(['started']);
});

test('one that waits for its turn is given back too, and never goes out', async () => {
  const store = aFile();
  const target = await aTarget(() => {});
  const first = await started(store, { http: { perHost: 1 } });
  await first.schedules.create('blocker', { http: { url: target.url, ...local } });
  await first.schedules.trigger('blocker');
  await target.until(1);
  await first.schedules.create('hook', { http: { url: target.url, ...local } });
  await first.schedules.trigger('hook');
  await untilRun(first, 'hook', ({ state }) => state === 'leased');
  await first.stop({ drainMs: 0 });
  expect(target.asked).toHaveLength(1);
  expect((await stored(store)).run).toMatchObject({ state: 'waiting', attempt: 0 });
});

test('a stop while the connection is being made gives the run back', async () => {
  const store = aFile();
  let resolved = () => {};
  const asked = new Promise<void>((resolve) => {
    resolved = resolve;
  });
  const first = await started(store, {
    http: {
      resolve: async () => {
        resolved();
        return await new Promise(() => {});
      },
    },
  });
  await first.schedules.create('hook', { http: { url: `http://somewhere.test:${await closedPort()}/` } });
  await first.schedules.trigger('hook');
  await asked;
  await first.stop({ drainMs: 0 });
  const { run, verdicts } = await stored(store);
  expect(run).toMatchObject({ state: 'waiting', attempt: 0, outcome: null });
  expect(verdicts).toEqual(['started']);
});

test('at most so many requests go to one host at once; another host need not wait', async () => {
  const busy = await aTarget(() => {});
  const free = await aTarget(answering(200, 'quick'));
  const carillon = await openCarillon({ store: 'memory:', http: { perHost: 2 } });
  onTestFinished(() => carillon.stop({ drainMs: 0 }));
  await carillon.start();
  await carillon.schedules.create('busy', { http: { url: busy.url, ...local }, overlap: 'allowAll' });
  for (let n = 0; n < 4; n += 1) await carillon.schedules.trigger('busy');
  await busy.until(2);
  await carillon.schedules.create('hook', { http: { url: free.url, ...local } });
  await carillon.schedules.trigger('hook');
  expect((await untilRun(carillon, 'hook')).outcome).toBe('completed');
  expect(busy.asked).toHaveLength(2);
  busy.reply = answering(200, 'later');
  const [one] = await carillon.schedules.runs('busy').then(({ items }) => items.slice(-1));
  await carillon.runs.cancel((one as { id: string }).id);
  await busy.until(4);
});
