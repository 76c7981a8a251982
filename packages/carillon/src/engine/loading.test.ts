import { expect, test } from 'vitest';
import { instant } from '../base/time.ts';
import type { ExecutionRow } from '../store/records.ts';
import { Loading } from './loading.ts';
import { PartCache } from './part-cache.ts';

const row = (version: number): ExecutionRow => ({
  key: { namespace: 'default', archetype: 'scheduler', id: 'one' },
  incarnation: 'one#1',
  version,
  status: 'open',
  wakeAt: null,
  state: '{"c":{}}',
  signals: {},
  incident: null,
  createdAt: instant(0),
  closedAt: null,
});

test('a row that is older than a kept part empties the cache: the store has lost commits', () => {
  const cache = new PartCache(1_000_000);
  cache.set({ incarnation: 'one#1', name: 'definition', stamp: 7 }, 'LOST', 4);
  cache.set({ incarnation: 'two#1', name: 'definition', stamp: 3 }, 'perhaps lost too', 16);
  new Loading(cache, {}).missing([row(7)]);
  expect(cache.bundle('one#1').get('definition')?.state).toBe('LOST');
  new Loading(cache, {}).missing([row(6)]);
  expect(cache.bundle('one#1').size).toBe(0);
  expect(cache.bundle('two#1').size).toBe(0);
});
