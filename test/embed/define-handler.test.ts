/** Handlers with schemas, typed both ways. */
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { defineHandler, openCarillon } from '../../packages/carillon/src/main.ts';

const resize = defineHandler({
  name: 'resize',
  input: z.object({ width: z.number().min(1) }),
  result: z.object({ area: z.number() }),
  run: ({ input, lastResult }) => {
    expectTypeOf(input).toEqualTypeOf<{ width: number }>();
    expectTypeOf(lastResult).toEqualTypeOf<{ area: number } | null>();
    return { area: input.width === 13 ? (Number.NaN as number) : input.width ** 2 };
  },
});

async function aCarillon() {
  const carillon = await openCarillon({ store: 'memory:', onWarning: () => {} });
  onTestFinished(() => carillon.stop());
  carillon.handle(resize);
  await carillon.start();
  return carillon;
}

test('the input is checked when it is queued, and reported at input', async () => {
  const carillon = await aCarillon();
  const wrong = { path: 'input.width', reason: 'BAD_INPUT' };
  await expect(carillon.runs.enqueue({ run: resize, input: { width: 0 } })).rejects.toMatchObject({
    problems: [wrong],
  });
  // @ts-expect-error a text is no width
  const badly = carillon.schedules.create('s', { every: '1h', run: resize, input: { width: 'wide' } });
  await expect(badly).rejects.toMatchObject({ problems: [wrong] });
});

test('results are typed, and checked before they are stored', async () => {
  const carillon = await aCarillon();
  const run = await carillon.runs.enqueue({ run: resize, input: { width: 4 } });
  const { result } = await carillon.runs.wait(run);
  expectTypeOf(result).toEqualTypeOf<{ area: number } | null | undefined>();
  expect(result).toEqual({ area: 16 });
  const unlucky = await carillon.runs.enqueue({ run: resize, input: { width: 13 }, retry: { attempts: 5 } });
  expect(await carillon.runs.wait(unlucky)).toMatchObject({
    outcome: 'failed',
    attempt: 1,
    failure: { type: 'BadResult', message: expect.stringContaining('area') },
  });
});

test('an input that came another way is checked when it runs, and not tried again', async () => {
  const carillon = await aCarillon();
  const { id } = await carillon.runs.enqueue({
    run: 'resize',
    input: { width: 'x' },
    retry: { attempts: 3 },
  });
  expect(await carillon.runs.wait(id)).toMatchObject({ attempt: 1, failure: { type: 'BadInput' } });
});

test('callers give what the schema accepts, the handler gets what it makes of it', async () => {
  const carillon = await openCarillon({ store: 'memory:', onWarning: () => {} });
  onTestFinished(() => carillon.stop());
  const remind = defineHandler({
    name: 'remind',
    input: z.object({
      day: z.iso.datetime().transform((text) => new Date(text)),
      times: z.number().default(3),
    }),
    run: ({ input }) => {
      expectTypeOf(input).toEqualTypeOf<{ day: Date; times: number }>();
      return `${input.day.getUTCFullYear()} ${input.times}`;
    },
  });
  carillon.handle(remind);
  await carillon.start();
  const run = await carillon.runs.enqueue({ run: remind, input: { day: '2026-01-01T00:00:00Z' } });
  expect(run.input).toEqual({ day: '2026-01-01T00:00:00Z' });
  expect(await carillon.runs.wait(run)).toMatchObject({ result: '2026 3' });
});

test.each([
  [{ at: new Date(0) }, 'input.at', 'Date'],
  [{ list: [1, new Map()] }, 'input.list[1]', 'Map'],
  [{ n: Number.NaN }, 'input.n', 'NaN'],
  [() => 1, 'input', 'function'],
  [{ list: [1, undefined] }, 'input.list[1]', 'undefined'],
  [{ of: new (class Money {})() }, 'input.of', 'Money'],
])('an input that JSON would bend is refused where it is: %o', async (input, path, word) => {
  const carillon = await aCarillon();
  await expect(carillon.runs.enqueue({ run: 'other', input: input as unknown })).rejects.toMatchObject({
    problems: [{ path, reason: 'NOT_JSON', message: expect.stringContaining(word) }],
  });
});
