import { expect, test } from 'vitest';
import { actionText, diffOf, shortValue } from './change.ts';

test('what the action says is not told again', () => {
  const changes = [
    { path: 'paused', after: {} },
    { path: 'note', after: 'x' },
    { path: 'owner', before: 'a', after: 'b' },
  ];
  expect(diffOf({ action: 'pause', changes }).map(({ path }) => path)).toEqual(['owner']);
  expect(diffOf({ action: 'create', changes })).toEqual([]);
});

test('values are short, and lengths are read as such', () => {
  expect(shortValue(7_200_000, 'policy.catchupWindowMs')).toBe('2 h');
  expect(shortValue('x'.repeat(100))).toHaveLength(61);
  expect(actionText('backfill')).toBe('backfilled');
});
