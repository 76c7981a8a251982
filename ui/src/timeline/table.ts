/** The rows of the table of slots. Neighbouring slots with the same verdict and no run share a row. Pure. */
import { clockText, dayText, sinceText } from '../time/text.ts';
import { ran } from '../verdict/verdict.ts';
import type { Slot, TimelineData } from './model.ts';
import { sentenceOf } from './sentence.ts';
import type { View } from './view.ts';

export interface TableRow {
  readonly first: Slot;
  readonly last: Slot;
  readonly count: number;
}

/** The rows, the newest first. */
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
      before.last.blockedBy === slot.blockedBy &&
      before.last.ranAs === slot.ranAs;
    if (isSame) {
      before.last = slot;
      before.count += 1;
    } else rows.push({ first: slot, last: slot, count: 1 });
  }
  return rows.reverse();
}

/** `Wed 18 Nov 10:00 to 12:30`; the second day is named when it is another. */
export function rangeText({ first, last, count }: TableRow, zone: string): string {
  const [day, lastDay] = [dayText(zone, first.at), dayText(zone, last.at)];
  const from = `${day} ${clockText(zone, first.at)}`;
  if (count === 1) return from;
  return `${from} to ${day === lastDay ? '' : `${lastDay} `}${clockText(zone, last.at)}`;
}

/** The sentence of a row. For slots without a verdict it has the distance of the first and of the last from now. */
export function rowSentence(
  { first, last, count }: TableRow,
  data: Pick<TimelineData, 'zone' | 'usual'>,
  now: number,
): string {
  const range = `due ${sinceText(first.at, now)}, the last ${sinceText(last.at, now)}`;
  if (count === 1) return sentenceOf(last, data, now);
  switch (last.look) {
    case 'notYet':
      return `The first is ${range}.`;
    case 'likelySkip':
      return `The first is ${range}; likely to be skipped.`;
    case 'overdue':
      return `The first was ${range}, and no node has decided about them.`;
    default:
      return sentenceOf(last, data, now);
  }
}
