import { describe, expect, test } from 'vitest';
import type { Instant } from '../../base/time.ts';
import { replayed } from './trial.ts';

const minute = 60_000;
const at = (minutes: number) => (minutes * minute) as Instant;
const taking = (minutes: number) => ({ at: () => minutes * minute });
const policy = { limit: 1, catchupWindowMs: 60 * minute };
const everyTen = [0, 10, 20, 30, 40].map(at);

describe('a trial', () => {
  test('starts everything when runs are shorter than the gaps', () => {
    expect(replayed(everyTen, { ...policy, overlap: 'skip' }, taking(5))).toEqual({ started: 5 });
  });

  test('skips, waits and stops as the policy says', () => {
    expect(replayed(everyTen, { ...policy, overlap: 'skip' }, taking(15))).toEqual({
      started: 3,
      skippedOverlap: 2,
    });
    expect(replayed(everyTen, { ...policy, overlap: 'terminateOther' }, taking(15))).toEqual({
      started: 5,
      stopped: 4,
    });
    expect(replayed(everyTen, { ...policy, overlap: 'allowAll' }, taking(15))).toEqual({ started: 5 });
  });

  test('counts what waits at the end, and what waited longer than its window', () => {
    expect(replayed(everyTen, { ...policy, overlap: 'bufferAll' }, taking(35))).toEqual({
      started: 1,
      startedLate: 1,
      buffered: 3,
    });
    const brief = { ...policy, catchupWindowMs: 20 * minute };
    expect(replayed(everyTen, { ...brief, overlap: 'bufferAll' }, taking(35))).toEqual({
      started: 1,
      startedLate: 1,
      missedWindow: 1,
      buffered: 2,
    });
  });

  test('without a known length every run is done at once', () => {
    expect(replayed(everyTen, { ...policy, overlap: 'skip' }, taking(0))).toEqual({ started: 5 });
  });
});
