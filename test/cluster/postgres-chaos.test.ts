/** Nodes on one PostgreSQL: killed, frozen, with wrong clocks, and the database restarted under them. */
import { expect, test } from 'vitest';
import { startOwnPostgres } from '../support/postgres-server.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { isFull, weather } from './chaos-report.ts';

const size = isFull
  ? { nodes: 4, schedules: 1000, seconds: 60, killEverySeconds: 5 }
  : { nodes: 3, schedules: 100, seconds: 20, killEverySeconds: 4 };

await describePostgres('a cluster on PostgreSQL', () => {
  test('loses no slot and starts none twice', async () => {
    const server = await startOwnPostgres();
    if ('missing' in server) throw new Error(server.missing);
    expect(server.isOurs, 'the database is restarted in this test, so it must be our own').toBe(true);
    try {
      await weather('chaos on PostgreSQL', {
        ...size,
        url: server.url,
        seed: Math.floor(performance.timeOrigin) >>> 0,
        restartStore: () => server.restart('immediate'),
        freezeSeconds: isFull ? 25 : 6,
        skews: [0, 180_000, -120_000, 0],
      });
    } finally {
      await server.stop();
    }
  });
});
