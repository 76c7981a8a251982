/** Group commit: which requests share a commit, and which request gets which failure. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../packages/carillon/src/store/error.ts';
import type { CommitJob } from '../../packages/carillon/src/store/sqlite/commit-queue.ts';
import { CommitQueue } from '../../packages/carillon/src/store/sqlite/commit-queue.ts';
import { Connection } from '../../packages/carillon/src/store/sqlite/connection.ts';

let connection: Connection;
let queue: CommitQueue;

beforeEach(() => {
  connection = new Connection({ path: ':memory:', durability: 'full', warn: () => {} });
  connection.exec('create table numbers (n integer primary key, filler text); create table commits (n)');
  queue = new CommitQueue(connection);
});
afterEach(() => connection.close());

interface Fate {
  readonly attempts: number;
  readonly end: 'committed' | string;
}

/** Runs jobs that were asked for at one moment; returns what became of each. */
async function runTogether(works: readonly (() => void)[], rowsEach = 1): Promise<readonly Fate[]> {
  const fates = works.map(() => ({ attempts: 0, end: 'waiting' }));
  works.forEach((work, i) => {
    const fate = fates[i] as (typeof fates)[number];
    const job: CommitJob = {
      prepare: () => {
        fate.attempts++;
      },
      write: () => {
        work();
        return rowsEach;
      },
      committed: () => {
        fate.end = 'committed';
      },
      failed: (error) => {
        fate.end = error instanceof StoreError ? error.trouble : String(error);
      },
    };
    queue.add(job);
  });
  await queue.idle();
  return fates;
}

const insert =
  (n: number, filler = '') =>
  () => {
    connection.run('insert into numbers values (?, ?)', n, filler);
  };
const stored = () => connection.all('select n from numbers order by n').map(([n]) => n);

describe('the commit queue', () => {
  it('runs what was asked for together in order, once each', async () => {
    const fates = await runTogether([insert(1), insert(2), insert(3)]);
    expect(fates).toEqual(fates.map(() => ({ attempts: 1, end: 'committed' })));
    expect(stored()).toEqual([1, 2, 3]);
  });

  it('lets later requests of a batch see what earlier ones wrote', async () => {
    let seen: unknown;
    await runTogether([
      insert(1),
      () => {
        seen = stored();
      },
    ]);
    expect(seen).toEqual([1]);
  });

  it('undoes only the refused request and runs the others again', async () => {
    const refused = () => {
      insert(7)();
      throw new StoreError('conflict', 'no');
    };
    const fates = await runTogether([insert(1), refused, insert(3), insert(1)]);
    expect(fates.map((fate) => fate.end)).toEqual(['committed', 'conflict', 'committed', 'conflict']);
    expect(stored()).toEqual([1, 3]);
  });

  it('reports an error that is not the database’s as it is', async () => {
    const fates = await runTogether([
      insert(1),
      () => {
        throw new RangeError('odd');
      },
    ]);
    expect(fates.map((fate) => fate.end)).toEqual(['committed', 'RangeError: odd']);
  });

  it('fails every caller in the batch when the disk is full, keeps nothing of it, and continues afterwards', async () => {
    await runTogether([insert(1)]);
    connection.exec('pragma max_page_count = 10');
    const fates = await runTogether([insert(2), insert(3, 'x'.repeat(100_000)), insert(4)]);
    expect(fates.map((fate) => fate.end)).toEqual(['unavailable', 'unavailable', 'unavailable']);
    expect(stored()).toEqual([1]);
    connection.exec('pragma max_page_count = 1000000');
    expect(await runTogether([insert(5)])).toMatchObject([{ end: 'committed' }]);
    expect(stored()).toEqual([1, 5]);
  });

  it('fails every caller when the commit itself fails', async () => {
    connection.exec(`
      pragma foreign_keys = on;
      create table parents (n integer primary key);
      create table children (n references parents deferrable initially deferred)`);
    const fates = await runTogether([
      insert(1),
      () => {
        connection.run('insert into children values (9)');
      },
    ]);
    // A violated deferred constraint surfaces in COMMIT only; no write may survive it.
    expect(fates.map((fate) => fate.end)).toEqual(['unavailable', 'unavailable']);
    expect(stored()).toEqual([]);
    expect(await runTogether([insert(2)])).toMatchObject([{ end: 'committed' }]);
  });

  it('splits a flood into bounded batches and answers all of it', async () => {
    const works = Array.from({ length: 1200 }, (_, n) => insert(n));
    const fates = await runTogether(works, 100);
    expect(fates.every((fate) => fate.end === 'committed' && fate.attempts === 1)).toBe(true);
    expect(stored()).toHaveLength(1200);
  });
});
