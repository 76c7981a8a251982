/**
 * One field of the wall clock (seconds, minutes, hours) as lookup tables: for each value the nearest member at
 * or after it, and at or before it.
 */
import type { Range } from './model.ts';

export interface FieldTable {
  /** `next[v]`: smallest member >= v, or `size` when there is none; has one entry past the last value. */
  readonly next: Uint8Array;
  /** `previous[v]`: largest member <= v, or 255. */
  readonly previous: Uint8Array;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

export const absent = 255;

export function forEachValue(ranges: readonly Range[], visit: (value: number) => void): void {
  for (const { start, end, step } of ranges) {
    for (let value = start; value <= end; value += step) visit(value);
  }
}

const cache = new Map<string, FieldTable>();
/** Fields repeat between schedules far more than whole calendars do; the bound only guards against abuse. */
const cacheLimit = 2000;

export function fieldTable(ranges: readonly Range[], size: number): FieldTable {
  let key = `${size}`;
  for (const { start, end, step } of ranges) key += `,${start}-${end}/${step}`;
  let table = cache.get(key);
  if (table === undefined) {
    table = build(ranges, size);
    if (cache.size >= cacheLimit) cache.clear();
    cache.set(key, table);
  }
  return table;
}

function build(ranges: readonly Range[], size: number): FieldTable {
  const member = new Uint8Array(size);
  forEachValue(ranges, (value) => {
    member[value] = 1;
  });
  const next = new Uint8Array(size + 1);
  const previous = new Uint8Array(size);
  let count = 0;
  let last = absent;
  for (let value = 0; value < size; value++) {
    if (member[value] === 1) {
      count++;
      last = value;
    }
    previous[value] = last;
  }
  let first = size;
  next[size] = size;
  for (let value = size - 1; value >= 0; value--) {
    if (member[value] === 1) first = value;
    next[value] = first;
  }
  return { next, previous, first, last, count };
}
