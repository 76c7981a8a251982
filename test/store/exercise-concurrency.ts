import { describe, expect, it } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { Bench } from './exercise-store.ts';
import { aKey, anAudit, anExecution, aRun, nextOf, write } from './store-fixture.ts';

const unavailable = { name: 'StoreError', trouble: 'unavailable' };

export function exerciseConcurrency(bench: () => Bench): void {
  describe('concurrency', () => {
    const increment = (id: string) =>
      bench().store.transact<number>(
        { kind: 'keys', keys: [aKey(id)] },
        {
          decide: ({ executions }) => {
            const [row] = executions;
            if (row === undefined) throw new Error('absent');
            const count = Number(row.state) + 1;
            return { writes: { executions: [nextOf(row, { state: String(count) })] }, result: count };
          },
        },
      );

    it('lets two transactions on one row decide one after the other', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution({ state: '0' })] });
      expect((await Promise.all([increment('one'), increment('one')])).sort()).toEqual([1, 2]);
      expect((await store.read({ keys: [aKey('one')] }))[0]).toMatchObject({ state: '2', version: 3 });
    });

    it('makes each of many concurrent transactions happen exactly once', async () => {
      const { store } = bench();
      const ids = ['a', 'b', 'c'];
      await write(store, { executions: ids.map((id) => anExecution({ id, state: '0' })) });
      const work = Array.from({ length: 300 }, (_, i) => increment(ids[i % 3] as string));
      const results = await Promise.all(work);
      expect(new Set(results.filter((_, i) => i % 3 === 0)).size).toBe(100);
      const rows = await store.read({ keys: ids.map((id) => aKey(id)) });
      expect(rows.map((row) => [row.state, row.version])).toEqual(ids.map(() => ['100', 101]));
    });

    it('hands each due execution and each run to one of many concurrent transactions', async () => {
      const { store } = bench();
      const rows = Array.from({ length: 50 }, (_, i) => anExecution({ id: `e${i}`, wakeAt: instant(i) }));
      const runs = Array.from({ length: 50 }, (_, i) => aRun({ id: `r${i}` }));
      await write(store, { executions: rows, newRuns: runs });
      const steps = Array.from({ length: 9 }, () =>
        store.transact<readonly string[]>(
          { kind: 'due', limit: 7 },
          {
            decide: ({ executions }) => ({
              writes: { executions: executions.map((row) => nextOf(row, { wakeAt: null })) },
              result: executions.map((row) => row.incarnation),
            }),
          },
        ),
      );
      const claims = Array.from({ length: 9 }, () =>
        store.transact<readonly string[]>(
          { kind: 'claimable', queues: ['main'], limit: 7 },
          {
            decide: (loaded) => ({
              writes: { runs: loaded.runs.map((run) => ({ ...run, state: 'leased' })) },
              result: loaded.runs.map((run) => run.id),
            }),
          },
        ),
      );
      const stepped = (await Promise.all(steps)).flat();
      const claimed = (await Promise.all(claims)).flat();
      expect(new Set(stepped).size).toBe(stepped.length);
      expect(new Set(claimed).size).toBe(claimed.length);
      // A store with row locks may skip rows another transaction holds, so not all need to be taken at once.
      expect(stepped.length).toBeLessThanOrEqual(50);
      if (!store.capabilities.shared) expect([stepped.length, claimed.length]).toEqual([50, 50]);
    });

    it('isolates a decider that throws: its caller gets the error, nothing is written, the others commit', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution({ state: '0' })] });
      const results = await Promise.allSettled([
        increment('one'),
        increment('absent'),
        increment('one'),
        store.transact(
          { kind: 'keys', keys: [] },
          {
            need: () => {
              throw new RangeError('in need');
            },
            decide: () => ({ writes: { audit: [anAudit()] }, result: undefined }),
          },
        ),
        increment('one'),
      ]);
      expect(results.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual(
        [1, 'absent', 2, 'in need', 3],
      );
      expect((await store.audit({ limit: 9 })).items).toEqual([]);
    });

    it('isolates a refused commit: it leaves nothing behind, the others commit once', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution({ state: '0' })], newRuns: [aRun()] });
      const results = await Promise.allSettled([
        increment('one'),
        write(store, { audit: [anAudit()], executions: [anExecution({ id: 'two' })], newRuns: [aRun()] }),
        increment('one'),
        write(store, { executions: [anExecution({ id: 'three' })] }),
        write(store, { executions: [anExecution({ id: 'three' })] }),
      ]);
      expect(results.map((each) => each.status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
        'rejected',
      ]);
      expect((await store.read({ keys: [aKey('one')] }))[0]).toMatchObject({ state: '2', version: 3 });
      expect(await store.count({})).toBe(2);
      expect((await store.audit({ limit: 9 })).items).toEqual([]);
    });

    it('reads its own commits as soon as they are acknowledged', async () => {
      const { store } = bench();
      for (let i = 0; i < 20; i++) {
        await write(store, { executions: [anExecution({ id: `e${i}` })] });
        expect(await store.count({})).toBe(i + 1);
      }
    });
  });

  describe('lifecycle', () => {
    it('migrates again without harm', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution()] });
      await store.migrate();
      expect(await store.count({})).toBe(1);
    });

    it('finishes what was begun, then closes, twice if asked', async () => {
      const { store } = bench();
      const pending = write(store, { executions: [anExecution()] });
      await Promise.all([store.close(), store.close()]);
      await store.close();
      await expect(pending).resolves.toBeUndefined();
    });

    it('answers every call after closing with unavailable', async () => {
      const { store } = bench();
      await store.close();
      const calls = [
        () => store.migrate(),
        () => write(store, {}),
        () => store.read({ keys: [aKey('one')] }),
        () => store.parts({ incarnation: 'one#1', name: 'spec' }),
        () => store.list({ limit: 1 }),
        () => store.count({}),
        () => store.slots({ incarnation: 'one#1', limit: 1 }),
        () => store.runs({ limit: 1 }),
        () => store.events({ owner: 'one#1', topic: 'news', limit: 1 }),
        () => store.audit({ limit: 1 }),
        () => store.wakeTimes({}),
        () => store.sweep({ limit: 1 }),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject(unavailable);
    });
  });
}
