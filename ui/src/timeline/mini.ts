/** The range and the marks of the map under the timeline. Pure. */
import { months } from '../time/text.ts';
import { dayMs, instantOf, wallTime } from '../time/zone.ts';
import type { BinName, View } from './view.ts';

const mostDays = 92;
const fewestDays = 2;

/** The range of the map. For a young schedule it begins with the creation, so that the map is filled. */
export function miniRange(now: number, createdAt: number): View {
  const today = Math.floor(now / dayMs) * dayMs;
  const age = Math.ceil((today - createdAt) / dayMs);
  const days = Math.min(mostDays, Math.max(fewestDays, age));
  return { from: today - days * dayMs, to: today + Math.max(2, Math.round(days / 6) + 1) * dayMs };
}

/** A bin length that makes at most about two hundred bins. */
export function miniBin({ from, to }: View): BinName {
  const days = (to - from) / dayMs;
  return days <= 8 ? '1h' : days <= 20 ? '3h' : days <= 45 ? '6h' : '12h';
}

/** Ticks at the beginnings of months, or of days when the map is shorter than six weeks. */
export function miniTicks({ from, to }: View, zone: string): readonly { at: number; text: string }[] {
  const { year, month, day } = wallTime(zone, from);
  const days = Math.round((to - from) / dayMs);
  const isShort = days < 42;
  const step = isShort ? Math.ceil(days / 8) : 1;
  const ticks = [];
  for (let count = step; count <= (isShort ? days : 5); count += step) {
    const local = isShort ? Date.UTC(year, month, day + count) : Date.UTC(year, month + count, 1);
    const at = instantOf(zone, local);
    const date = new Date(local);
    const name = months[date.getUTCMonth()] ?? '';
    ticks.push({ at, text: isShort ? `${date.getUTCDate()} ${name}` : name });
  }
  return ticks;
}
