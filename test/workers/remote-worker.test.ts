/** Workers over HTTP, against a real server. */
import { expect, onTestFinished, test } from 'vitest';
import type { RunContext, WorkerOptions } from '../../packages/carillon/src/client/index.ts';
import { CarillonClient, createWorker } from '../../packages/carillon/src/client/index.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import type { ApiKey } from '../../packages/server/src/server/keys.ts';
import { hashKey } from '../../packages/server/src/server/keys.ts';
import { startServer } from '../../packages/server/src/server/server.ts';
import { FreezingProxy } from '../store/freezing-proxy.ts';
import { until } from '../support/until.ts';

function signalled() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

async function aServer(keys: readonly ApiKey[] = []) {
  const carillon = await openCarillon({ store: 'memory:' });
  const server = await startServer({ port: 0, drainMs: 0, carillon, keys });
  onTestFinished(() => server.stop());
  return { server, carillon, client: new CarillonClient({ url: server.url }) };
}

async function aWorker(options: WorkerOptions) {
  const worker = createWorker({ onTrouble: () => {}, drainMs: 0, ...options });
  onTestFinished(() => worker.stop());
  await worker.start();
  return worker;
}

test('a worker runs the handlers of a server elsewhere: input, result, progress and log', async () => {
  const { server, client } = await aServer();
  const go = signalled();
  await aWorker({
    url: server.url,
    handlers: {
      double: async ({ input, log, heartbeat }: RunContext<{ readonly n: number }>) => {
        log('half way', { n: input.n });
        heartbeat({ percent: 50 });
        await go.promise;
        return input.n * 2;
      },
    },
  });
  const { id } = await client.runs.enqueue({ run: 'double', input: { n: 21 } });
  await until(
    async () => ((await client.runs.get(id)).progress as { percent?: number } | null)?.percent === 50,
  );
  const lines: string[] = [];
  for await (const { text } of client.runs.log(id)) lines.push(text);
  expect(lines).toEqual(['half way {"n":21}']);
  go.resolve();
  expect(await client.runs.wait(id)).toMatchObject({ outcome: 'completed', result: 42, attempt: 1 });
});

test('failures keep their causes, and the retry policy of the run decides', async () => {
  const { server, client } = await aServer();
  let calls = 0;
  await aWorker({
    url: server.url,
    handlers: {
      flaky: () => {
        calls += 1;
        if (calls === 2) return 'well';
        throw new Error('fetch failed', {
          cause: new AggregateError([new Error('ECONNREFUSED')], 'no address'),
        });
      },
    },
  });
  const retried = await client.runs.enqueue({ run: 'flaky', retry: { attempts: 2, initial: 1 } });
  expect(await client.runs.wait(retried.id)).toMatchObject({
    outcome: 'completed',
    result: 'well',
    attempt: 2,
  });
  const failed = await client.runs.enqueue({ run: 'flaky' });
  expect((await client.runs.wait(failed.id)).failure).toMatchObject({
    message: 'fetch failed',
    type: 'Error',
    stack: expect.stringContaining('remote-worker.test.ts'),
    cause: { message: 'no address', errors: [{ message: 'ECONNREFUSED' }] },
  });
});

test('a result that JSON changes is reported in the log; one that it cannot write fails with its place', async () => {
  const { server, client } = await aServer();
  const odd: { list: unknown[] } = { list: [] };
  odd.list.push(odd);
  await aWorker({
    url: server.url,
    handlers: { dated: () => ({ at: new Date(0) }), odd: () => odd },
  });
  const dated = await client.runs.enqueue({ run: 'dated' });
  expect(await client.runs.wait(dated.id)).toMatchObject({
    outcome: 'completed',
    result: { at: '1970-01-01T00:00:00.000Z' },
  });
  const lines: string[] = [];
  for await (const { text } of client.runs.log(dated.id)) lines.push(text);
  expect(lines).toEqual([expect.stringContaining('changes a Date at result.at')]);
  const { id } = await client.runs.enqueue({ run: 'odd', retry: { attempts: 3 } });
  expect(await client.runs.wait(id)).toMatchObject({
    attempt: 1,
    failure: {
      type: 'BadResult',
      message: 'the result is not JSON at result.list[0]: it contains itself, which JSON cannot write',
    },
  });
});

