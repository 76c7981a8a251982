import { describe, expect, it } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { EventRow } from '../../packages/carillon/src/store/records.ts';
import type { EventNeed, EventQuery } from '../../packages/carillon/src/store/store.ts';
import type { Bench } from './exercise-store.ts';
import { aKey, anEvent, anExecution, aRun, cursor, everyPage, nextOf, write } from './store-fixture.ts';

const conflict = { name: 'StoreError', trouble: 'conflict' };

/** Events of one topic, in order of their ids. */
function line(count: number, fields: Partial<EventRow> = {}): readonly EventRow[] {
  return Array.from({ length: count }, (_, i) => anEvent({ id: `e${i + 1}`, sequence: i + 1, ...fields }));
}

const idsOf = (events: readonly EventRow[]) => events.map(({ id }) => id);

export function exerciseEvents(bench: () => Bench): void {
  describe('events', () => {
    const load = (needs: readonly EventNeed[], id = 'one') =>
      bench().store.transact<readonly EventRow[]>(
        { kind: 'keys', keys: [aKey(id)] },
        {
          need: () => ({ parts: [], events: needs }),
          decide: (loaded) => ({ writes: {}, result: loaded.events }),
        },
      );
    const read = async (query: Partial<EventQuery> = {}) =>
      (await bench().store.events({ owner: 'one#1', topic: 'news', limit: 99, ...query })).items;

    it('keeps every field of an event, whatever its texts are', async () => {
      const odd = anEvent({
        topic: 'a\u0001b "\'',
        id: 'é\u0001 :x',
        holder: 'run\u00011',
        state: 'reserved',
        attempt: 7,
        sequence: 900_719_925_474_099,
        changedAt: instant(5000),
        data: '{"text":"\\u0000 \u0001 ünï"}',
      });
      await write(bench().store, { executions: [anExecution()], newEvents: [odd] });
      expect(await read({ topic: odd.topic })).toEqual([odd]);
      expect(await load([{ owner: 'one#1', holder: 'run\u00011' }])).toEqual([odd]);
      expect(await load([{ owner: 'one#1', topic: odd.topic, ids: [odd.id] }])).toEqual([odd]);
    });

    it('is unique by owner, topic and id', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution(), anExecution({ id: 'two' })],
        newEvents: [anEvent(), anEvent({ topic: 'other' }), anEvent({ owner: 'two#1' })],
      });
      await expect(write(store, { newEvents: [anEvent({ sequence: 9 })] })).rejects.toMatchObject(conflict);
      await expect(
        write(store, { newEvents: [anEvent({ id: 'new' }), anEvent({ id: 'new', sequence: 3 })] }),
      ).rejects.toMatchObject(conflict);
      expect(await read()).toEqual([anEvent()]);
    });

    it('is refused without its execution, and without the event it replaces', async () => {
      const { store } = bench();
      await expect(write(store, { newEvents: [anEvent()] })).rejects.toMatchObject(conflict);
      await write(store, { executions: [anExecution()] });
      await expect(write(store, { events: [anEvent()], newRuns: [aRun()] })).rejects.toMatchObject(conflict);
      expect((await store.runs({ limit: 9 })).items).toEqual([]);
    });

    it('hands a decision what it asked for: by id, the oldest, and those of a run', async () => {
      const { store } = bench();
      const held = { state: 'reserved', holder: 'run-1' } as const;
      await write(store, {
        executions: [anExecution(), anExecution({ id: 'two' })],
        newEvents: [
          ...line(5),
          ...line(2, { topic: 'mine', ...held }),
          ...line(3, { owner: 'two#1' }),
          anEvent({ owner: 'two#1', id: 'other', sequence: 9, ...held }),
        ],
      });
      const byId = await load([{ owner: 'one#1', topic: 'news', ids: ['e4', 'none', 'e2', 'e4'] }]);
      expect(idsOf(byId).sort()).toEqual(['e2', 'e4']);
      const oldest = await load([{ owner: 'one#1', topic: 'news', oldest: 3 }]);
      expect(idsOf(oldest)).toEqual(['e1', 'e2', 'e3']);
      expect(await load([{ owner: 'one#1', topic: 'none', oldest: 3 }])).toEqual([]);
      const ofRun = await load([{ owner: 'one#1', holder: 'run-1' }]);
      expect(idsOf(ofRun).sort()).toEqual(['e1', 'e2']);
      expect(new Set(ofRun.map(({ topic, owner }) => `${owner} ${topic}`))).toEqual(new Set(['one#1 mine']));
      const all = await load([
        { owner: 'one#1', topic: 'news', oldest: 2 },
        { owner: 'one#1', topic: 'news', ids: ['e1', 'e5'] },
        { owner: 'one#1', holder: 'none' },
      ]);
      expect(idsOf(all).sort()).toEqual(['e1', 'e2', 'e5']);
    });

    it('moves an event between the lines of its states', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution()], newEvents: line(4) });
      const [e1, e2, e3] = line(4) as [EventRow, EventRow, EventRow];
      const at = { changedAt: instant(2000) };
      await write(store, {
        events: [
          { ...e1, ...at, state: 'reserved', holder: 'run-1' },
          { ...e3, ...at, state: 'skipped', data: 'why' },
        ],
      });
      expect(idsOf(await read({ states: ['pending'] }))).toEqual(['e2', 'e4']);
      expect(idsOf(await load([{ owner: 'one#1', topic: 'news', oldest: 1 }]))).toEqual(['e2']);
      await write(store, {
        events: [
          { ...e1, ...at, state: 'pending', holder: null, attempt: 2 },
          { ...e2, ...at, state: 'reserved', holder: 'run-2' },
        ],
      });
      expect(await load([{ owner: 'one#1', holder: 'run-1' }])).toEqual([]);
      expect(await load([{ owner: 'one#1', topic: 'news', oldest: 1 }])).toEqual([
        { ...e1, ...at, attempt: 2 },
      ]);
      await write(store, { events: [{ ...e2, ...at, state: 'consumed', holder: 'run-2' }] });
      expect(await load([{ owner: 'one#1', holder: 'run-2' }])).toEqual([]);
      expect((await read()).map(({ id, state }) => [id, state])).toEqual([
        ['e1', 'pending'],
        ['e2', 'consumed'],
        ['e3', 'skipped'],
        ['e4', 'pending'],
      ]);
    });

    it('lists a topic by sequence, in both directions, by states and ids, page by page', async () => {
      const { store } = bench();
      const states = ['pending', 'reserved', 'consumed', 'skipped'] as const;
      const rows = line(11).map((event, i) => {
        const state = states[i % 4] as EventRow['state'];
        return { ...event, state, holder: state === 'pending' ? null : 'run' };
      });
      await write(store, { executions: [anExecution()], newEvents: [...rows].reverse() });
      for (const query of [
        {},
        { states: ['consumed', 'pending'] },
        { ids: ['e1', 'e7', 'e3', 'none'] },
        { ids: ['e1', 'e2', 'e3'], states: ['consumed'] },
      ] as const) {
        const expected = rows.filter(
          ({ id, state }) =>
            (!('states' in query) || (query.states as readonly string[]).includes(state)) &&
            (!('ids' in query) || (query.ids as readonly string[]).includes(id)),
        );
        for (const order of ['ascending', 'descending'] as const) {
          const { items } = await everyPage((after) =>
            store.events({ owner: 'one#1', topic: 'news', ...query, order, limit: 2, ...cursor(after) }),
          );
          expect(items).toEqual(order === 'ascending' ? expected : [...expected].reverse());
        }
      }
      expect(await read({ owner: 'absent' })).toEqual([]);
    });

    it('goes with its execution', async () => {
      const { store } = bench();
      const held = { state: 'reserved', holder: 'run-1' } as const;
      await write(store, {
        executions: [anExecution(), anExecution({ id: 'old', status: 'closed', closedAt: instant(1) })],
        newEvents: [
          ...line(3),
          anEvent({ id: 'held', sequence: 9, ...held }),
          ...line(3, { owner: 'old#1' }),
        ],
      });
      await write(store, { remove: ['one#1'] });
      for (let swept = 1; swept > 0; )
        swept = (await store.sweep({ limit: 2, closedBefore: instant(9) })).rows;
      expect(await store.count({})).toBe(0);
      expect(await read({ owner: 'old#1' })).toEqual([]);
      await write(store, { executions: [anExecution()] });
      expect(await read()).toEqual([]);
      expect(await load([{ owner: 'one#1', holder: 'run-1' }])).toEqual([]);
    });

    it('is published by one of two decisions over the same row, and the other sees it', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution({ state: '0' })] });
      const publish = () =>
        store.transact<boolean>(
          { kind: 'keys', keys: [aKey('one')] },
          {
            need: () => ({ parts: [], events: [{ owner: 'one#1', topic: 'news', ids: ['e1'] }] }),
            decide: ({ executions: [row], events }) => {
              if (row === undefined || events.length > 0) return { writes: {}, result: false };
              const executions = [nextOf(row, { state: String(Number(row.state) + 1) })];
              return { writes: { executions, newEvents: [anEvent()] }, result: true };
            },
          },
        );
      const published = await Promise.all(Array.from({ length: 8 }, publish));
      expect(published.filter((isNew) => isNew)).toHaveLength(1);
      expect(await read()).toEqual([anEvent()]);
    });
  });
}
