import { expect, test } from 'vitest';
import type { Instant } from '../../base/time.ts';
import { addTime, hour, minute } from '../../base/time.ts';
import { readSeries } from './series.ts';
import type { BinCounts } from './slot-tally.ts';
import { joined, latenessBucket } from './slot-tally.ts';

const now = Date.parse('2026-11-18T12:00:00Z') as Instant;

function late(...lengths: readonly number[]): BinCounts {
  const one = (length: number): BinCounts => ({
    verdicts: {},
    outcomes: {},
    lateness: { [latenessBucket(length)]: 1 },
    latest: length,
  });
  return lengths.map(one).reduce(joined);
}

async function p99(...bins: readonly BinCounts[]): Promise<number | null> {
  const read = async () => bins.map((counts, index) => [addTime(now, index * 5 * minute), counts] as const);
  const span = { from: now, to: addTime(now, hour), now };
  const { total } = await readSeries(
    { tally: { read }, paused: [] },
    { namespace: 'default', bin: '5m', ...span },
  );
  return total.latenessP99Ms;
}

test('no share of the starts is later than the latest start', async () => {
  expect(await p99(late(42 * minute), late(1000, 2000))).toBe(42 * minute);
});

test('bins of older versions, which have no latest start, use their bucket', async () => {
  const { latest: _, ...old } = late(42 * minute);
  expect(await p99(late(50 * minute), old)).toBeGreaterThan(50 * minute);
});
