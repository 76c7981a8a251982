import { afterEach, describe, expect, test } from 'vitest';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { addTime, instant } from '../../packages/carillon/src/base/time.ts';
import type { Handler, RunContext } from '../../packages/carillon/src/runs/context.ts';
import { RunInterrupted } from '../../packages/carillon/src/runs/context.ts';
import { NonRetryable } from '../../packages/carillon/src/runs/failure.ts';
import type { RunWorldOptions } from './run-world.ts';
import { aGate, RunWorld } from './run-world.ts';

const worlds: RunWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world[Symbol.asyncDispose]();
});

const start = instant(Date.UTC(2026, 0, 1));

async function aRunWorld(options: RunWorldOptions & { work?: Handler<never> } = {}) {
  const { work, ...rest } = options;
  const runs = new RunWorld({ handlers: work === undefined ? {} : { work }, ...rest });
  worlds.push(runs);
  await runs.start();
  return { runs, world: runs.world };
}

/** Ends when its signal aborts, with the reason. */
const untilAborted = ({ signal }: RunContext) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

describe('working', () => {
  test('runs what is queued and stores its result', async () => {
    const { runs, world } = await aRunWorld({
      work: ({ input, attempt, name }: RunContext<{ n: number }>) => ({
        doubled: input.n * 2,
        attempt,
        name,
      }),
    });
    const { id } = await runs.enqueue({ input: { n: 21 } });
    await world.settle();
    expect(await runs.run(id)).toMatchObject({
      state: 'done',
      outcome: 'completed',
      result: '{"doubled":42,"attempt":1,"name":"work"}',
    });
  });

  test('hands on nominal time, last result and last failure', async () => {
    const seen: unknown[] = [];
    const { runs, world } = await aRunWorld({
      work: ({ scheduledAt, lastResult, lastFailure }) =>
        void seen.push([scheduledAt, lastResult, lastFailure]),
    });
    const nominal = instant(5000);
    await runs.enqueue({ options: { nominal, lastResult: { a: 1 }, lastFailure: { message: 'x' } } });
    await runs.enqueue();
    await world.settle();
    expect(seen).toEqual([
      [nominal, { a: 1 }, { message: 'x' }],
      [start, null, null],
    ]);
  });

  test('takes the highest priority first, then the longest available', async () => {
    const order: string[] = [];
    const { runs, world } = await aRunWorld({ concurrency: 1, work: ({ input }) => void order.push(input) });
    const later = addTime(start, 1000);
    const first = addTime(start, 900);
    await runs.queue.enqueueAll([
      { namespace: 'n', queue: 'main', name: 'work', input: 'low', priority: 'low', availableAt: later },
      { namespace: 'n', queue: 'main', name: 'work', input: 'b', availableAt: later },
      { namespace: 'n', queue: 'main', name: 'work', input: 'high', priority: 'high', availableAt: later },
      { namespace: 'n', queue: 'main', name: 'work', input: '5', priority: 5, availableAt: later },
    ]);
    await runs.enqueue({ input: 'hold', availableAt: first, name: 'work' });
    await world.advance(2000);
    expect(order).toEqual(['hold', 'high', '5', 'b', 'low']);
  });

  test('does not begin before a run is available, and begins just then', async () => {
    const began: Instant[] = [];
    const { runs, world } = await aRunWorld({ work: () => void began.push(world.now) });
    await runs.enqueue({ availableAt: addTime(start, 7777) });
    await world.advance(60_000);
    expect(began).toEqual([addTime(start, 7777)]);
  });

  test('never runs more handlers at once than it has places', async () => {
    let most = 0;
    const gates: (() => void)[] = [];
    const { runs, world } = await aRunWorld({
      concurrency: 3,
      work: async () => {
        const gate = aGate();
        gates.push(gate.open);
        most = Math.max(most, gates.length);
        await gate.passed;
      },
    });
    for (let index = 0; index < 10; index += 1) await runs.enqueue();
    await world.settle();
    expect([runs.workers[0]?.running, gates.length]).toEqual([3, 3]);
    let done = 0;
    while (gates.length > 0) {
      gates.shift()?.();
      done += 1;
      await world.settle();
    }
    expect([done, most]).toEqual([10, 3]);
  });

  test('ends many handlers in one transaction', async () => {
    const gate = aGate();
    const { runs, world } = await aRunWorld({ concurrency: 100, work: () => gate.passed });
    for (let index = 0; index < 100; index += 1) await runs.enqueue();
    await world.settle();
    runs.commits.length = 0;
    gate.open();
    await world.settle();
    expect(runs.commits.map((commit) => commit.length)).toEqual([100]);
  });

  test('begins what its own node queues without a second claim', async () => {
    const { runs, world } = await aRunWorld({ work: () => 'ok' });
    const { id } = await runs.enqueue();
    await world.settle();
    expect(runs.commits).toEqual([[`${id} leased`], [`${id} completed`]]);
  });

  test('leaves names it does not know to others and looks past them', async () => {
    const unknown: string[] = [];
    const done: unknown[] = [];
    const { runs, world } = await aRunWorld({
      concurrency: 1,
      work: ({ input }) => void done.push(input),
      observer: { unknownName: (queue, name) => unknown.push(`${queue}/${name}`) },
    });
    for (let index = 0; index < 20; index += 1) await runs.enqueue({ name: 'toString', priority: 'high' });
    await runs.enqueue({ input: 1 });
    await world.advance(1);
    expect(done).toEqual([1]);
    expect(unknown).toEqual(['main/toString']);
    const { items } = await world.store.runs({ states: ['waiting'], limit: 100 });
    expect(items.every((run) => run.attempt === 0)).toBe(true);
    expect(items).toHaveLength(20);
  });

  test('is not blocked by any number of names it does not know', async () => {
    const done: unknown[] = [];
    const { runs, world } = await aRunWorld({ concurrency: 1, work: ({ input }) => void done.push(input) });
    await runs.queue.enqueueAll(
      Array.from({ length: 1000 }, () => ({
        namespace: 'n',
        queue: 'main',
        name: 'alien',
        priority: 'high' as const,
      })),
    );
    await runs.enqueue({ input: 1 });
    await world.advance(1);
    expect(done).toEqual([1]);
  });

  test('gives the same run for the same request id', async () => {
    const { runs, world } = await aRunWorld({ work: () => null });
    const first = await runs.enqueue({ options: { requestId: 'once' } });
    await world.advance(3_600_000);
    const again = await runs.enqueue({ options: { requestId: 'once' } });
    expect(again.id).toBe(first.id);
    expect((await runs.queue.list({ limit: 10 })).items).toHaveLength(1);
  });
});

