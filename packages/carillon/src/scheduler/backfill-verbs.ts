/** How a backfill makes progress. */
import { addTime, minute } from '../base/time.ts';
import type { MutableNode } from '../engine/node.ts';
import type { Backfill } from './backfill.ts';
import { advanceBackfill } from './backfill.ts';
import type { WaitingStart } from './buffered-start.ts';
import { compiledOf } from './compiled-of.ts';
import { judge, recordFinal } from './ledger.ts';
import { bufferSizeOf, settingsOf } from './operator-settings.ts';
import { backfillCapacity, generatorReserve } from './policy/capacity.ts';
import type { ScheduleNode, ScheduleView } from './schedule.ts';
import { spend } from './slot-count.ts';
import { enqueue } from './start.ts';

/** The largest number of slots handed over in one pass: waiting starts are in the row that every fire rewrites, so it is kept short. */
const mostPerPass = 100;

/** Each backfill has a cause of its own: the same slot may have run before. */
export function backfillCause(id: string): string {
  return `backfill:${id}`;
}

export function roomForBackfill(schedule: ScheduleView): number {
  const buffered = schedule.child('invoker').state.waiting.length;
  const share = {
    bufferSize: bufferSizeOf(schedule),
    generatorReserve,
    buffered,
    backfills: schedule.children('backfills').size,
  };
  return Math.min(backfillCapacity(share), mostPerPass, settingsOf(schedule).BackfillsPerIteration);
}

export function advance(schedule: ScheduleNode, backfill: MutableNode<typeof Backfill>): void {
  const id = idOf(schedule, backfill);
  const { state, now } = backfill;
  if (state.notBefore > now) {
    backfill.schedule(advanceBackfill, null, state.notBefore);
    return;
  }
  const room = roomForBackfill(schedule);
  if (room === 0) return;
  const definition = schedule.child('definition').state;
  const most = Math.min(room, state.ratePerMinute ?? Number.POSITIVE_INFINITY);
  const { seed } = definition;
  const window = { from: state.cursor, to: state.to };
  const { times, truncated, gaveUpAt } = spend(schedule, (budget) =>
    compiledOf(definition).between(window, most, { seed, budget }),
  );
  const except = new Set(state.except);
  const wanted = times.filter(({ nominal }) => !except.has(nominal));
  const starts = wanted.map(
    ({ nominal, actual }): WaitingStart => ({
      nominal,
      actual,
      cause: backfillCause(id),
      manual: true,
      state: 'pending',
      ...(state.overlap === undefined ? {} : { overlap: state.overlap }),
    }),
  );
  const handed = state.handed + starts.length;
  if (truncated) {
    const cursor = gaveUpAt ?? times.at(-1)?.nominal ?? state.cursor;
    const pace = state.ratePerMinute === undefined ? 0 : (starts.length / state.ratePerMinute) * minute;
    // One pass per step, even if there is room for more, so that other executions are not delayed.
    const notBefore = addTime(now, Math.max(1, Math.ceil(pace)));
    backfill.set({ ...state, cursor, handed, notBefore });
    backfill.schedule(advanceBackfill, null, notBefore);
  } else {
    schedule.remove('backfills', id);
    schedule.report({ type: 'backfillCompleted', id, handed });
  }
  enqueue(schedule, starts);
}

/**
 * Ends a backfill; slots that it handed over and that have not started are cancelled with it. Returns how many slots will not run:
 * those, and the ones it had not reached (null when there are too many to count).
 */
export function cancelBackfill(schedule: ScheduleNode, id: string, by: string): number | null {
  const backfill = schedule.children('backfills').get(id)?.state;
  const unreached =
    backfill === undefined ? 0 : backfill.total === null ? null : backfill.total - backfill.handed;
  if (backfill !== undefined) schedule.remove('backfills', id);
  const invoker = schedule.child('invoker');
  const cause = backfillCause(id);
  const dropped = invoker.state.waiting.filter((start) => start.cause === cause);
  if (dropped.length === 0) return unreached;
  invoker.set({ ...invoker.state, waiting: invoker.state.waiting.filter((start) => start.cause !== cause) });
  for (const start of dropped) recordFinal(schedule, judge(start, 'cancelled', { by }));
  return unreached === null ? null : unreached + dropped.length;
}

function idOf(schedule: ScheduleNode, backfill: MutableNode<typeof Backfill>): string {
  for (const [id, node] of schedule.children('backfills')) if (node.path === backfill.path) return id;
  throw new Error(`no backfill at ${backfill.path}`);
}