test('a cancel reaches the handler at once, not at the next heartbeat', async () => {
  const { server, client } = await aServer();
  const begun = signalled();
  await aWorker({
    url: server.url,
    leaseMs: 600_000,
    handlers: {
      hang: async ({ signal }) => {
        begun.resolve();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    },
  });
  const { id } = await client.runs.enqueue({ run: 'hang' });
  await begun.promise;
  expect(await client.runs.cancel(id, { reason: 'enough' })).toBe('requested');
  expect(await client.runs.wait(id)).toMatchObject({ outcome: 'cancelled', failure: { message: 'enough' } });
});

test('a worker that stops gives its runs back without counting the attempt', async () => {
  const { server, client } = await aServer();
  const begun = signalled();
  const first = await aWorker({
    url: server.url,
    handlers: {
      work: async ({ signal }) => {
        begun.resolve();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    },
  });
  const { id } = await client.runs.enqueue({ run: 'work' });
  await begun.promise;
  await first.stop({ drainMs: 0 });
  expect(await client.runs.get(id)).toMatchObject({ state: 'waiting', attempt: 0, worker: '' });
  expect(await client.workers.list()).toMatchObject([{ id: first.id, state: 'leaving' }]);
  await aWorker({ url: server.url, handlers: { work: () => 'done' } });
  expect(await client.runs.wait(id)).toMatchObject({ outcome: 'completed', attempt: 1 });
});

test('a worker that is cut off stops its handler and cannot finish the run any more', async () => {
  const { server, client, carillon } = await aServer();
  const proxy = new FreezingProxy(Number(new URL(server.url).port));
  await proxy.open();
  onTestFinished(() => proxy.close());
  const reasons: unknown[] = [];
  const begun = signalled();
  const worker = await aWorker({
    url: `http://127.0.0.1:${proxy.port}`,
    leaseMs: 300,
    handlers: {
      work: async ({ signal }) => {
        begun.resolve();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        reasons.push((signal.reason as { readonly kind: string }).kind);
        return 'too late';
      },
    },
  });
  // A machine so busy that the short lease ends by itself loses an attempt more.
  const { id } = await client.runs.enqueue({ run: 'work', retry: { attempts: 1000, initial: 1 } });
  await begun.promise;
  proxy.freeze({ newOnes: true });
  await until(async () => (await client.runs.get(id)).state === 'waiting');
  await until(() => reasons.length > 0 && worker.running === 0);
  expect(new Set(reasons)).toEqual(new Set(['leaseLost']));
  const { services } = internalsOf(carillon);
  const { signal } = new AbortController();
  const [taken] = await services.workers.claim(
    { namespace: 'default', id: 'other' },
    { queues: ['default'] },
    { forMs: 0, signal },
  );
  expect(taken?.id).toBe(id);
  expect(taken?.attempt).toBeGreaterThan(1);
  proxy.thaw();
  const conclusion = { kind: 'completed', result: '"in time"' } as const;
  await services.workers.report('default', [{ runId: id, token: taken?.leaseToken ?? '', conclusion }]);
  expect(await client.runs.get(id)).toMatchObject({ result: 'in time', attempt: taken?.attempt });
});

test('a key of the role worker may work on its queues and change nothing else', async () => {
  const [worker, admin] = ['crl_worker-worker-worker', 'crl_admin-admin-admin'];
  const { server } = await aServer([
    { name: 'renderer', hash: hashKey(worker), role: 'worker', queues: ['images'] },
    { name: 'boss', hash: hashKey(admin), role: 'admin' },
  ]);
  const boss = new CarillonClient({ url: server.url, key: admin });
  const errors: unknown[] = [];
  const handlers = { render: ({ input }: { readonly input: unknown }) => input };
  await aWorker({ url: server.url, key: worker, queues: ['images'], handlers });
  await aWorker({
    url: server.url,
    key: worker,
    queues: ['images', 'secrets'],
    handlers,
    onTrouble: (error) => errors.push(error),
  });
  const { id } = await boss.runs.enqueue({ run: 'render', queue: 'images', input: 'x' });
  expect(await boss.runs.wait(id)).toMatchObject({ result: 'x' });
  await until(() => errors.length > 0);
  expect(errors[0]).toMatchObject({ status: 403, message: expect.stringContaining("'secrets'") });
  const limited = new CarillonClient({ url: server.url, key: worker });
  await expect(limited.runs.enqueue({ run: 'render' })).rejects.toMatchObject({ status: 403 });
});

test('a worker goes on after errors of its connection, also when what hears of them throws', async () => {
  const { server, client } = await aServer();
  let troubles = 0;
  await aWorker({
    url: server.url,
    handlers: { work: () => 'done' },
    fetch: async (url, init) => {
      if (troubles < 2) throw new Error('no route');
      return await fetch(url, init);
    },
    onTrouble: (error) => {
      troubles += 1;
      if (troubles === 1) throw error;
      return Promise.reject(error);
    },
  });
  const { id } = await client.runs.enqueue({ run: 'work' });
  expect(await client.runs.wait(id)).toMatchObject({ outcome: 'completed', result: 'done' });
  expect(troubles).toBeGreaterThanOrEqual(2);
});

test.each([
  [{ handlers: {} }, 'handlers'],
  [{ handlers: { a: 5 } }, 'handlers.a'],
  [{ handlers: { work: () => 1 }, concurrency: Number.NaN }, 'concurrency'],
  [{ handlers: { work: () => 1 }, queues: [] }, 'queues'],
] as readonly [object, string][])('bad options are refused by name: %j', (options, name) => {
  expect(() => createWorker(options as unknown as WorkerOptions)).toThrow(`createWorker: ${name} must be`);
});
