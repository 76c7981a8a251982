/** The Redis store fulfils the contract. `STORES=redis` narrows. `CARILLON_TEST_WITHOUT_REDIS=1` leaves it out where no Redis can be had. */
import { RedisStore } from '../../packages/carillon/src/store/redis/index.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';
import { exerciseStore } from './exercise-store.ts';

await describeWithRedis('redis', (server) => {
  exerciseStore('redis', async (clock) => {
    return new RedisStore({ url: server.url, prefix: freshPrefix(), clock });
  });
});
