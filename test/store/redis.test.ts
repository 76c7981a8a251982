/** The Redis store fulfils the contract. `STORES=redis` narrows. `CARILLON_TEST_WITHOUT_REDIS=1` leaves it out where no Redis can be had. */
import { describe, it } from 'vitest';
import { RedisStore } from '../../src/store/redis/index.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';
import { exerciseStore } from './exercise-store.ts';

const wanted = process.env.STORES?.split(',');

if (wanted === undefined || wanted.includes('redis')) {
  await describeWithRedis('redis', (server) => {
    exerciseStore('redis', async (clock) => {
      return new RedisStore({ url: server.url, prefix: freshPrefix(), clock });
    });
  });
} else {
  describe.skip('redis', () => {
    it('was not asked for', () => {});
  });
}
