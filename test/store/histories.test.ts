/** Random histories of several stores over one database, for every store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import { PostgresStore } from '../../packages/carillon/src/store/postgres/index.ts';
import { RedisStore } from '../../packages/carillon/src/store/redis/index.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/index.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';
import { exerciseHistories } from './exercise-histories.ts';

const clock = new SystemClock();
const times = <T>(howMany: number, make: () => T): T[] => Array.from({ length: howMany }, make);

exerciseHistories('memory', {
  stores: 1,
  commits: 5000,
  open: async (howMany) => times(howMany, () => new MemoryStore({ clock })),
});

let directory = '';
// One process owns an SQLite file: the workers of one store compete.
exerciseHistories('sqlite', {
  stores: 1,
  commits: 2000,
  open: async (howMany): Promise<readonly Store[]> => {
    directory = mkdtempSync(join(tmpdir(), 'carillon-histories-'));
    return times(
      howMany,
      () => new SqliteStore({ path: join(directory, 'a.db'), clock, durability: 'fast' }),
    );
  },
  cleanUp: () => rmSync(directory, { recursive: true, force: true }),
});

await describeWithRedis('redis', (server) => {
  exerciseHistories('redis', {
    stores: 3,
    commits: 600,
    open: async (howMany) => {
      const prefix = freshPrefix();
      return times(howMany, () => new RedisStore({ url: server.url, prefix }));
    },
    disturb: async (further) => {
      const killer = new Redis(server.url);
      while (await further(40)) {
        await killer.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      }
      killer.disconnect();
    },
  });
});

await describePostgres('postgres', ({ url }) => {
  let schemas = 0;
  exerciseHistories('postgres', {
    stores: 3,
    commits: 300,
    open: async (howMany) => {
      schemas += 1;
      return times(howMany, () => new PostgresStore({ url, schema: `histories_${schemas}`, poolSize: 4 }));
    },
    disturb: async (further) => {
      const killer = new pg.Client(url);
      await killer.connect();
      while (await further(4)) {
        await killer.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'carillon' order by random() limit 3",
        );
      }
      await killer.end();
    },
  });
});
