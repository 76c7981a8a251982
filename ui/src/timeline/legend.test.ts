import { expect, test } from 'vitest';
import { looks } from '../verdict/verdict.ts';
import { binLegend, slotLegend } from './legend.ts';
import type { Bin } from './model.ts';

const bin = (from: number, counts: Bin['counts']): Bin => ({
  from,
  to: from + 10,
  counts,
  medianMs: null,
  longestMs: null,
});

test('bins in view name what stacks above the line and what stacks below it', () => {
  const bins = [
    bin(0, { cancelled: 3 }),
    bin(10, { started: 4, failed: 1, skippedOverlap: 2, paused: 0 }),
    bin(20, { started: 1, missedWindow: 1, notYet: 5 }),
    bin(30, { coalesced: 1 }),
  ];
  expect(binLegend(bins, { from: 10, to: 30 })).toEqual({
    above: ['started', 'failed', 'notYet'],
    below: ['missedWindow', 'skippedOverlap'],
  });
});

test('coming slots of a pause are named below the line, where they stand', () => {
  const bins = [bin(0, { notYet: 1, passedOver: 3 })];
  expect(binLegend(bins, { from: 0, to: 10 })).toEqual({ above: ['notYet'], below: ['passedOver'] });
});

test('no two verdicts of a legend have the same words', () => {
  const words = Object.values(looks).map(({ short }) => short);
  expect(words.filter((word, place) => words.indexOf(word) !== place)).toEqual(['Clock']);
});

test('slots in view name their verdicts once each', () => {
  const slots = [
    { at: 1, look: 'paused' },
    { at: 5, look: 'notYet' },
    { at: 4, look: 'started' },
    { at: 4, look: 'started' },
  ] as const;
  expect(slotLegend({ slots }, { from: 2, to: 9 })).toEqual(['started', 'notYet']);
});
