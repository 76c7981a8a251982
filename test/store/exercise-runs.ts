import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { StoreError } from '../../packages/carillon/src/store/error.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';
import type { RunQuery } from '../../packages/carillon/src/store/store.ts';
import type { Bench } from './exercise-store.ts';
import { anExecution, aRun, cursor, everyPage, look, nextOf, write } from './store-fixture.ts';

const conflict = { name: 'StoreError', trouble: 'conflict' };

export function exerciseRuns(bench: () => Bench): void {
  describe('runs', () => {
    const claimable = async (queues: readonly string[], limit = 99) =>
      (await look(bench().store, { kind: 'claimable', queues, limit })).runs.map((run) => run.id);

    it('reads back every column', async () => {
      const { store } = bench();
      const run = aRun({
        alias: 'nightly-1',
        owner: 'one#1',
        priority: -3,
        state: 'done',
        outcome: 'timedOut',
        attempt: 4,
        checkAt: instant(3),
        startedAt: instant(4),
        finishedAt: instant(5),
        worker: 'w1',
        leaseToken: 't1',
        cancel: 'terminate',
        options: '{"a":1}',
        input: '[1,2]',
        progress: '0.5',
        result: '"ok"',
      });
      await write(store, { newRuns: [run] });
      expect((await store.runs({ ids: [run.id], limit: 9 })).items).toEqual([run]);
      expect((await look(store, { kind: 'runs', ids: [run.id, 'absent', run.id] })).runs).toEqual([run]);
    });

    it('leaves out what may be large when it is asked to, and keeps why a run failed', async () => {
      const { store } = bench();
      const full = { input: '[1]', progress: '0.5', result: '"r"', options: '{"a":1}' };
      const done = aRun({ id: 'a', ...full, state: 'done', outcome: 'completed', finishedAt: instant(5) });
      const failed = aRun({ id: 'b', ...full, state: 'done', outcome: 'failed', finishedAt: instant(5) });
      const waiting = aRun({ id: 'c', ...full, result: null });
      await write(store, { newRuns: [done, failed, waiting] });
      const { items } = await store.runs({ payloads: false, order: 'ascending', limit: 9 });
      const light = { input: 'null', progress: null };
      expect(items).toEqual([
        { ...done, ...light, result: null },
        { ...failed, ...light },
        { ...waiting, ...light },
      ]);
      expect((await store.runs({ order: 'ascending', limit: 9 })).items).toEqual([done, failed, waiting]);
    });

    it('finds runs by another name that they may share', async () => {
      const { store } = bench();
      const twin = (id: string, alias: string | null, namespace = 'default') =>
        aRun({ id, alias, namespace });
      await write(store, {
        newRuns: [twin('a', 'x'), twin('b', 'y'), twin('c', 'x'), twin('d', null), twin('e', 'x', 'other')],
      });
      const found = async (query: Omit<RunQuery, 'limit'>) =>
        (await store.runs({ ...query, limit: 9 })).items.map(({ id }) => id);
      expect(await found({ alias: 'x' })).toEqual(['e', 'c', 'a']);
      expect(await found({ alias: 'x', namespace: 'default', order: 'ascending' })).toEqual(['a', 'c']);
      expect(await found({ alias: 'none' })).toEqual([]);
      await write(store, { runs: [aRun({ id: 'c', alias: 'x', state: 'done', finishedAt: instant(10) })] });
      expect(await found({ alias: 'x', states: ['done'] })).toEqual(['c']);
      await store.sweep({ limit: 99, runsFinishedBefore: instant(1000) });
      expect(await found({ alias: 'x' })).toEqual(['e', 'a']);
    });

    it('removes finished runs one by one, and what was known of them', async () => {
      const { store } = bench();
      const done = { state: 'done', outcome: 'completed', finishedAt: instant(5), owner: 'one#1' } as const;
      const alias = 'nightly';
      await write(store, {
        executions: [anExecution()],
        newRuns: [
          aRun({ id: 'a', ...done, ordinal: 1, alias }),
          aRun({ id: 'b', ...done, ordinal: 2, alias }),
          aRun({ id: 'c', owner: 'one#1', ordinal: 3, alias, exclusive: true }),
        ],
        logs: ['a', 'b'].map((runId) => ({
          runId,
          attempt: 1,
          lease: 'l',
          place: 0,
          at: instant(1),
          text: 'x',
        })),
      });
      const found = async (query: Omit<RunQuery, 'limit'>) =>
        (await store.runs({ ...query, order: 'ascending', limit: 9 })).items.map(({ id }) => id);
      await write(store, { removeRuns: ['a', 'never-there'] });
      expect(await found({})).toEqual(['b', 'c']);
      expect(await found({ alias })).toEqual(['b', 'c']);
      expect(await found({ owner: 'one#1' })).toEqual(['b', 'c']);
      expect((await look(store, { kind: 'runs', ids: ['a', 'b'] })).runs.map(({ id }) => id)).toEqual(['b']);
      expect((await store.logs({ runId: 'a', limit: 9 })).items).toEqual([]);
      expect((await store.logs({ runId: 'b', limit: 9 })).items).toHaveLength(1);
      await write(store, { removeRuns: ['a'] });
      await write(store, { newRuns: [aRun({ id: 'a' })] });
      expect(await found({})).toEqual(['a', 'b', 'c']);
      expect(await store.sweep({ limit: 9, runsFinishedBefore: instant(50) })).toEqual({
        rows: 1,
        next: null,
      });
      expect(await found({})).toEqual(['a', 'c']);
    });

    it('does not remove a run that has not finished, nor anything else in that commit', async () => {
      const { store } = bench();
      const done = { state: 'done', outcome: 'completed', finishedAt: instant(5) } as const;
      for (const state of ['waiting', 'leased'] as const) {
        const [kept, open] = [aRun({ id: `${state}-kept`, ...done }), aRun({ id: `${state}-open`, state })];
        await write(store, { newRuns: [kept, open] });
        await expect(write(store, { removeRuns: [kept.id, open.id] })).rejects.toMatchObject(conflict);
        const { items } = await store.runs({ ids: [kept.id, open.id], order: 'ascending', limit: 9 });
        expect(items).toEqual([kept, open]);
      }
    });

    it('names every id and exclusive alias that is in the way of new runs, and writes nothing', async () => {
      const { store } = bench();
      const done = { state: 'done', outcome: 'completed', finishedAt: instant(5) } as const;
      const exclusive = (id: string, alias: string, more: Partial<RunRow> = {}) =>
        aRun({ id, alias, exclusive: true, ...more });
      await write(store, {
        newRuns: [
          aRun({ id: 'open' }),
          aRun({ id: 'over', ...done }),
          exclusive('a', 'x'),
          exclusive('b', 'y', done),
          exclusive('c', 'x', { namespace: 'other' }),
          aRun({ id: 'd', alias: 'z' }),
        ],
      });
      const refused = write(store, {
        newRuns: [
          aRun({ id: 'fresh' }),
          aRun({ id: 'open' }),
          aRun({ id: 'over' }),
          exclusive('e', 'x'),
          exclusive('f', 'y'),
          exclusive('g', 'z'),
          exclusive('h', 'x', { namespace: 'other' }),
          aRun({ id: 'i', alias: 'x' }),
        ],
      });
      const { taken } = (await refused.catch((error: unknown) => error)) as StoreError;
      await expect(refused).rejects.toMatchObject(conflict);
      const named = taken.map((name) => JSON.stringify(name)).sort();
      expect(named).toEqual(
        [
          { id: 'open', finished: false },
          { id: 'over', finished: true },
          { namespace: 'default', alias: 'x', runId: 'a' },
          { namespace: 'other', alias: 'x', runId: 'c' },
        ]
          .map((name) => JSON.stringify(name))
          .sort(),
      );
      expect((await store.runs({ ids: ['fresh', 'f', 'g', 'i'], limit: 9 })).items).toEqual([]);
      await write(store, {
        newRuns: [exclusive('f', 'y'), exclusive('g', 'z'), aRun({ id: 'i', alias: 'x' })],
      });
      expect((await store.runs({ ids: ['f', 'g', 'i'], limit: 9 })).items).toHaveLength(3);
    });

    it('frees an exclusive alias with the end of its run, also for a run of the same commit', async () => {
      const { store } = bench();
      const exclusive = (id: string, more: Partial<RunRow> = {}) =>
        aRun({ id, alias: 'x', exclusive: true, ...more });
      const done = { state: 'done', outcome: 'completed', finishedAt: instant(5) } as const;
      await write(store, { newRuns: [exclusive('a')] });
      await write(store, { newRuns: [exclusive('b')], runs: [exclusive('a', done)] });
      await write(store, { runs: [exclusive('b', done)] });
      await write(store, { newRuns: [exclusive('c')] });
      const again = write(store, { newRuns: [aRun({ id: 'c' })], runs: [exclusive('c', done)] });
      await expect(again).rejects.toMatchObject({ ...conflict, taken: [{ id: 'c', finished: true }] });
      await store.sweep({ limit: 99, runsFinishedBefore: instant(1000) });
      await write(store, { newRuns: [aRun({ id: 'a' })] });
      await expect(write(store, { newRuns: [exclusive('d')] })).rejects.toMatchObject({
        taken: [{ namespace: 'default', alias: 'x', runId: 'c' }],
      });
    });

    it('refuses new runs of one commit that are in the way of each other', async () => {
      const { store } = bench();
      const twins = ['a', 'b'].map((id) => aRun({ id, alias: 'x', exclusive: true }));
      await expect(write(store, { newRuns: twins })).rejects.toMatchObject({ ...conflict, taken: [] });
    });

    it('lets one of two commits have an exclusive alias when both come at the same moment', async () => {
      const { store } = bench();
      const started = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) =>
          write(store, { newRuns: [aRun({ id: `r${index}`, alias: 'x', exclusive: true })] }),
        ),
      );
      expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('refuses an id that exists, in the store or twice in one commit', async () => {
      const { store } = bench();
      await write(store, { newRuns: [aRun()] });
      await expect(write(store, { newRuns: [aRun({ id: 'fresh' }), aRun()] })).rejects.toMatchObject(
        conflict,
      );
      await expect(
        write(store, { newRuns: [aRun({ id: 'twice' }), aRun({ id: 'twice' })] }),
      ).rejects.toMatchObject(conflict);
      expect((await store.runs({ limit: 9 })).items.map((run) => run.id)).toEqual(['run-1']);
    });

    it('refuses to replace a run that is not there', async () => {
      await expect(write(bench().store, { runs: [aRun()] })).rejects.toMatchObject(conflict);
    });

    it('offers what is available by priority, then availability, then id', async () => {
      const { store, clock } = bench();
      const run = (id: string, priority: number, availableAt: number) =>
        aRun({ id, priority, availableAt: instant(availableAt) });
      await write(store, {
        newRuns: [
          run('f', 0, 10),
          run('e', 0, 5),
          run('d', 0, 5),
          run('c', 9, 50),
          run('b', 9, 40),
          run('later', 10, 2_000_000),
          run('a', -1, 1),
        ],
      });
      expect(await claimable(['main'])).toEqual(['b', 'c', 'd', 'e', 'f', 'a']);
      expect(await claimable(['main'], 3)).toEqual(['b', 'c', 'd']);
      clock.set(2_000_000);
      expect(await claimable(['main'], 2)).toEqual(['later', 'b']);
    });

    it('offers only the queues asked for, merged into one order', async () => {
      const { store } = bench();
      await write(store, {
        newRuns: [
          aRun({ id: 'a', queue: 'q1', priority: 1 }),
          aRun({ id: 'b', queue: 'q2', priority: 5 }),
          aRun({ id: 'c', queue: 'q1', priority: 9 }),
          aRun({ id: 'd', queue: 'q3', priority: 99 }),
        ],
      });
      expect(await claimable(['q1', 'q2', 'none', 'q1'])).toEqual(['c', 'b', 'a']);
      expect(await claimable(['q1', 'q2'], 2)).toEqual(['c', 'b']);
      expect(await claimable([])).toEqual([]);
    });

    it('offers what a worker knows behind any number of other runs, and says when the next of them is available', async () => {
      const { store } = bench();
      const others = Array.from({ length: 450 }, (_, index) =>
        aRun({ id: `other-${index}`, name: index % 2 === 0 ? 'other' : 'strange', priority: 5 }),
      );
      const later = instant(3_000_000);
      await write(store, {
        newRuns: [
          ...others,
          aRun({ id: 'foreign', name: 'mine', namespace: 'elsewhere', priority: 9 }),
          aRun({ id: 'low', name: 'mine', priority: -1 }),
          aRun({ id: 'high', name: 'mine', priority: 5, availableAt: instant(1_000_000) }),
          aRun({ id: 'later', name: 'mine', queue: 'slow', availableAt: later }),
          aRun({ id: 'any', name: 'anything', queue: 'open' }),
        ],
      });
      const { namespace } = aRun();
      const names = { main: ['mine', 'also'], slow: ['mine'] };
      const offered = async (queues: readonly string[], known: object, limit = 99) =>
        (await look(store, { kind: 'claimable', queues, limit, known })).runs.map((run) => run.id);
      expect(await offered(['main'], { namespace, names })).toEqual(['high', 'low']);
      expect(await offered(['main'], { namespace, names }, 1)).toEqual(['high']);
      expect(await offered(['main'], { names })).toEqual(['foreign', 'high', 'low']);
      expect(await offered(['main'], { namespace: 'elsewhere' })).toEqual(['foreign']);
      expect(await offered(['main', 'open'], { namespace, names })).toEqual(['high', 'any', 'low']);
      expect(await offered(['main'], { names: { main: [] } })).toEqual([]);
      expect(await offered(['main'], { names: { other: ['x'] } })).toHaveLength(99);
      const next = async (queues: readonly string[], known: object) =>
        (await store.wakeTimes({ archetypes: [], queues, known })).claimable;
      expect(await next(['slow', 'main'], { namespace, names: { ...names, main: ['none'] } })).toBe(later);
      expect(await next(['main'], { namespace: 'nowhere' })).toBe(null);
      expect(await next(['main'], { namespace: 'elsewhere', names })).not.toBe(null);
    });

    it('stops offering a run that was leased or finished, and offers it again when it waits again', async () => {
      const { store } = bench();
      await write(store, { newRuns: [aRun()] });
      const claim = () =>
        store.transact<readonly RunRow[]>(
          { kind: 'claimable', queues: ['main'], limit: 1 },
          {
            decide: ({ runs }) => ({
              writes: { runs: runs.map((run) => ({ ...run, state: 'leased', attempt: run.attempt + 1 })) },
              result: runs,
            }),
          },
        );
      expect(await claim()).toHaveLength(1);
      expect(await claim()).toHaveLength(0);
      const [leased] = (await store.runs({ ids: ['run-1'], limit: 1 })).items;
      expect(leased).toMatchObject({ state: 'leased', attempt: 1 });
      await write(store, { runs: [aRun({ attempt: 1, availableAt: instant(3_000_000) })] });
      expect(await claim()).toHaveLength(0);
      expect((await store.wakeTimes({ queues: ['main'] })).claimable).toBe(3_000_000);
      await write(store, { runs: [aRun({ state: 'done', outcome: 'completed', finishedAt: instant(1) })] });
      expect((await store.wakeTimes({ queues: ['main'] })).claimable).toBe(null);
    });

    it('hands out lapsed runs with the executions that own them', async () => {
      const { store, clock } = bench();
      await write(store, {
        executions: [anExecution(), anExecution({ id: 'two' })],
        newRuns: [
          aRun({ id: 'r1', owner: 'one#1', state: 'leased', checkAt: instant(2_000_020) }),
          aRun({ id: 'r2', owner: 'one#1', state: 'waiting', checkAt: instant(2_000_010) }),
          aRun({ id: 'r3', owner: 'gone', state: 'leased', checkAt: instant(2_000_030) }),
          aRun({ id: 'r4', owner: 'two#1', state: 'done', checkAt: instant(1) }),
          aRun({ id: 'r5', owner: null, state: 'leased', checkAt: null }),
          aRun({ id: 'r6', owner: null, state: 'leased', checkAt: instant(2_000_040) }),
        ],
      });
      const lapsed = () => look(store, { kind: 'lapsed', limit: 9 });
      expect((await lapsed()).runs).toEqual([]);
      expect((await store.wakeTimes({})).lapsed).toBe(2_000_010);
      clock.set(2_000_030);
      const { runs, executions } = await lapsed();
      expect(runs.map((run) => run.id)).toEqual(['r2', 'r1', 'r3']);
      expect(executions.map((row) => row.incarnation)).toEqual(['one#1']);
      expect((await look(store, { kind: 'lapsed', limit: 1 })).runs.map((run) => run.id)).toEqual(['r2']);
    });

    it('loads runs by id with their owners, and commits both together', async () => {
      const { store } = bench();
      await write(store, {
        executions: [anExecution()],
        newRuns: [aRun({ owner: 'one#1', state: 'leased' }), aRun({ id: 'free', state: 'leased' })],
      });
      const { runs, executions } = await look(store, { kind: 'runs', ids: ['free', 'run-1'] });
      expect(runs.map((run) => run.id)).toEqual(['free', 'run-1']);
      expect(executions.map((row) => row.incarnation)).toEqual(['one#1']);
      await store.transact(
        { kind: 'runs', ids: ['run-1'] },
        {
          decide: (loaded) => ({
            writes: {
              runs: loaded.runs.map((run) => ({ ...run, state: 'done', outcome: 'completed' })),
              executions: loaded.executions.map((row) => ({
                ...row,
                version: row.version + 1,
                state: 'told',
              })),
            },
            result: undefined,
          }),
        },
      );
      expect((await store.read({ incarnations: ['one#1'] }))[0]).toMatchObject({ version: 2, state: 'told' });
      expect((await store.runs({ states: ['done'], limit: 9 })).items).toHaveLength(1);
    });

    it('loads for a step runs, their owners and what is due, each row once, and commits all together', async () => {
      const { store, clock } = bench();
      const now = clock.now();
      const due = (id: string, at: number) => anExecution({ id, wakeAt: instant(at) });
      await write(store, {
        executions: [
          due('both', now - 5),
          anExecution({ id: 'owner' }),
          due('due', now - 9),
          due('later', now + 9),
          due('second', now - 1),
        ],
        newRuns: [
          aRun({ id: 'a', owner: 'both#1', state: 'leased' }),
          aRun({ id: 'b', owner: 'owner#1', state: 'leased' }),
          aRun({ id: 'c', owner: 'owner#1', state: 'leased' }),
          aRun({ id: 'free', state: 'leased' }),
        ],
      });
      const step = { kind: 'step', runs: ['c', 'free', 'absent', 'a', 'b', 'c'] } as const;
      const { runs, executions } = await look(store, { ...step, due: { kind: 'due', limit: 9 } });
      expect(runs.map((run) => run.id)).toEqual(['c', 'free', 'a', 'b']);
      expect(executions.map((row) => row.incarnation).sort()).toEqual([
        'both#1',
        'due#1',
        'owner#1',
        'second#1',
      ]);
      const one = await look(store, { ...step, runs: ['b'], due: { kind: 'due', limit: 1 } });
      expect(one.executions.map((row) => row.incarnation).sort()).toEqual(['due#1', 'owner#1']);
      await store.transact(
        { ...step, due: { kind: 'due', limit: 9, archetypes: ['thing'] } },
        {
          decide: (loaded) => ({
            writes: {
              runs: loaded.runs.map((run) => ({ ...run, state: 'done', outcome: 'completed' })),
              executions: loaded.executions.map((row) => nextOf(row, { state: 'told', wakeAt: null })),
            },
            result: undefined,
          }),
        },
      );
      const after = await store.read({ incarnations: ['both#1', 'owner#1', 'due#1', 'second#1', 'later#1'] });
      expect(after.map((row) => row.version)).toEqual([2, 2, 2, 2, 1]);
      expect((await store.runs({ states: ['done'], limit: 9 })).items).toHaveLength(4);
      expect((await look(store, { kind: 'due', limit: 9 })).executions).toEqual([]);
    });

    it('loads what a holder has leased, the owners, and the row that bears its name', async () => {
      const { store } = bench();
      const held = (id: string, fields: Partial<RunRow> = {}) =>
        aRun({ id, state: 'leased', worker: 'node/1', leaseToken: `t-${id}`, ...fields });
      await write(store, {
        executions: [anExecution({ id: 'owner' }), anExecution({ id: 'node', incarnation: 'node/1' })],
        newRuns: [
          held('b', { owner: 'owner#1' }),
          held('a'),
          held('c', { worker: 'node/2' }),
          aRun({ id: 'w', worker: 'node/1' }),
        ],
      });
      const look1 = await look(store, { kind: 'held', worker: 'node/1', limit: 9 });
      expect(look1.runs.map(({ id }) => id)).toEqual(['a', 'b']);
      expect(look1.executions.map(({ incarnation }) => incarnation).sort()).toEqual(['node/1', 'owner#1']);
      const one = await look(store, { kind: 'held', worker: 'node/1', limit: 1 });
      expect(one.runs.map(({ id }) => id)).toEqual(['a']);
      await write(store, { runs: [held('a', { state: 'done', worker: '', finishedAt: instant(5) })] });
      await write(store, { runs: [held('b', { owner: 'owner#1', worker: 'node/2' })] });
      expect((await look(store, { kind: 'held', worker: 'node/1', limit: 9 })).runs).toEqual([]);
      const two = await look(store, { kind: 'held', worker: 'node/2', limit: 9 });
      expect(two.runs.map(({ id }) => id)).toEqual(['b', 'c']);
      expect(two.executions.map(({ incarnation }) => incarnation)).toEqual(['owner#1']);
      expect(
        (await store.runs({ states: ['leased', 'waiting'], limit: 9 })).items.map(({ id }) => id),
      ).toEqual(['w', 'c', 'b']);
    });

    it('loads an execution with its unfinished runs, newest start first, up to one of them', async () => {
      const { store } = bench();
      const owned = (id: string, ordinal: number, fields: Partial<RunRow> = {}) =>
        aRun({ id, ordinal, owner: 'one#1', ...fields });
      await write(store, {
        executions: [anExecution(), anExecution({ id: 'two' })],
        newRuns: [
          owned('z', 0),
          owned('y', 1, { state: 'done', finishedAt: instant(5) }),
          owned('a', 2, { state: 'leased' }),
          owned('m', 3),
          owned('other', 4, { owner: 'two#1' }),
        ],
      });
      const ids = async (limit: number, upTo?: number) => {
        const which = { kind: 'owned', incarnation: 'one#1', limit } as const;
        const { runs, executions } = await look(store, upTo === undefined ? which : { ...which, upTo });
        expect(executions.map(({ incarnation }) => incarnation)).toEqual(['one#1']);
        return runs.map(({ id }) => id);
      };
      expect(await ids(9)).toEqual(['m', 'a', 'z']);
      expect(await ids(9, 2)).toEqual(['a', 'z']);
      expect(await ids(1, 1)).toEqual(['z']);
      await write(store, { runs: [owned('m', 3, { state: 'done', finishedAt: instant(6) })] });
      expect(await ids(9)).toEqual(['a', 'z']);
    });

    it('lists the runs of one owner in the order of their starts, whatever their ids', async () => {
      const { store } = bench();
      const ids = ['q', 'b', 'x', 'a', 'k'];
      await write(store, {
        newRuns: [...ids.map((id, ordinal) => aRun({ id, ordinal, owner: 'one#1' })), aRun({ id: 'c' })],
      });
      for (const limit of [1, 2, 9]) {
        const { items } = await everyPage((after) => store.runs({ owner: 'one#1', limit, ...cursor(after) }));
        expect(items.map(({ id }) => id)).toEqual([...ids].reverse());
      }
      const up = await store.runs({ owner: 'one#1', order: 'ascending', limit: 9 });
      expect(up.items.map(({ id }) => id)).toEqual(ids);
    });

    it('keeps runs of a removed execution', async () => {
      const { store } = bench();
      await write(store, { executions: [anExecution()], newRuns: [aRun({ owner: 'one#1' })] });
      await write(store, { remove: ['one#1'] });
      expect((await store.runs({ owner: 'one#1', limit: 9 })).items).toHaveLength(1);
    });

    it('finds runs by every condition, in both orders and any page size, as a plain search would', async () => {
      const { store } = bench();
      const random = new SeededRandom(5);
      const rows = Array.from({ length: 80 }, (_, i) => {
        const state = random.pick(['waiting', 'leased', 'done'] as const);
        const owner = random.pick([null, 'o1', 'o2']);
        return aRun({
          id: `run-${String(random.integer(0, 999)).padStart(3, '0')}-${i}`,
          namespace: random.pick(['n1', 'n2']),
          owner,
          ordinal: owner === null ? null : i,
          queue: random.pick(['q1', 'q2']),
          name: random.pick(['a', 'b']),
          state,
          outcome: state === 'done' ? random.pick(['completed', 'failed'] as const) : null,
        });
      });
      await write(store, { newRuns: rows });
      const queries: Omit<RunQuery, 'limit' | 'after'>[] = [
        {},
        { namespace: 'n1' },
        { owner: 'o1' },
        { owner: 'absent' },
        { owner: 'o2', states: ['done', 'leased'] },
        { queue: 'q2', name: 'b' },
        { states: [] },
        { outcomes: ['failed'] },
        { ids: rows.slice(3, 9).map((run) => run.id), namespace: 'n2' },
        { ids: [] },
      ];
      for (const query of queries) {
        for (const order of ['ascending', 'descending', undefined] as const) {
          const expected = rows
            .filter(
              (run) =>
                (query.ids === undefined || query.ids.includes(run.id)) &&
                (query.namespace === undefined || run.namespace === query.namespace) &&
                (query.owner === undefined || run.owner === query.owner) &&
                (query.queue === undefined || run.queue === query.queue) &&
                (query.name === undefined || run.name === query.name) &&
                (query.states === undefined || query.states.includes(run.state)) &&
                (query.outcomes === undefined || query.outcomes.some((outcome) => outcome === run.outcome)),
            )
            .sort((a, b) => {
              if (query.owner !== undefined) return (a.ordinal ?? -1) - (b.ordinal ?? -1);
              return a.id < b.id ? -1 : 1;
            });
          if (order !== 'ascending') expected.reverse();
          for (const limit of [3, 100]) {
            const { items } = await everyPage((after) =>
              store.runs({
                ...query,
                ...(order === undefined ? {} : { order }),
                limit,
                ...cursor(after),
              }),
            );
            expect(items, JSON.stringify({ query, order, limit })).toEqual(expected);
          }
        }
      }
    });

    it('returns when the earliest run of the given queues can be claimed', async () => {
      const { store } = bench();
      await write(store, {
        newRuns: [
          aRun({ id: 'a', queue: 'q1', priority: 5, availableAt: instant(900) }),
          aRun({ id: 'b', queue: 'q1', priority: 1, availableAt: instant(300) }),
          aRun({ id: 'c', queue: 'q2', availableAt: instant(100) }),
        ],
      });
      expect(await store.wakeTimes({ queues: ['q1'] })).toMatchObject({ claimable: 300, now: 1_000_000 });
      expect((await store.wakeTimes({ queues: ['q1', 'q2'] })).claimable).toBe(100);
      expect((await store.wakeTimes({ queues: ['none'] })).claimable).toBe(null);
    });
  });
}
