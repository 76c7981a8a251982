/**
 * Locks in any store: one small document per key, changed in a transaction; the store's clock decides about expiry.
 * The document of a released lock is kept, because the fence must never start again.
 */
import { addTime, type Instant } from '../base/time.ts';
import { uniqueIds } from '../base/unique-id.ts';
import type { Carillon } from '../embed/carillon.ts';
import { internalsOf } from '../embed/internals.ts';
import { Documents } from '../store/documents.ts';
import type { Store } from '../store/store.ts';
import type { Grant, LockBackend } from './lock.ts';
import { systemClock } from './system-clock.ts';

export interface StoreLocksOptions {
  /** The namespace of the keys: equal keys in different namespaces are different locks. Default `default`. */
  readonly namespace?: string;
  readonly newId?: () => string;
}

interface LockState {
  readonly fence: number;
  /** The holder's token; null when the lock is free. */
  readonly token: string | null;
  readonly until: Instant;
}

/** Locks on the store of a Carillon, or on a store that the caller opened. */
export function storeLocks(
  where: Carillon | { readonly store: Store },
  { namespace = 'default', newId = uniqueIds(systemClock) }: StoreLocksOptions = {},
): LockBackend {
  const store = 'store' in where ? where.store : internalsOf(where).runtime.store;
  const documents = new Documents<LockState>({ store, kind: 'lock', newId });
  const isHeld = (state: LockState | undefined, token: string, now: Instant): state is LockState =>
    state !== undefined && state.token === token && state.until > now;
  return {
    async acquire(key, ttlMs): Promise<Grant | null> {
      const token = newId();
      const state = await documents.change(namespace, key, (before, now) => {
        if (before !== undefined && before.token !== null && before.until > now) return before;
        return { fence: (before?.fence ?? 0) + 1, token, until: addTime(now, ttlMs) };
      });
      return state?.token === token ? { token, fence: state.fence } : null;
    },

    async release(key, token): Promise<boolean> {
      let released = false;
      await documents.change(namespace, key, (before, now) => {
        released = isHeld(before, token, now);
        if (before === undefined) return null;
        return before.token === token ? { ...before, token: null } : before;
      });
      return released;
    },

    async extend(key, token, ttlMs): Promise<boolean> {
      let extended = false;
      await documents.change(namespace, key, (before, now) => {
        extended = isHeld(before, token, now);
        if (!isHeld(before, token, now)) return before ?? null;
        return { ...before, until: addTime(now, ttlMs) };
      });
      return extended;
    },
  };
}
