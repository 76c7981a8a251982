import { expect, test } from 'vitest';
import { linksOfRun } from './run-links.ts';

const run = {
  schedule: 'a',
  scheduledAt: '2026-11-01T11:00:00Z',
  dueAt: '2026-11-01T11:00:00Z',
  cause: 'auto',
  createdAt: '2026-11-01T11:00:00Z',
  availableAt: '2026-11-01T11:00:00Z',
  startedAt: '2026-11-01T11:00:01Z',
  finishedAt: '2026-11-01T11:05:01Z',
  attempt: 3,
  state: 'done',
  outcome: 'failed',
  worker: '',
  failure: null,
} as const;
const now = Date.parse('2026-11-01T12:00:00Z');

test('a failed run: due, queued, begun, attempts, failed', () => {
  expect(linksOfRun(run, { now }).map(({ text }) => text)).toEqual([
    'was due',
    'was put into its queue',
    'was begun by a worker, 1 s later',
    '3 attempts failed',
    'Failed',
  ]);
});

test('the worker of the first attempt began it, and lateness counts from the due time', () => {
  const attempt = { number: 1, from: 0, to: 0, error: null, worker: 'node-0', waitedMs: 0 };
  const late = {
    ...run,
    createdAt: '2026-11-01T11:51:00Z',
    startedAt: '2026-11-01T11:51:00Z',
    worker: 'dev',
  };
  const links = linksOfRun(late, { now, attempts: [attempt] });
  expect(links.find(({ icon }) => icon === 'play')).toMatchObject({
    text: 'was begun by node-0',
    detail: '51 min after the time it was due',
  });
});

test('a run that was given up waits no more', () => {
  const links = linksOfRun(
    {
      ...run,
      startedAt: null,
      outcome: 'timedOut',
      attempt: 0,
      failure: { message: 'no living worker', type: 'NoWorker' },
    },
    { now },
  );
  expect(links.at(-1)).toMatchObject({ text: 'No worker took it', look: 'noWorker' });
});

test('a run that no worker took says so', () => {
  const waiting = linksOfRun(
    { ...run, state: 'waiting', outcome: null, startedAt: null, finishedAt: null, attempt: 0 },
    { now },
  );
  expect(waiting.at(-1)).toMatchObject({ text: 'Waits for a worker', look: 'untaken' });
});

test('attempts show their waits, a lost slot is called lost, and repetitions are named', () => {
  const attempts = [0, 60_000, 120_000].map((waitedMs, index) => ({
    number: index + 1,
    from: 0,
    to: 0,
    error: 'no',
    worker: 'node-1',
    waitedMs,
  }));
  const repeats = [
    { id: 'again', createdAt: '2026-11-01T11:50:00Z', state: 'done', outcome: 'completed' },
  ] as const;
  const links = linksOfRun(run, { now, attempts, repeats });
  expect(links[0]?.slot).toEqual({ schedule: 'a', at: run.scheduledAt });
  expect(links.slice(-3).map(({ detail, to }) => [detail, to])).toEqual([
    ['tried again after 1 min, then 2 min', undefined],
    ['after 5 min; its slot is not run again by itself', undefined],
    ['with the same input: completed', 'again'],
  ]);
});
