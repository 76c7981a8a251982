/** The choice of a store by its address. */
import type { Clock } from './base/clock.ts';
import { ServiceError } from './base/error.ts';
import type { Store } from './store/store.ts';

export interface StoreOptions {
  readonly clock: Clock;
  readonly durability?: 'full' | 'fast';
}

/** Opens the store of a URL. A driver is loaded only when its store is opened. */
export async function openStore(url: string, { clock, durability }: StoreOptions): Promise<Store> {
  const [scheme = ''] = url.split(':', 1);
  const rest = url.slice(scheme.length + 1);
  switch (scheme) {
    case 'memory': {
      const { MemoryStore } = await import('./store/memory/index.ts');
      return new MemoryStore({ clock });
    }
    case 'sqlite': {
      const path = rest.startsWith('//') ? rest.slice(2) : rest;
      if (path !== '') {
        const { SqliteStore } = await import('./store/sqlite/index.ts');
        return new SqliteStore({ path, clock, ...(durability === undefined ? {} : { durability }) });
      }
      break;
    }
    case 'postgres':
    case 'postgresql': {
      // PostgreSQL gets no clock: the database's clock decides what is due, so that the nodes need not agree on the
      // time.
      const { PostgresStore } = await import('./store/postgres/index.ts');
      return new PostgresStore({ url, timer: clock, ...(durability === undefined ? {} : { durability }) });
    }
    case 'redis':
    case 'rediss': {
      // Redis uses its server's clock as well. The store warns about settings that may lose acknowledged writes.
      const { RedisStore } = await import('./store/redis/index.ts');
      return new RedisStore({
        url,
        timer: clock,
        warn: (message) => process.emitWarning(message, 'CarillonWarning'),
      });
    }
    default:
      break;
  }
  throw ServiceError.invalid([
    {
      path: 'store',
      reason: 'BAD_STORE_URL',
      // A URL with a mistyped scheme may still contain a password.
      message: `'${url.replace(/\/\/[^@/]*@/, '//…@')}' is not the URL of a store`,
      fix: 'write sqlite:<file>, sqlite::memory:, postgres://user@host/database, redis://host or memory:',
    },
  ]);
}
