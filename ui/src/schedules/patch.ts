/** Applies live events to listed schedules in place. Rows are not sorted again, so that none moves under the pointer. Pure. */
import type { StreamedEvent } from '../live/sse.ts';
import type { StripAnswer, StripSlotAnswer } from '../strip/strip.ts';
import { places } from '../strip/strip.ts';
import type { ListedSchedule } from './row.ts';

export type ListedById = ReadonlyMap<string, ListedSchedule>;

/** Returns the same map when no event concerns it. */
export function patched(listed: ListedById, events: readonly StreamedEvent[]): ListedById {
  let next: Map<string, ListedSchedule> | undefined;
  for (const event of events) {
    const id = event.data.schedule;
    if (typeof id !== 'string') continue;
    const before = (next ?? listed).get(id);
    if (before === undefined) continue;
    const after = patchedBy(before, event);
    if (after === before) continue;
    next ??= new Map(listed);
    next.set(id, after);
  }
  return next ?? listed;
}

function patchedBy(schedule: ListedSchedule, { type, data }: StreamedEvent): ListedSchedule {
  if (type === 'slot') return withSlot(schedule, data);
  if (type === 'started') return { ...schedule, runningCount: schedule.runningCount + 1 };
  if (type === 'finished') return withEnd(schedule, data);
  return schedule;
}

function withSlot(schedule: ListedSchedule, data: StreamedEvent['data']): ListedSchedule {
  const { strip } = schedule;
  if (strip === undefined) return schedule;
  const { verdict, nominal, from = nominal, cause, runId, count } = data as Readonly<Record<string, unknown>>;
  if (typeof verdict !== 'string' || typeof nominal !== 'string') return schedule;
  const slot: StripSlotAnswer = {
    at: nominal,
    verdict,
    ...(typeof count === 'number' && count > 1 ? { count } : {}),
    ...(typeof cause === 'string' && cause !== 'auto' ? { cause } : {}),
    ...(typeof runId === 'string' ? { run: { id: runId, state: 'running' } } : {}),
  };
  // A waiting slot gets its final verdict later, and the slots of a pause get theirs when it ends: they replace the earlier ones.
  const [first, last] = [Date.parse(String(from)), Date.parse(nominal)];
  const isTold = (at: string) => Date.parse(at) >= first && Date.parse(at) <= last;
  const kept = strip.slots.filter(({ at, cause: by }) => !isTold(at) || (by ?? 'auto') !== (cause ?? 'auto'));
  return { ...schedule, strip: { ...strip, slots: [...kept, slot].slice(-places) } };
}

function withEnd(schedule: ListedSchedule, data: StreamedEvent['data']): ListedSchedule {
  const { strip } = schedule;
  const { runId, outcome, durationMs } = data;
  const runningCount = Math.max(0, schedule.runningCount - 1);
  if (strip === undefined) return { ...schedule, runningCount };
  return { ...schedule, runningCount, strip: ended(strip, String(runId), String(outcome), durationMs) };
}

function ended(strip: StripAnswer, runId: string, outcome: string, durationMs: unknown): StripAnswer {
  const slots = strip.slots.map((slot) =>
    slot.run?.id === runId
      ? {
          ...slot,
          run: {
            id: runId,
            state: 'done',
            outcome,
            ...(typeof durationMs === 'number' ? { tookMs: durationMs } : {}),
          },
        }
      : slot,
  );
  return { ...strip, slots };
}

/** Schedules that were read again without strips keep their strips, which the events have kept up to date. */
export function refreshed(listed: ListedById, read: readonly ListedSchedule[]): ListedById {
  const next = new Map(listed);
  for (const schedule of read) {
    const strip = schedule.strip ?? listed.get(schedule.id)?.strip;
    if (listed.has(schedule.id))
      next.set(schedule.id, strip === undefined ? schedule : { ...schedule, strip });
  }
  return next;
}
