/** Every store fulfils the contract. `STORES=memory,sqlite` narrows. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/index.ts';
import { exerciseStore } from './exercise-store.ts';

const wanted = process.env.STORES?.split(',');
const isWanted = (store: string) => wanted === undefined || wanted.includes(store);

describe.runIf(isWanted('memory'))('memory', () => {
  exerciseStore('memory', async (clock) => new MemoryStore({ clock }));
});

describe.runIf(isWanted('sqlite'))('sqlite', () => {
  exerciseStore('sqlite in memory', async (clock) => new SqliteStore({ path: ':memory:', clock }));

  let folder = '';
  exerciseStore(
    'sqlite in a file',
    async (clock) => {
      folder = mkdtempSync(join(tmpdir(), 'carillon-store-'));
      return new SqliteStore({ path: join(folder, 'store.db'), clock });
    },
    { cleanUp: () => rmSync(folder, { recursive: true, force: true }) },
  );
});
