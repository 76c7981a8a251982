import { expect, test } from 'vitest';
import type { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

async function aWorld(setup: (carillon: Carillon) => void) {
  return await CarillonWorld.start({ setup });
}

test('work queued within one millisecond runs first come, first served', async () => {
  const order: number[] = [];
  await using world = await aWorld((carillon) => {
    carillon.handle<number>('work', ({ input }) => void order.push(input), { concurrency: 1 });
  });
  const { runs } = world.carillon();
  for (let n = 0; n < 20; n += 1) await runs.enqueue({ run: 'work', input: n });
  await world.advance('1s');
  expect(order).toEqual([...Array(20).keys()]);
});

test('an attempt that fails leaves its progress to the next one', async () => {
  const began: unknown[] = [];
  await using world = await aWorld((carillon) => {
    carillon.handle('copy', ({ attempt, progress, heartbeat }) => {
      began.push(progress);
      for (const done of [1, 2, 3]) heartbeat({ done });
      if (attempt === 1) throw new Error('locked');
    });
  });
  const { runs } = world.carillon();
  const { id } = await runs.enqueue({ run: 'copy', retry: { attempts: 2, initial: '1s' } });
  await world.advance('5s');
  expect(began).toEqual([null, { done: 3 }]);
  expect(await runs.get(id)).toMatchObject({ outcome: 'completed', attempt: 2, failure: null });
});

test('a run can be waited for', async () => {
  await using world = await CarillonWorld.start({
    setup: (carillon, { sleep }) => {
      carillon.handle('slow', async () => {
        await sleep('10m');
        return 42;
      });
    },
  });
  const { runs } = world.carillon();
  const { id } = await runs.enqueue({ run: 'slow' });
  let ended: unknown;
  const waiting = runs.wait(id).then((run) => {
    ended = run.result;
  });
  await world.advance('9m');
  expect(ended).toBeUndefined();
  await world.advance('2m');
  await waiting;
  expect(ended).toBe(42);
});

test.each([
  [{ at: 9_000_000_000_000_000 }, 'at', 'not a time'],
  [{ at: Number.NaN }, 'at', 'write RFC 3339'],
  [{ timeout: '99999999999999d' }, 'timeout', 'longer than a thousand years'],
  [{ attemptTimeout: 2 ** 53 }, 'attemptTimeout', 'longer than a thousand years'],
  [{ unclaimedTimeout: '99999999999999d' }, 'unclaimedTimeout', 'longer than a thousand years'],
  [{ retry: { initial: '99999999999999d' } }, 'retry.initial', 'longer than a thousand years'],
])('a time that no store can hold is refused: %j', async (times, path, message) => {
  await using world = await aWorld((carillon) => {
    carillon.handle('work', () => null);
  });
  const { runs } = world.carillon();
  await expect(runs.enqueue({ run: 'work', ...times })).rejects.toMatchObject({
    code: 'invalidArgument',
    message: expect.stringContaining(message),
    problems: [{ path }],
  });
  expect((await runs.list({ limit: 10 })).items).toEqual([]);
});

test.each([
  [
    "enqueue('report')",
    (c: Carillon) => c.runs.enqueue('report' as never),
    'is not an object',
    "{ run: 'report'",
  ],
  ['enqueue()', (c: Carillon) => c.runs.enqueue(undefined as never), 'is missing', "{ run: 'report'"],
  ["create('x')", (c: Carillon) => c.schedules.create('x', undefined as never), 'is missing', '{ cron:'],
  ["upsert('x', 'y')", (c: Carillon) => c.schedules.upsert('x', 'y' as never), 'is not an object', '{ cron:'],
] as const)('%s is refused with what to write', async (_, call, problem, fix) => {
  await using world = await aWorld(() => {});
  await expect(call(world.carillon())).rejects.toMatchObject({
    code: 'invalidArgument',
    problems: [{ message: `the input ${problem}`, fix: expect.stringContaining(fix) }],
  });
});

test('work with a field we do not know is refused and named', async () => {
  await using world = await aWorld((carillon) => {
    carillon.handle('work', () => null);
  });
  const misspelt = { run: 'work', prioritty: 'high' } as object;
  const queued = world.carillon().runs.enqueue(misspelt as { run: string });
  await expect(queued).rejects.toMatchObject({
    code: 'invalidArgument',
    problems: [{ path: 'prioritty', reason: 'UNKNOWN_FIELD' }],
  });
});

test('a handler brings its queue along', async () => {
  const seen: string[] = [];
  await using world = await CarillonWorld.start({
    setup: (carillon) => {
      const mail = carillon.handle('mail', ({ queue }) => void seen.push(queue), { queue: 'letters' });
      expect(mail).toMatchObject({ name: 'mail', queue: 'letters' });
    },
  });
  await world.carillon().runs.enqueue({ run: { name: 'mail', queue: 'letters' } });
  await world.advance('1s');
  expect(seen).toEqual(['letters']);
});

test('a Carillon that was stopped says so when it is started again', async () => {
  await using world = await CarillonWorld.start();
  const carillon = world.carillon();
  await carillon.stop();
  await expect(carillon.start()).rejects.toThrow('open a new one');
});

test('runs of another namespace are not found, and cannot be stopped', async () => {
  await using world = await aWorld((carillon) => {
    carillon.handle('work', () => null);
  });
  const carillon = world.carillon();
  const { id } = await carillon.runs.enqueue({ run: 'work', at: '2030-01-01T00:00:00Z' });
  const [row] = (await world.store.runs({ ids: [id], limit: 1 })).items;
  const foreign = { ...row, id: 'foreign', namespace: 'other' } as NonNullable<typeof row>;
  await world.store.transact(
    { kind: 'keys', keys: [] },
    { decide: () => ({ writes: { newRuns: [foreign] }, result: null }) },
  );
  await expect(carillon.runs.cancel('foreign')).rejects.toMatchObject({ code: 'notFound' });
  await expect(carillon.runs.terminate('foreign')).rejects.toMatchObject({ code: 'notFound' });
  expect(await carillon.runs.cancel(id)).toBe('ended');
});

test('no handler can be named into a queue of ours', async () => {
  await using world = await aWorld(() => {});
  const sneaky = { run: { name: 'command', queue: '@command' }, input: { argv: ['true'] } };
  await expect(world.carillon().runs.enqueue(sneaky)).rejects.toMatchObject({ code: 'invalidArgument' });
});

test('waiting for a run without a schedule ends with the run, not with our patience', async () => {
  await using world = await CarillonWorld.start({
    setup: (carillon, { sleep }) => {
      carillon.handle('slow', async () => {
        await sleep('3s');
        return 'done';
      });
    },
  });
  const { runs } = world.carillon();
  const { id } = await runs.enqueue({ run: 'slow' });
  let endedAt = 0;
  const waiting = runs.wait(id).then(() => {
    endedAt = world.now;
  });
  const began = world.now;
  await world.advance('4s');
  expect(endedAt - began).toBe(3000);
  await waiting;
});

test('a handler registered after the start takes the runs that wait for it, on old and new queues', async () => {
  const seen: string[] = [];
  await using world = await aWorld((carillon) => {
    carillon.handle('early', () => void seen.push('early'));
  });
  const carillon = world.carillon();
  await carillon.runs.enqueue({ run: 'late' });
  await carillon.runs.enqueue({ run: { name: 'letter', queue: 'mail' } });
  await world.advance('30m');
  expect(seen).toEqual([]);
  carillon.handle('late', () => void seen.push('late'));
  carillon.handle('letter', () => void seen.push('letter'), { queue: 'mail' });
  await world.advance('1s');
  expect([...seen].sort()).toEqual(['late', 'letter']);
  expect(carillon.queues).toContain('mail');
  await carillon.runs.enqueue({ run: { name: 'letter', queue: 'mail' } });
  await world.advance('1s');
  expect(seen).toHaveLength(3);
});
