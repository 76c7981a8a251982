/** The limits of a task's definition hold for every worker: handlers of nodes, workers over the lease protocol, polls of clients. */
import { expect, it } from 'vitest';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { TaskDefinition } from '../../packages/server/src/flow/definition.ts';
import { assumedTask } from '../../packages/server/src/flow/definition.ts';
import { taskQueue } from '../../packages/server/src/flow/flow-runs.ts';
import { work, workflow } from './definitions.ts';
import { FlowWorld } from './flow-world.ts';

const by = { actor: 'test', door: 'test', action: 'register' };

async function begin(world: FlowWorld, limits: Partial<TaskDefinition>, count: number): Promise<void> {
  const { definitions, starts } = world.flows();
  await definitions.registerTask('default', { ...assumedTask('work'), ...limits }, by);
  await world.register(workflow('w', [work('a')]));
  // What is known of a type's limits may be a second old.
  await world.advance(2000);
  for (let each = 0; each < count; each += 1) await starts.start('default', { name: 'w' });
}

async function pause({ clock, now }: FlowWorld, ms: number): Promise<void> {
  await new Promise<void>((resolve) => clock.wakeAt(addTime(now, ms), resolve));
}

async function completed(world: FlowWorld): Promise<number> {
  const { flows } = await world.flows().reads.search('default', { start: 0, size: 1000 });
  return flows.filter(({ status }) => status === 'COMPLETED').length;
}

it('concurrentExecLimit: handlers of two nodes work on so many at once', async () => {
  let working = 0;
  let most = 0;
  await using world = await new FlowWorld({
    nodes: 2,
    handler: async () => {
      working += 1;
      most = Math.max(most, working);
      await pause(world, 1000);
      working -= 1;
      return {};
    },
  }).start();
  await begin(world, { concurrentExecLimit: 3 }, 12);
  await world.advance(30_000);
  expect([most, await completed(world), world.troubles]).toEqual([3, 12, []]);
});

it('rateLimitPerFrequency: handlers begin so many within so many seconds', async () => {
  const began: number[] = [];
  await using world = await new FlowWorld({
    nodes: 2,
    handler: () => {
      began.push(world.now);
      return {};
    },
  }).start();
  await begin(world, { rateLimitPerFrequency: 4, rateLimitFrequencyInSeconds: 10 }, 10);
  await world.advance(60_000);
  expect(began).toHaveLength(10);
  for (const at of began)
    expect(began.filter((each) => each >= at && each < at + 9900).length).toBeLessThan(5);
});

it('a worker of the lease protocol and a handler share the limit; without one, all are taken at once', async () => {
  let working = 0;
  await using world = await new FlowWorld({
    handler: async () => {
      working += 1;
      await pause(world, 60_000);
      working -= 1;
      return {};
    },
  }).start();
  await begin(world, { concurrentExecLimit: 2 }, 6);
  await world.advance(1000);
  const claim = () =>
    internalsOf(world.body(0)).services.workers.claim(
      { namespace: 'default', id: 'outside' },
      { queues: [taskQueue('work')], limit: 10, lease: { by: 'heartbeat', ms: 600_000 } },
      { forMs: 0, signal: new AbortController().signal },
    );
  expect([working, (await claim()).length]).toEqual([2, 0]);
  await world.flows().definitions.registerTask('default', assumedTask('work'), by);
  await world.advance(2000);
  expect(working + (await claim()).length).toBe(6);
});

it('a limit of one namespace does not hold back another', async () => {
  const began: string[] = [];
  await using world = await new FlowWorld({
    handler: async ({ namespace }) => {
      began.push(namespace);
      await pause(world, 60_000);
      return {};
    },
  }).start();
  await begin(world, { concurrentExecLimit: 1 }, 3);
  const { definitions, starts } = world.flows();
  await definitions.register('other', workflow('w', [work('a')]), { overwrite: true, by });
  for (let each = 0; each < 3; each += 1) await starts.start('other', { name: 'w' });
  await world.advance(1000);
  expect(began.sort()).toEqual(['default', 'other', 'other', 'other']);
});
