/** Load by hour and weekday, and by day of a month. Pure. */
import { dayMs, hourMs, offsetAt, wallTime } from '../time/zone.ts';

export interface LoadBin {
  readonly from: string;
  readonly starts: number;
}

export interface Heat {
  /** [weekday from Monday][hour]. */
  readonly cells: readonly (readonly number[])[];
  readonly most: number;
  readonly least: number;
}

/** The bins of one week; what comes after it would be counted to the same weekday again. */
export function heatOf(bins: readonly LoadBin[], zone: string): Heat {
  const cells = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  const end = Date.parse(bins[0]?.from ?? '') + 7 * dayMs;
  for (const { from, starts } of bins) {
    if (Date.parse(from) >= end) break;
    const { weekday, hour } = wallTime(zone, Date.parse(from));
    const row = cells[(weekday + 6) % 7];
    if (row !== undefined) row[hour] = (row[hour] ?? 0) + starts;
  }
  return { cells, most: Math.max(0, ...cells.flat()), least: Math.min(...cells.flat()) };
}

/** Five steps, from the quietest hour to the busiest. Hours that hardly differ are all alike. */
export function stepOfLoad(count: number, most: number, least = 0): 0 | 1 | 2 | 3 | 4 {
  if (count === 0) return 0;
  if (most - least < 0.1 * most) return 2;
  if (count <= least) return least > 0 ? 1 : 0;
  const share = (count - least) / (most - least);
  return share > 0.75 ? 4 : share > 0.5 ? 3 : share > 0.2 ? 2 : 1;
}

export interface MonthDay {
  /** Local midnight, as if it were UTC. */
  readonly local: number;
  readonly day: number;
  readonly isOut: boolean;
  readonly isToday: boolean;
}

/** Whole weeks from Monday that hold the month of `now`, moved by `shift` months. */
export function monthOf(
  now: number,
  zone: string,
  shift: number,
): { readonly year: number; readonly month: number; readonly days: readonly MonthDay[] } {
  const wall = wallTime(zone, now);
  const first = new Date(Date.UTC(wall.year, wall.month + shift, 1));
  const month = first.getUTCMonth();
  const start = first.getTime() - ((first.getUTCDay() + 6) % 7) * dayMs;
  const today = Math.floor((now + offsetAt(zone, now)) / dayMs) * dayMs;
  const days: MonthDay[] = [];
  for (let local = start; days.length < 42; local += dayMs) {
    const date = new Date(local);
    if (days.length >= 28 && days.length % 7 === 0 && date.getUTCMonth() !== month) break;
    days.push({
      local,
      day: date.getUTCDate(),
      isOut: date.getUTCMonth() !== month,
      isToday: local === today,
    });
  }
  return { year: first.getUTCFullYear(), month, days };
}

/** Starts of each local day, by hours. */
export function daysOf(bins: readonly LoadBin[], zone: string): ReadonlyMap<number, readonly number[]> {
  const days = new Map<number, number[]>();
  for (const { from, starts } of bins) {
    const at = Date.parse(from);
    const local = at + offsetAt(zone, at);
    const day = Math.floor(local / dayMs) * dayMs;
    const hours = days.get(day) ?? Array.from({ length: 24 }, () => 0);
    const hour = Math.floor((local - day) / hourMs);
    hours[hour] = (hours[hour] ?? 0) + starts;
    days.set(day, hours);
  }
  return days;
}

export interface DaySilence {
  readonly from: string;
  readonly length: number;
}

/** Times without a living node that began on a day, given by its local midnight. */
export function silencesOn(
  silences: readonly { readonly from: string; readonly to: string }[],
  local: number,
  zone: string,
): readonly DaySilence[] {
  return silences
    .filter(({ from }) => {
      const at = Date.parse(from);
      return Math.floor((at + offsetAt(zone, at)) / dayMs) * dayMs === local;
    })
    .map(({ from, to }) => ({ from, length: Date.parse(to) - Date.parse(from) }));
}
