import { expect, test } from 'vitest';
import { consumerText, depthOf, headOf, lookOfHost } from './host.ts';

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
    'Wakes on a new event in orders, or in 4 min 20 s, or by hand.',
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
