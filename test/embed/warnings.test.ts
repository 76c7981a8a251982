/** The process warnings of an embedded Carillon, and its refusals. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CarillonWarning } from '../../packages/carillon/src/main.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';
import { until } from '../support/until.ts';

async function aCarillon() {
  const warnings: CarillonWarning[] = [];
  const carillon = await openCarillon({ store: 'memory:', onWarning: (warning) => warnings.push(warning) });
  onTestFinished(() => carillon.stop());
  return { carillon, warnings };
}

describe('an embedded Carillon warns', () => {
  test('of a run that no handler knows, with the name that was meant', async () => {
    const { carillon, warnings } = await aCarillon();
    carillon.handle('report', () => 1);
    await carillon.start();
    await carillon.runs.enqueue({ run: 'reprot' });
    await until(() => warnings.length > 0);
    expect(warnings).toMatchObject([
      { code: 'NO_HANDLER', message: expect.stringContaining("no handler 'reprot'; did you mean 'report'?") },
    ]);
  });

  test('of failures, once at once and then not for each', async () => {
    const { carillon, warnings } = await aCarillon();
    carillon.handle('broken', () => {
      throw new Error('no disk');
    });
    await carillon.start();
    const ids = [];
    for (let times = 0; times < 3; times += 1) ids.push((await carillon.runs.enqueue({ run: 'broken' })).id);
    for (const id of ids) await carillon.runs.wait(id);
    await until(() => warnings.length > 0);
    expect(warnings).toMatchObject([{ code: 'RUN_FAILED', message: expect.stringContaining('no disk') }]);
  });

  test.each([
    [
      { rows: [{ at: new Date(0) }] },
      'a Date at result.rows[0].at',
      { rows: [{ at: '1970-01-01T00:00:00.000Z' }] },
    ],
    [{ by: new Map([['a', 1]]) }, 'a Map at result.by', { by: {} }],
    [Number.NaN, 'the number NaN at result', null],
  ])('of a result that JSON changes, which does not fail the run: %o', async (result, words, stored) => {
    const { carillon, warnings } = await aCarillon();
    carillon.handle('sync', () => result);
    carillon.handle('async', async () => result);
    await carillon.start();
    for (const run of ['sync', 'async', 'async']) {
      const { id } = await carillon.runs.enqueue({ run });
      expect(await carillon.runs.wait(id)).toMatchObject({ outcome: 'completed', result: stored });
      const lines = [];
      for await (const line of carillon.runs.log(id)) lines.push(line);
      expect(lines).toMatchObject([{ text: expect.stringContaining(words) }]);
    }
    const warning = { code: 'RESULT_CHANGED', message: expect.stringContaining(words) };
    expect(warnings).toMatchObject([warning, warning]);
  });
});

test('a warning and the event name the cause of a failure, with a schedule and without one', async () => {
  const { carillon, warnings } = await aCarillon();
  carillon.handle('fetch', () => {
    const refused = new Error('connect ECONNREFUSED 127.0.0.1:80');
    throw new TypeError('fetch failed', { cause: new Error('fetch failed', { cause: refused }) });
  });
  const errors: unknown[] = [];
  carillon.subscribe((event) => event.type === 'finished' && errors.push(event.error));
  await carillon.schedules.create('feed', { run: 'fetch' });
  await carillon.start();
  await carillon.schedules.trigger('feed');
  await carillon.runs.enqueue({ run: 'fetch' });
  await until(() => errors.length === 2);
  const reason = 'fetch failed: connect ECONNREFUSED 127.0.0.1:80';
  expect(errors).toEqual([reason, reason]);
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining(`failed: ${reason}`),
    expect.stringContaining(`failed: ${reason}`),
  ]);
});

test('onFailed is called for runs that failed for good, with the reason', async () => {
  const failed: (string | undefined)[] = [];
  const carillon = await openCarillon({
    store: 'memory:',
    onWarning: () => {},
    onFailed: ({ error }) => failed.push(error),
  });
  onTestFinished(() => carillon.stop());
  let calls = 0;
  carillon.handle('flaky', () => {
    calls += 1;
    throw new Error(`try ${calls}`);
  });
  await carillon.start();
  const { id } = await carillon.runs.enqueue({ run: 'flaky', retry: { attempts: 2, initial: 1 } });
  await carillon.runs.wait(id);
  await until(() => failed.length > 0);
  expect(failed).toEqual(['try 2']);
});

describe('mistakes are refused by name', () => {
  test.each([
    [{ stor: 'memory:' }, "no option 'stor'; did you mean 'store'?"],
    [
      { store: 'memory:', concurrency: Number.NaN },
      'concurrency must be a whole number of at least 1, not NaN',
    ],
  ])('%j', async (options, message) => {
    await expect(openCarillon(options as never)).rejects.toThrow(message);
  });

  test('a handler that is none, and a concurrency that runs nothing', async () => {
    const { carillon } = await aCarillon();
    expect(() => carillon.handle('k', 5 as never)).toThrow(
      'handle("k"): the handler must be a function, not 5',
    );
    for (const concurrency of [Number.NaN, 0, -1])
      expect(() => carillon.handle('k', () => 1, { concurrency })).toThrow(
        'concurrency must be a whole number',
      );
  });

  test('an option of a handler that does not exist', async () => {
    const { carillon } = await aCarillon();
    expect(() => carillon.handle('k', () => 1, { concurency: 5 } as never)).toThrow(
      "handle(\"k\"): there is no option 'concurency'; did you mean 'concurrency'?",
    );
    expect(carillon.queues).not.toContain('default');
  });
});

describe('a run whose handler no living worker knows', () => {
  async function aWorld() {
    const world = await CarillonWorld.start({
      setup: (carillon) => void carillon.handle('send-report', () => 'sent'),
    });
    onTestFinished(() => world[Symbol.asyncDispose]());
    return { world, carillon: world.carillon() };
  }

  test('waits at most unclaimedTimeout, and its slots say so', async () => {
    const { world, carillon } = await aWorld();
    await carillon.schedules.create('nightly', { every: '10m', run: 'sendReport', unclaimedTimeout: '25m' });
    await world.advance('21m');
    const skipped = await carillon.schedules.explain('nightly', world.now - 60_000);
    expect(skipped).toMatchObject({ answer: 'skippedOverlap' });
    expect(skipped.text).toContain(
      "was still waiting for a worker and the overlap policy is skip. No living worker knows 'sendReport' on the queue 'default'",
    );
    await world.advance('20m');
    const { items } = await carillon.schedules.slots('nightly', { verdict: ['noWorker'] });
    expect(items).toMatchObject([{ verdict: 'noWorker', detail: { handler: 'sendReport' } }]);
    const [slot] = items;
    const told = await carillon.schedules.explain('nightly', slot?.nominal ?? 0);
    expect(told.text).toContain("No living worker knew its handler 'sendReport' for 25");
    expect(await carillon.runs.get(slot?.runId ?? '')).toMatchObject({
      outcome: 'timedOut',
      failure: { type: 'NoWorker' },
    });
  });

  test('waits on while a worker that knows it is alive, however busy', async () => {
    const world = await CarillonWorld.start({
      setup: (carillon, { sleep }) => void carillon.handle('slow', () => sleep('3h'), { concurrency: 1 }),
    });
    onTestFinished(() => world[Symbol.asyncDispose]());
    const carillon = world.carillon();
    await carillon.runs.enqueue({ run: 'slow' });
    const second = await carillon.runs.enqueue({ run: 'slow' });
    await world.advance('2h');
    expect(await carillon.runs.get(second.id)).toMatchObject({ state: 'waiting' });
    await world.advance('5h');
    expect(await carillon.runs.get(second.id)).toMatchObject({ outcome: 'completed' });
  });
});
