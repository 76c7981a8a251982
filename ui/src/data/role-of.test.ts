import { expect, test } from 'vitest';
import { mayChange } from './role-of.ts';

test('nothing is offered that would be refused, also while the role is not known', () => {
  expect(
    [undefined, 'viewer', 'worker', 'operator', 'admin'].map((role) => mayChange(role as 'viewer')),
  ).toEqual([false, false, false, true, true]);
});
