/**
 * The engine keeps what it has just written, so that the next step need not parse it again. Whatever it is handed from
 * there must be, to the last field, what the store would have said; and nobody may change it. Both are watched here while
 * the simulations do their worst.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Loading } from '../../src/engine/loading.ts';
import { PartCache } from '../../src/engine/part-cache.ts';
import { simulateSchedules } from './schedule-scenario.ts';

let differences: string[];
let looked: number;
let keptAndFound: number;

beforeEach(() => {
  differences = [];
  looked = 0;
  keptAndFound = 0;
  const kept = new WeakSet<object>();
  const { keep, set } = PartCache.prototype;
  vi.spyOn(PartCache.prototype, 'keep').mockImplementation(function (this: PartCache, ...args) {
    kept.add(deepFreeze(args.at(-1) as object));
    keep.apply(this, args);
  });
  vi.spyOn(PartCache.prototype, 'set').mockImplementation(function (this: PartCache, ref, state, size) {
    set.call(this, ref, deepFreeze(state), size);
  });
  const { document } = Loading.prototype;
  vi.spyOn(Loading.prototype, 'document').mockImplementation(function (this: Loading, row) {
    const found = document.call(this, row);
    looked += 1;
    if (kept.has(found)) keptAndFound += 1;
    if (!isDeepStrictEqual(found, JSON.parse(row.state)))
      differences.push(`${row.key.id}@${row.version}: ${JSON.stringify(found)} is not ${row.state}`);
    return found;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('what the engine keeps', () => {
  test('is what is stored, and is never changed', { timeout: 120_000 }, async () => {
    const problems: string[] = [];
    for (let seed = 1; seed <= 60; seed += 1) {
      const outcome = await simulateSchedules(seed);
      for (const problem of outcome.problems) problems.push(`seed ${seed}: ${problem}`);
    }
    expect(problems).toEqual([]);
    expect(differences.slice(0, 3)).toEqual([]);
    expect(keptAndFound).toBeGreaterThan(looked / 10);
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) deepFreeze(each);
  }
  return value;
}
