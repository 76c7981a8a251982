// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of workflows are written so
import { expect, it } from 'vitest';
import { everything, everythingOutput, inner, work, workflow } from './definitions.ts';
import { FlowWorld } from './flow-world.ts';

const byReference = (world: FlowWorld, id: string) =>
  world
    .flows()
    .reads.get('default', id)
    .then(({ flow }) => flow);

it('runs a workflow to its end, with loops, branches, waits, scripts and a sub-workflow', async () => {
  const done: string[] = [];
  await using world = await new FlowWorld({
    handler: ({ input, id }) => {
      done.push(id);
      return { ref: 'right', ...input };
    },
  }).start();
  await world.register(everything, inner);
  const id = await world.flows().starts.start('default', { name: 'everything', input: { a: 1 } });
  await world.advance(60_000);
  const flow = await byReference(world, id);
  expect(world.troubles).toEqual([]);
  expect(flow).toMatchObject({ status: 'COMPLETED', output: everythingOutput });
  expect(new Set(done).size).toBe(done.length);
  expect(flow.tasks.filter(({ type }) => type === 'SUB_WORKFLOW')[0]?.output).toMatchObject({
    from: 'outer',
  });
});

it('a task whose work fails is tried again as its definition says, and then the failure workflow starts', async () => {
  const attempts: number[] = [];
  await using world = await new FlowWorld({
    handler: ({ input }) => {
      if (input.fine === true) return { ok: true };
      attempts.push(world.now);
      throw new Error('boom');
    },
  }).start();
  const clean = workflow('clean', [work('c', { inputParameters: { fine: true } })], {
    outputParameters: { why: '${workflow.input.reason}' },
  });
  await world.register(clean, workflow('fails', [work('a')], { failureWorkflow: 'clean' }));
  const { definitions } = world.flows();
  const task = {
    ...(await import('../../packages/server/src/flow/definition.ts')).assumedTask('work'),
    retryCount: 2,
    retryDelaySeconds: 10,
  };
  await definitions.registerTask('default', task, { actor: 't', door: 't', action: 'register' });
  const began = world.now;
  const id = await world.flows().starts.start('default', { name: 'fails' });
  await world.advance(60_000);
  const flow = await byReference(world, id);
  expect(attempts.map((at) => at - began)).toEqual([0, 10_000, 20_000]);
  expect(flow).toMatchObject({
    status: 'FAILED',
    reason: expect.stringContaining('boom'),
    failedReferences: ['a'],
  });
  const other = await byReference(world, String(flow.output['conductor.failure_workflow']));
  expect(other).toMatchObject({ status: 'COMPLETED', output: { why: flow.reason } });
});

it('what is open when a workflow ends is stopped', async () => {
  await using world = await new FlowWorld({
    handler: ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  }).start();
  await world.register(workflow('w', [work('a'), work('b')]));
  const { starts, changes } = world.flows();
  const id = await starts.start('default', { name: 'w' });
  await world.advance(1000);
  await changes.terminate('default', id, 'enough');
  const flow = await byReference(world, id);
  expect(flow).toMatchObject({ status: 'TERMINATED', reason: 'enough', tasks: [{ status: 'CANCELED' }] });
  const { items } = await world.store.runs({ limit: 10 });
  expect(items.map(({ state, outcome }) => [state, outcome])).toEqual([['done', 'terminated']]);
  expect(
    (await world.store.read({ keys: [{ namespace: 'default', archetype: 'flow', id }] }))[0]?.status,
  ).toBe('closed');
});

it('a workflow that ended can be retried, restarted and rerun under its id', async () => {
  let fails = true;
  await using world = await new FlowWorld({
    handler: ({ input }) => {
      if (fails) throw Object.assign(new Error('boom'), { nonRetryable: true });
      return input;
    },
  }).start();
  await world.register(workflow('w', [work('a', { inputParameters: { n: '${workflow.input.n}' } })]));
  const { starts, changes, reads } = world.flows();
  const id = await starts.start('default', { name: 'w', input: { n: 1 } });
  await world.advance(1000);
  expect((await byReference(world, id)).status).toBe('FAILED');
  fails = false;
  await changes.retry('default', id);
  await world.advance(1000);
  expect(await byReference(world, id)).toMatchObject({ status: 'COMPLETED', output: { n: 1 } });
  await changes.restart('default', id, { latest: false });
  await world.advance(1000);
  expect((await byReference(world, id)).tasks).toHaveLength(1);
  await changes.rerun('default', id, { input: { n: 2 } });
  await world.advance(1000);
  expect(await byReference(world, id)).toMatchObject({ status: 'COMPLETED', output: { n: 2 } });
  expect((await reads.search('default', { start: 0, size: 10 })).total).toBe(1);
});

it('lines of a task come in the order of the calls that added them, also within a millisecond', async () => {
  let made = 0;
  // Later ids of a millisecond sort before earlier ones, as random ones do half of the time.
  const newId = () => {
    made += 1;
    return `0mwn00000${(36 ** 6 - made).toString(36)}`;
  };
  await using world = await new FlowWorld({ newId, handler: () => new Promise(() => {}) }).start();
  await world.register(workflow('logs', [work('a')]));
  const id = await world.flows().starts.start('default', { name: 'logs' });
  await world.advance(1000);
  const [task] = (await byReference(world, id)).tasks;
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
  for (const line of lines) await world.flows().logs.add('default', task?.id ?? '', [line]);
  const listed = await world.flows().logs.list('default', task?.id ?? '');
  expect(listed.map(({ text }) => text)).toEqual(lines);
});
