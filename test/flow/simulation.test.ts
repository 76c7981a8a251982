/**
 * Workflows on two nodes that crash, lose answers and repeat side effects, driven by a seed. Every task ends once, none is
 * lost, and every workflow ends as if nothing had happened.
 */
import { expect, it } from 'vitest';
import { everything, everythingOutput, inner } from './definitions.ts';
import { FlowWorld } from './flow-world.ts';

const seeds = Array.from({ length: Number(process.env.SEEDS ?? 12) }, (_, index) => index + 1);

it.each(seeds)('no task is lost and none ends twice (seed %d)', async (seed) => {
  await using world = await new FlowWorld({
    seed,
    nodes: 2,
    handler: ({ input }) => ({ ref: 'right', ...input }),
  }).start();
  await world.register(everything, inner);
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1)
    ids.push(await world.flows().starts.start('default', { name: 'everything', id: `w${count}` }));
  world.setFaults({ failBefore: 0.05, failAfter: 0.05, repeatEffect: 0.2, loseNotification: 0.2 });
  for (let crash = 0; crash < 8; crash += 1) {
    await world.advance(world.random.integer(1, 12_000));
    const node = world.random.integer(0, 1);
    if (world.random.chance(0.5)) world.killAtNextCommit(node);
    else world.crash(node);
    await world.advance(world.random.integer(1, 5000));
    await world.restart(node);
  }
  world.clearFaults();
  await world.advance(300_000);
  for (const id of ids) {
    const { flow, runs } = await world.flows().reads.get('default', id);
    expect({ id, status: flow.status, output: flow.output, reason: flow.reason }).toEqual({
      id,
      status: 'COMPLETED',
      output: everythingOutput,
      reason: undefined,
    });
    const ended = flow.tasks.filter(({ status }) => status === 'COMPLETED').map(({ reference }) => reference);
    expect(new Set(ended).size).toBe(ended.length);
    expect(flow.tasks.filter(({ status }) => status === 'SCHEDULED' || status === 'IN_PROGRESS')).toEqual([]);
    expect(runs.size).toBe(0);
  }
  const { items } = await world.store.runs({ states: ['waiting', 'leased'], limit: 100 });
  expect(items).toEqual([]);
});
