import { expect, test } from 'vitest';
import { nearestOf } from './near.ts';

const names = ['invoice-sync', 'invoice-reminders', 'price-feed-refresh'];

test('a mistyped word brings the part of a name that was meant', () => {
  expect(nearestOf('invoce', names)).toBe('invoice');
  expect(nearestOf('inovice', names)).toBe('invoice');
  expect(nearestOf('price-fed-refresh', names)).toBe('price-feed-refresh');
});

test('a word that is too different or too short has no suggestion', () => {
  expect(nearestOf('nightly', names)).toBeUndefined();
  expect(nearestOf('ab', names)).toBeUndefined();
});
