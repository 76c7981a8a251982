import { describe, expect, it } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { ExecutionWrite } from '../../packages/carillon/src/store/records.ts';
import type { Bench } from './exercise-store.ts';
import { aKey, anExecution, aPart, aSlot, look, nextOf, write } from './store-fixture.ts';

const conflict = { name: 'StoreError', trouble: 'conflict' };

export function exerciseExecutions(bench: () => Bench): void {
  describe('executions', () => {
    it('reads back every column of what was written', async () => {
      const { store } = bench();
      const row = anExecution({
        wakeAt: instant(5000),
        signals: { next: 1.5, running: -2 },
        attributes: { owner: 'ann', count: 3, urgent: true, tags: ['a', 'b'] },
      });
      await write(store, { executions: [row] });
      const [read] = await store.read({ keys: [row.key] });
      expect(read).toEqual(row);
      expect(await store.read({ incarnations: ['one#1', 'absent'] })).toEqual([row]);
    });

    it('keeps the attributes when a write leaves them out, and replaces them when it does not', async () => {
      const { store } = bench();
      const row = anExecution({ attributes: { color: 'red' } });
      await write(store, { executions: [row] });
      await write(store, { executions: [nextOf(row, { state: 'two' })] });
      expect((await store.read({ keys: [row.key] }))[0]).toMatchObject({
        version: 2,
        state: 'two',
        attributes: { color: 'red' },
      });
      await write(store, { executions: [nextOf({ ...row, version: 2 }, { attributes: { size: 1 } })] });
      expect((await store.read({ keys: [row.key] }))[0]?.attributes).toEqual({ size: 1 });
    });

    it('replaces version n − 1 and refuses every other version', async () => {
      const { store } = bench();
      const row = anExecution();
      await write(store, { executions: [row] });
      for (const version of [3, 7]) {
        await expect(write(store, { executions: [{ ...row, version }] })).rejects.toMatchObject(conflict);
      }
      await write(store, { executions: [nextOf(row)] });
      await expect(write(store, { executions: [nextOf(row)] })).rejects.toMatchObject(conflict);
      expect((await store.read({ keys: [row.key] }))[0]?.version).toBe(2);
    });

    it('refuses to replace an execution that is not there', async () => {
      const { store } = bench();
      await expect(write(store, { executions: [anExecution({ version: 2 })] })).rejects.toMatchObject(
        conflict,
      );
    });

    it('refuses a second open incarnation under a key', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution()] });
      await expect(
        write(store, { executions: [anExecution({ incarnation: 'one#2' })] }),
      ).rejects.toMatchObject(conflict);
      await expect(
        write(store, {
          executions: [
            anExecution({ id: 'two', incarnation: 'two#1' }),
            anExecution({ id: 'two', incarnation: 'two#2' }),
          ],
        }),
      ).rejects.toMatchObject(conflict);
      expect(await store.count({})).toBe(1);
    });

    it('refuses an incarnation that exists, also under another key', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution()] });
      await expect(
        write(store, { executions: [anExecution({ id: 'two', incarnation: 'one#1' })] }),
      ).rejects.toMatchObject(conflict);
    });

    it('writes nothing of a refused commit', async () => {
      const { store } = bench();
      const row = anExecution();
      await write(store, { executions: [row] });
      await expect(
        write(store, {
          executions: [nextOf(row, { state: 'lost' }), anExecution({ id: 'two' }), anExecution()],
          parts: [aPart()],
          slots: [aSlot()],
        }),
      ).rejects.toMatchObject(conflict);
      expect(await store.read({ keys: [row.key, aKey('two')] })).toEqual([row]);
      expect(await store.parts({ incarnation: 'one#1', name: 'spec' })).toEqual([]);
      expect((await store.slots({ incarnation: 'one#1', limit: 9 })).items).toEqual([]);
    });

    it('takes a new incarnation once the old one is closed, and finds the newest under the key', async () => {
      const { store } = bench();
      const row = anExecution();
      await write(store, { executions: [row] });
      const closed = nextOf(row, { status: 'closed', closedAt: instant(2000) });
      await write(store, { executions: [closed] });
      expect((await look(store, { kind: 'keys', keys: [row.key] })).executions).toMatchObject([
        { incarnation: 'one#1', status: 'closed', closedAt: 2000 },
      ]);
      // An earlier createdAt, as after a clock that was set back: newest is what was created last.
      await write(store, { executions: [anExecution({ incarnation: 'one#0', createdAt: instant(500) })] });
      expect((await look(store, { kind: 'keys', keys: [row.key] })).executions).toMatchObject([
        { incarnation: 'one#0' },
      ]);
      expect((await store.read({ keys: [row.key] }))[0]?.incarnation).toBe('one#0');
      expect((await store.read({ incarnations: ['one#1'] }))[0]?.status).toBe('closed');
      expect(await store.count({})).toBe(2);
    });

    it('closes one incarnation and opens the next in one commit, in either order of the list', async () => {
      const { store } = bench();
      const row = anExecution();
      await write(store, { executions: [row] });
      const second = anExecution({ incarnation: 'one#2' });
      await write(store, { executions: [second, nextOf(row, { status: 'closed', closedAt: instant(1) })] });
      expect((await store.read({ keys: [row.key] }))[0]?.incarnation).toBe('one#2');
    });

    it('refuses to open a closed execution again', async () => {
      const { store } = bench();
      const row = anExecution({ status: 'closed', closedAt: instant(1) });
      await write(store, { executions: [row] });
      await expect(write(store, { executions: [nextOf(row, { status: 'open' })] })).rejects.toMatchObject(
        conflict,
      );
    });

    it('removes an execution with its parts and slots, and leaves others alone', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution(), anExecution({ id: 'two', wakeAt: instant(1) })],
        parts: [aPart(), aPart({ incarnation: 'two#1' })],
        slots: [aSlot(), aSlot({ incarnation: 'two#1' })],
      });
      await write(store, { remove: ['one#1', 'absent'] });
      expect((await store.read({ keys: [aKey('one'), aKey('two')] })).map((row) => row.key.id)).toEqual([
        'two',
      ]);
      expect(await store.parts({ incarnation: 'one#1', name: 'spec' })).toEqual([]);
      expect((await store.slots({ incarnation: 'one#1', limit: 9 })).items).toEqual([]);
      expect((await store.slots({ incarnation: 'two#1', limit: 9 })).items).toHaveLength(1);
      await write(store, { executions: [anExecution({ incarnation: 'one#2' })] });
      expect(await store.count({})).toBe(2);
    });

    it('removes one incarnation and inserts another under the same key in one commit', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution()] });
      await write(store, { remove: ['one#1'], executions: [anExecution({ incarnation: 'one#2' })] });
      expect((await store.read({ keys: [aKey('one')] }))[0]?.incarnation).toBe('one#2');
    });

    it('falls back to the older incarnation when the newest is removed', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution({ status: 'closed', closedAt: instant(1) })] });
      await write(store, { executions: [anExecution({ incarnation: 'one#2' })] });
      await write(store, { remove: ['one#2'] });
      expect((await store.read({ keys: [aKey('one')] }))[0]?.incarnation).toBe('one#1');
    });
  });

  describe('due', () => {
    it('hands out what is due by the clock of the store, earliest first, up to the limit', async () => {
      const { store, clock } = bench();
      const at = [30, 10, 50, 20, 40];
      await write(store, {
        executions: at.map((wake) => anExecution({ id: `at-${wake}`, wakeAt: instant(2_000_000 + wake) })),
      });
      const ids = async (limit: number) =>
        (await look(store, { kind: 'due', limit })).executions.map((row) => row.key.id);
      expect(await ids(9)).toEqual([]);
      clock.set(2_000_030);
      expect(await ids(9)).toEqual(['at-10', 'at-20', 'at-30']);
      expect(await ids(2)).toEqual(['at-10', 'at-20']);
      expect((await look(store, { kind: 'due', limit: 1 })).now).toBe(2_000_030);
      expect((await store.wakeTimes({})).due).toBe(2_000_010);
    });

    it('never hands out what sleeps for good, is closed or is quarantined', async () => {
      const { store } = bench();
      const row = anExecution({ id: 'then-quarantined', wakeAt: instant(1) });
      await write(store, {
        executions: [
          row,
          anExecution({ id: 'asleep', wakeAt: null }),
          anExecution({ id: 'closed', wakeAt: instant(1), status: 'closed', closedAt: instant(1) }),
          anExecution({ id: 'quarantined', wakeAt: instant(1), incident: 'boom' }),
        ],
      });
      expect((await look(store, { kind: 'due', limit: 9 })).executions).toHaveLength(1);
      await write(store, { executions: [nextOf(row, { wakeAt: null, incident: 'threw' })] });
      expect((await look(store, { kind: 'due', limit: 9 })).executions).toEqual([]);
      expect(await store.wakeTimes({})).toMatchObject({ due: null });
      expect((await store.read({ keys: [row.key] }))[0]?.incident).toBe('threw');
      expect(await store.count({ quarantined: true })).toBe(2);
    });

    it('follows the wake time as it moves in both directions', async () => {
      const { store, clock } = bench();
      const row = anExecution({ wakeAt: instant(2_000_000) });
      await write(store, { executions: [row] });
      await write(store, { executions: [nextOf(row, { wakeAt: instant(3_000_000) })] });
      clock.set(2_500_000);
      expect((await look(store, { kind: 'due', limit: 9 })).executions).toEqual([]);
      await write(store, { executions: [nextOf({ ...row, version: 2 }, { wakeAt: instant(1) })] });
      expect((await look(store, { kind: 'due', limit: 9 })).executions).toMatchObject([{ version: 3 }]);
    });

    it('keeps a row due at its time while everything else of it changes', async () => {
      const { store } = bench();
      const at = instant(1);
      await write(store, { executions: [anExecution({ wakeAt: at })] });
      const changed = async (fields: Partial<ExecutionWrite>) => {
        await store.transact(
          { kind: 'keys', keys: [aKey('one')] },
          {
            decide: ({ executions }) => ({
              writes: { executions: executions.map((row) => nextOf(row, fields)) },
              result: undefined,
            }),
          },
        );
        const [row] = await store.read({ keys: [aKey('one')] });
        expect(row).toMatchObject(fields);
        return (await look(store, { kind: 'due', limit: 9 })).executions.map(({ version }) => version);
      };
      expect(await changed({ wakeAt: at, state: 'second', signals: { n: 2 } })).toEqual([2]);
      expect(await changed({ wakeAt: null, state: 'third' })).toEqual([]);
      expect(await changed({ wakeAt: null, state: 'fourth' })).toEqual([]);
      expect(await changed({ wakeAt: at, state: 'fifth' })).toEqual([5]);
      expect(await changed({ wakeAt: at, incident: 'boom' })).toEqual([]);
      expect(await changed({ wakeAt: at, incident: 'boom', state: 'seventh' })).toEqual([]);
      expect(await changed({ wakeAt: at, incident: null })).toEqual([8]);
      expect(await changed({ wakeAt: at, status: 'closed', closedAt: instant(9) })).toEqual([]);
      expect(await changed({ wakeAt: at, status: 'closed', closedAt: instant(9), state: 'last' })).toEqual(
        [],
      );
    });

    it('commits a step over many due rows at once', async () => {
      const { store } = bench();
      const rows = Array.from({ length: 300 }, (_, i) =>
        anExecution({ id: `e${i}`, wakeAt: instant(1000 + (i % 7)) }),
      );
      await write(store, { executions: rows });
      const step = () =>
        store.transact<number>(
          { kind: 'due', limit: 200 },
          {
            decide: ({ executions, now }) => ({
              writes: {
                executions: executions.map((row) => nextOf(row, { wakeAt: instant(now + 1000) })),
                slots: executions.map((row) => aSlot({ incarnation: row.incarnation })),
              },
              result: executions.length,
            }),
          },
        );
      expect([await step(), await step(), await step()]).toEqual([200, 100, 0]);
    });
  });

  describe('keys', () => {
    it('leaves absent keys out, repeats none, and keeps the order asked for', async () => {
      const { store } = bench();
      await write(store, { executions: ['a', 'b', 'c'].map((id) => anExecution({ id })) });
      const keys = ['c', 'absent', 'a', 'c'].map((id) => aKey(id));
      const { executions, runs } = await look(store, { kind: 'keys', keys });
      expect(executions.map((row) => row.key.id)).toEqual(['c', 'a']);
      expect(runs).toEqual([]);
    });

    it('distinguishes namespaces and archetypes', async () => {
      const { store } = bench();
      const keys = [aKey('x', 'n1', 'a'), aKey('x', 'n1', 'b'), aKey('x', 'n2', 'a')];
      await write(store, { executions: keys.map((key, i) => anExecution({ key, incarnation: `i${i}` })) });
      for (const [i, key] of keys.entries()) {
        expect((await store.read({ keys: [key] }))[0]?.incarnation).toBe(`i${i}`);
      }
    });

    it('keeps odd keys, texts and instants exactly', async () => {
      const { store } = bench();
      const ids = [
        '',
        ' ',
        "o'clock",
        '"',
        '\\',
        '%',
        'a\tb\nc',
        'é',
        'e\u0301',
        '日本',
        '👩‍👩‍👧',
        '\u{10ffff}',
        ':id',
        '?',
      ];
      const rows = ids.map((id, i) =>
        anExecution({
          key: aKey(id, id, id),
          incarnation: `odd-${i}`,
          state: id,
          attributes: { [`f${id}`]: id },
          createdAt: instant(-8_640_000_000_000_000 + i),
          wakeAt: instant(8_640_000_000_000_000 - i),
        }),
      );
      await write(store, { executions: rows });
      expect(await store.read({ keys: rows.map((row) => row.key) })).toEqual(rows);
      expect((await store.wakeTimes({})).due).toBe(8_640_000_000_000_000 - ids.length + 1);
    });

    it('keeps a state of a megabyte', async () => {
      const { store } = bench();
      const state = JSON.stringify({ text: 'ä🕰'.repeat(200_000) });
      await write(store, { executions: [anExecution({ state })], parts: [aPart({ data: state })] });
      expect((await store.read({ keys: [aKey('one')] }))[0]?.state).toBe(state);
      expect((await store.parts({ refs: [aPart()] }))[0]?.data).toBe(state);
    });

    it('wakes at instants before 1970', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution({ wakeAt: instant(-5000) })] });
      expect((await look(store, { kind: 'due', limit: 1 })).executions).toMatchObject([{ wakeAt: -5000 }]);
    });
  });
}
