/** What pages read, on the stores that need no server. */
import { MemoryStore } from '../../../packages/carillon/src/store/memory/index.ts';
import { SqliteStore } from '../../../packages/carillon/src/store/sqlite/index.ts';
import { exerciseInsight } from './exercise-insight.ts';

exerciseInsight('memory', async (clock) => new MemoryStore({ clock }));
exerciseInsight('sqlite', async (clock) => new SqliteStore({ path: ':memory:', clock }));
