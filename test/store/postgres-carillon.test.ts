/** Two whole nodes on one PostgreSQL. */

import { expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { until } from '../support/until.ts';

await describePostgres('carillon on postgres', (server) => {
  test('two nodes start each slot once, and the one that is left goes on when the other stops', async () => {
    const url = await server.newDatabase();
    const started: string[] = [];
    const open = async (node: string) => {
      const carillon = await openCarillon({ store: url });
      carillon.handle('work', ({ scheduledAt }) => {
        started.push(`${Number(scheduledAt)}`);
        return node;
      });
      return carillon;
    };
    const [a, b] = await Promise.all([open('a'), open('b')]);
    try {
      for (let i = 0; i < 10; i++) await a.schedules.create(`s${i}`, { every: '1s', run: 'work' });
      await Promise.all([a.start(), b.start()]);
      await until(() => started.length >= 20);
      await a.stop();
      await until(() => started.length >= 40);
    } finally {
      await a.stop();
      await b.stop();
    }
    const reader = await openCarillon({ store: url });
    try {
      for (let i = 0; i < 10; i++) {
        const key = { namespace: 'default', archetype: 'schedule', id: `s${i}` };
        const [row] = await internalsOf(reader).runtime.store.read({ keys: [key] });
        const { items: slots } = await internalsOf(reader).runtime.store.slots({
          incarnation: row?.incarnation ?? '',
          limit: 1000,
        });
        const { items: runs } = await internalsOf(reader).runtime.store.runs({
          owner: row?.incarnation ?? '',
          limit: 1000,
        });
        const nominals = slots.map((slot) => slot.nominal);
        expect(nominals).toEqual(nominals.map((_, n) => (nominals[0] as number) + 1000 * n));
        const startedRuns = slots.map((slot) => slot.runId).filter((id) => id !== null);
        expect(new Set(startedRuns).size).toBe(startedRuns.length);
        expect(runs.every((run) => run.attempt <= 1)).toBe(true);
        expect(runs).toHaveLength(startedRuns.length);
      }
    } finally {
      await reader.stop();
    }
  });
});
