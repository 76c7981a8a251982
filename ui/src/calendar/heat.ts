/** Load by hour and weekday, by quarter of an hour of a day, and the days of a month. Pure. */
import { dayMs, hourMs, minuteMs, offsetAt, wallTime } from '../time/zone.ts';

export interface LoadBin {
  readonly from: string;
  readonly starts: number;
  /** The most starts at one moment. */
  readonly most: number;
}

export interface Heat {
  /** The most starts at one moment, by row and hour. */
  readonly cells: readonly (readonly HeatCell[])[];
  readonly most: number;
  readonly least: number;
}

export interface HeatCell {
  readonly most: number;
  readonly starts: number;
}

type Place = (wall: ReturnType<typeof wallTime>) => number;

/** The bins of one week, a row for each weekday from Monday; what comes after the week would be counted twice. */
export function heatOfWeek(bins: readonly LoadBin[], zone: string): Heat {
  const end = Date.parse(bins[0]?.from ?? '') + 7 * dayMs;
  const own = bins.filter(({ from }) => Date.parse(from) < end);
  return heatOf(own, zone, 7, ({ weekday }) => (weekday + 6) % 7);
}

/** The bins of one day, a row for each quarter of an hour. */
export function heatOfDay(bins: readonly LoadBin[], zone: string): Heat {
  return heatOf(bins, zone, 4, ({ minute }) => Math.floor(minute / 15));
}

function heatOf(bins: readonly LoadBin[], zone: string, rows: number, rowOf: Place): Heat {
  const cells = Array.from({ length: rows }, () =>
    Array.from({ length: 24 }, () => ({ most: 0, starts: 0 })),
  );
  for (const { from, starts, most } of bins) {
    const wall = wallTime(zone, Date.parse(from));
    const cell = cells[rowOf(wall)]?.[wall.hour];
    if (cell === undefined) continue;
    cell.most = Math.max(cell.most, most);
    cell.starts += starts;
  }
  const all = cells.flat().map(({ most }) => most);
  return { cells, most: Math.max(0, ...all), least: Math.min(...all) };
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

/** The local day of an instant: its midnight, as if it were UTC. */
export function localDay(zone: string, at: number): number {
  return Math.floor((at + offsetAt(zone, at)) / dayMs) * dayMs;
}

/** A local day as a date, such as `2026-11-18`. */
export function dateOf(local: number): string {
  return new Date(local).toISOString().slice(0, 10);
}

/** The local day that an address names; today when it names none. */
export function readDate(text: string | undefined, today: number): number {
  const local = /^\d{4}-\d\d-\d\d$/.test(text ?? '') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(local) ? today : local;
}

export function mondayOf(local: number): number {
  return local - ((new Date(local).getUTCDay() + 6) % 7) * dayMs;
}

/** The first day of the month, moved by `shift` months. */
export function firstOfMonth(local: number, shift = 0): number {
  const date = new Date(local);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + shift, 1);
}

/** Whole weeks from Monday that hold the month of a local day. */
export function monthOf(local: number, today: number): readonly MonthDay[] {
  const first = firstOfMonth(local);
  const month = new Date(first).getUTCMonth();
  const days: MonthDay[] = [];
  for (let each = mondayOf(first); days.length < 42; each += dayMs) {
    const date = new Date(each);
    const isOut = date.getUTCMonth() !== month;
    if (days.length >= 28 && days.length % 7 === 0 && isOut) break;
    days.push({ local: each, day: date.getUTCDate(), isOut, isToday: each === today });
  }
  return days;
}

/** Starts of each local day, by hours. */
export function daysOf(
  bins: readonly Pick<LoadBin, 'from' | 'starts'>[],
  zone: string,
): ReadonlyMap<number, readonly number[]> {
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

/** The most starts at one moment, for each minute of a local day. */
export function minutesOf(bins: readonly Pick<LoadBin, 'from' | 'most'>[], zone: string): readonly number[] {
  const minutes = Array.from({ length: 1440 }, () => 0);
  for (const { from, most } of bins) {
    const at = Date.parse(from);
    const place = Math.floor((at + offsetAt(zone, at) - localDay(zone, at)) / minuteMs);
    minutes[place] = Math.max(minutes[place] ?? 0, most);
  }
  return minutes;
}
