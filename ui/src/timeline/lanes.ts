/** Packs overlapping runs into lanes. Runs without a lane are counted and not drawn over others. */
import type { Slot } from './model.ts';
import type { Plot } from './view.ts';
import { xOf } from './view.ts';

export interface Bar {
  readonly slot: Slot;
  readonly x: number;
  readonly width: number;
  readonly lane: number;
}

export interface Packed {
  readonly bars: readonly Bar[];
  readonly lanes: number;
  /** The number of runs without a lane, from each position where it changes to the next. */
  readonly crowded: readonly { readonly x: number; readonly count: number }[];
}

export const mostLanes = 3;
const narrowest = 3;
/** The gap between bars of one lane, when the earlier one is long enough, in pixels. */
const gap = 1;
/** A smaller overlap is not visible, in pixels. */
const touchPx = 0.5;

/** The slots with runs, in the order in which the runs began. */
export function runsByStart(slots: readonly Slot[]): readonly Slot[] {
  return slots.filter(({ run }) => run !== undefined).sort((a, b) => startOf(a) - startOf(b));
}

/** `withRuns` is in the order of their starts. */
export function packed(withRuns: readonly Slot[], plot: Plot, now: number): Packed {
  const ends: number[] = [];
  const bars: { slot: Slot; x: number; width: number; lane: number }[] = [];
  const lastOf: (typeof bars)[number][] = [];
  const hidden: Hidden[] = [];
  for (const slot of withRuns) {
    const { run } = slot;
    if (run === undefined) continue;
    const x = xOf(plot, run.start);
    if (x > plot.width + 40) break;
    const end = xOf(plot, run.end ?? now);
    if (end < -40) continue;
    const lane = freeLane(ends, x);
    if (lane === undefined) {
      hidden.push({ x, end });
      continue;
    }
    const before = lastOf[lane];
    if (before !== undefined) before.width = Math.max(1, Math.min(before.width, x - gap - before.x));
    const bar = { slot, x, width: Math.max(end - x, narrowest), lane };
    ends[lane] = end;
    lastOf[lane] = bar;
    bars.push(bar);
  }
  return { bars, lanes: Math.max(2, ends.length), crowded: crowdOf(hidden, plot.width) };
}

interface Hidden {
  readonly x: number;
  readonly end: number;
}

/** The width of one number, in pixels. */
const countPx = 28;

/** The numbers of runs without a lane, at each position where the number changes and has room. */
function crowdOf(hidden: readonly Hidden[], width: number): Packed['crowded'] {
  const changes = hidden.flatMap(({ x, end }) => [Math.max(0, x), end]).sort((a, b) => a - b);
  const told: { x: number; count: number }[] = [];
  for (const x of changes) {
    const last = told.at(-1);
    if (x > width || (last !== undefined && x - last.x < countPx)) continue;
    // Runs that begin close to this position are counted with it.
    const count = hidden.filter((run) => run.x <= x + countPx / 2 && run.end > x).length;
    if (count > 0 && count !== last?.count) told.push({ x, count });
  }
  return told;
}

function freeLane(ends: readonly number[], x: number): number | undefined {
  for (let lane = 0; lane < mostLanes; lane += 1) if ((ends[lane] ?? x) <= x + touchPx) return lane;
  return undefined;
}

function startOf({ run }: Slot): number {
  return run?.start ?? 0;
}
