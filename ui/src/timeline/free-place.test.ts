import { expect, test } from 'vitest';
import { firstPlace, freePlace } from './free-place.ts';

const at = (...places: number[]) => places.map((x) => ({ from: x, to: x }));

test('a text stands in the middle of the first gap that has room for it', () => {
  expect(freePlace([], { from: 0, to: 100 }, 40)).toBe(30);
  expect(freePlace(at(10, 30, 100), { from: 0, to: 100 }, 40)).toBe(45);
});

test('a text that every gap would cut is left out', () => {
  expect(freePlace(at(0, 33, 66, 99), { from: 0, to: 99 }, 40)).toBeUndefined();
});

test('texts do not lie on each other', () => {
  const first = freePlace([], { from: 0, to: 100 }, 40) ?? 0;
  expect(freePlace([{ from: first, to: first + 40 }], { from: 0, to: 100 }, 40)).toBeUndefined();
  expect(freePlace([{ from: first, to: first + 40 }], { from: 20, to: 140 }, 40)).toBe(85);
});

test('a label begins where nothing else stands, as far left as it can', () => {
  const taken = [
    { from: 60, to: 90 },
    { from: 0, to: 50 },
  ];
  expect(firstPlace([], { from: 5, to: 100 }, 40)).toBe(5);
  expect(firstPlace(taken, { from: 0, to: 200 }, 10)).toBe(50);
  expect(firstPlace(taken, { from: 0, to: 200 }, 40)).toBe(90);
  expect(firstPlace(taken, { from: 0, to: 120 }, 40)).toBeUndefined();
});
