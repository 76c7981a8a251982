/** What waits in workflows on hosts, in a bounded number of series. */
import { expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { HostLevels } from '../../packages/carillon/src/service/hosts/host-reads.ts';
import { hostLevelFamilies, readHostLevels } from '../../packages/server/src/server/metrics/host-levels.ts';

const host = (id: string, pending: number, oldest: number | null, blocked = false): HostLevels => ({
  namespace: 'default',
  id,
  blocked,
  topics: [{ name: 'mail', pending, oldestAt: oldest === null ? null : instant(oldest) }],
});

async function samples(hosts: readonly HostLevels[], most: number) {
  const source = {
    levels: async function* () {
      yield* hosts;
    },
  };
  const families = hostLevelFamilies(await readHostLevels(source, most), instant(10_000));
  return families.map((family) => family.samples.map(({ labels, value }) => [labels.workflow, value]));
}

test('a workflow has its state, its pending events and the age of the oldest', async () => {
  expect(await samples([host('a', 3, 4000, true), host('b', 0, null)], 5)).toEqual([
    [
      ['a', 1],
      ['b', 0],
    ],
    [
      ['a', 3],
      ['b', 0],
    ],
    [
      ['a', 6],
      ['b', 0],
    ],
  ]);
});

test('workflows beyond the bound are counted together, so that sums stay true', async () => {
  const hosts = [host('a', 1, 9000), host('b', 2, 8000, true), host('c', 4, 2000, true), host('d', 0, null)];
  expect(await samples(hosts, 1)).toEqual([
    [
      ['a', 0],
      ['other', 2],
    ],
    [
      ['a', 1],
      ['other', 6],
    ],
    [
      ['a', 1],
      ['other', 8],
    ],
  ]);
});

test('before the first survey the families are there, without series', () => {
  expect(hostLevelFamilies(undefined, undefined).map((family) => family.samples)).toEqual([[], [], []]);
});
