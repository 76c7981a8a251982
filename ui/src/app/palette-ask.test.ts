import { expect, test } from 'vitest';
import { readAsk } from './palette-ask.ts';

const now = Date.parse('2026-11-01T18:12:40Z');
const at = (text: string) => {
  const ask = readAsk(text);
  return ask === undefined ? undefined : new Date(ask.at('America/New_York', now)).toISOString();
};

test('a time means the latest one that has been', () => {
  expect(at('invoice-sync 03:30')).toBe('2026-11-01T08:30:00.000Z');
  expect(at('invoice-sync 14:00')).toBe('2026-10-31T18:00:00.000Z');
  expect(at('invoice-sync yesterday 3:30')).toBe('2026-10-31T07:30:00.000Z');
  expect(at('invoice-sync 2026-10-30 09:00')).toBe('2026-10-30T13:00:00.000Z');
});

test('anything else is a search', () => {
  expect(at('invoice')).toBeUndefined();
  expect(at('invoice-sync 25:00')).toBeUndefined();
});
