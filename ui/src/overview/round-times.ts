/** Round moments of a range for the labels of an axis: full hours or midnights of a zone. Pure. */
import { clockText, dayText } from '../time/text.ts';
import { dayMs, hourMs, instantOf, minuteMs, offsetAt } from '../time/zone.ts';

const steps = [5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, dayMs, 2 * dayMs, 5 * dayMs];

export interface RoundTime {
  readonly at: number;
  readonly text: string;
  /** The position in the range, from 0 to 1. */
  readonly place: number;
}

/** At most `most` of them; none so near to an edge that its text would be cut. */
export function roundTimes(from: number, to: number, zone: string, most = 9): readonly RoundTime[] {
  const span = to - from;
  const step = steps.find((each) => span / each <= most) ?? dayMs * Math.ceil(span / dayMs / most);
  const times: RoundTime[] = [];
  const wall = from + offsetAt(zone, from);
  for (let local = Math.ceil(wall / step) * step; local - wall < span; local += step) {
    const at = instantOf(zone, local);
    const place = (at - from) / span;
    if (place < 0.03 || place > 0.97) continue;
    times.push({ at, place, text: step >= dayMs ? dayText(zone, at) : clockText(zone, at) });
  }
  return times;
}
