import { expect, test } from 'vitest';
import { causeText, lateText, runRowOf } from './run-row.ts';

const now = Date.parse('2026-11-01T12:00:00Z');
const run = {
  state: 'done',
  outcome: 'completed',
  scheduledAt: '2026-11-01T11:00:00Z',
  dueAt: '2026-11-01T11:00:00Z',
  availableAt: '2026-11-01T11:00:00Z',
  startedAt: '2026-11-01T11:00:10Z',
  finishedAt: '2026-11-01T11:05:10Z',
  cause: 'auto',
  failure: null,
} as const;

test('lateness is from its time to its start, duration from start to end', () => {
  expect(runRowOf(run, now)).toEqual({
    look: 'started',
    lateMs: 10_000,
    jitterMs: 0,
    tookMs: 300_000,
    byHand: null,
  });
});

test('jitter is not lateness', () => {
  const moved = runRowOf({ ...run, dueAt: '2026-11-01T11:00:10Z' }, now);
  expect(moved).toMatchObject({ lateMs: 0, jitterMs: 10_000 });
  expect(lateText(moved)).toBe('on time, 10 s of jitter');
});

test('a run that goes on lasts until now, one that waits has no duration', () => {
  expect(runRowOf({ ...run, state: 'leased', outcome: null, finishedAt: null }, now).tookMs).toBe(3_590_000);
  const waiting = runRowOf(
    { ...run, state: 'waiting', outcome: null, startedAt: null, finishedAt: null },
    now,
  );
  expect(waiting).toMatchObject({ look: 'untaken', lateMs: null, tookMs: null });
});

test('words', () => {
  expect(lateText({ lateMs: 200, jitterMs: 0 })).toBe('on time');
  expect(lateText({ lateMs: 660_000, jitterMs: 5000 })).toBe('11 min late');
  expect(causeText('trigger-1')).toBe('by hand');
});
