/**
 * Workflows in workflows that are retried, restarted and rerun by people at any time and at any level, on two nodes that crash,
 * lose answers and repeat side effects, driven by a seed. In the end every family is complete, no parent waits for a workflow that
 * does not come, and nothing is left at work.
 */
import { expect, it } from 'vitest';
import { isServiceError } from '../../packages/carillon/src/base/error.ts';
import { fractionOf } from '../../packages/carillon/src/base/random.ts';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import { StoreError } from '../../packages/carillon/src/store/error.ts';
import type { Flow } from '../../packages/server/src/flow/flow.ts';
import { isEnded, isOpenTask } from '../../packages/server/src/flow/flow.ts';
import { work, workflow } from './definitions.ts';
import { FlowWorld } from './flow-world.ts';

const sub = (reference: string, name: string) => ({
  name: reference,
  taskReferenceName: reference,
  type: 'SUB_WORKFLOW',
  subWorkflowParam: { name },
});
const definitions = [
  workflow('child', [
    {
      name: 'loop',
      taskReferenceName: 'loop',
      type: 'DO_WHILE',
      loopCondition: '$.loop.iteration < 2',
      loopOver: [work('c1')],
    },
    work('c2'),
  ]),
  workflow('parent', [
    {
      name: 'fork',
      taskReferenceName: 'fork',
      type: 'FORK_JOIN',
      forkTasks: [[sub('s', 'child'), work('p1')], [work('p2')]],
    },
    { name: 'join', taskReferenceName: 'join', type: 'JOIN', joinOn: ['p1', 'p2'] },
    work('p3'),
  ]),
  workflow('grandparent', [work('g1'), sub('p', 'parent'), work('g2')]),
];

const seeds = Array.from({ length: Number(process.env.SEEDS ?? 10) }, (_, index) => index + 1);

it.each(seeds)('a family of workflows survives its people and its faults (seed %d)', async (seed) => {
  let fails = true;
  await using world = await new FlowWorld({
    seed,
    nodes: 2,
    handler: async ({ id }) => {
      const { clock, now } = world;
      const lasts = Math.floor(fractionOf(`time ${id}`) * 3000);
      await new Promise<void>((resolve) => clock.wakeAt(addTime(now, lasts), resolve));
      if (fails && fractionOf(id) < 0.15) throw Object.assign(new Error('boom'), { nonRetryable: true });
      return {};
    },
  }).start();
  await world.register(...definitions);
  const tops = ['a', 'b'];
  for (const id of tops) await world.flows().starts.start('default', { name: 'grandparent', id });
  let done = 0;
  for (let turn = 0; turn < 20; turn += 1) {
    world.setFaults({ failBefore: 0.05, failAfter: 0.05, repeatEffect: 0.2, loseNotification: 0.2 });
    await world.advance(world.random.integer(1, 4000));
    const node = world.random.integer(0, 1);
    const isCrash = world.random.chance(0.4);
    if (isCrash) world.killAtNextCommit(node);
    if (await act(world, 1 - node)) done += 1;
    await world.advance(world.random.integer(1, 3000));
    if (!isCrash) continue;
    world.crash(node);
    await world.restart(node);
  }
  world.clearFaults();
  fails = false;
  await world.advance(200_000);
  for (const id of tops) {
    if ((await read(world, id)).status !== 'COMPLETED') {
      await world.flows().changes.retry('default', id, { intoChild: world.random.chance(0.5) });
      await world.advance(200_000);
    }
    await expectComplete(world, id);
  }
  const { flows } = await world.flows().reads.search('default', { start: 0, size: 1000 });
  expect(flows.filter((flow) => !isEnded(flow) || flow.tasks.some(isOpenTask))).toEqual([]);
  expect((await world.store.runs({ states: ['waiting', 'leased'], limit: 100 })).items).toEqual([]);
  expect(done).toBeGreaterThan(0);
});

const read = async (world: FlowWorld, id: string): Promise<Flow> =>
  (await world.flows().reads.get('default', id)).flow;

/** One act of a person on any workflow there is. False when it was refused, or its answer was lost. */
async function act(world: FlowWorld, node: number): Promise<boolean> {
  const { random } = world;
  const { changes, reads } = world.flows(node);
  const { flows } = await world.withoutFaults(() => reads.search('default', { start: 0, size: 100 }));
  // Mostly one that has ended: the others refuse most acts.
  const ended = flows.filter(isEnded);
  const among = ended.length > 0 && random.chance(0.8) ? ended : flows;
  const flow = among[random.integer(0, among.length - 1)];
  if (flow === undefined) return false;
  const { workflowId: id } = flow.origin;
  const anywhere = flows.flatMap(({ tasks }) => tasks);
  const task = anywhere[random.integer(0, Math.max(0, anywhere.length - 1))];
  const own = flow.tasks[random.integer(0, Math.max(0, flow.tasks.length - 1))];
  const acts = [
    () => changes.retry('default', id),
    () => changes.retry('default', id, { intoChild: true }),
    () => changes.restart('default', id, { latest: random.chance(0.5) }),
    () => changes.rerun('default', id, own === undefined ? {} : { fromTask: own.id }),
    () => changes.rerun('default', id, task === undefined ? {} : { fromTask: task.id }),
    () => changes.rerun('default', id, { input: { again: true } }),
    () => changes.terminate('default', id, 'by hand'),
  ];
  const chosen = acts[random.integer(0, acts.length - 1)] as () => Promise<void>;
  try {
    await chosen();
    return true;
  } catch (error) {
    if (!isServiceError(error) && !(error instanceof StoreError)) throw error;
    return false;
  }
}

/** Complete from top to bottom: each task that waited names a workflow that is complete. */
async function expectComplete(world: FlowWorld, id: string): Promise<void> {
  const { status, reason, tasks } = await read(world, id);
  expect([id, status, reason]).toEqual([id, 'COMPLETED', undefined]);
  const newest = new Map(tasks.map((task) => [task.reference, task]));
  for (const task of newest.values()) {
    expect([id, task.reference, task.status]).toEqual([id, task.reference, 'COMPLETED']);
    if (task.type === 'SUB_WORKFLOW') await expectComplete(world, String(task.output.subWorkflowId));
  }
}
