/** Finds the mark under the pointer. The nearest one is used, so that a finger 34 px wide finds it. */
import type { Packed } from './lanes.ts';
import type { Bin, Slot, TimelineData } from './model.ts';
import { axisY, barHeight, handLift, laneHeight, runsY, slotsY } from './rows.ts';
import type { Plot } from './view.ts';
import { timeAt, xOf } from './view.ts';

export type Hit =
  | { readonly kind: 'slot'; readonly slot: Slot }
  | { readonly kind: 'bin'; readonly bin: Bin }
  | { readonly kind: 'time'; readonly at: number };

/** `x` is measured from the end of the gutter. */
export function hitAt(
  { data, plot, packed, pxPerSlot }: { data: TimelineData; plot: Plot; packed: Packed; pxPerSlot: number },
  x: number,
  y: number,
): Hit | undefined {
  if (x < 0 || y < axisY) return undefined;
  if (data.bins !== null) {
    const bin = data.bins.find(({ from, to }) => x >= xOf(plot, from) && x < xOf(plot, to));
    return bin === undefined ? { kind: 'time', at: timeAt(plot, x) } : { kind: 'bin', bin };
  }
  const bar = packed.bars.find((each) => {
    const top = runsY + each.lane * laneHeight;
    return x >= each.x - 3 && x <= each.x + each.width + 3 && y >= top - 3 && y <= top + barHeight + 3;
  });
  if (bar !== undefined) return { kind: 'slot', slot: bar.slot };
  const reach = Math.max(10, Math.min(17, pxPerSlot / 2));
  const isNear = Math.abs(y - slotsY) <= 26 || Math.abs(y - (slotsY - handLift)) <= 12;
  const slot = isNear ? nearest(data.slots, plot, x, y, reach) : undefined;
  return slot === undefined ? { kind: 'time', at: timeAt(plot, x) } : { kind: 'slot', slot };
}

function nearest(slots: readonly Slot[], plot: Plot, x: number, y: number, reach: number): Slot | undefined {
  let best: Slot | undefined;
  let distance = reach;
  for (const slot of slots) {
    const away = Math.abs(xOf(plot, slot.at) - x);
    // A slot by hand is above the line; the height of the pointer decides between it and the slot below.
    const isHigh = y < slotsY - handLift / 2 - 2;
    const penalty = (slot.byHand === undefined) === isHigh ? 6 : 0;
    if (away + penalty >= distance) continue;
    distance = away + penalty;
    best = slot;
  }
  return best;
}
