/** A run's end and its owner's knowledge of it are one transaction. */
import { afterEach, describe, expect, test } from 'vitest';
import { defaultOwnLease } from '../../packages/carillon/src/runs/own-lease.ts';
import { RunQueue } from '../../packages/carillon/src/runs/run-queue.ts';
import { Desk, deskKey, deskLibrary, startAt } from './desk.ts';
import type { RunWorldOptions } from './run-world.ts';
import { aGate, RunWorld } from './run-world.ts';

const worlds: RunWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world[Symbol.asyncDispose]();
});

async function aDeskWorld(
  options: RunWorldOptions & { onFinished?: Parameters<typeof deskLibrary>[0] } = {},
) {
  const library = deskLibrary(options.onFinished);
  const runs = new RunWorld({ ...options, libraries: [library] });
  worlds.push(runs);
  await runs.start();
  const engine = runs.world.engine();
  await engine.create(library, { namespace: 'default', id: 'd' }, { told: {} }, () => undefined);
  const begin = (id: string) => engine.update(Desk, deskKey('d'), (desk) => startAt(desk, { id }));
  const told = () => engine.read(Desk, deskKey('d'), (desk) => desk.state.told);
  return { runs, world: runs.world, begin, told };
}

describe('an owner', () => {
  test('learns of each end in the commit that ends the run', async () => {
    const { runs, world, begin, told } = await aDeskWorld({ handlers: { work: () => 'ok' } });
    const seen: string[] = [];
    world.store.subscribe((change) => {
      if (change.keys.length > 0) void runs.run('a').then((run) => seen.push(run.state));
    });
    await begin('a');
    await world.settle();
    expect(await told()).toEqual({ a: ['completed'] });
    expect(runs.commits).toEqual([['a leased'], ['a completed']]);
    const [row] = await world.store.read({ keys: [deskKey('d')] });
    expect([row?.version, seen]).toEqual([3, ['leased', 'done']]);
  });

  test('starts the next run in that commit, and it begins without a claim', async () => {
    const { runs, world, begin } = await aDeskWorld({
      concurrency: 1,
      handlers: { work: () => 'ok' },
      onFinished: (desk, run) => {
        if (run.id < 'd') startAt(desk, { id: String.fromCharCode(run.id.charCodeAt(0) + 1) });
      },
    });
    await begin('a');
    await world.settle();
    expect(runs.commits).toEqual([
      ['a leased'],
      ['b leased', 'a completed'],
      ['c leased', 'b completed'],
      ['d leased', 'c completed'],
      ['d completed'],
    ]);
  });

  test('learns of cancel, terminate and timeouts too', async () => {
    const { runs, world, begin, told } = await aDeskWorld();
    for (const id of ['a', 'b']) await begin(id);
    await runs.queue.cancel(['a']);
    await runs.queue.terminate(['b']);
    await world
      .engine()
      .update(Desk, deskKey('d'), (desk) => startAt(desk, { id: 'c', options: { executionTimeoutMs: 100 } }));
    await world.advance(1000);
    expect(await told()).toEqual({ a: ['cancelled'], b: ['terminated'], c: ['timedOut'] });
  });

  test('that throws is set aside; the run is finished all the same, and so are the others', async () => {
    const { runs, world, begin } = await aDeskWorld({
      handlers: { work: () => 'ok' },
      onFinished: () => {
        throw new Error('cannot bear it');
      },
    });
    await begin('a');
    await runs.enqueue();
    await world.settle();
    const [row] = await world.store.read({ keys: [deskKey('d')] });
    expect(row?.incident).toContain('cannot bear it');
    const { items } = await runs.queue.list({ outcomes: ['completed'], limit: 10 });
    expect(items).toHaveLength(2);
  });

  test('whose reaction the store refuses does not hold up other runs', async () => {
    const gate = aGate();
    const { runs, world, begin } = await aDeskWorld({
      handlers: { work: () => gate.passed },
      onFinished: (desk) => startAt(desk, { id: 'a' }),
    });
    await begin('a');
    const others = await Promise.all([runs.enqueue(), runs.enqueue(), runs.enqueue()]);
    await world.settle();
    gate.open();
    await world.advance(10_000);
    for (const { id } of others) expect((await runs.run(id)).outcome).toBe('completed');
    expect((await runs.run('a')).state).toBe('leased');
    // The sweeper meets the same refusal at the lapse, and puts this run off without stalling.
    await world.advance(60_000);
    const next = await runs.enqueue({ queue: 'elsewhere', options: { executionTimeoutMs: 10 } });
    await world.advance(10_000);
    expect((await runs.run(next.id)).outcome).toBe('timedOut');
  });

  test('learns of a repeated report only once', async () => {
    const { runs, world, begin, told } = await aDeskWorld({ concurrency: 0 });
    await begin('a');
    const queue = new RunQueue({ engine: world.engine(), newId: () => 'k' });
    const { runs: claimed } = await queue.claim({
      free: new Map([['main', 5]]),
      holder: { worker: 'w', lease: defaultOwnLease },
    });
    const token = claimed[0]?.leaseToken ?? '';
    const report = { id: 'a', token, conclusion: { kind: 'completed', result: '1' } } as const;
    expect(await queue.finish([report, report])).toEqual(['ok', 'ok']);
    expect(await queue.finish([report])).toEqual(['ok']);
    expect(await queue.finish([{ ...report, token: 'other' }])).toEqual(['stale']);
    expect(await told()).toEqual({ a: ['completed'] });
    expect((await runs.run('a')).result).toBe('1');
  });
});
