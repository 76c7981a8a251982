import { expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import { Survey } from '../../packages/server/src/server/metrics/survey.ts';

function pass(clock: VirtualClock, milliseconds: number): void {
  clock.moveTo(instant(clock.now() + milliseconds));
  while (clock.fireNext());
}

test('a caller waits a moment, then gets the last result; one survey serves all callers', async () => {
  const clock = new VirtualClock(instant(0));
  const looks: ((seen: number) => void)[] = [];
  const survey = new Survey(() => new Promise<number>((resolve) => looks.push(resolve)), clock);
  const first = [survey.read(), survey.read()];
  pass(clock, 1000);
  expect(await Promise.all(first)).toEqual([undefined, undefined]);
  expect(looks).toHaveLength(1);
  const waiting = survey.read();
  looks[0]?.(1);
  expect(await waiting).toBe(1);
  // What was seen holds for a while, and then another look is due.
  expect(await survey.read()).toBe(1);
  expect(looks).toHaveLength(1);
  pass(clock, 5001);
  const later = survey.read();
  expect(looks).toHaveLength(2);
  pass(clock, 1000);
  expect(await later).toBe(1);
});

test('a survey that fails is reported, and repeated', async () => {
  let fails = true;
  const survey = new Survey(
    async () => {
      if (fails) throw new Error('no store');
      return 1;
    },
    new VirtualClock(instant(0)),
  );
  await expect(survey.read()).rejects.toThrow('no store');
  fails = false;
  expect(await survey.read()).toBe(1);
});
