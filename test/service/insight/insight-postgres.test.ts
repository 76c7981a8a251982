/** What pages read, on PostgreSQL. */
import { PostgresStore } from '../../../packages/carillon/src/store/postgres/index.ts';
import { describePostgres } from '../../support/postgres-suite.ts';
import { exerciseInsight } from './exercise-insight.ts';

await describePostgres('postgres', (server) => {
  exerciseInsight('postgres', async (clock) => {
    return new PostgresStore({ url: await server.newDatabase(), clock, durability: 'fast' });
  });
});
