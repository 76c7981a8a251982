import { expect, test } from 'vitest';
import { chosen, chosenAll, isChosen, noSelection, readSelection, selectionText } from './selection.ts';

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

test('everything without one row is the loaded ones without it', () => {
  const all = { ...noSelection, isAll: true };
  expect(isChosen(all, 'z')).toBe(true);
  expect(chosen(all, ['a', 'b', 'c'], 'b', false)).toMatchObject({ ids: new Set(['a', 'c']), isAll: false });
});

test('a selection is kept in the address, whatever the names are', () => {
  for (const ids of [[], ['a'], ['a,b', 'c d', '100%', 'ü/1']]) {
    const selection = { ...noSelection, ids: new Set(ids) };
    expect(readSelection(selectionText(selection)).ids).toEqual(selection.ids);
  }
  expect(readSelection(selectionText({ ...noSelection, isAll: true })).isAll).toBe(true);
  const many = new Set(Array.from({ length: 51 }, (_, place) => `s-${place}`));
  expect(selectionText({ ...noSelection, ids: many })).toBeUndefined();
  expect(readSelection('%zz').ids).toEqual(new Set(['%zz']));
});
