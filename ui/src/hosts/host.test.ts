import { expect, test } from 'vitest';
import { consumerText, depthOf, headOf, lookOfHost, nextInLine, scheduleText, topicText } from './host.ts';
import { wiresOf } from './wires.ts';

const now = Date.parse('2026-11-01T12:00:00Z');
const consumer = {
  name: 'c',
  subscribe: ['t'],
  state: 'sleeping',
  sleepingUntil: '2026-11-01T12:04:20Z',
  wakesOn: ['orders'],
  pending: 2,
} as never;

test('a sleeping consumer says every condition that wakes it', () => {
  expect(consumerText(consumer, null, now)).toBe(
    'Wakes on a new event in orders, or in 4 min 20 s, or by hand. 2 events wait.',
  );
});

test('a topic has twenty steps', () => {
  expect(depthOf({ pending: 3, reserved: 2 }).filter((step) => step !== 'free')).toEqual([
    'taken',
    'taken',
    'waiting',
    'waiting',
    'waiting',
  ]);
  expect(depthOf({ pending: 300, reserved: 0 })).toHaveLength(20);
});

test('states have words and marks', () => {
  expect(headOf({ status: 'running' }, { work: { handler: 'match' }, consumers: [] } as never)).toBe(
    'match is running',
  );
  expect(lookOfHost({ status: 'blocked' })).toBe('failed');
});

test('between two attempts a consumer says when the next begins', () => {
  const work = { runId: null, retryAt: '2026-11-01T12:00:10Z', since: '2026-11-01T11:59:00Z' } as never;
  expect(consumerText({ ...(consumer as object), state: 'running' } as never, work, now)).toBe(
    'The next attempt begins in 10 s.',
  );
});

test('a run under way says its phase', () => {
  const work = { runId: 'r', phase: 'mutating', task: 'run', since: '2026-11-01T11:59:30Z' } as never;
  expect(consumerText({ ...(consumer as object), state: 'running' } as never, work, now)).toMatch(
    /^Phase 2 of 3, for 30 s: changes the world/,
  );
});

const flow = {
  topics: [
    { name: 'old', pending: 1, reserved: 0, oldestAt: '2026-11-01T10:00:00Z' },
    { name: 'new', pending: 1, reserved: 2, oldestAt: '2026-11-01T11:00:00Z' },
  ],
  consumers: [
    { name: 'late', subscribe: ['new'], state: 'ready' },
    { name: 'early', subscribe: ['old'], state: 'ready' },
    { name: 'asleep', subscribe: ['old'], state: 'sleeping' },
  ],
  producers: [{ name: 'look', state: 'waiting', skippedInARow: 2, publishes: ['old', 'gone'] }],
} as never as Parameters<typeof wiresOf>[0];

test('consumers come before producers, the oldest event first', () => {
  expect(nextInLine(flow)).toBe(
    'Next in line: early, then late, then producer look (skipped 2 times while busy)',
  );
  expect(nextInLine({ ...flow, consumers: [], producers: [] })).toBeUndefined();
});

test('a topic says what waits and what a run has taken', () => {
  expect(flow.topics.map((each) => topicText(each, now))).toEqual([
    'oldest 2 h ago',
    '2 taken by a run · oldest 1 h ago',
  ]);
});

test('when a producer is due, in words', () => {
  expect(scheduleText({ interval: '1h30m' } as never)).toBe('Every 1 h 30 min');
  expect(scheduleText({ cron: '0 9 * * *', timezone: 'America/New_York' } as never)).toBe(
    '0 9 * * *, New York',
  );
});

test('lines join producers with topics and topics with consumers, where the topic is there', () => {
  expect(wiresOf(flow).map(({ from, to }) => `${from} > ${to}`)).toEqual([
    'producer look > topic old',
    'topic new > consumer late',
    'topic old > consumer early',
    'topic old > consumer asleep',
  ]);
});
