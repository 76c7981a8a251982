/**
 * A store that lost acknowledged commits gives their versions to other texts. A node that made them must not run what it
 * has in memory: a definition that is not stored.
 */
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

async function openNode(url: string) {
  const carillon = await openCarillon({ store: url });
  const ran: unknown[] = [];
  carillon.handle('tell', ({ input }) => {
    ran.push(input);
  });
  await carillon.schedules.create('told', { every: '1h', run: 'tell', input: 'FIRST' });
  await carillon.start();
  await carillon.schedules.upsert('told', { every: '1h', run: 'tell', input: 'LOST' });
  await carillon.schedules.trigger('told');
  await until(() => ran.includes('LOST'));
  await carillon.schedules.describe('told');
  const triggered = async () => {
    const before = ran.length;
    await until(
      async () =>
        await carillon.schedules.trigger('told').then(
          () => true,
          () => false,
        ),
    );
    await until(() => ran.length > before);
    return ran.at(-1);
  };
  return { carillon, triggered };
}

await describePostgres('postgres after a failover that lost commits', (server) => {
  test('runs what is stored, under the same version too', async () => {
    const schema = `s_${randomBytes(6).toString('hex')}`;
    const url = new URL(server.url);
    url.searchParams.set('schema', schema);
    const { carillon, triggered } = await openNode(url.href);
    const client = new pg.Client(server.url);
    await client.connect();
    // The standby never saw LOST; after its promotion another node wrote NEW under the same version. All connections ended.
    const { rowCount } = await client.query(
      `update "${schema}".parts set data = replace(data, 'LOST', 'NEWER') where data like '%LOST%'`,
    );
    expect(rowCount).toBeGreaterThan(0);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'carillon' and pid <> pg_backend_pid()`,
    );
    expect(await triggered()).toBe('NEWER');
    const { action } = await carillon.schedules.describe('told');
    expect(JSON.stringify(action)).toContain('NEWER');
    await client.end();
    await carillon.stop();
  });
});

await describeWithRedis('redis after a failover that lost commits', (server) => {
  test('runs what is stored, under the same version too', async () => {
    const prefix = freshPrefix();
    const { carillon, triggered } = await openNode(`${server.url}?prefix=${prefix}`);
    const client = new Redis(server.url);
    let changed = 0;
    for (const key of await client.keys(`{${prefix}}:parts:*`)) {
      for (const [field, value] of Object.entries(await client.hgetall(key))) {
        if (!value.includes('LOST')) continue;
        changed++;
        await client.hset(key, field, value.replaceAll('LOST', 'NEWER'));
      }
    }
    expect(changed).toBeGreaterThan(0);
    await client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    expect(await triggered()).toBe('NEWER');
    client.disconnect();
    await carillon.stop();
  });
});
