import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { addTime, instant } from '../../packages/carillon/src/base/time.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { Carillon } from '../../packages/carillon/src/main.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { callbackToken } from '../../packages/carillon/src/runs/callback.ts';
import type { Handler } from '../../packages/carillon/src/runs/context.ts';
import { isParked, park } from '../../packages/carillon/src/runs/parking.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';
import { until } from '../support/until.ts';
import type { RunWorldOptions } from './run-world.ts';
import { RunWorld } from './run-world.ts';

const worlds: RunWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world[Symbol.asyncDispose]();
});

const start = instant(Date.UTC(2026, 0, 1));
const minute = 60_000;

async function aRunWorld(work: Handler<never>, options: RunWorldOptions = {}) {
  const runs = new RunWorld({ handlers: { work }, ...options });
  worlds.push(runs);
  await runs.start();
  return { runs, world: runs.world };
}

const completed = (id: string, token: string) =>
  ({ id, token, conclusion: { kind: 'completed', result: '"called back"' } }) as const;

describe('a parked run', () => {
  test('frees its place and stays leased under its token', async () => {
    const tokens: string[] = [];
    const { runs, world } = await aRunWorld(
      ({ leaseToken }) => {
        tokens.push(leaseToken);
        return park({ forMs: 10 * minute });
      },
      { concurrency: 1 },
    );
    const first = await runs.enqueue();
    const second = await runs.enqueue();
    await world.settle();
    expect(runs.workers[0]?.running).toBe(0);
    for (const [index, { id }] of [first, second].entries()) {
      const run = await runs.run(id);
      expect(run).toMatchObject({
        state: 'leased',
        attempt: 1,
        leaseToken: tokens[index],
        worker: `@parked/${10 * minute}`,
        checkAt: addTime(start, 10 * minute),
      });
      expect(isParked(run)).toBe(true);
    }
  });

  test('needs no heartbeats, and none is sent', async () => {
    const { runs, world } = await aRunWorld(() => park({ forMs: 60 * minute }));
    const { id } = await runs.enqueue();
    await world.settle();
    runs.commits.length = 0;
    await world.advance(59 * minute);
    expect(runs.commits).toEqual([]);
    expect(await runs.run(id)).toMatchObject({ state: 'leased', attempt: 1 });
  });

  test('is finished by any node, once', async () => {
    const { runs, world } = await aRunWorld(() => park({ forMs: 10 * minute }), { nodes: 2 });
    const { id } = await runs.enqueue();
    await world.advance(minute);
    const { leaseToken } = await runs.run(id);
    const [, other] = runs.queues;
    expect(await other?.answer(completed(id, 'guess'))).toBe('expired');
    expect(await other?.answer(completed('none', leaseToken))).toBe('expired');
    expect(await other?.answer(completed(id, leaseToken))).toBe('ok');
    expect(await runs.run(id)).toMatchObject({ outcome: 'completed', result: '"called back"' });
    expect(await other?.answer({ ...completed(id, leaseToken) })).toBe('repeated');
    expect(await runs.queue.answer({ ...completed(id, leaseToken) })).toBe('repeated');
  });

  test('can also be finished like any other, with its token', async () => {
    const { runs, world } = await aRunWorld(() => park({ forMs: 10 * minute }), { nodes: 2 });
    const { id } = await runs.enqueue();
    await world.settle();
    const { leaseToken } = await runs.run(id);
    expect(await runs.queues[1]?.finish([completed(id, leaseToken)])).toEqual(['ok']);
    expect(await runs.run(id)).toMatchObject({ outcome: 'completed' });
  });

  test('is left alone when its worker stops or dies', async () => {
    const { runs, world } = await aRunWorld(() => park({ forMs: 10 * minute }), { nodes: 2 });
    const { id } = await runs.enqueue();
    await world.settle();
    const before = await runs.run(id);
    await runs.workers[0]?.stop();
    world.crash(0);
    await world.advance(9 * minute);
    expect(await runs.run(id)).toEqual(before);
  });

  test('times its attempt out when no caller finishes it', async () => {
    const { runs, world } = await aRunWorld(() => park({ forMs: 10 * minute }));
    const retry = { attempts: 2, initialMs: 1000 };
    const { id } = await runs.enqueue({ options: { retry } });
    await world.advance(10 * minute - 1);
    const { leaseToken } = await runs.run(id);
    await world.advance(1);
    const waiting = await runs.run(id);
    expect(waiting).toMatchObject({ state: 'waiting', attempt: 1, leaseToken: '' });
    expect(JSON.parse(waiting.result ?? '')).toEqual({
      message: 'attempt 1 timed out: no answer came while it was parked',
      type: 'AttemptTimedOut',
    });
    expect(await runs.queue.answer(completed(id, leaseToken))).toBe('expired');
    await world.advance(2 * 10 * minute);
    expect(await runs.run(id)).toMatchObject({ outcome: 'timedOut', attempt: 2 });
  });

  test('is too late from the instant its time is up, swept or not', async () => {
    const { runs, world } = await aRunWorld(() => park({ forMs: 10 * minute }));
    const { id } = await runs.enqueue();
    await world.settle();
    const { leaseToken } = await runs.run(id);
    world.clock.moveTo(addTime(start, 10 * minute));
    expect(await runs.queue.answer(completed(id, leaseToken))).toBe('expired');
    expect(await runs.run(id)).toMatchObject({ state: 'leased' });
  });

  test('waits no longer than its attempt and its execution may take', async () => {
    const { runs, world } = await aRunWorld(() => park({ forMs: 10 * minute }));
    const attempt = await runs.enqueue({ options: { attemptTimeoutMs: 2 * minute } });
    const execution = await runs.enqueue({ options: { executionTimeoutMs: 3 * minute } });
    await world.settle();
    expect(await runs.run(attempt.id)).toMatchObject({ checkAt: addTime(start, 2 * minute) });
    expect(await runs.run(execution.id)).toMatchObject({ checkAt: addTime(start, 3 * minute) });
    await world.advance(4 * minute);
    expect(await runs.run(attempt.id)).toMatchObject({ outcome: 'timedOut' });
    expect(await runs.run(execution.id)).toMatchObject({ outcome: 'timedOut' });
  });

  test('ends at once when it is cancelled or terminated, and its token with it', async () => {
    const { runs, world } = await aRunWorld(() => park({ forMs: 10 * minute }));
    const cancelled = await runs.enqueue();
    const terminated = await runs.enqueue();
    await world.settle();
    const tokens = [await runs.run(cancelled.id), await runs.run(terminated.id)];
    expect(await runs.queue.cancel([cancelled.id], 'enough')).toEqual(['ended']);
    expect(await runs.queue.terminate([terminated.id])).toEqual(['ended']);
    expect(await runs.run(cancelled.id)).toMatchObject({ outcome: 'cancelled' });
    for (const { id, leaseToken } of tokens) {
      expect(await runs.queue.answer(completed(id, leaseToken))).toBe('expired');
    }
    expect(await runs.run(terminated.id)).toMatchObject({ outcome: 'terminated' });
  });

  test('that was to be cancelled anyway is not parked', async () => {
    const { runs, world } = await aRunWorld(
      ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(park({ forMs: minute })))),
    );
    const { id } = await runs.enqueue();
    await world.settle();
    await runs.queue.cancel([id], 'enough');
    await world.settle();
    expect(await runs.run(id)).toMatchObject({ outcome: 'cancelled' });
  });

  // The target may call back before its own answer has reached us.
  test.each([
    ['completed', { kind: 'completed', result: '1' }, { state: 'done', outcome: 'completed' }],
    ['failed', { kind: 'failed', failure: { message: 'no' } }, { state: 'waiting', attempt: 1 }],
  ] as const)('that is %s before it is parked stays so', async (_, conclusion, expected) => {
    let called = false;
    const { runs, world } = await aRunWorld(async ({ id, leaseToken, attempt }) => {
      if (attempt === 1) called = (await runs.queue.answer({ id, token: leaseToken, conclusion })) === 'ok';
      return park({ forMs: 10 * minute });
    });
    const { id } = await runs.enqueue({ options: { retry: { attempts: 2, initialMs: minute } } });
    await world.advance(minute / 2);
    expect(called).toBe(true);
    expect(await runs.run(id)).toMatchObject(expected);
  });

  test('is not cut short by a heartbeat that was under way', async () => {
    const { runs, world } = await aRunWorld(() => park({ forMs: 10 * minute }));
    const { id } = await runs.enqueue();
    await world.settle();
    const before = await runs.run(id);
    expect(await runs.queue.extend([{ id, token: before.leaseToken }])).toEqual([
      { state: 'held', reason: '' },
    ]);
    expect(await runs.run(id)).toEqual(before);
  });

  test.each([[0], [-1], [Number.NaN], [Number.POSITIVE_INFINITY]])('cannot wait for %d ms', (forMs) => {
    expect(() => park({ forMs })).toThrow(RangeError);
  });
});

