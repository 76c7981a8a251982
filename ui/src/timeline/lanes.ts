/** Packs runs that overlap into lanes. What finds no lane is counted, not drawn over another. */
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
  /** Where runs found no lane: the place, and how many. */
  readonly crowded: readonly { readonly x: number; readonly count: number }[];
}

export const mostLanes = 3;
const narrowest = 3;
const gap = 2;

/** The slots that have runs, in the order in which these began. */
export function runsByStart(slots: readonly Slot[]): readonly Slot[] {
  return slots.filter(({ run }) => run !== undefined).sort((a, b) => startOf(a) - startOf(b));
}

/** `withRuns` is in the order of their starts. */
export function packed(withRuns: readonly Slot[], plot: Plot, now: number): Packed {
  const ends: number[] = [];
  const bars: Bar[] = [];
  const crowded: { x: number; count: number }[] = [];
  for (const slot of withRuns) {
    const { run } = slot;
    if (run === undefined) continue;
    const x = xOf(plot, run.start);
    if (x > plot.width + 40) break;
    const end = Math.max(xOf(plot, run.end ?? now), x + narrowest);
    if (end < -40) continue;
    const lane = freeLane(ends, x);
    if (lane === undefined) {
      const near = crowded.at(-1);
      if (near !== undefined && x - near.x < 24) near.count += 1;
      else crowded.push({ x, count: 1 });
      continue;
    }
    ends[lane] = end + gap;
    bars.push({ slot, x, width: end - x, lane });
  }
  return { bars, lanes: Math.max(2, ends.length), crowded };
}

function freeLane(ends: readonly number[], x: number): number | undefined {
  for (let lane = 0; lane < mostLanes; lane += 1) if ((ends[lane] ?? x) <= x) return lane;
  return undefined;
}

function startOf({ run }: Slot): number {
  return run?.start ?? 0;
}
