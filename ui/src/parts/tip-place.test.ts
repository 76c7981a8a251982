import { expect, test } from 'vitest';
import { tipPlace } from './tip-place.ts';

const tip = { x: 500, y: 400, width: 240, height: 60 };

test('a note stands beside the pointer and leaves its mark in sight', () => {
  expect(tipPlace(tip, { top: 300, screenWidth: 1440 })).toEqual({ left: 528, top: 370 });
  expect(tipPlace({ ...tip, x: 1400 }, { top: 300, screenWidth: 1440 })).toEqual({ left: 1132, top: 370 });
});

test('a high note does not cover the row of time', () => {
  expect(tipPlace({ ...tip, height: 240 }, { top: 342, screenWidth: 1440 }).top).toBe(342);
});

test('a note without room at either side leaves its mark in sight above or below it', () => {
  const phone = { top: 0, screenWidth: 390 };
  expect(tipPlace({ ...tip, x: 200 }, phone)).toEqual({ left: 80, top: 312 });
  expect(tipPlace({ ...tip, x: 200, y: 60 }, phone)).toEqual({ left: 80, top: 88 });
});
