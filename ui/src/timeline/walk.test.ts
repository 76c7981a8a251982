import { expect, test } from 'vitest';
import type { Look } from '../verdict/verdict.ts';
import type { Bin, Slot } from './model.ts';
import { nextStop } from './walk.ts';

const slots: readonly Slot[] = (
  ['started', 'paused', 'started', 'skippedOverlap', 'notYet', 'excluded'] as Look[]
).map((look, index) => ({ at: index * 10, look }));
const bin = (from: number, counts: Bin['counts']): Bin => ({
  from,
  to: from + 10,
  counts,
  medianMs: null,
  longestMs: null,
});
const bins = [
  bin(0, { started: 3 }),
  bin(10, { started: 2, paused: 1 }),
  bin(20, {}),
  bin(30, { notYet: 3 }),
];

test('steps from slot to slot, and to those that did not run up to now', () => {
  const found = { slots, bins: null };
  expect(nextStop(found, { here: 10, isLater: true })?.at).toBe(20);
  expect(nextStop(found, { here: 10, isLater: true, troubleUntil: 45 })?.at).toBe(30);
  expect(nextStop(found, { here: 30, isLater: true, troubleUntil: 45 })).toBeUndefined();
  expect(nextStop(found, { here: 30, isLater: false, troubleUntil: 45 })?.at).toBe(10);
});

test('where the view is too wide for slots it steps from bin to bin, over empty ones', () => {
  const found = { slots: [], bins };
  expect(nextStop(found, { here: 15, isLater: true })?.at).toBe(35);
  expect(nextStop(found, { here: 35, isLater: false, troubleUntil: 32 })?.at).toBe(15);
  expect(nextStop(found, { here: 15, isLater: true, troubleUntil: 32 })).toBeUndefined();
});