describe('lines that a handler logs', () => {
  test('are stored soon, and many of them in few commits', async () => {
    const { runs, world } = await aRunWorld({
      work: async ({ log }) => {
        const clock = world.steadyClock(0);
        for (let line = 0; line < 200; line += 1) {
          log(`line ${line}`);
          await new Promise<void>((resolve) => clock.wakeAt(addTime(clock.now(), 10), resolve));
        }
      },
    });
    const { id } = await runs.enqueue({});
    const lines = async () => (await world.store.logs({ runId: id, limit: 1000 })).items.length;
    await world.advance(1);
    expect(await lines()).toBe(1);
    await world.advance(300);
    expect(await lines()).toBeGreaterThanOrEqual(10);
    const before = runs.commits.length;
    await world.advance(1600);
    expect(await lines()).toBeGreaterThanOrEqual(150);
    expect(runs.commits.length - before).toBeLessThanOrEqual(9);
  });
});

describe('runs that this worker has no handler for', () => {
  test('do not delay the retries of others on the same queue', async () => {
    const at: number[] = [];
    const { runs, world } = await aRunWorld({
      work: () => {
        at.push(world.now - start);
        throw new Error('no');
      },
    });
    await runs.enqueue({ name: 'strange' });
    await runs.enqueue({ options: { retry: { attempts: 4, initialMs: 1000, coefficient: 1 } } });
    await world.advance(60_000);
    expect(at).toEqual([0, 1000, 2000, 3000]);
  });

  test('hide nothing, however many they are, and keep the time for which they have waited', async () => {
    const { runs, world } = await aRunWorld({ work: () => 'done' });
    const strangers = await runs.queue.enqueueAll(
      Array.from({ length: 700 }, () => ({
        namespace: 'default',
        queue: 'main',
        name: 'strange',
        priority: 5,
      })),
    );
    await world.advance(1000);
    const { id } = await runs.enqueue({});
    await world.advance(100);
    expect(await runs.run(id)).toMatchObject({ outcome: 'completed' });
    await world.advance(30_000);
    const last = strangers.at(-1);
    expect(await runs.run(last?.id ?? '')).toEqual(last);
  });
});

