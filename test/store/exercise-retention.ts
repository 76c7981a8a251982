import { describe, expect, it } from 'vitest';
import { addTime, instant } from '../../packages/carillon/src/base/time.ts';
import { NamespaceRetention } from '../../packages/carillon/src/runtime/namespace-retention.ts';
import { Documents, namespaceKind } from '../../packages/carillon/src/store/documents.ts';
import type { Retention, Swept } from '../../packages/carillon/src/store/store.ts';
import type { Bench } from './exercise-store.ts';
import { anAudit, anEvent, anExecution, aPart, aRun, aSlot, write } from './store-fixture.ts';

export function exerciseRetention(bench: () => Bench): void {
  describe('retention', () => {
    /** Sweeps, walking on from call to call, until a whole walk takes nothing; returns what each call took. */
    const sweepAll = async (retention: Retention): Promise<readonly number[]> => {
      const taken: number[] = [];
      for (;;) {
        const round: number[] = [];
        let after: string | null = null;
        do {
          const place: { readonly after?: string } = after === null ? {} : { after };
          const { rows, next }: Swept = await bench().store.sweep({ ...retention, ...place });
          round.push(rows);
          after = next;
        } while (after !== null);
        taken.push(...round.filter((count) => count > 0));
        if (round.every((count) => count === 0)) return taken;
      }
    };
    const ledger = async (incarnation: string) =>
      (await bench().store.slots({ incarnation, limit: 99 })).items.map((slot) => slot.nominal);
    const done = (id: string, finishedAt: number, owner: string | null = null) =>
      aRun({ id, owner, state: 'done', outcome: 'completed', finishedAt: instant(finishedAt) });

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
      await write(store, {
        newRuns: [done('a', 1), done('b', 2), done('c', 3), done('d', 50), aRun({ id: 'e' })],
      });
      expect(await sweepAll({ limit: 2, runsFinishedBefore: instant(50) })).toEqual([2, 1]);
      expect((await store.runs({ order: 'ascending', limit: 9 })).items.map((run) => run.id)).toEqual([
        'd',
        'e',
      ]);
    });

    it('forgets the finished ones among given runs', async () => {
      const { store } = bench();
      await write(store, { newRuns: [done('a', 1), done('b', 2), done('c', 3), aRun({ id: 'e' })] });
      const { rows } = await store.sweep({ limit: 9, finishedRuns: ['a', 'c', 'e', 'never'] });
      expect(rows).toBe(2);
      const { items } = await store.runs({ order: 'ascending', limit: 9 });
      expect(items.map(({ id }) => id)).toEqual(['b', 'e']);
    });

    it('keeps the runs of a namespace as long as it says, and never longer than the others', async () => {
      const { store } = bench();
      const register = async (name: string, retentionMs: number) =>
        await new Documents({ store, kind: namespaceKind, newId: () => `${name}#1` }).change(
          name,
          name,
          () => ({ retentionMs }),
          { actor: 'ana', door: 'test', action: 'createNamespace' },
        );
      await register('brief', 100);
      await register('long', 9000);
      const { now } = await store.wakeTimes({ archetypes: [] });
      const ended = (namespace: string, ago: number) =>
        aRun({
          id: `${namespace}-${ago}`,
          namespace,
          state: 'done',
          outcome: 'completed',
          finishedAt: addTime(now, -ago),
        });
      await write(store, {
        newRuns: ['brief', 'long', 'other'].flatMap((name) => [
          ended(name, 99_000),
          ended(name, 600),
          ended(name, 0),
        ]),
      });
      const retention = new NamespaceRetention(store);
      // The sweep over all namespaces comes first, as in the service.
      await store.sweep({ limit: 99, runsFinishedBefore: addTime(now, -1000) });
      expect(await retention.sweep({ now, keptMs: 1000, limit: 2 })).toBe(1);
      expect(await retention.sweep({ now, keptMs: 1000, limit: 2 })).toBe(0);
      const { items } = await store.runs({ order: 'ascending', limit: 99 });
      expect(items.map(({ id }) => id).sort()).toEqual([
        'brief-0',
        'long-0',
        'long-600',
        'other-0',
        'other-600',
      ]);
    });

    it('forgets final events by the time they became so, and audit by age', async () => {
      const { store } = bench();
      const states = ['consumed', 'skipped', 'consumed', 'consumed', 'pending', 'reserved'] as const;
      await write(store, {
        executions: [anExecution()],
        newEvents: [1, 2, 3, 60, 4, 5].map((changedAt, place) => {
          const state = states[place] as (typeof states)[number];
          const holder = state === 'pending' ? null : 'run';
          const sequence = place + 1;
          return anEvent({ id: `e${sequence}`, sequence, state, holder, changedAt: instant(changedAt) });
        }),
        audit: [1, 2, 70].map((at) => anAudit({ at: instant(at) })),
      });
      const taken = await sweepAll({ limit: 2, eventsBefore: instant(50), auditBefore: instant(50) });
      expect(taken).toEqual([4, 1]);
      const { items: events } = await store.events({ owner: 'one#1', topic: 'news', limit: 9 });
      expect(events.map(({ id, state }) => [id, state])).toEqual([
        ['e4', 'consumed'],
        ['e5', 'pending'],
        ['e6', 'reserved'],
      ]);
      expect((await store.audit({ limit: 9 })).items.map((row) => row.at)).toEqual([70]);
    });

    it('forgets nothing that was not asked for', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution({ status: 'closed', closedAt: instant(1) })],
        newEvents: [anEvent({ state: 'consumed', holder: 'run' })],
      });
      expect(await store.sweep({ limit: 9 })).toEqual({ rows: 0, next: null });
      expect(await store.count({})).toBe(1);
    });

    it('keeps the newest ledger rows of each execution, however they arrived', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution(), anExecution({ id: 'two' }), anExecution({ id: 'three' })],
        slots: [
          ...[5, 1, 4, 2, 3, 6].map((n) => aSlot({ nominal: instant(n) })),
          ...[1, 2].map((n) => aSlot({ nominal: instant(n), incarnation: 'two#1' })),
          ...[9, 8, 7, 6].map((n) => aSlot({ nominal: instant(n), incarnation: 'three#1' })),
        ],
      });
      const taken = await sweepAll({ limit: 2, slotsPerExecution: 3 });
      expect(Math.max(...taken)).toBeLessThanOrEqual(2);
      expect(await ledger('one#1')).toEqual([4, 5, 6]);
      expect(await ledger('two#1')).toEqual([1, 2]);
      expect(await ledger('three#1')).toEqual([7, 8, 9]);
    });

    it('distinguishes rows of one nominal time by their cause', async () => {
      const { store } = bench();
      const causes = ['auto', 'trigger-1', 'trigger-2', 'trigger-3'];
      await write(store, {
        executions: [anExecution()],
        slots: causes.map((cause) => aSlot({ cause, nominal: instant(7) })),
      });
      await sweepAll({ limit: 9, slotsPerExecution: 2 });
      const { items } = await store.slots({ incarnation: 'one#1', limit: 9 });
      expect(items.map((slot) => slot.cause)).toEqual(['trigger-2', 'trigger-3']);
    });

    it('keeps the newest ledger row whatever the count says', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution()],
        slots: [1, 2, 3].map((n) => aSlot({ nominal: instant(n) })),
      });
      await sweepAll({ limit: 9, slotsPerExecution: 0 });
      expect(await ledger('one#1')).toEqual([3]);
    });

    it('keeps a stretch that reaches into what stays, and takes one that ended before', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution()],
        slots: [
          aSlot({ nominal: instant(1), until: instant(4), count: 4, verdict: 'paused' }),
          aSlot({ nominal: instant(5), until: instant(50), count: 46, verdict: 'paused' }),
          ...[20, 30, 40].map((n) => aSlot({ nominal: instant(n), cause: `trigger-${n}` })),
        ],
      });
      await sweepAll({ limit: 9, slotsPerExecution: 2 });
      expect(await ledger('one#1')).toEqual([5, 30, 40]);
    });

    it('keeps the newest finished runs of each owner, and every unfinished one', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution(), anExecution({ id: 'two' })],
        newRuns: [
          aRun({ id: 'a0', owner: 'one#1' }),
          ...['a1', 'a2', 'a3', 'a4'].map((id) => done(id, 5, 'one#1')),
          aRun({ id: 'a5', owner: 'one#1', state: 'leased' }),
          ...['b1', 'b2'].map((id) => done(id, 5, 'two#1')),
          ...['c1', 'c2', 'c3'].map((id) => done(id, 5)),
        ],
      });
      const taken = await sweepAll({ limit: 1, runsPerOwner: 2 });
      expect(taken).toEqual([1, 1]);
      const left = (await store.runs({ order: 'ascending', limit: 99 })).items.map((run) => run.id);
      expect(left).toEqual(['a0', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1', 'c2', 'c3']);
      await sweepAll({ limit: 9, runsPerOwner: 0 });
      const owned = (await store.runs({ owner: 'one#1', order: 'ascending', limit: 99 })).items;
      expect(owned.map((run) => run.id)).toEqual(['a0', 'a5']);
    });

    it('keeps the newest stamps of each part, and the one in use whatever the count says', async () => {
      const { store } = bench();
      const stamps = async (name: string) =>
        (await store.parts({ incarnation: 'one#1', name })).map((part) => part.stamp);
      await write(store, {
        executions: [anExecution()],
        parts: [
          ...[1, 3, 4, 9, 12].map((stamp) => aPart({ stamp })),
          ...[2, 5].map((stamp) => aPart({ name: 'other', stamp })),
        ],
      });
      const taken = await sweepAll({ limit: 2, partsPerName: 2 });
      expect(taken).toEqual([2, 1]);
      expect(await stamps('spec')).toEqual([9, 12]);
      expect(await stamps('other')).toEqual([2, 5]);
      await sweepAll({ limit: 9, partsPerName: 0 });
      expect(await stamps('spec')).toEqual([12]);
      expect(await stamps('other')).toEqual([5]);
    });

    it('spares what is fresh, although a count would take it', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution()],
        slots: [
          aSlot({ nominal: instant(1), cause: 'backfill', at: instant(900) }),
          ...[2, 3, 4].map((n) => aSlot({ nominal: instant(n) })),
        ],
        newRuns: [done('a', 900, 'one#1'), done('b', 5, 'one#1'), done('c', 6, 'one#1')],
      });
      await sweepAll({ limit: 9, slotsPerExecution: 1, runsPerOwner: 1, countedBefore: instant(900) });
      expect(await ledger('one#1')).toEqual([1, 4]);
      const left = (await store.runs({ order: 'ascending', limit: 9 })).items.map((run) => run.id);
      expect(left).toEqual(['a', 'c']);
    });

    it('walks on from call to call over no more executions than the limit', async () => {
      const { store } = bench();
      const ids = Array.from({ length: 7 }, (_, n) => `e${n}`);
      await write(store, {
        executions: ids.map((id) => anExecution({ id })),
        slots: ids.flatMap((id) => [1, 2].map((n) => aSlot({ incarnation: `${id}#1`, nominal: instant(n) }))),
      });
      const retention = { limit: 3, slotsPerExecution: 1 };
      const taken: number[] = [];
      let after: string | null = null;
      do {
        const place: { readonly after?: string } = after === null ? {} : { after };
        const { rows, next }: Swept = await store.sweep({ ...retention, ...place });
        taken.push(rows);
        after = next;
      } while (after !== null && taken.length < 20);
      expect(taken.reduce((sum, rows) => sum + rows, 0)).toBe(7);
      expect(taken.length).toBeGreaterThanOrEqual(3);
      expect(Math.max(...taken)).toBeLessThanOrEqual(3);
      for (const id of ids) expect(await ledger(`${id}#1`)).toEqual([2]);
    });

    it('continues where it was although the execution there was removed', async () => {
      const { store } = bench();
      const ids = ['a', 'b', 'c', 'd'];
      await write(store, {
        executions: ids.map((id) => anExecution({ id })),
        slots: ids.flatMap((id) => [1, 2].map((n) => aSlot({ incarnation: `${id}#1`, nominal: instant(n) }))),
      });
      const { next } = await store.sweep({ limit: 2, slotsPerExecution: 1 });
      expect(next).not.toBeNull();
      await write(store, { remove: ['b#1', 'c#1'] });
      await store.sweep({ limit: 9, slotsPerExecution: 1, after: next ?? '' });
      expect(await ledger('d#1')).toEqual([2]);
    });

    it('takes rows written between two calls into account', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution()],
        slots: [1, 2, 3].map((n) => aSlot({ nominal: instant(n) })),
      });
      await sweepAll({ limit: 9, slotsPerExecution: 2 });
      await write(store, { slots: [aSlot({ nominal: instant(4) }), aSlot({ nominal: instant(1) })] });
      await sweepAll({ limit: 9, slotsPerExecution: 2 });
      expect(await ledger('one#1')).toEqual([3, 4]);
    });

    it('refuses a place in the walk that it did not hand out', async () => {
      await expect(
        bench().store.sweep({ limit: 1, slotsPerExecution: 1, after: 'nonsense' }),
      ).rejects.toThrow(/cursor/);
    });
  });
}
