import { describe, expect, test } from 'vitest';
import { rowsWithin } from './rows-within.ts';

const rows = (top: number, count = 1000) => rowsWithin({ top, height: 480, rowHeight: 48, count });

describe('the rows in the document', () => {
  test('are those in the window and six beside it', () => {
    expect(rows(4800)).toEqual({ first: 94, last: 115 });
  });
  test('include one that is half in the window', () => {
    expect(rows(4824)).toEqual({ first: 94, last: 116 });
  });
  test('begin with the first and end with the last', () => {
    expect(rows(-200)).toEqual({ first: 0, last: 11 });
    expect(rows(47_800)).toEqual({ first: 989, last: 999 });
  });
  test('are some also when the list is out of sight', () => {
    expect(rows(-9000)).toEqual({ first: 0, last: 0 });
    expect(rows(90_000)).toEqual({ first: 999, last: 999 });
  });
  test('are none of an empty list', () => {
    expect(rows(0, 0)).toEqual({ first: 0, last: -1 });
  });
});
