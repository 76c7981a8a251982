/** Neighbouring slots with the same verdict and no run share a row of the table. Pure. */
import { ran } from '../verdict/verdict.ts';
import type { Slot } from './model.ts';
import type { View } from './view.ts';

export interface TableRow {
  readonly first: Slot;
  readonly last: Slot;
  readonly count: number;
}

/** The newest first. */
export function tableRows(slots: readonly Slot[], { from, to }: View): readonly TableRow[] {
  const rows: { first: Slot; last: Slot; count: number }[] = [];
  for (const slot of slots) {
    if (slot.at < from || slot.at > to) continue;
    const before = rows.at(-1);
    const isSame =
      before !== undefined &&
      before.last.look === slot.look &&
      !ran(slot.look) &&
      slot.byHand === undefined &&
      before.last.blockedBy === slot.blockedBy;
    if (isSame) {
      before.last = slot;
      before.count += 1;
    } else rows.push({ first: slot, last: slot, count: 1 });
  }
  return rows.reverse();
}
