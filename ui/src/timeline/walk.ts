/** Moves from mark to mark: slots, or bins when the view is too wide for slots. Pure. */
import type { Look } from '../verdict/verdict.ts';
import { wantsLook } from '../verdict/verdict.ts';
import { totalOf } from './bins.ts';
import type { Bin, Slot, TimelineData } from './model.ts';
import type { View } from './view.ts';

/** A position of the focus ring. */
export type Stop =
  | { readonly kind: 'slot'; readonly at: number; readonly byHand?: string; readonly slot: Slot }
  | { readonly kind: 'bin'; readonly at: number; readonly byHand?: undefined; readonly bin: Bin };

export interface Step {
  /** The time from which to search. */
  readonly here: number;
  readonly isLater: boolean;
  /** Up to this time, stop only at marks with a slot that did not run; undefined to stop at every mark. */
  readonly troubleUntil?: number;
}

export function nextStop(
  { slots, bins }: Pick<TimelineData, 'slots' | 'bins'>,
  { here, isLater, troubleUntil }: Step,
): Stop | undefined {
  const isBeyond = (at: number) => (isLater ? at > here : at < here);
  if (bins !== null) {
    const wanted = (bin: Bin) =>
      isBeyond(middleOf(bin)) &&
      totalOf(bin) > 0 &&
      (troubleUntil === undefined || (bin.from <= troubleUntil && hasTrouble(bin)));
    const bin = isLater ? bins.find(wanted) : bins.findLast(wanted);
    return bin === undefined ? undefined : { kind: 'bin', at: middleOf(bin), bin };
  }
  const wanted = ({ at, look }: Slot) =>
    isBeyond(at) && (troubleUntil === undefined || (at <= troubleUntil && wantsLook(look)));
  const slot = isLater ? slots.find(wanted) : slots.findLast(wanted);
  return slot === undefined ? undefined : stopAt(slot);
}

export function stopAt(slot: Slot): Stop {
  const { at, byHand } = slot;
  return { kind: 'slot', at, slot, ...(byHand === undefined ? {} : { byHand }) };
}

/** Whether a slot of the bin did not run. */
export function hasTrouble({ counts }: Pick<Bin, 'counts'>): boolean {
  return (Object.entries(counts) as [Look, number | undefined][]).some(
    ([look, count = 0]) => count > 0 && wantsLook(look),
  );
}

/** A bin with some room around it. */
export function viewOfBin({ from, to }: Pick<Bin, 'from' | 'to'>): View {
  const margin = (to - from) * 0.2;
  return { from: from - margin, to: to + margin };
}

function middleOf({ from, to }: Bin): number {
  return (from + to) / 2;
}
