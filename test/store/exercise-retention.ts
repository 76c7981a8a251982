import { describe, expect, it } from 'vitest';
import { instant } from '../../src/base/time.ts';
import type { Retention } from '../../src/store/store.ts';
import type { Bench } from './exercise-store.ts';
import { anAudit, anEvent, anExecution, aPart, aRun, aSlot, write } from './store-fixture.ts';

export function exerciseRetention(bench: () => Bench): void {
  describe('retention', () => {
    /** Sweeps until nothing goes; returns what each call took. */
    const sweepAll = async (retention: Retention): Promise<readonly number[]> => {
      const taken: number[] = [];
      for (;;) {
        const count = await bench().store.sweep(retention);
        if (count === 0) return taken;
        taken.push(count);
      }
    };

    it('forgets closed executions with their parts and slots, and nothing that is open or younger', async () => {
      const { store } = bench();
      const closed = (id: string, closedAt: number) =>
        anExecution({ id, status: 'closed', closedAt: instant(closedAt) });
      await write(store, {
        executions: [closed('a', 10), closed('b', 20), closed('young', 100), anExecution({ id: 'open' })],
        parts: [aPart({ incarnation: 'a#1' })],
        slots: [1, 2, 3, 4, 5].map((n) => aSlot({ incarnation: 'a#1', nominal: instant(n) })),
      });
      const taken = await sweepAll({ limit: 2, closedBefore: instant(100) });
      expect(Math.max(...taken)).toBeLessThanOrEqual(4);
      expect((await store.list({ limit: 9 })).items.map((row) => row.key.id)).toEqual(['open', 'young']);
      expect(await store.parts({ incarnation: 'a#1', name: 'spec' })).toEqual([]);
      expect((await store.slots({ incarnation: 'a#1', limit: 9 })).items).toEqual([]);
    });

    it('forgets slots by the time of their verdict', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution(), anExecution({ id: 'two' })],
        slots: [
          ...[1, 2, 3, 4].map((n) => aSlot({ nominal: instant(n) })),
          aSlot({ nominal: instant(2), cause: 'backfill', at: instant(900) }),
          aSlot({ nominal: instant(50), incarnation: 'two#1' }),
          aSlot({ nominal: instant(3), incarnation: 'two#1' }),
        ],
      });
      expect(await sweepAll({ limit: 2, slotsBefore: instant(50) })).toEqual([2, 2, 1]);
      const left = await Promise.all(
        ['one#1', 'two#1'].map(async (incarnation) => (await store.slots({ incarnation, limit: 9 })).items),
      );
      expect(left.flat().map((slot) => [slot.incarnation, slot.nominal, slot.cause])).toEqual([
        ['one#1', 2, 'backfill'],
        ['two#1', 50, 'auto'],
      ]);
    });

    it('forgets finished runs only', async () => {
      const { store } = bench();
      const done = (id: string, finishedAt: number) =>
        aRun({ id, state: 'done', outcome: 'completed', finishedAt: instant(finishedAt) });
      await write(store, {
        newRuns: [done('a', 1), done('b', 2), done('c', 3), done('d', 50), aRun({ id: 'e' })],
      });
      expect(await sweepAll({ limit: 2, runsFinishedBefore: instant(50) })).toEqual([2, 1]);
      expect((await store.runs({ order: 'ascending', limit: 9 })).items.map((run) => run.id)).toEqual([
        'd',
        'e',
      ]);
    });

    it('forgets events and audit by age', async () => {
      const { store } = bench();
      await write(store, {
        events: [1, 2, 3, 60].map((at) => anEvent({ at: instant(at) })),
        audit: [1, 2, 70].map((at) => anAudit({ at: instant(at) })),
      });
      const taken = await sweepAll({ limit: 2, eventsBefore: instant(50), auditBefore: instant(50) });
      expect(taken).toEqual([4, 1]);
      const events = await store.events({ topic: 'news', afterSequence: 0, limit: 9 });
      expect(events.map((event) => event.at)).toEqual([60]);
      expect((await store.audit({ limit: 9 })).items.map((row) => row.at)).toEqual([70]);
    });

    it('forgets nothing that was not asked for', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution({ status: 'closed', closedAt: instant(1) })],
        events: [anEvent()],
      });
      expect(await store.sweep({ limit: 9 })).toBe(0);
      expect(await store.count({})).toBe(1);
    });
  });
}
