/**
 * One operation on many schedules. Each schedule is a separate change: failures are reported and do not stop the
 * others.
 */
import { ServiceError } from '../base/error.ts';
import { given } from '../base/given.ts';
import type { Instant } from '../base/time.ts';
import type { TriggerRequest } from '../scheduler/changes.ts';
import type { MissedWord } from '../scheduler/definition.ts';
import type { Acted, BulkAnswer, BulkVerb, WaitingRuns } from './api.ts';
import type { ScheduleName } from './schedule-reads.ts';
import type { Caller, PauseCaller } from './schedule-service.ts';
import { storeTrouble } from './store-trouble.ts';

/** The most ids of one request. */
export const mostBulkIds = 1000;

/** Concurrent changes: enough to share commits, few enough to leave room for other callers. */
const atOnce = 16;

export interface BulkRequest {
  readonly verb: BulkVerb;
  readonly namespace: string;
  readonly ids: readonly string[];
  /** The option `until` of `pause`. */
  readonly until?: Instant;
  /** The option `missed` of `resume`. */
  readonly missed?: MissedWord;
}

/** What a bulk change calls; a rehearsal brings its own. */
export interface BulkTarget {
  pause(name: ScheduleName, by: PauseCaller): Promise<unknown>;
  resume(name: ScheduleName, by: Caller & { readonly missed?: MissedWord }): Promise<unknown>;
  trigger(name: ScheduleName, request: TriggerRequest, by: Caller): Promise<unknown>;
  delete(name: ScheduleName, by: Caller & { readonly waiting?: WaitingRuns }): Promise<unknown>;
}

export async function bulkChange(
  schedules: BulkTarget,
  request: BulkRequest,
  by: Caller,
): Promise<BulkAnswer> {
  const { ids, namespace } = request;
  if (ids.length === 0 || ids.length > mostBulkIds) {
    throw ServiceError.invalid([
      {
        path: 'ids',
        reason: 'TOO_MANY',
        message: `${ids.length} ids in one request`,
        fix: `give between 1 and ${mostBulkIds} ids`,
      },
    ]);
  }
  const items: BulkAnswer['items'][number][] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce);
    items.push(...(await Promise.all(some.map((id) => actOn(schedules, request, { namespace, id }, by)))));
  }
  return { items, failed: items.filter(({ ok }) => !ok).length };
}

async function actOn(
  schedules: BulkTarget,
  request: BulkRequest,
  name: ScheduleName,
  by: Caller,
): Promise<BulkAnswer['items'][number]> {
  try {
    const done = await act(schedules, request, name, by);
    return { id: name.id, ok: true, isChanged: isChange(done), reason: null, message: null };
  } catch (error) {
    const { code, reason, message } = storeTrouble(error) ?? ServiceError.from(error);
    // An error of the server is not a result of one schedule.
    if (code === 'internal' || code === 'unavailable') throw error;
    return { id: name.id, ok: false, isChanged: false, reason, message };
  }
}

/** Changes that may find nothing to do say whether they did something; the others always do. */
function isChange(done: unknown): boolean {
  return (done as Partial<Acted> | undefined)?.isChanged !== false;
}

async function act(
  schedules: BulkTarget,
  { verb, until, missed }: BulkRequest,
  name: ScheduleName,
  by: Caller,
): Promise<unknown> {
  switch (verb) {
    case 'pause':
      // The note of a bulk change must not replace the note that a person wrote for one schedule.
      return await schedules.pause(name, { ...by, ...given({ until }), keepsPause: true });
    case 'resume':
      return await schedules.resume(name, { ...by, ...given({ missed }) });
    case 'trigger':
      return await schedules.trigger(name, {}, by);
    case 'delete':
      return await schedules.delete(name, { ...by, waiting: 'cancel' });
  }
}
