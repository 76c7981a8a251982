import { describe, expect, it } from 'vitest';
import type { PartRef } from '../../packages/carillon/src/store/records.ts';
import type { Bench } from './exercise-store.ts';
import { aKey, anExecution, aPart, write } from './store-fixture.ts';

const conflict = { name: 'StoreError', trouble: 'conflict' };

export function exerciseParts(bench: () => Bench): void {
  describe('parts', () => {
    const load = (need: readonly PartRef[], take: readonly PartRef[]) =>
      bench().store.transact<readonly string[]>(
        { kind: 'keys', keys: [aKey('one')] },
        {
          need: () => ({ parts: need }),
          decide: (loaded) => ({ writes: {}, result: take.map((ref) => loaded.part(ref)) }),
        },
      );

    it('hands a decision the parts it asked for', async () => {
      await write(bench().store, {
        executions: [anExecution()],
        parts: [aPart(), aPart({ name: 'notes', data: 'other' })],
      });
      const refs = [aPart({ name: 'notes' }), aPart()];
      expect(await load(refs, refs)).toEqual(['other', 'cold']);
    });

    it('refuses a part that was not asked for or is not there', async () => {
      await write(bench().store, { executions: [anExecution()], parts: [aPart()] });
      await expect(load([], [aPart()])).rejects.toThrow(/not asked for/);
      await expect(load([aPart({ stamp: 2 })], [aPart({ stamp: 2 })])).rejects.toMatchObject({
        trouble: 'corrupt',
      });
    });

    it('gives need() the executions that were selected', async () => {
      await write(bench().store, { executions: [anExecution()], parts: [aPart()] });
      const found = await bench().store.transact<string>(
        { kind: 'keys', keys: [aKey('one')] },
        {
          need: (executions) => ({ parts: executions.map(({ incarnation }) => aPart({ incarnation })) }),
          decide: (loaded) => ({ writes: {}, result: loaded.part(aPart()) }),
        },
      );
      expect(found).toBe('cold');
    });

    it('keeps a part as it was first written', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution()], parts: [aPart()] });
      await expect(write(store, { parts: [aPart({ data: 'changed' })] })).rejects.toMatchObject(conflict);
      expect((await store.parts({ refs: [aPart()] }))[0]?.data).toBe('cold');
    });

    it('keeps the history of a part, oldest first, until a stamp is dropped', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution()], parts: [aPart({ stamp: 10 }), aPart({ stamp: 2 })] });
      await write(store, { parts: [aPart({ stamp: 11, data: 'new' }), aPart({ name: 'other', stamp: 1 })] });
      const stamps = async () =>
        (await store.parts({ incarnation: 'one#1', name: 'spec' })).map((part) => part.stamp);
      expect(await stamps()).toEqual([2, 10, 11]);
      await write(store, { dropParts: [aPart({ stamp: 10 }), aPart({ stamp: 99 })] });
      expect(await stamps()).toEqual([2, 11]);
      expect(await store.parts({ refs: [aPart({ stamp: 10 }), aPart({ stamp: 11 })] })).toEqual([
        aPart({ stamp: 11, data: 'new' }),
      ]);
    });

    it('replaces parts by others of the same name in one commit, beside parts that only come or only go', async () => {
      const { store } = bench();
      const notes = aPart({ name: 'notes', stamp: 1 });
      const gone = aPart({ name: 'gone', stamp: 1 });
      await write(store, { executions: [anExecution()], parts: [aPart({ stamp: 1 }), notes, gone] });
      const parts = [aPart({ stamp: 2, data: 'new' }), aPart({ name: 'fresh' }), { ...notes, stamp: 2 }];
      await write(store, { dropParts: [aPart({ stamp: 1 }), gone, notes, aPart({ stamp: 77 })], parts });
      const stored = await store.parts({ refs: [...parts, aPart({ stamp: 1 }), notes, gone] });
      expect(stored).toHaveLength(3);
      expect(stored).toEqual(expect.arrayContaining(parts));
    });

    it('refuses to replace a part under a stamp that exists', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution()], parts: [aPart({ stamp: 1 }), aPart({ stamp: 2 })] });
      const again = { dropParts: [aPart({ stamp: 1 })], parts: [aPart({ stamp: 2, data: 'other' })] };
      await expect(write(store, again)).rejects.toMatchObject(conflict);
      expect(await store.parts({ incarnation: 'one#1', name: 'spec' })).toHaveLength(2);
    });

    it('refuses a part of an execution that is not there', async () => {
      const { store } = bench();
      await expect(write(store, { parts: [aPart()] })).rejects.toMatchObject(conflict);
    });
  });
}
