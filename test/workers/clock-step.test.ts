/** The wall clock of a server with one file is set while remote workers hold leases; their silence is what counts. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../packages/carillon/src/base/clock.ts';
import { nextTurn } from '../../packages/carillon/src/base/next-turn.ts';
import { addTime, instant } from '../../packages/carillon/src/base/time.ts';
import { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/index.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';

const hour = 3_600_000;
const namespace = 'default';

async function aServer() {
  const steady = new VirtualClock(instant(0));
  let ahead = Date.parse('2026-01-01T00:00:00Z');
  // Timers go by the steady clock, as those of a real process do.
  const wall: Clock = {
    now: () => addTime(steady.now(), ahead),
    wakeAt: (at, wake) => steady.wakeAt(addTime(at, -ahead), wake),
  };
  const store = new SqliteStore({ path: ':memory:', clock: wall });
  await store.migrate();
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `id${ids}`;
  };
  const carillon = new Carillon({ store, clock: wall, steadyClock: steady, newId });
  await carillon.start();
  onTestFinished(() => carillon.stop());
  const { workers } = internalsOf(carillon).services;
  const settle = async () => {
    for (let turns = 0; turns < 20; turns += 1) await nextTurn();
  };
  const advance = async (ms: number) => {
    const end = addTime(steady.now(), ms);
    await settle();
    for (;;) {
      const next = steady.nextTimer;
      if (next === undefined || next > end) break;
      steady.moveTo(next);
      while (steady.fireNext()) await nextTurn();
      await settle();
    }
    steady.moveTo(end);
    await settle();
  };
  const claim = async (
    limits: { readonly attemptTimeout?: string; readonly timeout?: string } = {},
  ): Promise<RunRow> => {
    const { id } = await carillon.runs.enqueue({ run: 'work', retry: { attempts: 3 }, ...limits });
    const waiting = { forMs: 0, signal: new AbortController().signal };
    const [run] = await workers.claim({ namespace, id: 'w' }, { queues: ['default'] }, waiting);
    expect(run?.id).toBe(id);
    return run as RunRow;
  };
  const beat = async ({ id: runId, leaseToken: token }: RunRow) =>
    (await workers.heartbeat(namespace, [{ runId, token }]))[0]?.state;
  const set = (ms: number) => {
    ahead += ms;
  };
  const report = async ({ id: runId, leaseToken: token }: RunRow) =>
    (await workers.report(namespace, [{ runId, token, conclusion: { kind: 'completed', result: '5' } }]))[0];
  return { carillon, advance, claim, beat, report, set };
}

test.each([
  ['forward', hour],
  ['back', -hour],
])('a lease outlives a clock that was set %s, as long as its worker is heard of', async (_, step) => {
  const { carillon, advance, claim, beat, set } = await aServer();
  const run = await claim();
  await advance(20_000);
  set(step);
  await advance(8000);
  expect(await carillon.runs.get(run.id)).toMatchObject({ state: 'leased', attempt: 1 });
  for (let beats = 0; beats < 4; beats += 1) {
    expect(await beat(run)).toBe('held');
    await advance(20_000);
  }
});

test.each([
  ['forward', hour],
  ['back', -hour],
])(
  'a worker that fell silent loses its run although the clock was set %s: within a lease, not an hour',
  async (_, step) => {
    const { carillon, advance, claim, beat, set } = await aServer();
    const run = await claim();
    await advance(1000);
    set(step);
    await advance(60_000);
    expect(await carillon.runs.get(run.id)).toMatchObject({ state: 'waiting', attempt: 1 });
    expect(await beat(run)).toBe('lost');
  },
);

describe.each([
  ['forward', hour],
  ['back', -hour],
])('with a clock that was set %s', (_, step) => {
  test.each([
    [{ attemptTimeout: '10m' }, 'AttemptTimedOut'],
    [{ timeout: '10m' }, 'ExecutionTimedOut'],
  ])('a run with %o ends when that long has really passed, and not before', async (limits, type) => {
    const { carillon, advance, claim, beat, set } = await aServer();
    const run = await claim(limits);
    await advance(60_000 / 4);
    set(step);
    // Nine and a half minutes after the claim, with a heartbeat every quarter of a minute.
    for (let beats = 0; beats < 37; beats += 1) {
      expect(await beat(run)).toBe('held');
      await advance(60_000 / 4);
    }
    expect(await beat(run)).toBe('held');
    await advance(35_000);
    expect(await beat(run)).toBe('lost');
    expect(await carillon.runs.get(run.id)).toMatchObject({ failure: { type } });
  });

  test('a result counts under the token from before, however often the clock is set', async () => {
    const { carillon, advance, claim, beat, report, set } = await aServer();
    const run = await claim({ attemptTimeout: '10m' });
    for (const ms of [step, step / 2, -step]) {
      set(ms);
      await advance(5000);
      expect(await beat(run)).toBe('held');
    }
    expect(await report(run)).toBe('ok');
    expect(await report(run)).toBe('ok');
    expect(await carillon.runs.get(run.id)).toMatchObject({ outcome: 'completed', result: 5 });
  });

  test('a claim after the clock was set has its whole time', async () => {
    const { advance, claim, beat, set } = await aServer();
    await claim();
    set(step);
    const run = await claim({ attemptTimeout: '20s' });
    await advance(15_000);
    expect(await beat(run)).toBe('held');
    await advance(10_000);
    expect(await beat(run)).toBe('lost');
  });
});
