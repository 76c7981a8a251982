/**
 * A second opinion on calendars in zones, written to be obviously right and nothing else: it walks instants one
 * by one, asks `Zone.offsetAt` and compares clock faces through `Date`. It shares no code with the search.
 */
import type { Calendar, FoldRule, GapRule, Range, Zone } from '../../packages/carillon/src/spec/model.ts';

const inRanges = (ranges: readonly Range[], value: number): boolean =>
  ranges.some(({ start, end, step }) => value >= start && value <= end && (value - start) % step === 0);

function lastDateOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The weekday nearest to a date of the same month. */
function nearest(year: number, month: number, date: number): number {
  const last = lastDateOf(year, month);
  if (date > last) return -1;
  const order = [0, -1, 1, -2, 2];
  for (const step of order) {
    const day = date + step;
    const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
    if (day >= 1 && day <= last && weekday !== 0 && weekday !== 6) return day;
  }
  return -1;
}

/** Whether a clock face (local time written as if it were UTC) matches the calendar. */
export function faceMatches(calendar: Calendar, local: number): boolean {
  const face = new Date(local * 1000);
  const year = face.getUTCFullYear();
  const month = face.getUTCMonth() + 1;
  const date = face.getUTCDate();
  const weekday = face.getUTCDay();
  if (!inRanges(calendar.second, face.getUTCSeconds())) return false;
  if (!inRanges(calendar.minute, face.getUTCMinutes())) return false;
  if (!inRanges(calendar.hour, face.getUTCHours())) return false;
  if (!inRanges(calendar.month, month)) return false;
  if (calendar.year.length > 0 && !inRanges(calendar.year, year)) return false;
  const last = lastDateOf(year, month);
  const byDate =
    inRanges(calendar.dayOfMonth, date) ||
    calendar.monthDays.some((rule) => {
      if (rule.kind === 'last') return date === last - rule.before;
      return date === nearest(year, month, rule.kind === 'lastWeekday' ? last : rule.day);
    });
  const byWeekday =
    inRanges(calendar.dayOfWeek, weekday) ||
    calendar.monthWeekdays.some((rule) => {
      if (rule.weekday !== weekday) return false;
      return rule.kind === 'nth' ? Math.ceil(date / 7) === rule.nth : date + 7 > last;
    });
  return calendar.days === 'either' ? byDate || byWeekday : byDate && byWeekday;
}

/** All instants near `around` that show this local time. */
function copies(zone: Zone, local: number, around: number): number[] {
  const offsets = new Set<number>();
  for (let hours = -26; hours <= 26; hours++) offsets.add(zone.offsetAt(around + hours * 3600));
  return [...offsets].map((offset) => local - offset).filter((at) => at + zone.offsetAt(at) === local);
}

/** First instant of a clock that jumps over `local`, by halving. */
function jumpOver(zone: Zone, local: number): number {
  let low = local - 26 * 3600;
  let high = local + 26 * 3600;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (middle + zone.offsetAt(middle) > local) high = middle;
    else low = middle;
  }
  return high;
}

export interface OracleQuery {
  readonly calendar: Calendar;
  readonly zone: Zone;
  readonly gap: GapRule;
  readonly fold: FoldRule;
  /** Exclusive and inclusive, whole seconds. */
  readonly from: number;
  readonly to: number;
  /** 1, or 30 when the calendar only matches whole minutes (some offsets have half minutes). */
  readonly step: number;
}

/** Every time in (from, to], the slow way. */
export function naiveTimes({ calendar, zone, gap, fold, from, to, step }: OracleQuery): number[] {
  const found = new Set<number>();
  const add = (at: number) => {
    if (at > from && at <= to) found.add(at);
  };
  const first = Math.ceil((from + 1) / step) * step;
  for (let at = first; at <= to; at += step) {
    const local = at + zone.offsetAt(at);
    if (!faceMatches(calendar, local)) continue;
    const all = copies(zone, local, at).sort((a, b) => a - b);
    if (fold === 'both' || at === (fold === 'first' ? all[0] : all.at(-1))) add(at);
  }
  if (gap !== 'skip') {
    // Local times that no instant shows, from well before the window to well after it.
    const reach = 26 * 3600;
    for (let local = Math.ceil((from - reach) / step) * step; local <= to + reach; local += step) {
      const at = jumpOver(zone, local);
      if (at - 1 + zone.offsetAt(at - 1) === local) continue;
      if (copies(zone, local, at).length > 0 || !faceMatches(calendar, local)) continue;
      add(gap === 'gapEnd' ? at : local - zone.offsetAt(at - 1));
    }
  }
  return [...found].sort((a, b) => a - b);
}
