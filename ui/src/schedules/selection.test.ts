import { expect, test } from 'vitest';
import { chosen, chosenAll, noSelection } from './selection.ts';

const order = ['a', 'b', 'c', 'd'];

test('one row is chosen and left again', () => {
  const one = chosen(noSelection, order, 'b', false);
  expect([...one.ids]).toEqual(['b']);
  expect(chosen(one, order, 'b', false).ids.size).toBe(0);
});

test('with Shift a range is chosen, in both directions', () => {
  const from = chosen(noSelection, order, 'c', false);
  expect([...chosen(from, order, 'a', true).ids].sort()).toEqual(['a', 'b', 'c']);
  expect([...chosen(from, order, 'd', true).ids].sort()).toEqual(['c', 'd']);
});

test('all rows, and none again', () => {
  const all = chosenAll(noSelection, order);
  expect(all.ids.size).toBe(4);
  expect(chosenAll(all, order)).toBe(noSelection);
});
