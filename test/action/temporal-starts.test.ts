/** How schedules start workflows on a Temporal cluster that is slow, silent or refuses. */
import { expect, test } from 'vitest';
import type { Carillon, TemporalOptions } from '../../packages/carillon/src/main.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { until } from '../support/until.ts';
import { type ReceivedStart, TemporalStub } from './temporal-stub.ts';

async function open(temporal: TemporalOptions): Promise<Carillon> {
  const carillon = await openCarillon({ store: 'memory:', temporal });
  await carillon.start();
  return carillon;
}

const begin = Date.UTC(2026, 0, 1);
const work = { workflowType: 'report', taskQueue: 'reports', follow: false };

/** Asks for so many slots at once. */
async function slots(carillon: Carillon, id: string, count: number, fields: object = {}): Promise<void> {
  await carillon.schedules.create(id, {
    every: '1m',
    overlap: 'allowAll',
    paused: true,
    temporal: { ...work, ...fields },
  });
  await carillon.schedules.backfill(id, {
    from: begin,
    to: begin + (count - 1) * 60_000,
    overlap: 'allowAll',
  });
}

async function endedRuns(carillon: Carillon, id: string, count: number) {
  const { items } = await until(
    async () => await carillon.schedules.runs(id, { limit: 1000 }),
    ({ items: runs }) => runs.length === count && runs.every(({ state }) => state === 'done'),
  );
  return items;
}

test('a slow cluster gets at most 20 starts at once, each once and with its whole deadline', async () => {
  const count = 300;
  const atOnce = 20;
  const held: ReceivedStart[] = [];
  const received: { readonly deadline: number; readonly sentAfter: number }[] = [];
  const ids = new Set<string>();
  let most = 0;
  let released = 0;
  await using stub = await TemporalStub.open((start) => {
    received.push({ deadline: start.deadline, sentAfter: released });
    ids.add(start.request.workflowId);
    held.push(start);
    most = Math.max(most, held.length);
    // Further starts that were sent at the same time arrive before these are answered.
    if (held.length === atOnce) {
      setTimeout(() => {
        released = Date.now();
        for (const each of held.splice(0)) each.answer();
      }, 20);
    }
  });
  const carillon = await open({ address: stub.address });
  await slots(carillon, 'slow', count);
  const runs = await endedRuns(carillon, 'slow', count);
  expect(most).toBe(atOnce);
  expect(received).toHaveLength(count);
  expect(ids.size).toBe(count);
  expect(runs.every(({ outcome, attempt }) => outcome === 'completed' && attempt === 1)).toBe(true);
  // The ten seconds of a start begin when it is sent, which is after the answers to those before it.
  const counted = received.filter(({ deadline, sentAfter }) => deadline < sentAfter + 10_000 - 5);
  expect(counted).toEqual([]);
  await carillon.stop();
});

test('a cluster that refuses connections opens its own breaker only, and delays no other cluster', async () => {
  await using alive = await TemporalStub.open((start) => start.answer());
  const gone = await TemporalStub.open((start) => start.answer());
  const { address } = gone;
  await gone[Symbol.asyncDispose]();
  const carillon = await open({
    concurrency: 5,
    clusters: { gone: { address }, alive: { address: alive.address } },
  });
  await slots(carillon, 'gone', 30, { cluster: 'gone' });
  await until(
    async () => await carillon.schedules.runs('gone', { limit: 100 }),
    ({ items }) => items.some(({ failure }) => /asked again later/.test(failure?.message ?? '')),
  );
  await slots(carillon, 'alive', 30, { cluster: 'alive' });
  const runs = await endedRuns(carillon, 'alive', 30);
  expect(runs.every(({ outcome, attempt }) => outcome === 'completed' && attempt === 1)).toBe(true);
  const { items } = await carillon.schedules.runs('gone', { limit: 100 });
  expect(items.filter(({ outcome }) => outcome === 'completed')).toEqual([]);
  await carillon.stop({ drainMs: 0 });
});

test('a cluster that holds all its places keeps none of another', async () => {
  const silent: ReceivedStart[] = [];
  await using slow = await TemporalStub.open((start) => void silent.push(start));
  await using alive = await TemporalStub.open((start) => start.answer());
  const carillon = await open({
    concurrency: 5,
    clusters: { slow: { address: slow.address }, alive: { address: alive.address } },
  });
  await slots(carillon, 'slow', 10, { cluster: 'slow' });
  await until(() => silent.length === 5);
  await slots(carillon, 'alive', 10, { cluster: 'alive' });
  await endedRuns(carillon, 'alive', 10);
  expect(silent).toHaveLength(5);
  for (const start of silent) start.answer();
  await carillon.stop({ drainMs: 0 });
});

test('versioning, priority and texts for people reach the cluster', async () => {
  const received: ReceivedStart[] = [];
  await using stub = await TemporalStub.open((start) => {
    received.push(start);
    start.answer();
  });
  const carillon = await open({ address: stub.address });
  const pinnedTo = { deploymentName: 'reports', buildId: '42' };
  await slots(carillon, 'pinned', 1, {
    priorityKey: 2,
    fairnessKey: 'tenant',
    fairnessWeight: 2.5,
    summary: 'short',
    details: 'long',
    versioningOverride: { pinnedTo },
  });
  await endedRuns(carillon, 'pinned', 1);
  await slots(carillon, 'newest', 1, { versioningOverride: 'AUTO_UPGRADE' });
  await endedRuns(carillon, 'newest', 1);
  const [first, second] = received.map(({ request }) => request);
  expect(first?.priority).toMatchObject({ priorityKey: 2, fairnessKey: 'tenant', fairnessWeight: 2.5 });
  expect(first?.versioningOverride?.pinned).toMatchObject({ behavior: 1, version: pinnedTo });
  const text = (payload: { data?: Uint8Array | null } | null | undefined) =>
    JSON.parse(Buffer.from(payload?.data ?? []).toString());
  expect(text(first?.userMetadata?.summary)).toBe('short');
  expect(text(first?.userMetadata?.details)).toBe('long');
  expect(second?.versioningOverride?.autoUpgrade).toBe(true);
  expect(second?.priority ?? null).toBeNull();
  expect(second?.userMetadata ?? null).toBeNull();
  await carillon.stop();
});

test('an automatic start whose workflow id is in use on the cluster is dropped, not repeated and not counted', async () => {
  const received: ReceivedStart[] = [];
  const alreadyExists = 6;
  await using stub = await TemporalStub.open((start) => {
    received.push(start);
    start.fail(alreadyExists);
  });
  const carillon = await open({ address: stub.address });
  await carillon.schedules.create('taken', {
    every: '1s',
    limit: 1,
    remaining: 1,
    temporal: work,
  });
  const { counters, remaining } = await until(
    async () => await carillon.schedules.describe('taken'),
    ({ recent }) => recent.length > 0,
  );
  await carillon.schedules.pause('taken');
  expect(received[0]?.request.workflowIdReusePolicy).toBe(3);
  const [run] = (await carillon.schedules.runs('taken', { limit: 10 })).items.slice(-1);
  expect(run).toMatchObject({ outcome: 'failed', attempt: 1, failure: { type: 'AlreadyStarted' } });
  expect([counters.actions, remaining]).toEqual([0, 1]);
  await carillon.stop({ drainMs: 0 });
});
