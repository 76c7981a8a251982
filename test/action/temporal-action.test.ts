/** Schedules that start workflows on a Temporal cluster. The cluster is Carillon's own Temporal door. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CuttingProxy } from '../../interop/lib/cutting-proxy.mjs';
import type { Carillon } from '../../packages/carillon/src/main.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { GrpcStage } from '../door/temporal/grpc-stage.ts';
import { until } from '../support/until.ts';

let cluster: GrpcStage;
const done: unknown[] = [];

beforeAll(async () => {
  cluster = await GrpcStage.open({}, {}, (carillon) => {
    const options = { queue: 'reports', concurrency: 200 };
    carillon.handle(
      'report',
      ({ input, lastResult, workflowId, memo, headers }) => ({
        input,
        lastResult,
        workflowId,
        memo,
        headers,
      }),
      options,
    );
    carillon.handle('count', ({ workflowId }) => void done.push(workflowId), options);
    carillon.handle(
      'fail',
      () => Promise.reject(Object.assign(new Error('no'), { name: 'Refused' })),
      options,
    );
    carillon.handle(
      'wait',
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      options,
    );
  });
});
afterAll(async () => await cluster[Symbol.asyncDispose]());

async function open(address = cluster.address, store = 'memory:'): Promise<Carillon> {
  const carillon = await openCarillon({ store, temporal: { address, lookMs: 200 } });
  await carillon.start();
  return carillon;
}

const target = (workflowType: string, fields: object = {}) => ({
  workflowType,
  taskQueue: 'reports',
  ...fields,
});

async function endOf(carillon: Carillon, id: string, count = 1) {
  const { items } = await until(
    async () => await carillon.schedules.runs(id, { limit: 10, include: 'payloads' }),
    ({ items: runs }) => runs.length >= count && runs.every(({ state }) => state === 'done'),
  );
  return items;
}

describe('a workflow on a cluster', () => {
  test("gets input, memo, headers and the last result, and its result is the run's", async () => {
    const carillon = await open();
    await carillon.schedules.create('r', {
      every: '1d',
      temporal: target('report', { memo: { m: 1 }, headers: { h: 'x' } }),
      input: { a: 1 },
    });
    await carillon.schedules.trigger('r');
    const [first] = await endOf(carillon, 'r');
    expect(first).toMatchObject({
      outcome: 'completed',
      result: { input: { a: 1 }, memo: { m: 1 }, headers: { h: 'x' } },
    });
    await carillon.schedules.trigger('r');
    const [second] = await endOf(carillon, 'r', 2);
    expect(second?.result).toMatchObject({ lastResult: { input: { a: 1 } } });
    await carillon.stop();
  });

  test('that fails fails the run, with its type and message', async () => {
    const carillon = await open();
    await carillon.schedules.create('f', { every: '1d', temporal: target('fail') });
    await carillon.schedules.trigger('f');
    const [run] = await endOf(carillon, 'f');
    expect(run).toMatchObject({ outcome: 'failed', failure: { message: 'no', type: 'Refused' } });
    await carillon.stop();
  });

  test('is cancelled with its run', async () => {
    const carillon = await open();
    await carillon.schedules.create('c', { every: '1d', temporal: target('wait') });
    await carillon.schedules.trigger('c');
    const workflow = await until(async () => {
      const { executions } = await cluster.service.listWorkflowExecutions({
        namespace: 'default',
        query: "WorkflowType = 'wait'",
      });
      return executions?.[0]?.execution;
    });
    const { items } = await carillon.schedules.runs('c', { limit: 1 });
    await carillon.runs.cancel(items[0]?.id ?? '');
    expect((await endOf(carillon, 'c'))[0]?.outcome).toBe('cancelled');
    const handle = cluster.client.workflow.getHandle(workflow.workflowId ?? '');
    await until(async () => (await handle.describe()).status.name === 'CANCELLED');
    await carillon.stop();
  });

  test.each([
    ['terminated by a person', async (carillon: Carillon, id: string) => await carillon.runs.terminate(id)],
    [
      'replaced by a start that terminates it',
      async (carillon: Carillon) => await carillon.schedules.trigger('t', { overlap: 'terminateOther' }),
    ],
  ])('is terminated when its run is %s', async (_, end) => {
    const carillon = await open();
    await carillon.schedules.create('t', {
      every: '1d',
      temporal: target('wait', { memo: { of: 'terminate' } }),
    });
    await carillon.schedules.trigger('t');
    const run = await until(async () => (await carillon.schedules.runs('t', { limit: 1 })).items[0]);
    const workflowId = run.workflowId ?? '';
    const handle = cluster.client.workflow.getHandle(workflowId);
    await until(async () => await handle.describe().catch(() => undefined));
    await end(carillon, run.id);
    await until(async () => (await handle.describe()).status.name === 'TERMINATED');
    expect((await carillon.runs.get(run.id)).outcome).toBe('terminated');
    await carillon.stop({ drainMs: 0 });
  });

  test('that replaces another within the same second has an id of its own', async () => {
    const carillon = await open();
    await carillon.schedules.create('s', {
      every: '1d',
      temporal: target('wait'),
      overlap: 'terminateOther',
    });
    await carillon.schedules.trigger('s');
    const first = await until(async () => (await carillon.schedules.runs('s', { limit: 1 })).items[0]);
    const handle = (id: string | null) => cluster.client.workflow.getHandle(id ?? '');
    await until(
      async () =>
        await handle(first.workflowId)
          .describe()
          .catch(() => undefined),
    );
    await carillon.schedules.trigger('s');
    const second = await until(async () =>
      (await carillon.schedules.runs('s', { limit: 10 })).items.find(({ id }) => id !== first.id),
    );
    expect(second.workflowId).not.toBe(first.workflowId);
    await until(async () => (await handle(first.workflowId).describe()).status.name === 'TERMINATED');
    const shown = await until(
      async () =>
        await handle(second.workflowId)
          .describe()
          .catch(() => undefined),
    );
    expect(shown.status.name).toBe('RUNNING');
    expect((await carillon.runs.get(second.id)).attempt).toBe(1);
    await carillon.runs.terminate(second.id);
    await carillon.stop({ drainMs: 0 });
  });

  test('under an id that its schedule keeps starts when the one before has ended', async () => {
    const carillon = await open();
    await carillon.schedules.create('k', {
      every: '1m',
      temporal: target('wait'),
      keepOriginalId: true,
      overlap: 'terminateOther',
      retry: { attempts: 100, initial: '10ms', longest: '100ms' },
    });
    const runIds = new Set<string>();
    for (let count = 1; count <= 3; count += 1) {
      await carillon.schedules.trigger('k');
      await until(async () => {
        const found = await cluster.client.workflow
          .getHandle('k')
          .describe()
          .catch(() => undefined);
        if (found?.status.name === 'RUNNING') runIds.add(found.runId);
        return runIds.size === count;
      });
    }
    await carillon.schedules.pause('k');
    await carillon.stop({ drainMs: 0 });
  });

  test('of a cluster that this process does not know waits in the queue of that cluster', async () => {
    const carillon = await open();
    await carillon.schedules.create('n', { every: '1d', temporal: target('report', { cluster: 'other' }) });
    await carillon.schedules.trigger('n');
    const { items } = await until(
      async () => await carillon.schedules.runs('n', { limit: 1 }),
      ({ items: runs }) => runs.length === 1,
    );
    expect(items[0]).toMatchObject({ state: 'waiting', queue: '@temporal/other' });
    await carillon.stop();
  });
});

test('a thousand slots start a thousand workflows, although answers are lost and the scheduler restarts', async () => {
  await using proxy = await new CuttingProxy(cluster.address, { every: 5, most: 8 }).open();
  const folder = mkdtempSync(join(tmpdir(), 'carillon-target-'));
  const store = `sqlite:${join(folder, 'scheduler.db')}`;
  let carillon = await open(proxy.address, store);
  await carillon.schedules.create('many', {
    every: '1m',
    overlap: 'allowAll',
    temporal: target('count'),
    retry: { attempts: 1000, initial: '10ms', longest: '50ms' },
    paused: true,
  });
  const from = Date.UTC(2026, 0, 1);
  await carillon.schedules.backfill('many', { from, to: from + 999 * 60_000, overlap: 'allowAll' });
  await until(() => done.length > 300);
  await carillon.stop({ drainMs: 0 });
  carillon = await open(proxy.address, store);
  await until(
    async () => await carillon.schedules.describe('many'),
    ({ running, waiting, backfills }) => running.length + waiting.length + backfills.length === 0,
  );
  expect(proxy.cut).toBeGreaterThan(3);
  expect(done).toHaveLength(1000);
  expect(new Set(done).size).toBe(1000);
  await carillon.stop();
  rmSync(folder, { recursive: true });
});
