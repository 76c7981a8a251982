import { describe, expect, it } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { LogRow } from '../../packages/carillon/src/store/records.ts';
import type { LogQuery } from '../../packages/carillon/src/store/store.ts';
import type { Bench } from './exercise-store.ts';
import { anExecution, aRun, everyPage, write } from './store-fixture.ts';

function aLine(fields: Partial<LogRow> = {}): LogRow {
  return { runId: 'run-1', attempt: 1, lease: 'l1', place: 0, at: instant(1000), text: 'hello', ...fields };
}

export function exerciseLogs(bench: () => Bench): void {
  describe('lines of runs', () => {
    const lines = async (query: Partial<LogQuery> = {}) =>
      (await bench().store.logs({ runId: 'run-1', limit: 99, ...query })).items;

    it('are read back in the order of attempt, lease and place, however they were written', async () => {
      const { store } = bench();
      const written = [
        aLine({ attempt: 10, lease: 'l4' }),
        aLine({ place: 10 }),
        aLine({ attempt: 2, lease: 'l2', place: 0, text: 'tab\tnewline\n"quotes" \u{1F514} é' }),
        aLine({ place: 9 }),
        aLine({ lease: 'l0', text: '' }),
        aLine({ runId: 'run-2', text: 'of another run' }),
      ];
      await write(store, { newRuns: [aRun(), aRun({ id: 'run-2' })], logs: written.slice(0, 2) });
      await write(store, { logs: written.slice(2) });
      const sorted = [4, 3, 1, 2, 0].map((index) => written[index]);
      expect(await lines()).toEqual(sorted);
      expect(await lines({ attempt: 1 })).toEqual(sorted.slice(0, 3));
      expect(await lines({ attempt: 7 })).toEqual([]);
      const paged = async (query: Omit<LogQuery, 'runId'>) => {
        const page = (after: string | undefined) =>
          store.logs({ runId: 'run-1', ...query, ...(after === undefined ? {} : { after }) });
        return (await everyPage(page)).items;
      };
      expect(await paged({ limit: 2 })).toEqual(sorted);
      expect(await paged({ attempt: 1, limit: 1 })).toEqual(sorted.slice(0, 3));
    });

    it('of an attempt are known by the last one, under its latest lease', async () => {
      const { store } = bench();
      const last = aLine({ lease: 'l2', place: 1_000_000_000, text: 'the end' });
      const other = aLine({ runId: 'run-2', attempt: 12, place: 10 });
      const logs = [aLine({ place: 2_000_000_000 }), aLine({ lease: 'l2', place: 9 }), last, other];
      const before = [aLine({ attempt: 2, lease: 'l3' }), { ...other, place: 9 }];
      await write(store, { newRuns: [aRun(), aRun({ id: 'run-2' })], logs: [...logs, ...before] });
      const found = await store.lastLines([
        { runId: 'run-1', attempt: 1 },
        { runId: 'run-1', attempt: 7 },
        { runId: 'run-2', attempt: 12 },
        { runId: 'gone', attempt: 1 },
      ]);
      expect([...found].sort((a, b) => a.attempt - b.attempt)).toEqual([last, other]);
      expect(await store.lastLines([])).toEqual([]);
    });

    it('that are written again are the same lines', async () => {
      const { store } = bench();
      await write(store, { newRuns: [aRun()], logs: [aLine()] });
      await write(store, { logs: [aLine(), aLine({ place: 1 })] });
      expect(await lines()).toEqual([aLine(), aLine({ place: 1 })]);
    });

    it('of early attempts can be dropped', async () => {
      const { store } = bench();
      const logs = [1, 2, 3, 11].map((attempt) => aLine({ attempt }));
      await write(store, { newRuns: [aRun()], logs });
      await write(store, {
        dropLogs: [{ runId: 'run-1', beforeAttempt: 3 }],
        logs: [aLine({ attempt: 12 })],
      });
      expect((await lines()).map(({ attempt }) => attempt)).toEqual([3, 11, 12]);
    });

    it('go with their run, by age and by count', async () => {
      const { store } = bench();
      const done = { state: 'done', outcome: 'completed', owner: 'one#1' } as const;
      const runs = [0, 1, 2].map((ordinal) =>
        aRun({ ...done, id: `r${ordinal}`, ordinal, finishedAt: instant(100 * (ordinal + 1)) }),
      );
      const logs = runs.map(({ id }) => aLine({ runId: id }));
      await write(store, { executions: [anExecution()], newRuns: runs, logs });
      const left = async () => {
        const pages = await Promise.all(runs.map(({ id }) => store.logs({ runId: id, limit: 9 })));
        return pages.map(({ items }) => items.length);
      };
      await store.sweep({ limit: 99, runsFinishedBefore: instant(150) });
      expect(await left()).toEqual([0, 1, 1]);
      await store.sweep({ limit: 99, runsPerOwner: 1 });
      expect(await left()).toEqual([0, 0, 1]);
    });

    it('are committed with the rest of a transaction or not at all', async () => {
      const { store } = bench();
      await write(store, { newRuns: [aRun()] });
      await expect(write(store, { newRuns: [aRun()], logs: [aLine()] })).rejects.toMatchObject({
        trouble: 'conflict',
      });
      expect(await lines()).toEqual([]);
    });
  });
}
