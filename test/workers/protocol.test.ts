/** The lease protocol of workers outside the nodes, in virtual time. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type {
  LeaseKept,
  WorkerClaimRequest,
  WorkerConclusion,
} from '../../packages/carillon/src/service/workers/worker-service.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

const namespace = 'default';
const minute = 60_000;

async function aServer() {
  const world = await CarillonWorld.start();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const carillon = world.carillon();
  const { services, runtime } = internalsOf(carillon);
  const { workers } = services;
  const worker = (id: string, queues: readonly string[] = ['default']) => ({
    name: { namespace, id },
    claim: (request: Partial<WorkerClaimRequest> = {}, forMs = 0, signal = new AbortController().signal) =>
      workers.claim({ namespace, id }, { queues, limit: 10, ...request }, { forMs, signal }),
  });
  const enqueue = (fields: object = {}) => carillon.runs.enqueue({ run: 'work', ...fields });
  const end = (run: RunRow, conclusion: WorkerConclusion) =>
    workers.report(namespace, [{ runId: run.id, token: run.leaseToken, conclusion }]);
  const beat = async ({ id: runId, leaseToken: token }: RunRow, progress?: string) => {
    const [held] = await workers.heartbeat(namespace, [
      { runId, token, ...(progress === undefined ? {} : { progress }) },
    ]);
    return held?.state;
  };
  return { world, carillon, workers, worker, enqueue, end, beat, runtime };
}

const completed: WorkerConclusion = { kind: 'completed', result: '42' };
const failed: WorkerConclusion = { kind: 'failed', failure: { message: 'no' } };

describe('a claim', () => {
  test('waits until there is work', async () => {
    const { world, worker, enqueue, end, carillon } = await aServer();
    const waiting = worker('a').claim({}, minute);
    await world.advance(20_000);
    const { id } = await enqueue({ input: { n: 1 } });
    const [run] = (await waiting) as [RunRow];
    expect(run).toMatchObject({ id, attempt: 1, state: 'leased', input: '{"n":1}' });
    expect(await end(run, completed)).toEqual(['ok']);
    expect(await carillon.runs.get(id)).toMatchObject({ outcome: 'completed', result: 42, worker: 'a' });
  });

  test('finds its runs behind a backlog of other namespaces and names', async () => {
    const { world, worker, enqueue, runtime } = await aServer();
    const other = (name: string, of: string) => ({ namespace: of, queue: 'default', name, priority: 9 });
    await runtime.runs.enqueueAll([
      ...Array.from({ length: 400 }, () => other('work', 'elsewhere')),
      ...Array.from({ length: 400 }, () => other('strange', namespace)),
    ]);
    const { id } = await enqueue();
    expect((await worker('a').claim({ names: ['work'] })).map((run) => run.id)).toEqual([id]);
    const waiting = worker('a').claim({ names: ['work'] }, minute);
    const { id: later } = await enqueue({ at: world.now + 20_000 });
    await world.advance(20_100);
    expect((await waiting).map((run) => run.id)).toEqual([later]);
  });

  test('waits for a run that is not available yet', async () => {
    const { world, worker, enqueue } = await aServer();
    const waiting = worker('a').claim({}, minute);
    const { id } = await enqueue({ at: world.now + 30_000 });
    await world.advance(29_000);
    expect(await world.carillon().runs.get(id)).toMatchObject({ state: 'waiting' });
    await world.advance(1100);
    expect((await waiting).map((run) => run.id)).toEqual([id]);
  });

  test('ends empty when its time is over, and at once when the server stops', async () => {
    const { world, worker, workers } = await aServer();
    const waiting = worker('a').claim({}, minute);
    await world.advance(minute);
    expect(await waiting).toEqual([]);
    const leaving = new AbortController();
    const { signal } = new AbortController();
    const held = workers.claim(
      { namespace, id: 'a' },
      { queues: ['default'] },
      { forMs: minute, signal, leaving: leaving.signal },
    );
    await world.settle();
    leaving.abort();
    expect(await held).toEqual([]);
  });

  test('takes only runs of its namespace, its queues and its names', async () => {
    const { worker, enqueue, workers } = await aServer();
    await enqueue({ run: 'other' });
    await enqueue({ queue: 'elsewhere' });
    const { id } = await enqueue();
    const foreign = await workers.claim(
      { namespace: 'foreign', id: 'f' },
      { queues: ['default', 'elsewhere'], limit: 9 },
      { forMs: 0, signal: new AbortController().signal },
    );
    expect(foreign).toEqual([]);
    expect((await worker('a').claim({ names: ['work'] })).map((run) => run.id)).toEqual([id]);
    expect((await worker('b', ['elsewhere', 'default']).claim()).length).toBe(2);
  });

  test('of a caller that went away takes nothing', async () => {
    const { world, worker, enqueue } = await aServer();
    const gone = new AbortController();
    const waiting = worker('a').claim({}, minute, gone.signal);
    await world.settle();
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    const { id } = await enqueue();
    await world.settle();
    expect(await world.carillon().runs.get(id)).toMatchObject({ state: 'waiting', attempt: 0 });
    expect((await worker('b').claim()).map((run) => run.id)).toEqual([id]);
  });

  test('shares what is there among those that wait, first come first served, in few transactions', async () => {
    const { world, worker, enqueue, runtime } = await aServer();
    let claims = 0;
    const polls = Array.from({ length: 200 }, (_, index) => worker(`w${index}`).claim({ limit: 1 }, minute));
    await world.advance(1000);
    runtime.observe({
      transacted: (kind) => {
        claims += kind === 'claimable' ? 1 : 0;
      },
    });
    const first = await enqueue();
    await world.settle();
    expect((await polls[0])?.map((run) => run.id)).toEqual([first.id]);
    await Promise.all(Array.from({ length: 199 }, () => enqueue()));
    await world.advance(1000);
    const rest = await Promise.all(polls);
    expect(new Set(rest.flat().map(({ id }) => id)).size).toBe(200);
    expect(rest.every((runs) => runs.length === 1)).toBe(true);
    expect(claims).toBeLessThan(220);
  });

  test.each([[['@http']], [[]], [['']]])('of the queues %j is refused', async (queues) => {
    const { worker } = await aServer();
    await expect(worker('a', queues).claim()).rejects.toMatchObject({ problems: [{ path: 'queues' }] });
  });
});

describe('a lease', () => {
  const lengths: [string, LeaseKept, object, number][] = [
    ['of heartbeats is as long as asked for', { by: 'heartbeat', ms: 5000 }, {}, 5000],
    [
      'without heartbeats lasts as long as the attempt may',
      { by: 'attempt' },
      { attemptTimeout: '10m' },
      10 * minute,
    ],
    ['without heartbeats and attempt timeout lasts a day', { by: 'attempt' }, {}, 24 * 60 * minute],
    ['never outlives the attempt', { by: 'heartbeat', ms: minute }, { attemptTimeout: '10s' }, 10_000],
    ['of a living worker is as long as asked for', { by: 'worker', ms: 3 * minute }, {}, 3 * minute],
  ];

  test.each(lengths)('%s', async (_, lease, fields, length) => {
    const { world, worker, enqueue } = await aServer();
    await enqueue(fields);
    const [run] = (await worker('a').claim({ lease })) as [RunRow];
    expect((run.checkAt as number) - world.now).toBe(length);
  });

  test('that its holder does not extend goes to another worker, and the late result is refused', async () => {
    const { world, worker, enqueue, end, beat, carillon } = await aServer();
    const { id } = await enqueue();
    const [lost] = (await worker('a').claim({ lease: { by: 'heartbeat', ms: 10_000 } })) as [RunRow];
    await world.advance(9000);
    expect(await beat(lost, '"half"')).toBe('held');
    await world.advance(9000);
    expect(await carillon.runs.get(id)).toMatchObject({ state: 'leased', attempt: 1 });
    await world.advance(2000);
    const [taken] = (await worker('b').claim()) as [RunRow];
    expect(taken).toMatchObject({ id, attempt: 2, progress: '"half"' });
    expect(await end(lost, completed)).toEqual(['stale']);
    expect(await beat(lost)).toBe('lost');
    expect(await end(taken, { kind: 'completed', result: '"b"' })).toEqual(['ok']);
    // An acknowledgement that was lost: the same report again counts as before, and changes nothing.
    expect(await end(taken, { kind: 'completed', result: '"b"' })).toEqual(['ok']);
    expect(await carillon.runs.get(id)).toMatchObject({ outcome: 'completed', result: 'b', attempt: 2 });
  });

  test('of a worker is extended by its signs of life, one with heartbeats is not', async () => {
    const { world, worker, enqueue, workers, carillon } = await aServer();
    const a = worker('a');
    const [kept, silent] = [await enqueue({ queue: 'q1' }), await enqueue({ queue: 'q2' })];
    await a.claim({ queues: ['q1'], lease: { by: 'worker', ms: 3 * minute } });
    await a.claim({ queues: ['q2'], lease: { by: 'heartbeat', ms: 3 * minute } });
    for (let beats = 0; beats < 4; beats += 1) {
      await world.advance(minute);
      await workers.beat(a.name);
    }
    expect(await carillon.runs.get(kept.id)).toMatchObject({ state: 'leased', worker: 'a' });
    expect(await carillon.runs.get(silent.id)).toMatchObject({
      state: 'waiting',
      failure: { type: 'LeaseLost' },
    });
    await world.advance(4 * minute);
    expect(await carillon.runs.get(kept.id)).toMatchObject({ state: 'waiting' });
  });

  test('ends as a timed-out attempt when the attempt timeout passes, although the worker lives', async () => {
    const { world, worker, enqueue, beat, carillon } = await aServer();
    const { id } = await enqueue({ attemptTimeout: '20s' });
    const [run] = (await worker('a').claim()) as [RunRow];
    await world.advance(15_000);
    expect(await beat(run)).toBe('held');
    await world.advance(6000);
    expect(await carillon.runs.get(id)).toMatchObject({
      outcome: 'timedOut',
      failure: { type: 'AttemptTimedOut' },
    });
    expect(await beat(run)).toBe('lost');
  });

  test('of another namespace cannot be extended or ended', async () => {
    const { worker, enqueue, workers } = await aServer();
    await enqueue();
    const [{ id: runId, leaseToken: token }] = (await worker('a').claim()) as [RunRow];
    expect(await workers.heartbeat('foreign', [{ runId, token }])).toMatchObject([{ state: 'lost' }]);
    expect(await workers.report('foreign', [{ runId, token, conclusion: completed }])).toEqual(['stale']);
    expect(await workers.heartbeat(namespace, [{ runId, token }])).toMatchObject([{ state: 'held' }]);
  });
});

describe('an end', () => {
  test('that fails is followed by another attempt', async () => {
    const { world, worker, enqueue, end } = await aServer();
    await enqueue({ retry: { attempts: 2, initial: '5s' } });
    const [run] = (await worker('a').claim()) as [RunRow];
    expect(await end(run, failed)).toEqual(['ok']);
    expect(await worker('a').claim()).toEqual([]);
    await world.advance(5000);
    expect(await worker('b').claim()).toMatchObject([{ attempt: 2 }]);
  });

  test('that gives the run back does not count the attempt, and may ask for a pause', async () => {
    const { world, worker, enqueue, end } = await aServer();
    await enqueue();
    const [run] = (await worker('a').claim()) as [RunRow];
    await end(run, { kind: 'released', afterMs: 30_000 });
    expect(await worker('b').claim()).toEqual([]);
    await world.advance(30_000);
    expect(await worker('b').claim()).toMatchObject([{ attempt: 1 }]);
  });

  test('as cancelled counts only when a caller asked for it', async () => {
    const { worker, enqueue, end, beat, carillon, workers, world } = await aServer();
    const [asked, own] = [await enqueue({ queue: 'q1' }), await enqueue({ queue: 'q2' })];
    const [first] = (await worker('a', ['q1']).claim()) as [RunRow];
    const [second] = (await worker('a', ['q2']).claim()) as [RunRow];
    const stops = workers.stops(namespace, [{ runId: first.id, token: first.leaseToken }], {
      forMs: minute,
      signal: new AbortController().signal,
    });
    await world.advance(1000);
    expect(await carillon.runs.cancel(asked.id, { reason: 'enough' })).toBe('requested');
    expect(await stops).toMatchObject([{ runId: asked.id, held: { state: 'cancel', reason: 'enough' } }]);
    expect(await beat(first)).toBe('cancel');
    const cancelled: WorkerConclusion = { kind: 'cancelled', failure: { message: 'stopped' } };
    await end(first, cancelled);
    await end(second, cancelled);
    expect(await carillon.runs.get(asked.id)).toMatchObject({ outcome: 'cancelled' });
    expect(await carillon.runs.get(own.id)).toMatchObject({ outcome: 'failed' });
  });

  test('of a terminated run is refused', async () => {
    const { worker, enqueue, end, beat, carillon } = await aServer();
    const { id } = await enqueue();
    const [run] = (await worker('a').claim()) as [RunRow];
    expect(await carillon.runs.terminate(id)).toBe('ended');
    expect(await beat(run)).toBe('terminated');
    expect(await end(run, completed)).toEqual(['stale']);
  });
});

describe('a worker', () => {
  test('is listed while it polls, says when it leaves, and is forgotten after a day', async () => {
    const { world, worker, workers } = await aServer();
    await worker('a').claim({ names: ['work'], about: { name: 'laptop', client: 'carillon 1', slots: 4 } });
    expect(await workers.list(namespace)).toMatchObject([
      { id: 'a', name: 'laptop', state: 'alive', queues: ['default'], names: ['work'], slots: 4 },
    ]);
    await workers.leave({ namespace, id: 'a' });
    expect(await workers.list()).toMatchObject([{ id: 'a', state: 'leaving', queues: ['default'] }]);
    await world.advance(2 * minute);
    expect(await workers.list()).toMatchObject([{ id: 'a', state: 'silent' }]);
    await world.advance('25h');
    await worker('b').claim();
    expect((await workers.list()).map(({ id }) => id)).toEqual(['b']);
  });
});
