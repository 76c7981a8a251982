/** The time that counts of slots are about, in words. Pure. */
import { lengthText, plural } from '../time/text.ts';
import { dayMs } from '../time/zone.ts';

interface Covered {
  readonly from: number;
  readonly createdAt: number;
  readonly now: number;
}

/** A schedule that was created after the beginning of the range has slots only since then. */
export function coveredText({ from, createdAt, now }: Covered): string {
  return createdAt < from
    ? `in the last ${plural(Math.round((now - from) / dayMs), 'day')}`
    : `since it was created, ${lengthText(now - createdAt)} ago`;
}
