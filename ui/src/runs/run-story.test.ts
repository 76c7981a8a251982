import { expect, test } from 'vitest';
import { storyOfRun } from './run-story.ts';

const run = {
  schedule: 'a',
  scheduledAt: '2026-11-01T11:00:00Z',
  cause: 'auto',
  createdAt: '2026-11-01T11:00:00Z',
  startedAt: '2026-11-01T11:00:01Z',
  finishedAt: '2026-11-01T11:05:01Z',
  attempt: 3,
  state: 'done',
  outcome: 'failed',
  worker: '',
} as const;
const now = Date.parse('2026-11-01T12:00:00Z');

test('a failed run: due, queued, begun, attempts, failed', () => {
  expect(storyOfRun(run, now).map(({ text }) => text)).toEqual([
    'was due',
    'was put into its queue',
    'was begun by a worker, 1 s later',
    '3 attempts failed',
    'Failed',
  ]);
});

test('a run that no worker took says so', () => {
  const waiting = storyOfRun(
    { ...run, state: 'waiting', outcome: null, startedAt: null, finishedAt: null, attempt: 0 },
    now,
  );
  expect(waiting.at(-1)).toMatchObject({ text: 'Waits for a worker', look: 'buffered' });
});
