import { describe, expect, it } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { CommittedChange } from '../../packages/carillon/src/store/store.ts';
import type { Bench } from './exercise-store.ts';
import {
  aKey,
  anAudit,
  anExecution,
  aRun,
  aSlot,
  cursor,
  everyPage,
  nextOf,
  write,
} from './store-fixture.ts';

export function exerciseJournals(bench: () => Bench): void {
  describe('audit', () => {
    it('reads newest first, by namespace and target, page by page', async () => {
      const { store } = bench();
      const rows = Array.from({ length: 11 }, (_, i) =>
        anAudit({
          namespace: i % 3 === 0 ? 'n2' : 'n1',
          target: i % 2 === 0 ? 'thing/a' : 'thing/b',
          note: `note ${i}`,
          at: instant(i),
          before: i === 0 ? null : '{}',
        }),
      );
      for (const row of rows) await write(store, { audit: [row] });
      const newest = [...rows].reverse();
      for (const query of [
        {},
        { namespace: 'n1' },
        { namespace: 'n1', target: 'thing/a' },
        { target: 'thing/b' },
      ]) {
        const expected = newest.filter(
          (row) =>
            (query.namespace === undefined || row.namespace === query.namespace) &&
            (query.target === undefined || row.target === query.target),
        );
        const { items } = await everyPage((after) => store.audit({ ...query, limit: 2, ...cursor(after) }));
        expect(items).toEqual(expected);
      }
    });
  });

  describe('changes', () => {
    /** Listens until the commit was answered and its notification could arrive. */
    const hear = async (work: () => Promise<void>): Promise<readonly CommittedChange[]> => {
      const heard: CommittedChange[] = [];
      let wake = () => {};
      const arrived = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const leave = bench().store.subscribe((change) => {
        heard.push(change);
        wake();
      });
      await work();
      await arrived;
      leave();
      return heard;
    };

    it('reports what a commit changed', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution({ id: 'old' })],
        newRuns: [aRun({ id: 'running', state: 'leased' })],
      });
      const [change] = await hear(() =>
        write(store, {
          executions: [
            anExecution({ wakeAt: instant(500) }),
            anExecution({ id: 'two', wakeAt: instant(300) }),
            anExecution({ id: 'ill', wakeAt: instant(1), incident: 'x' }),
          ],
          newRuns: [aRun({ queue: 'q1' }), aRun({ id: 'r2', queue: 'q2', state: 'leased' })],
          runs: [aRun({ id: 'running', queue: 'q3', state: 'leased', cancel: 'cancel' })],
        }),
      );
      expect(change).toEqual({
        keys: [aKey('one'), aKey('two'), aKey('ill')],
        wakeAt: 300,
        queues: ['q1'],
        cancelledRuns: ['running'],
      });
    });

    it('reports a removed key', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution()] });
      const [change] = await hear(() => write(store, { remove: ['one#1'] }));
      expect(change).toMatchObject({ keys: [aKey('one')], wakeAt: null });
    });

    it('says nothing of refused or empty commits, and nothing after leaving', async () => {
      const { store } = bench();
      const row = anExecution();
      await write(store, { executions: [row] });
      const heard: CommittedChange[] = [];
      const leave = store.subscribe((change) => heard.push(change));
      await write(store, {});
      await write(store, { slots: [aSlot()] });
      await expect(write(store, { executions: [row] })).rejects.toThrow();
      leave();
      leave();
      const [own] = await hear(() => write(store, { executions: [nextOf(row)] }));
      expect(own?.keys).toEqual([row.key]);
      expect(heard).toEqual([]);
    });
  });
}
