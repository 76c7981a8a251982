import { expect, test } from 'vitest';
import { bestOf, spreadCommand, spreadingOf } from './spread.ts';

const around = { place: 1, minutes: 5 };

test('the busiest minute is the one before, and the worst of those that the jitter reaches', () => {
  expect(spreadingOf([1, 12, 1, 1], [1, 4, 5, 3], around)).toMatchObject({ mostBefore: 12, mostAfter: 5 });
});

test('the shortest jitter that does almost all of it is offered; none where none helps', () => {
  const tried = [
    spreadingOf([12], [9], { place: 0, minutes: 2 }),
    spreadingOf([12], [5], { place: 0, minutes: 5 }),
    spreadingOf([12], [5], { place: 0, minutes: 10 }),
  ];
  expect(bestOf(tried)?.minutes).toBe(5);
  expect(bestOf([spreadingOf([2], [2], { place: 0, minutes: 5 })])).toBeUndefined();
  expect(bestOf([])).toBeUndefined();
});

test('a shell can do the same', () => {
  expect(spreadCommand(['a', 'b'], { minutes: 5 })).toBe(
    'for id in a b; do carillon schedule update "$id" --jitter 5m; done',
  );
  expect(spreadCommand(['a'], { minutes: 2, namespace: 'shop' })).toContain(
    '--jitter 2m --namespace shop; done',
  );
});
