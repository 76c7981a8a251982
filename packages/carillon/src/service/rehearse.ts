/** Decides a change as always and writes nothing. */
import type { Writes } from '../store/store.ts';
import type { Caller } from './schedule-service.ts';

/**
 * What `change` would have written. It is not a request: it neither finds nor leaves an answer under the caller's idempotency
 * key.
 */
export async function rehearse(
  { requestId: _requestId, ...by }: Caller,
  change: (by: Caller) => Promise<unknown>,
): Promise<Writes> {
  let writes: Writes = {};
  const rehearsed = (would: Writes) => {
    writes = would;
  };
  await change({ ...by, rehearsed });
  return writes;
}
