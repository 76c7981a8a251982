/** The pauses between attempts: lists, jitter, and a handler's own rule. */
import { expect, test } from 'vitest';
import { defineHandler } from '../../packages/carillon/src/main.ts';
import { backoffMs, defaultRetry } from '../../packages/carillon/src/runs/retry.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

const second = 1000;

test('a list of delays says every pause, and its last one repeats', () => {
  const policy = { ...defaultRetry, delaysMs: [100, 5000, 200] };
  expect([1, 2, 3, 4, 9].map((attempt) => backoffMs(policy, attempt, 'r'))).toEqual([
    100, 5000, 200, 200, 200,
  ]);
});

test('jitter shortens a pause by at most its share, differs between runs and attempts, and is the same when repeated', () => {
  const policy = { ...defaultRetry, initialMs: 10_000, maxMs: 10_000, jitter: 0.5 };
  const ids = Array.from({ length: 500 }, (_, index) => `run-${index}`);
  const pauses = ids.map((id) => backoffMs(policy, 1, id));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5000);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(10_000);
  expect(Math.min(...pauses)).toBeLessThan(5500);
  expect(Math.max(...pauses)).toBeGreaterThan(9500);
  expect(new Set(pauses).size).toBeGreaterThan(400);
  expect(ids.map((id) => backoffMs(policy, 1, id))).toEqual(pauses);
  expect(ids.map((id) => backoffMs(policy, 2, id))).not.toEqual(pauses);
});

async function aWorld() {
  const at: Record<string, number[]> = {};
  const world = await CarillonWorld.start({
    expectFailures: true,
    setup: (carillon, node) => {
      const note = (name: string) => {
        at[name] = [...(at[name] ?? []), node.clock.now()];
      };
      carillon.handle('fail', () => {
        note('fail');
        throw new Error('no');
      });
      carillon.handle(
        defineHandler({
          name: 'own',
          backoff: ({ attempt, error }) =>
            (error as Error).message === 'fatal'
              ? null
              : attempt === 1
                ? '7s'
                : attempt === 2
                  ? 250
                  : undefined,
          run: ({ attempt }) => {
            note('own');
            throw new Error(attempt === 4 ? 'fatal' : 'no');
          },
        }),
      );
      carillon.handle(
        'broken',
        () => {
          note('broken');
          throw new Error('no');
        },
        { backoff: () => 'soon' },
      );
    },
  });
  const pauses = (name: string) =>
    (at[name] ?? []).slice(1).map((time, index) => time - (at[name]?.[index] ?? 0));
  return { world, pauses, runs: world.carillon().runs };
}

test('a run waits as its list says, once more than there are delays', async () => {
  const { world, pauses, runs } = await aWorld();
  await using _ = world;
  const { id } = await runs.enqueue({ run: 'fail', retry: { delays: ['1s', '10s', '2s'] } });
  await world.advance('10m');
  expect(pauses('fail')).toEqual([second, 10 * second, 2 * second]);
  expect(await runs.get(id)).toMatchObject({ outcome: 'failed', attempt: 4 });
});

test('a handler decides about its own pauses, and about the end', async () => {
  const { world, pauses, runs } = await aWorld();
  await using _ = world;
  const { id } = await runs.enqueue({ run: 'own', retry: { attempts: 10, initial: '3s', coefficient: 1 } });
  await world.advance('10m');
  expect(pauses('own')).toEqual([7 * second, 250, 3 * second]);
  expect(await runs.get(id)).toMatchObject({ outcome: 'failed', attempt: 4, failure: { message: 'fatal' } });
});

test('a rule that fails leaves the decision to the policy, and the log of the run says so', async () => {
  const { world, pauses, runs } = await aWorld();
  await using _ = world;
  const { id } = await runs.enqueue({ run: 'broken', retry: { attempts: 2, initial: '4s' } });
  await world.advance('1m');
  expect(pauses('broken')).toEqual([4 * second]);
  const { value: line } = await runs.log(id).next();
  expect(line).toMatchObject({ text: expect.stringContaining('the backoff function failed') });
  expect(await runs.get(id)).toMatchObject({ failure: { message: 'no' } });
});

test('delays beside the other words, and jitter out of range, are refused', async () => {
  const { world, runs } = await aWorld();
  await using _ = world;
  const both = runs.enqueue({ run: 'fail', retry: { delays: ['1s'], initial: '1s' } });
  await expect(both).rejects.toMatchObject({ problems: [{ path: 'retry.delays', reason: 'AMBIGUOUS' }] });
  const wide = runs.enqueue({ run: 'fail', retry: { jitter: 2 } });
  await expect(wide).rejects.toMatchObject({ problems: [{ path: 'retry.jitter' }] });
});
