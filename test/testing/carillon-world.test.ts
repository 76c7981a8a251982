/** What a test with a world may rely on. */
import { setTimeout as realSleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import { CarillonWorld, UnexpectedFailures } from '../../packages/carillon/src/testing/index.ts';

const hourly = { cron: '0 * * * *', run: 'report' };

function failing(carillon: Carillon): void {
  carillon.handle('report', ({ attempt }) => {
    expect(attempt).toBe(2);
  });
}

test('an assertion that fails inside a handler fails the test, with handler, time and reason', async () => {
  await using world = await CarillonWorld.start({ setup: failing });
  await world.carillon().schedules.create('hourly', hourly);
  const caught = await world.advance('1h').then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(caught).toBeInstanceOf(UnexpectedFailures);
  const { message, failures, cause } = caught as UnexpectedFailures;
  expect(message).toContain('hourly (handler report), attempt 1 at 2026-01-01T01:00:00Z: AssertionError');
  expect(failures).toMatchObject([{ schedule: 'hourly', handler: 'report', attempt: 1 }]);
  expect(cause).toMatchObject({
    name: 'AssertionError',
    stack: expect.stringContaining('carillon-world.test.ts'),
  });
  // Told once: the test may go on and look at what follows.
  await world.advance('1m');
});

test('a failure that no advance reported fails the test at its end', async () => {
  const world = await CarillonWorld.start({ setup: failing });
  await world.carillon().runs.enqueue({ run: 'report' });
  await world.settle();
  await expect(world[Symbol.asyncDispose]()).rejects.toThrow(UnexpectedFailures);
});

test('a run that completes after a retry is no failure of the test, and stays in the list', async () => {
  await using world = await CarillonWorld.start({ setup: failing });
  await world.carillon().schedules.create('hourly', { ...hourly, retry: { attempts: 2, initial: '1s' } });
  await world.advance('61m');
  expect(world.failures()).toMatchObject([{ attempt: 1, type: 'AssertionError' }]);
});

test('expected failures are chosen by a function, and can be changed', async () => {
  await using world = await CarillonWorld.start({
    setup: failing,
    expectFailures: ({ schedule }) => schedule === 'hourly',
  });
  await world.carillon().schedules.create('hourly', hourly);
  await world.advance('2h');
  expect(world.failures()).toHaveLength(2);
  world.expectFailures(false);
  await expect(world.advance('1h')).rejects.toThrow('A handler failed');
});

test('a setup that returns a promise is awaited, at every start of the node', async () => {
  let setups = 0;
  await using world = await CarillonWorld.start({
    setup: async (carillon) => {
      await realSleep(2);
      setups += 1;
      carillon.handle('report', () => 'ok');
    },
  });
  await world.carillon().schedules.create('hourly', hourly);
  await world.restart(0);
  await world.advance('1h');
  expect(setups).toBe(2);
  await world.assertOutcomes('hourly', { completed: 1 });
});

test('handlers with real timers are waited for', async () => {
  await using world = await CarillonWorld.start({
    setup: (carillon) => carillon.handle('report', () => realSleep(5)),
  });
  await world.carillon().schedules.create('hourly', hourly);
  await world.advance('5h');
  await world.assertOutcomes('hourly', { completed: 5 });
});

test('a handler that waits for something else does not hold virtual time up at every step', async () => {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await using world = await CarillonWorld.start({
    patienceMs: 20,
    setup: (carillon) => {
      carillon.handle('stuck', () => released, { queue: 'stuck', concurrency: 5000 });
      carillon.handle('report', () => 'ok');
    },
  });
  const { schedules } = world.carillon();
  await schedules.create('stuck', {
    every: '1h',
    run: { name: 'stuck', queue: 'stuck' },
    overlap: 'allowAll',
  });
  await schedules.create('hourly', hourly);
  // The node beats every two seconds while handlers are at work. With the patience spent at every beat this would take minutes.
  await world.advance('6h');
  await world.assertOutcomes('hourly', { completed: 6 });
  await world.assertOutcomes('stuck', {});
  release();
});

test('requests, commands and jobs are recorded and not sent', async () => {
  await using world = await CarillonWorld.start({
    actions: { http: ({ target }) => ({ answered: target.url }) },
  });
  const { schedules } = world.carillon();
  await schedules.create('hook', {
    cron: '0 * * * *',
    http: { url: 'https://example.test/hook' },
    input: { a: 1 },
  });
  await schedules.create('job', { cron: '30 * * * *', command: { argv: ['rm', '-rf', 'tmp'] } });
  await world.advance('1h');
  expect(world.calls).toMatchObject([
    { kind: 'command', target: { argv: ['rm', '-rf', 'tmp'] }, attempt: 1 },
    { kind: 'http', target: { url: 'https://example.test/hook', input: { a: 1 } }, attempt: 1 },
  ]);
  const [run] = (await schedules.runs('hook', { include: 'payloads' })).items;
  expect(run).toMatchObject({ outcome: 'completed', result: { answered: 'https://example.test/hook' } });
});

test('workflows on clusters are recorded too', async () => {
  await using world = await CarillonWorld.start({ actions: { temporal: () => 'done there' } });
  const { schedules } = world.carillon();
  const temporal = { workflowType: 'report', taskQueue: 'reports' };
  await schedules.create('t', { cron: '0 * * * *', temporal });
  await schedules.create('c', { cron: '30 * * * *', conductor: { workflow: 'invoice' } });
  await world.advance('1h');
  expect(world.calls).toMatchObject([
    { kind: 'conductor', target: { workflow: 'invoice' } },
    { kind: 'temporal', target: temporal },
  ]);
  expect((await schedules.runs('t', { include: 'payloads' })).items[0]?.result).toBe('done there');
});

test('time moves to the next start of a schedule', async () => {
  await using world = await CarillonWorld.start({
    setup: (carillon) => carillon.handle('report', () => 'ok'),
  });
  const { schedules } = world.carillon();
  await schedules.create('monthly', { cron: '0 9 1 * *', zone: 'Europe/Berlin', run: 'report' });
  expect(await world.advanceToNext('monthly')).toBe(Date.UTC(2026, 0, 1, 8));
  expect(await world.advanceToNext('monthly')).toBe(Date.UTC(2026, 1, 1, 8));
  await world.assertOutcomes('monthly', { completed: 2 });
  await schedules.pause('monthly');
  await expect(world.advanceToNext('monthly')).rejects.toThrow("'monthly' has no next start: it is paused");
});

test('verdicts are compared as values, and a wrong one is explained', async () => {
  await using world = await CarillonWorld.start({
    setup: (carillon, { sleep }) => carillon.handle('report', () => sleep('90m')),
  });
  await world.carillon().schedules.create('hourly', hourly);
  await world.advance('3h');
  expect(await world.verdicts('hourly')).toEqual({
    '2026-01-01T01:00:00Z': 'started',
    '2026-01-01T02:00:00Z': 'skippedOverlap',
    '2026-01-01T03:00:00Z': 'started',
  });
  await world.assertVerdict('hourly', '2026-01-01T02:00:00Z', 'skippedOverlap');
  await expect(world.assertVerdict('hourly', '2026-01-01T02:00:00Z', 'started')).rejects.toThrow(
    /expected 'started', found 'skippedOverlap'\. .*was still going/,
  );
  await expect(world.assertOutcomes('hourly', { completed: 2 })).rejects.toThrow(
    "expected of 'hourly': 2 completed; found: 1 completed",
  );
});
