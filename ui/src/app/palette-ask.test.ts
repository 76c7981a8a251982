import { expect, test } from 'vitest';
import { readAsk } from './palette-ask.ts';

const now = Date.parse('2026-11-01T18:12:40Z');
const at = (text: string) => {
  const ask = readAsk(text);
  return ask === undefined
    ? undefined
    : ask
        .times('America/New_York', now)
        .map((each) => new Date(each).toISOString())
        .join(' and ');
};

test('a time means the latest one that has been', () => {
  expect(at('invoice-sync 03:30')).toBe('2026-11-01T08:30:00.000Z');
  expect(at('invoice-sync 14:00')).toBe('2026-10-31T18:00:00.000Z');
  expect(at('invoice-sync yesterday 3:30')).toBe('2026-10-31T07:30:00.000Z');
  expect(at('invoice-sync 2026-10-30 09:00')).toBe('2026-10-30T13:00:00.000Z');
});

test('a day may be named, and an instant copied from elsewhere', () => {
  // A Sunday in New York.
  expect(at('invoice-sync fri 09:00')).toBe('2026-10-30T13:00:00.000Z');
  expect(at('invoice-sync Sunday 03:30')).toBe('2026-11-01T08:30:00.000Z');
  expect(at('invoice-sync today 23:00')).toBe('2026-11-02T04:00:00.000Z');
  expect(at('invoice-sync tomorrow 9:00')).toBe('2026-11-02T14:00:00.000Z');
  expect(at('invoice-sync 2026-10-30T09:00')).toBe('2026-10-30T13:00:00.000Z');
  expect(at('invoice-sync 2026-10-30T09:00:00Z')).toBe('2026-10-30T09:00:00.000Z');
  expect(at('invoice-sync 2026-10-30T09:00:00+02:00')).toBe('2026-10-30T07:00:00.000Z');
  expect(at('invoice-sync 03:30:15')).toBe('2026-11-01T08:30:15.000Z');
  expect(at('invoice-sync now')).toBe('2026-11-01T18:12:40.000Z');
  expect(at('why invoice-sync now')).toBe('2026-11-01T18:12:40.000Z');
  expect(at('Why did invoice-sync 03:30:15')).toBe('2026-11-01T08:30:15.000Z');
});

test('an hour that the clock repeats is asked about twice, unless the instant is given', () => {
  expect(at('invoice-sync 01:30')).toBe('2026-11-01T05:30:00.000Z and 2026-11-01T06:30:00.000Z');
  expect(at('invoice-sync 2026-11-01T06:30:00Z')).toBe('2026-11-01T06:30:00.000Z');
});

test('anything else is a search', () => {
  expect(at('invoice')).toBeUndefined();
  expect(at('invoice-sync 25:00')).toBeUndefined();
});
