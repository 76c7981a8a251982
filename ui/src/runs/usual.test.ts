import { expect, test } from 'vitest';
import { usualOf } from './usual.ts';

const run = (seconds: number, more: object = {}) => ({
  schedule: 'a' as string | null,
  name: 'work',
  cause: null as string | null,
  outcome: 'completed' as const,
  startedAt: '2026-11-01T12:00:00Z',
  finishedAt: new Date(Date.parse('2026-11-01T12:00:00Z') + seconds * 1000).toISOString(),
  ...more,
});

test('usual is the median of the completed runs of the same schedule, from three on', () => {
  const runs = [run(10), run(30), run(20), run(500, { outcome: 'failed' }), run(1, { schedule: 'b' })];
  const usual = usualOf(runs);
  expect(usual(run(0))).toEqual({ ms: 20_000, runs: 3 });
  expect(usual(run(0, { schedule: 'b' }))).toBeUndefined();
});

test('runs without a schedule are compared by their handler', () => {
  const loose = { schedule: null };
  const usual = usualOf([run(1, loose), run(2, loose), run(3, loose)]);
  expect(usual(run(9, loose))).toEqual({ ms: 2000, runs: 3 });
  expect(usual(run(9, { ...loose, name: 'other' }))).toBeUndefined();
});

test('the producers and consumers of a workflow are not compared with each other', () => {
  const of = (cause: string) => ({ schedule: null, name: 'default/orders', cause });
  const quick = [1, 2, 3].map((seconds) => run(seconds, of('producer/look')));
  const slow = [60, 70, 80].map((seconds) => run(seconds, of('consumer/book')));
  const usual = usualOf([...quick, ...slow]);
  expect(usual(run(0, of('consumer/book')))).toEqual({ ms: 70_000, runs: 3 });
  expect(usual(run(0, of('producer/look')))).toEqual({ ms: 2000, runs: 3 });
});
