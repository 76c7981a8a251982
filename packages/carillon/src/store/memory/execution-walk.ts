/** The part of retention that looks at each execution by itself: a walk in order of creation, a piece per call. */
import type { Instant } from '../../base/time.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { Retention, Swept } from '../store.ts';
import type { ExecutionRows, StoredExecution } from './execution-rows.ts';
import type { RunRows } from './run-rows.ts';

/** The limits for one execution: all but the newest `keep` rows go if older than `before`; `limit` at most. */
export interface Surplus {
  readonly keep: number;
  readonly before: Instant;
  readonly limit: number;
}

const always = Number.POSITIVE_INFINITY as Instant;

export function walkExecutions(executions: ExecutionRows, runs: RunRows, retention: Retention): Swept {
  const { limit, after, slotsBefore, slotsPerExecution, runsPerOwner, partsPerName } = retention;
  const asked = [slotsBefore, slotsPerExecution, runsPerOwner, partsPerName];
  if (asked.every((each) => each === undefined)) return { rows: 0, next: null };

  const left = { slots: limit, runs: limit, parts: limit };
  let rows = 0;
  /** False when there may be more to remove. */
  const take = (kind: keyof typeof left, work: (limit: number) => number): boolean => {
    const bound = left[kind];
    const taken = bound > 0 ? work(bound) : 0;
    left[kind] -= taken;
    rows += taken;
    return taken < bound;
  };
  const sweepOne = ({ row, slots, parts }: StoredExecution): boolean => {
    const { countedBefore: before = always } = retention;
    const done = [
      slotsBefore === undefined || take('slots', (bound) => slots.sweep(slotsBefore, bound)),
      slotsPerExecution === undefined ||
        slots.size <= slotsPerExecution ||
        take('slots', (bound) => slots.trim({ keep: Math.max(1, slotsPerExecution), before, limit: bound })),
      runsPerOwner === undefined ||
        take('runs', (bound) => runs.trim(row.incarnation, { keep: runsPerOwner, before, limit: bound })),
      partsPerName === undefined || take('parts', (bound) => parts.trim(Math.max(1, partsPerName), bound)),
    ];
    return done.every((each) => each);
  };

  const items = executions.created.items();
  let last = after === undefined ? 0 : (decodeCursor(after, ['number'])[0] as number);
  const first = executions.created.search(({ sequence }) => sequence > last);
  for (let i = first; i < items.length; i++) {
    const stored = items[i] as StoredExecution;
    if (i - first >= limit || !sweepOne(stored)) return { rows, next: encodeCursor([last]) };
    last = stored.sequence;
  }
  return { rows, next: null };
}
