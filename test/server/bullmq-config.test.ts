/** A server whose schedules hand jobs to BullMQ, set up by its configuration alone. */
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { readConfig } from '../../packages/server/src/server/config.ts';
import { runConfig } from '../../packages/server/src/server/run-config.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';

await describeWithRedis('a server with a Redis for BullMQ', (redis) => {
  test('hands the slots of its schedules to a queue, and knows how they ended', async () => {
    const prefix = freshPrefix();
    const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
    const worker = new Worker('mail', async ({ data }) => `sent to ${(data as { to: string }).to}`, {
      connection,
      prefix,
    });
    const server = await runConfig(
      readConfig({
        store: 'memory:',
        http: { port: 0 },
        log: { level: 'silent' },
        bullmq: { connection: redis.url, prefix },
      }),
      { write: () => {} },
    );
    try {
      const client = new CarillonClient({ url: server.url });
      await client.schedules.create('mails', { bullmq: { queue: 'mail', data: { to: 'ann' } } });
      await client.schedules.trigger('mails');
      const ended = async () => (await client.schedules.describe('mails')).recent;
      await expect.poll(ended).toMatchObject([{ outcome: 'completed' }]);
    } finally {
      await server.stop();
      await worker.close();
      connection.disconnect();
    }
  });

  test('an address that is none of a Redis is refused with its field', () => {
    expect(() => readConfig({ bullmq: { connection: 'localhost' } })).toThrow(/bullmq\.connection/);
  });
});
