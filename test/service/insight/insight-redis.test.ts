/** What pages read, on Redis. */
import { RedisStore } from '../../../packages/carillon/src/store/redis/index.ts';
import { describeWithRedis, freshPrefix } from '../../support/redis-server.ts';
import { exerciseInsight } from './exercise-insight.ts';

await describeWithRedis('redis', (server) => {
  exerciseInsight(
    'redis',
    async (clock) => new RedisStore({ url: server.url, prefix: freshPrefix(), clock }),
  );
});
