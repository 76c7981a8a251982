/**
 * The engine keeps the trees it has just written, so that the next step need not read them again. What it takes up from
 * there must be, to the last field, what it would have read from the store; and no code may change it. Both are watched
 * here while the simulations do their worst.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { packedText } from '../../packages/carillon/src/engine/component.ts';
import { readDocument } from '../../packages/carillon/src/engine/document.ts';
import { Loading } from '../../packages/carillon/src/engine/loading.ts';
import { PartCache } from '../../packages/carillon/src/engine/part-cache.ts';
import { noNames } from '../../packages/carillon/src/engine/run-names.ts';
import { Tree } from '../../packages/carillon/src/engine/tree.ts';
import type { ExecutionRow } from '../../packages/carillon/src/store/records.ts';
import { simulateSchedules } from './schedule-scenario.ts';

let differences: string[];
let looked: number;
let taken: number;

beforeEach(() => {
  differences = [];
  looked = 0;
  taken = 0;
  const { keep, set } = PartCache.prototype;
  vi.spyOn(PartCache.prototype, 'keep').mockImplementation(function (this: PartCache, state, tree) {
    keep.call(this, state, tree);
    for (const node of tree.list) {
      if (node.isUnread) continue;
      const { component, state } = node;
      compare(component.name, packedText(component, state), JSON.stringify(component.packing.pack(state)));
      deepFreeze(state);
    }
    deepFreeze(tree.tasks);
  });
  vi.spyOn(PartCache.prototype, 'set').mockImplementation(function (this: PartCache, ref, state, size) {
    set.call(this, ref, deepFreeze(state), size);
  });
  const { kept } = Loading.prototype;
  vi.spyOn(Loading.prototype, 'kept').mockImplementation(function (this: Loading, row) {
    looked += 1;
    const tree = kept.call(this, row);
    if (tree === undefined) return tree;
    taken += 1;
    const read = openedAnew(tree, row);
    for (const field of ['nextTaskId', 'requestStamp', 'tasks'] as const)
      compare(`${row.key.id}@${row.version} ${field}`, tree[field], read[field]);
    compare(`${row.key.id}@${row.version} paths`, [...tree.nodes.keys()], [...read.nodes.keys()]);
    for (const [path, fresh] of read.nodes) {
      const node = tree.node(path);
      const where = `${row.key.id}@${row.version} ${path}`;
      for (const field of ['born', 'stamp', 'dirty'] as const) compare(where, node[field], fresh[field]);
      if (!fresh.isUnread) compare(where, node.state, fresh.state);
    }
    return tree;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('what the engine keeps', () => {
  test('is what is stored, and is never changed', async () => {
    const problems: string[] = [];
    for (let seed = 1; seed <= 60; seed += 1) {
      const outcome = await simulateSchedules(seed);
      for (const problem of outcome.problems) problems.push(`seed ${seed}: ${problem}`);
    }
    expect(problems).toEqual([]);
    expect(differences.slice(0, 3)).toEqual([]);
    expect(taken).toBeGreaterThan(looked / 10);
  });
});

/** The tree as a reader without a cache would read it; cold states stay unread. */
function openedAnew({ library, key, incarnation, now }: Tree, row: ExecutionRow): Tree {
  const readPart = () => {
    throw new Error('nothing cold is compared');
  };
  return Tree.open(
    { library, key, incarnation, now, readPart, names: noNames, loadedEvents: [], mutable: false },
    row,
    readDocument(row.state),
  );
}

function compare(what: string, kept: unknown, read: unknown): void {
  if (isDeepStrictEqual(kept, read)) return;
  differences.push(`${what}: ${JSON.stringify(kept)} is not ${JSON.stringify(read)}`);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) deepFreeze(each);
  }
  return value;
}
