/** The PostgreSQL store fulfils the contract, on a real server. */
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { PostgresStore } from '../../packages/carillon/src/store/postgres/index.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { exerciseStore } from './exercise-store.ts';

const schema = 'conformance';
const tables = [
  'executions',
  'wakes',
  'attributes',
  'parts',
  'slots',
  'open_runs',
  'runs',
  'run_logs',
  'events',
  'audit',
];
const forgetEverything = tables.map((table) => `delete from ${schema}.${table}`).join('; ');

await describePostgres('postgres', ({ url }) => {
  const client = new pg.Client(url);
  beforeAll(async () => {
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
  });
  // Emptied rather than made anew: making the tables takes longer than most tests.
  exerciseStore('postgres', async (clock) => new PostgresStore({ url, clock, schema, poolSize: 6 }), {
    cleanUp: async () => {
      await client.query(forgetEverything);
    },
  });
});