describe('trying again', () => {
  test('repeats a failed attempt at exact times and then gives up', async () => {
    const at: number[] = [];
    const { runs, world } = await aRunWorld({
      work: ({ previousFailure, attempt }) => {
        at.push(world.now - start);
        expect(previousFailure?.message).toBe(attempt === 1 ? undefined : `no ${attempt - 1}`);
        throw new Error(`no ${attempt}`);
      },
    });
    const retry = { attempts: 4, initialMs: 1000, maxMs: 3000, coefficient: 2 };
    const { id } = await runs.enqueue({ options: { retry } });
    await world.advance(60_000);
    expect(at).toEqual([0, 1000, 3000, 6000]);
    const run = await runs.run(id);
    expect(run).toMatchObject({ outcome: 'failed', attempt: 4 });
    expect(JSON.parse(run.result ?? '')).toMatchObject({ message: 'no 4', type: 'Error' });
  });

  test('does not repeat what cannot help', async () => {
    const { runs, world } = await aRunWorld({
      work: () => {
        throw new NonRetryable('never');
      },
    });
    const { id } = await runs.enqueue({ options: { retry: { attempts: 5 } } });
    await world.advance(60_000);
    expect(await runs.run(id)).toMatchObject({ outcome: 'failed', attempt: 1 });
  });

  test('ends an attempt that takes too long, also when its handler does not listen', async () => {
    const reasons: unknown[] = [];
    const { runs, world } = await aRunWorld({
      work: ({ signal }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason));
        return new Promise(() => {});
      },
    });
    const options = { attemptTimeoutMs: 500, retry: { attempts: 2, initialMs: 100 } };
    const { id } = await runs.enqueue({ options });
    await world.advance(499);
    expect(await runs.run(id)).toMatchObject({ state: 'leased', attempt: 1 });
    await world.advance(1);
    expect(await runs.run(id)).toMatchObject({
      state: 'waiting',
      attempt: 1,
      availableAt: addTime(start, 600),
    });
    await world.advance(600);
    expect(await runs.run(id)).toMatchObject({
      outcome: 'timedOut',
      attempt: 2,
      finishedAt: addTime(start, 1100),
    });
    expect(reasons).toHaveLength(2);
    expect(reasons[0]).toBeInstanceOf(RunInterrupted);
  });

  test('ends the whole execution at its time, running or waiting', async () => {
    const { runs, world } = await aRunWorld({ concurrency: 1, work: untilAborted });
    const running = await runs.enqueue({ options: { executionTimeoutMs: 90_000, retry: { attempts: 0 } } });
    const waiting = await runs.enqueue({ options: { executionTimeoutMs: 1000 } });
    await world.advance(1000);
    expect(await runs.run(waiting.id)).toMatchObject({ outcome: 'timedOut', attempt: 0 });
    await world.advance(88_999);
    expect(await runs.run(running.id)).toMatchObject({ state: 'leased', attempt: 1 });
    await world.advance(1);
    expect(await runs.run(running.id)).toMatchObject({
      outcome: 'timedOut',
      finishedAt: addTime(start, 90_000),
    });
  });
});

