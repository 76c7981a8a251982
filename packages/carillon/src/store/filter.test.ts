import { describe, expect, it } from 'vitest';
import { matchesFilter } from './filter.ts';
import type { Filter } from './store.ts';

const row = {
  key: { id: 'nightly' },
  attributes: { owner: 'ann', size: 3, paused: false, tags: ['red', 'green'], both: 'attribute', none: [] },
  signals: { running: 2, both: 5 },
};

describe('matchesFilter', () => {
  const holds: [string, Filter, boolean][] = [
    ['text is equal', { field: 'owner', is: '=', value: 'ann' }, true],
    ['id is the id of the key', { field: 'id', is: '=', value: 'nightly' }, true],
    ['a signal is found', { field: 'running', is: '>=', value: 2 }, true],
    ['an attribute hides a signal of the same name', { field: 'both', is: '=', value: 5 }, false],
    ['types differ', { field: 'size', is: '=', value: '3' }, false],
    ['types differ in an order', { field: 'size', is: '<', value: '9' }, false],
    ['booleans are equal', { field: 'paused', is: '=', value: false }, true],
    ['booleans have no order', { field: 'paused', is: '<=', value: false }, false],
    ['a list holds the value', { field: 'tags', is: '=', value: 'green' }, true],
    ['a list contains the element', { field: 'tags', is: 'contains', value: 'green' }, true],
    ['a list does not contain part of an element', { field: 'tags', is: 'contains', value: 'gree' }, false],
    ['an element starts with the text', { field: 'tags', is: 'startsWith', value: 'gr' }, true],
    ['one element differs, another does not', { field: 'tags', is: '!=', value: 'red' }, false],
    ['text contains the text', { field: 'owner', is: 'contains', value: 'nn' }, true],
    ['a number contains nothing', { field: 'size', is: 'contains', value: 3 }, false],
    ['a value is among those given', { field: 'size', is: 'in', values: [1, 3] }, true],
    ['nothing is among none', { field: 'size', is: 'in', values: [] }, false],
    ['an empty list is present', { field: 'none', is: 'present' }, true],
    ['an absent field is not present', { field: 'absent', is: 'present' }, false],
    ['an absent field differs from nothing', { field: 'absent', is: '!=', value: 1 }, false],
    ['not negates also what is absent', { not: { field: 'absent', is: '=', value: 1 } }, true],
    ['a name of Object.prototype is absent', { field: 'constructor', is: 'present' }, false],
    ['all of none hold', { all: [] }, true],
    ['any of none holds', { any: [] }, false],
  ];
  it.each(holds)('%s', (_, filter, expected) => {
    expect(matchesFilter(filter, row)).toBe(expected);
  });
});
