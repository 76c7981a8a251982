/**
 * The composition root, and the package's front: the only place that names concrete stores and actions.
 *
 * ```ts
 * const carillon = await openCarillon('sqlite:./carillon.db');
 * carillon.handle('report', async ({ scheduledAt }) => { … });
 * await carillon.schedules.upsert('nightly', { cron: '0 2 * * *', zone: 'Europe/Berlin', run: 'report' });
 * await carillon.start();
 * ```
 */
import type { Clock } from './base/clock.ts';
import { SystemClock } from './base/clock.ts';
import { ServiceError } from './base/error.ts';
import { uniqueIds } from './base/unique-id.ts';
import type { CarillonParts } from './embed/carillon.ts';
import { Carillon } from './embed/carillon.ts';
import type { Store } from './store/store.ts';

export interface CarillonOptions extends Omit<Partial<CarillonParts>, 'store' | 'clock' | 'newId'> {
  /** `sqlite:<file>`, `sqlite::memory:`, `memory:`, or a store of your own. Default `sqlite:./carillon.db`. */
  readonly store?: string | Store;
  /** SQLite only. `full` (default): an acknowledged commit survives power loss. `fast`: it survives `kill -9`. */
  readonly durability?: 'full' | 'fast';
}

/** Opens the store, brings its schema up to date, and puts a Carillon on it. Call `start()` to set it going. */
export async function openCarillon(options: string | CarillonOptions = {}): Promise<Carillon> {
  const {
    store: where = 'sqlite:./carillon.db',
    durability,
    ...parts
  } = typeof options === 'string' ? { store: options } : options;
  const clock = new SystemClock();
  const store =
    typeof where === 'string'
      ? await openStore(where, { clock, ...(durability === undefined ? {} : { durability }) })
      : where;
  await store.migrate();
  return new Carillon({ ...parts, store, clock, newId: uniqueIds(clock) });
}

export interface StoreOptions {
  readonly clock: Clock;
  readonly durability?: 'full' | 'fast';
}

/** Drivers are loaded only when they are asked for. */
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
    default:
      break;
  }
  throw ServiceError.invalid([
    {
      path: 'store',
      reason: 'BAD_STORE_URL',
      message: `'${url}' names no store`,
      fix: 'write sqlite:<file>, sqlite::memory: or memory:',
    },
  ]);
}

export type { Problem } from './base/error.ts';
export { ServiceError } from './base/error.ts';
export type { Instant } from './base/time.ts';
export type { CarillonEvent, CarillonParts, HandleOptions, HandlerRef } from './embed/carillon.ts';
export { Carillon } from './embed/carillon.ts';
export type { Runs, WorkInput } from './embed/runs.ts';
export type { BackfillRange, ChangeOptions, Schedules, TypedSchedule } from './embed/schedules.ts';
export type { RunContext } from './runs/context.ts';
export { RunInterrupted } from './runs/context.ts';
export { NonRetryable } from './runs/failure.ts';
export type { Explanation } from './scheduler/explain.ts';
export type { Verdict } from './scheduler/verdict.ts';
export { verdicts } from './scheduler/verdict.ts';
export type { ScheduleInput } from './service/schedule-input.ts';
export type { ScheduleDescription, ScheduleSummary } from './service/schedule-view.ts';
