/**
 * The coming slots of a schedule. Actions that are left are used up from now on, also when a later part of the future is
 * asked for; a slot that a pause passes over uses none.
 */
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { SlicedWork } from '../spec-search.ts';
import type { HistoryOf, Span } from './history-material.ts';
import { currentOf } from './history-material.ts';
import { fallsIntoPause } from './open-slots.ts';

export interface ComingSlot {
  readonly nominal: Instant;
  readonly actual: Instant;
  /** Whether the slot falls into the present pause. */
  readonly isPassedOver: boolean;
}

export interface ComingSlots {
  readonly slots: readonly ComingSlot[];
  /** Whether there are more than these, or more than could be searched. */
  readonly truncated: boolean;
  /** The actions that are left after them; infinite without a limit. */
  readonly left: number;
}

/** The slots of a span, oldest first, at most `limit` of them. One whose time has come and whose jitter has not is still coming. */
export async function comingSlots(
  history: HistoryOf,
  { from, to, limit }: Span & { readonly limit: number },
  work: SlicedWork,
): Promise<ComingSlots> {
  const { now, cursor, remaining, row } = history;
  const slots: ComingSlot[] = [];
  if (to <= now || row.status === 'closed' || remaining === 0) return { slots, truncated: false, left: 0 };
  const { definition } = currentOf(history);
  const { seed, paused, spec } = definition;
  const begin = Math.max(cursor, addTime(now, -(spec.jitterMs ?? 0))) as Instant;
  const after = remaining === null ? (Math.max(addTime(from, -1), begin) as Instant) : begin;
  const walk = compiledOf(definition).walk(after, { seed, last: to });
  let left = remaining ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const found = await work.finish((budget) => walk.next(budget));
    if (found.kind !== 'found') return { slots, truncated: found.kind === 'unfinished', left };
    const { nominal, actual } = found;
    if (actual <= now) continue;
    const isPassedOver = fallsIntoPause(paused, actual);
    if (!isPassedOver && left === 0) return { slots, truncated: false, left };
    if (nominal >= from && slots.length >= limit) return { slots, truncated: true, left };
    if (!isPassedOver) left -= 1;
    if (nominal < from) continue;
    slots.push({ nominal, actual, isPassedOver });
  }
}