describe('leases', () => {
  test('are kept alive as long as the worker lives', async () => {
    const gate = aGate<string>();
    const { runs, world } = await aRunWorld({ nodes: 2, work: () => gate.passed });
    const { id } = await runs.enqueue();
    await world.advance(600_000);
    expect(await runs.run(id)).toMatchObject({ state: 'leased', attempt: 1 });
    gate.open('late');
    await world.settle();
    expect(await runs.run(id)).toMatchObject({ outcome: 'completed', attempt: 1, result: '"late"' });
  });

  test('cost nothing but the beats of their node, however many there are', async () => {
    const { runs, world } = await aRunWorld({
      nodes: 2,
      concurrency: 50,
      work: () => new Promise(() => {}),
    });
    for (let index = 0; index < 50; index += 1) await runs.enqueue();
    await world.settle();
    runs.commits.length = 0;
    let writes = 0;
    const { store } = world;
    const transact = store.transact.bind(store);
    store.transact = (selection, decider) =>
      transact(selection, {
        ...decider,
        decide: (loaded) => {
          const decision = decider.decide(loaded);
          writes += decision.writes.executions?.length ?? 0;
          return decision;
        },
      });
    await world.advance(30_000);
    expect(runs.commits).toEqual([]);
    expect(writes).toBe(2 * 15);
  });

  test('pass to another worker when theirs dies, and the dead one can say nothing more', async () => {
    const attempts: string[] = [];
    const gates = [aGate<string>(), aGate<string>()];
    const { runs, world } = await aRunWorld({
      nodes: 2,
      work: ({ attempt, previousFailure }) => {
        attempts.push(`${attempt} ${previousFailure?.type ?? ''}`);
        return gates[attempt - 1]?.passed;
      },
    });
    const { id } = await runs.enqueue();
    await world.settle();
    const held = await runs.run(id);
    expect(held.worker).toMatch(/^worker-0\//);
    world.crash(0);
    await world.advance(36_000);
    expect(attempts).toEqual(['1 ', '2 LeaseLost']);
    expect(await runs.run(id)).toMatchObject({ state: 'leased', attempt: 2 });
    expect((await runs.run(id)).worker).toMatch(/^worker-1\//);
    const [other] = runs.queues.slice(1);
    const late = { id, token: held.leaseToken, conclusion: { kind: 'completed', result: '"old"' } } as const;
    expect(await other?.finish([late])).toEqual(['stale']);
    expect(await other?.extend([{ id, token: held.leaseToken }])).toEqual([{ state: 'lost', reason: '' }]);
    gates[1]?.open('new');
    await world.settle();
    expect(await runs.run(id)).toMatchObject({ outcome: 'completed', result: '"new"' });
  });

  test('of a terminated run are over, and its handler is aborted with that reason', async () => {
    const reasons: string[] = [];
    const { runs, world } = await aRunWorld({
      work: async (context) => {
        await untilAborted(context).catch((error) => reasons.push(error.kind));
      },
    });
    const { id } = await runs.enqueue();
    await world.settle();
    await runs.queue.terminate([id], { reason: 'enough' });
    expect(await runs.run(id)).toMatchObject({ state: 'done', outcome: 'terminated' });
    await world.advance(10_000);
    expect(reasons).toEqual(['terminated']);
    expect(await runs.run(id)).toMatchObject({ outcome: 'terminated' });
  });

  test('a worker that cannot reach the store lets its handlers go on until it hears that others have them', async () => {
    const reasons: string[] = [];
    const { runs, world } = await aRunWorld({
      nodes: 2,
      work: (context) => untilAborted(context).catch((error) => reasons.push(error.kind)),
    });
    await runs.enqueue();
    await world.settle();
    const holder = (await runs.run((await runs.queue.list({ limit: 1 })).items[0]?.id ?? '')).worker;
    const node = holder.startsWith('worker-0') ? 0 : 1;
    world.cutOff(node);
    await world.advance(60_000);
    expect(reasons).toEqual([]);
    world.cutOff(node, false);
    await world.advance(3000);
    expect(reasons).toEqual(['leaseLost']);
  });

  test('progress is visible soon, bounded in rate, and there for the next attempt', async () => {
    const seen: unknown[] = [];
    let context: RunContext | undefined;
    const gate = aGate<never>();
    const { runs, world } = await aRunWorld({
      work: async (given) => {
        seen.push(given.progress);
        context = given;
        if (given.attempt === 1) await Promise.race([gate.passed, untilAborted(given)]);
      },
    });
    const { id } = await runs.enqueue({ options: { attemptTimeoutMs: 5000, retry: { attempts: 2 } } });
    await world.settle();
    runs.commits.length = 0;
    for (let step = 1; step <= 30; step += 1) {
      context?.heartbeat({ step });
      await world.advance(100);
    }
    expect(runs.commits.length).toBeLessThanOrEqual(4);
    expect((await runs.run(id)).progress).toBe('{"step":30}');
    await world.advance(10_000);
    expect(seen).toEqual([null, { step: 30 }]);
    expect(() => context?.heartbeat('x'.repeat(100_000))).toThrow(RangeError);
  });
});

describe('cancelling', () => {
  test('a waiting run ends at once', async () => {
    const { runs } = await aRunWorld({ work: () => null });
    const { id } = await runs.enqueue({ availableAt: addTime(start, 1000) });
    expect(await runs.queue.cancel([id, 'none'], 'not wanted')).toEqual(['ended', 'notFound']);
    expect(await runs.run(id)).toMatchObject({ outcome: 'cancelled', attempt: 0 });
    expect(await runs.queue.cancel([id])).toEqual(['done']);
  });

  test('a running one learns it at once, with the reason', async () => {
    const { runs, world } = await aRunWorld({ nodes: 2, work: untilAborted });
    const { id } = await runs.enqueue({ options: { retry: { attempts: 5 } } });
    await world.settle();
    expect(await runs.queues[1]?.cancel([id], 'not wanted')).toEqual(['requested']);
    await world.settle();
    const run = await runs.run(id);
    expect(run).toMatchObject({ outcome: 'cancelled', finishedAt: start });
    expect(JSON.parse(run.result ?? '')).toEqual({
      message: 'not wanted',
      type: 'Cancelled',
      askedAt: start,
    });
  });

  test('a handler that finishes all the same has completed', async () => {
    const { runs, world } = await aRunWorld({ work: (context) => untilAborted(context).catch(() => 'tidy') });
    const { id } = await runs.enqueue();
    await world.settle();
    await runs.queue.cancel([id]);
    await world.settle();
    expect(await runs.run(id)).toMatchObject({ outcome: 'completed', result: '"tidy"' });
  });

  test('a lost notification only delays it to the next heartbeat', async () => {
    const { runs, world } = await aRunWorld({ work: untilAborted });
    const { id } = await runs.enqueue();
    await world.settle();
    world.setFaults({ loseNotification: 1 });
    await runs.queue.cancel([id]);
    await world.advance(9999);
    expect((await runs.run(id)).state).toBe('leased');
    await world.advance(1);
    expect((await runs.run(id)).outcome).toBe('cancelled');
  });
});

describe('stopping', () => {
  test('lets handlers end and takes nothing new', async () => {
    const gate = aGate<string>();
    const { runs, world } = await aRunWorld({ work: () => gate.passed });
    const first = await runs.enqueue();
    await world.settle();
    let stopped = false;
    const stopping = runs.workers[0]?.stop({ drainMs: 60_000 }).then(() => {
      stopped = true;
    });
    const second = await runs.enqueue();
    await world.advance(45_000);
    expect(stopped).toBe(false);
    expect(await runs.run(first.id)).toMatchObject({ state: 'leased', attempt: 1 });
    gate.open('done');
    await stopping;
    expect(await runs.run(first.id)).toMatchObject({ outcome: 'completed', attempt: 1 });
    expect(await runs.run(second.id)).toMatchObject({ state: 'waiting', attempt: 0 });
  });

  test('gives back what does not end in time, so that another goes on at once', async () => {
    const began: string[] = [];
    const { runs, world } = await aRunWorld({
      nodes: 2,
      concurrency: 5,
      work: () => new Promise(() => {}),
      observer: { began: (run) => began.push(`${run.worker.split('/')[0]} attempt ${run.attempt}`) },
    });
    const { id } = await runs.enqueue();
    await world.settle();
    const stopping = runs.workers[0]?.stop({ drainMs: 2000 });
    await world.advance(2000);
    await stopping;
    await world.settle();
    expect(began).toEqual(['worker-0 attempt 1', 'worker-1 attempt 1']);
    expect(await runs.run(id)).toMatchObject({ state: 'leased', attempt: 1 });
  });

  test('is safe twice, before starting, and while starting; a stopped worker can start again', async () => {
    const { runs, world } = await aRunWorld({ work: () => 'ok' });
    const worker = runs.workers[0];
    await Promise.all([worker?.stop(), worker?.stop()]);
    await worker?.stop();
    const { id } = await runs.enqueue();
    await world.settle();
    expect((await runs.run(id)).state).toBe('waiting');
    for (let round = 0; round < 20; round += 1) {
      if (round % 2 === 0) await worker?.start();
      if (round % 3 === 0) void worker?.stop();
      await Promise.all([worker?.start(), worker?.stop(), worker?.start(), worker?.stop()]);
    }
    await worker?.start();
    await world.settle();
    expect(await runs.run(id)).toMatchObject({ outcome: 'completed' });
  });

  test('returns although the store does not answer', async () => {
    const { runs, world } = await aRunWorld({ work: () => new Promise(() => {}) });
    await runs.enqueue();
    await world.settle();
    world.setFaults({ failBefore: 1 });
    let stopped = false;
    void runs.workers[0]?.stop({ drainMs: 1000 }).then(() => {
      stopped = true;
    });
    await world.advance(10_000);
    expect(stopped).toBe(true);
  });
});

describe('doubt', () => {
  test('a placement whose acknowledgement is lost is given back, uncounted', async () => {
    const began: number[] = [];
    const { runs, world } = await aRunWorld({ work: ({ attempt }) => void began.push(attempt) });
    world.setFaults({ failAfter: 1 });
    const request = { options: { requestId: 'x' } };
    await expect(runs.enqueue(request)).rejects.toThrow('answer lost');
    world.clearFaults();
    await world.advance(5000);
    expect(began).toEqual([1]);
    expect((await runs.enqueue(request)).outcome).toBe('completed');
  });

  test('idle workers and sweepers do not touch the store more than the bounded poll', async () => {
    const { runs, world } = await aRunWorld({ work: () => null });
    await runs.enqueue();
    await world.advance(1000);
    let calls = 0;
    const { wakeTimes } = world.store;
    world.store.wakeTimes = async (of) => {
      calls += 1;
      return await wakeTimes.call(world.store, of);
    };
    await world.advance(60_000);
    expect(calls).toBeLessThanOrEqual(3 * 12 + 3);
  });
});

describe('a handler that does not listen', () => {
  test('to a cancel costs no more than its heartbeats', async () => {
    const gate = aGate<string>();
    const { runs, world } = await aRunWorld({ work: () => gate.passed });
    const { id } = await runs.enqueue();
    await world.settle();
    await runs.queue.cancel([id]);
    runs.commits.length = 0;
    await world.advance(60_000);
    expect(runs.commits.length).toBeLessThanOrEqual(8);
    gate.open('after all');
    await world.settle();
    expect(await runs.run(id)).toMatchObject({ outcome: 'completed', attempt: 1 });
  });

  test('to a cancel and then loses its lease is left alone', async () => {
    const { runs, world } = await aRunWorld({ work: () => new Promise(() => {}) });
    const { id } = await runs.enqueue();
    await world.settle();
    await runs.queue.cancel([id]);
    await world.settle();
    await runs.queue.terminate([id]);
    runs.commits.length = 0;
    await world.advance(60_000);
    expect(runs.commits).toEqual([]);
    expect(await runs.run(id)).toMatchObject({ outcome: 'terminated' });
  });
});
