import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { SlotRow } from '../../packages/carillon/src/store/records.ts';
import type { Bench } from './exercise-store.ts';
import { anExecution, aSlot, cursor, everyPage, write } from './store-fixture.ts';

export function exerciseSlots(bench: () => Bench): void {
  describe('slots', () => {
    const nominals = (rows: readonly SlotRow[]) => rows.map((row) => row.nominal as number);

    it('reads back every column', async () => {
      const { store } = bench();
      const slot = aSlot({
        cause: 'backfill-1',
        until: instant(9000),
        count: 9,
        verdict: 'skippedOverlap',
        at: instant(9500),
        runId: 'run-7',
        detail: '{"late":5}',
      });
      await write(store, { executions: [anExecution()], slots: [slot] });
      expect((await store.slots({ incarnation: 'one#1', limit: 9 })).items).toEqual([slot]);
    });

    it('replaces the row of the same identity and keeps other causes and times apart', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution()],
        slots: [
          aSlot({ verdict: 'buffered' }),
          aSlot({ cause: 'trigger', verdict: 'started' }),
          aSlot({ nominal: instant(2000) }),
        ],
      });
      await write(store, { slots: [aSlot({ verdict: 'startedLate', runId: 'r', detail: '{}' })] });
      const { items } = await store.slots({ incarnation: 'one#1', limit: 9 });
      expect(items.map((row) => [row.nominal, row.cause, row.verdict])).toEqual([
        [1000, 'auto', 'startedLate'],
        [1000, 'trigger', 'started'],
        [2000, 'auto', 'started'],
      ]);
    });

    it('grows a stretch and finds it at its new end', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution()], slots: [aSlot()] });
      await write(store, { slots: [aSlot({ until: instant(5000), count: 5 })] });
      const at = async (time: number) =>
        (await store.slots({ incarnation: 'one#1', from: instant(time), to: instant(time), limit: 9 })).items;
      expect(await at(5000)).toMatchObject([{ nominal: 1000, until: 5000, count: 5 }]);
      expect(await at(5001)).toEqual([]);
      await write(store, { slots: [aSlot({ until: instant(3000), count: 3 })] });
      expect(await at(4000)).toEqual([]);
    });

    it('refuses a slot of an execution that is not there', async () => {
      await expect(write(bench().store, { slots: [aSlot()] })).rejects.toMatchObject({ trouble: 'conflict' });
    });

    it('keeps the ledgers of executions apart, and has none for an unknown one', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution(), anExecution({ id: 'two' })],
        slots: [aSlot(), aSlot({ incarnation: 'two#1', nominal: instant(7) })],
      });
      expect(nominals((await store.slots({ incarnation: 'two#1', limit: 9 })).items)).toEqual([7]);
      expect(await store.slots({ incarnation: 'absent', limit: 9 })).toEqual({ items: [], next: null });
    });

    it('answers any range, cause, verdict, order and page size as a plain search would', async () => {
      const { store } = bench();
      const rows = new Map<string, SlotRow>();
      const time = fc.integer({ min: -20, max: 60 });
      const slots = fc.sample(
        fc.record({
          nominal: time,
          length: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 25 })),
          cause: fc.constantFrom('auto', 'b1', '🕰'),
          verdict: fc.constantFrom('started', 'paused', 'missed'),
        }),
        { numRuns: 120, seed: 7 },
      );
      for (const { nominal, length, cause, verdict } of slots) {
        const until = instant(nominal + length);
        rows.set(`${nominal}/${cause}`, aSlot({ nominal: instant(nominal), until, cause, verdict }));
      }
      await write(store, { executions: [anExecution()], slots: [...rows.values()] });
      const asked = fc.record(
        {
          from: time.map(instant),
          to: time.map(instant),
          cause: fc.constantFrom('auto', 'b1', 'absent'),
          verdicts: fc.subarray(['started', 'paused', 'other']),
          order: fc.constantFrom('ascending' as const, 'descending' as const),
          limit: fc.constantFrom(1, 3, 10, 1000),
        },
        { requiredKeys: ['limit'] },
      );
      for (const query of fc.sample(asked, { numRuns: 150, seed: 11 })) {
        const expected = [...rows.values()]
          .filter(
            (row) =>
              (query.from === undefined || row.until >= query.from) &&
              (query.to === undefined || row.nominal <= query.to) &&
              (query.cause === undefined || row.cause === query.cause) &&
              (query.verdicts === undefined || query.verdicts.includes(row.verdict)),
          )
          .sort((a, b) => a.nominal - b.nominal || (a.cause < b.cause ? -1 : 1));
        if (query.order === 'descending') expected.reverse();
        const { items, pages } = await everyPage((after) =>
          store.slots({ incarnation: 'one#1', ...query, ...cursor(after) }),
        );
        expect(items, JSON.stringify(query)).toEqual(expected);
        expect(pages).toBe(Math.max(1, Math.ceil(expected.length / query.limit)));
      }
    });

    it('refuses a cursor of another query', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution()] });
      await expect(store.slots({ incarnation: 'one#1', limit: 1, after: 'nonsense' })).rejects.toMatchObject({
        reason: 'BAD_CURSOR',
      });
    });
  });
}
