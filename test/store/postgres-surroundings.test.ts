/** What stands between a node and the database it wants: a real pooler, a real standby. Both are told in words, with the fix. */
import { afterAll, expect, test } from 'vitest';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { notTested } from '../../scripts/not-tested.mjs';
import { startPooler } from '../support/pgbouncer.ts';
import { startOwnPostgres } from '../support/postgres-server.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { until } from '../support/until.ts';

await describePostgres('PostgreSQL behind something', (server) => {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  test('a PgBouncer that hands out connections per transaction is named with the two settings, and works with them', async () => {
    const pooler = await startPooler(server.adminUrl);
    if ('missing' in pooler) return notTested(`a real PgBouncer: ${pooler.missing}`);
    ends.push(pooler.stop);
    const url = pooler.urlOf(await server.newDatabase());
    const troubles: string[] = [];
    const attempt = async (settings: string) => {
      const carillon = await openCarillon({
        store: `${url}${settings}`,
        onTrouble: (error) => troubles.push(String(error)),
      });
      let runs = 0;
      carillon.handle('tick', () => {
        runs += 1;
      });
      try {
        await carillon.start();
        await carillon.schedules.upsert('tick', { every: '1s', run: 'tick' });
        await until(
          async () => runs,
          (count) => count > 1 || troubles.length > 0,
        );
      } finally {
        await carillon.stop();
      }
    };
    // Connections of the pool meet statements that another one has prepared, or miss their own.
    const refusal = await attempt('').then(
      () => troubles.join('; '),
      (error: unknown) => String(error),
    );
    expect(refusal).toContain('prepare=false and listen=false');
    troubles.length = 0;
    await attempt('?prepare=false&listen=false');
    expect(troubles).toEqual([]);
  });

  test('a standby is refused at the start with the fix, and taken when it is promoted', async () => {
    const primary = await startOwnPostgres();
    if ('missing' in primary) return notTested(`a real standby: ${primary.missing}`);
    ends.push(primary.stop);
    const url = await primary.newDatabase();
    const first = await openCarillon(url);
    await first.schedules.create('nightly', { cron: '0 2 * * *', run: 'x' });
    await first.stop();
    const standby = await primary.standby();
    if ('missing' in standby) return notTested(`a real standby: ${standby.missing}`);
    ends.push(standby.stop);
    const own = standby.urlOf(url);
    const opening = openCarillon(own).then(async (carillon) => {
      await carillon.start();
      await carillon.stop();
    });
    await expect(opening).rejects.toThrow('connect to the primary');
    await standby.promote();
    const carillon = await openCarillon(own);
    await carillon.start();
    expect((await carillon.schedules.describe('nightly')).id).toBe('nightly');
    await carillon.schedules.pause('nightly');
    await carillon.stop();
  });
});
