import { expect, test } from 'vitest';
import { readLatestTimes } from './wall-time.ts';

const latest = (text: string, zone: string, now: string) =>
  readLatestTimes(text, zone, Date.parse(now)).map((at) => new Date(at).toISOString());

test('a time of day is the latest one by the clock of the zone', () => {
  expect(latest('03:30', 'America/New_York', '2026-11-18T08:29:00Z')).toEqual(['2026-11-17T08:30:00.000Z']);
  expect(latest('03:30', 'America/New_York', '2026-11-18T08:30:00Z')).toEqual(['2026-11-18T08:30:00.000Z']);
  // Midnight has passed in Sydney, not in UTC.
  expect(latest('00:15', 'Australia/Sydney', '2026-11-18T13:20:00Z')).toEqual(['2026-11-18T13:15:00.000Z']);
});

test('a time of day that the clock repeats is both, as far as they have come', () => {
  expect(latest('01:30', 'America/New_York', '2026-11-01T12:00:00Z')).toEqual([
    '2026-11-01T05:30:00.000Z',
    '2026-11-01T06:30:00.000Z',
  ]);
  expect(latest('01:30', 'America/New_York', '2026-11-01T06:00:00Z')).toEqual(['2026-11-01T05:30:00.000Z']);
});

test('what is no time says what to write', () => {
  expect(() => latest('25:00', 'UTC', '2026-11-01T12:00:00Z')).toThrow('is not a time');
  expect(() => latest('noon', 'UTC', '2026-11-01T12:00:00Z')).toThrow('is not a time');
});
