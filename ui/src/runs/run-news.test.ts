import type { RunJson } from 'carillon/client';
import { expect, test } from 'vitest';
import { runsViewOf } from './run-filters.ts';
import { newRuns, patchedRuns } from './run-news.ts';

const now = Date.parse('2026-11-01T12:00:00Z');
const running = {
  id: 'a',
  schedule: 'nightly',
  name: 'report',
  state: 'leased',
  outcome: null,
  attempt: 1,
  startedAt: '2026-11-01T11:50:00.000Z',
  finishedAt: null,
  worker: 'node-0/1',
  failure: null,
} as RunJson;
const finished = (runId: string, more: object = {}) => ({
  id: '',
  type: 'finished',
  data: { runId, outcome: 'completed', attempt: 2, durationMs: 60_000, schedule: 'nightly', ...more },
});
const started = (runId: string, more: object = {}) => ({
  id: '',
  type: 'started',
  data: { runId, schedule: 'nightly', name: 'report', queue: 'default', ...more },
});

test('a run that ended changes in its place, and the others stay the same objects', () => {
  const other = { ...running, id: 'b' };
  const [first, second] = patchedRuns([running, other], [finished('a')], now);
  expect(first).toMatchObject({
    state: 'done',
    outcome: 'completed',
    attempt: 2,
    finishedAt: '2026-11-01T11:51:00.000Z',
    worker: '',
  });
  expect(second).toBe(other);
});

test('a failure is shown, and a run that never began ended now', () => {
  const waiting = { ...running, state: 'waiting', startedAt: null } as RunJson;
  const end = finished('a', { outcome: 'failed', error: '503', durationMs: null });
  expect(patchedRuns([waiting], [end], now)[0]).toMatchObject({
    outcome: 'failed',
    failure: { message: '503' },
    startedAt: null,
    finishedAt: '2026-11-01T12:00:00.000Z',
  });
});

test('rows without an event are not copied, and an end is not applied twice', () => {
  const rows = [running];
  expect(patchedRuns(rows, [finished('z'), started('a')], now)).toBe(rows);
  const done = patchedRuns(rows, [finished('a')], now);
  expect(patchedRuns(done, [finished('a', { outcome: 'failed' })], now)).toBe(done);
});

test('new are the runs of the view that are not shown, each once', () => {
  const events = [
    started('a'),
    started('b'),
    { ...started('b'), type: 'enqueued' },
    started('c', { schedule: 'x' }),
  ];
  expect(newRuns(events, runsViewOf({}), new Set(['a']))).toEqual(['b', 'c']);
  expect(newRuns(events, runsViewOf({ schedule: 'x' }), new Set())).toEqual(['c']);
  expect(newRuns(events, runsViewOf({ queue: 'other' }), new Set())).toEqual([]);
});

test('among the failed ones, those are new that failed', () => {
  const events = [started('a'), finished('b'), finished('c', { outcome: 'failed' })];
  expect(newRuns(events, runsViewOf({ is: 'failed' }), new Set())).toEqual(['c']);
});
