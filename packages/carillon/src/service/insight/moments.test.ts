import { expect, test } from 'vitest';
import type { Instant } from '../../base/time.ts';
import { minute, second } from '../../base/time.ts';
import { Moments } from './moments.ts';

const from = Date.UTC(2026, 10, 2) as Instant;
const to = (from + 10 * minute) as Instant;

test('moments that bring the same groups are one peak, the largest first', () => {
  const moments = new Moments({ from, to, grain: second });
  moments.addEven({ every: 5 * minute, phase: 0 }, 2, 0);
  moments.add(from + minute, 3, 1);
  moments.add(from + 2 * minute, 3, 1);
  moments.add(from + 5 * minute, 3, 1);
  moments.add(from + 7 * minute, 1, 2);
  expect(moments.together(9)).toEqual([
    { starts: 5, times: [from + 5 * minute] },
    { starts: 3, times: [from + minute, from + 2 * minute] },
    { starts: 2, times: [from, to] },
  ]);
  expect(moments.together(1)).toHaveLength(1);
});

test('each bin has the most starts at one moment', () => {
  const moments = new Moments({ from, to, grain: second });
  moments.add(from, 2, 0);
  moments.add(from + 5 * minute - second, 4, 1);
  moments.add(from + 5 * minute, 3, 1);
  expect(moments.mostBetween([from, from + 5 * minute, to + minute])).toEqual([4, 3]);
});