test('a parked run survives its process, on SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parking-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const options = {
    store: `sqlite:${join(folder, 'carillon.db')}`,
    callbackSecret: 'a secret of sixteen or more',
  };
  const first = await openCarillon(options);
  let calls = 0;
  first.handle('ask', () => {
    calls += 1;
    return park({ forMs: 10 * minute });
  });
  await first.start();
  const { id } = await first.runs.enqueue({ run: 'ask' });
  const stored = async (carillon: Carillon) =>
    (await internalsOf(carillon).runtime.store.runs({ ids: [id], limit: 1 })).items[0] as RunRow;
  await until(async () => isParked(await stored(first)));
  const before = await stored(first);
  await first.stop();

  const second = await openCarillon(options);
  second.handle('ask', () => {
    calls += 1;
  });
  await second.start();
  const after = await stored(second);
  // Its full time counts anew: no answer could come while the store was closed.
  expect(after).toEqual({ ...before, checkAt: after.checkAt });
  expect(after.checkAt).toBeGreaterThan(before.checkAt as number);
  const token = callbackToken({ runId: id, leaseToken: before.leaseToken, secret: options.callbackSecret });
  await second.completeCallback(token, { result: 'after the restart' });
  expect(await stored(second)).toMatchObject({ outcome: 'completed', result: '"after the restart"' });
  expect(calls).toBe(1);
  await second.stop();
});
