/**
 * A calendar on the wall clock: searches local seconds (Unix second + offset) without any zone. Time of day goes
 * through lookup tables, days through one bit mask per month, months and years through jumps, so the cost does not
 * depend on how far away the next match is.
 */
import { firstYear, lastYear, monthCount, monthIndexOf, monthShapes, monthStarts } from './civil.ts';
import { fieldTable, forEachValue } from './field-table.ts';
import { type Calendar, none } from './model.ts';
import { monthDayMasks } from './month-days.ts';

export interface WallClock {
  /** First match at or after this local second, `none` past the year 2100. */
  atOrAfter(local: number): number;
  /** Last match at or before this local second. */
  atOrBefore(local: number): number;
  matches(local: number): boolean;
  /** Whether the calendar has a time in every hour of the day, like an interval. */
  readonly everyHour: boolean;
  /** Seconds of the largest unit (second, minute, hour, day) that matches as a whole when one second of it does. */
  readonly grain: number;
}

const daySeconds = 86_400;
const beginning = (monthStarts[0] as number) * daySeconds;
const ending = (monthStarts[monthCount] as number) * daySeconds - 1;

const never: WallClock = {
  atOrAfter: () => none,
  atOrBefore: () => none,
  matches: () => false,
  everyHour: false,
  grain: 1,
};

/** Allowed years as flags from `firstYear` on; undefined when every year is. */
function yearFlags(calendar: Calendar): Uint8Array | undefined {
  if (calendar.year.length === 0) return undefined;
  const flags = new Uint8Array(lastYear - firstYear + 1);
  forEachValue(calendar.year, (year) => {
    if (year >= firstYear && year <= lastYear) flags[year - firstYear] = 1;
  });
  return flags;
}

interface MonthSteps {
  /** Months from each month to the next allowed one, 1 to 12. */
  readonly forward: Uint8Array;
  /** Months from each month back to the previous allowed one. */
  readonly backward: Uint8Array;
}

/** Steps by the mask of allowed months: there are at most 4095 masks, and nearly all calendars allow every month. */
const stepCache = new Map<number, MonthSteps>();

function monthSteps(months: number): MonthSteps {
  const known = stepCache.get(months);
  if (known !== undefined) return known;
  const forward = new Uint8Array(12);
  const backward = new Uint8Array(12);
  for (let month = 0; month < 12; month++) {
    let step = 1;
    while (((months >> ((month + step) % 12)) & 1) === 0) step++;
    forward[month] = step;
    step = 1;
    while (((months >> ((month - step + 12) % 12)) & 1) === 0) step++;
    backward[month] = step;
  }
  const steps = { forward, backward };
  stepCache.set(months, steps);
  return steps;
}

export function compileWallClock(calendar: Calendar): WallClock {
  const seconds = fieldTable(calendar.second, 60);
  const minutes = fieldTable(calendar.minute, 60);
  const hours = fieldTable(calendar.hour, 24);
  let months = 0;
  forEachValue(calendar.month, (month) => {
    months |= 1 << (month - 1);
  });
  if (seconds.count === 0 || minutes.count === 0 || hours.count === 0 || months === 0) return never;

  const years = yearFlags(calendar);
  const dayMask = monthDayMasks(calendar);
  const nextSecond = seconds.next;
  const nextMinute = minutes.next;
  const nextHour = hours.next;
  const earliest = hours.first * 3600 + minutes.first * 60 + seconds.first;
  const latest = hours.last * 3600 + minutes.last * 60 + seconds.last;
  const firstMinuteSecond = minutes.first * 60 + seconds.first;
  const lastMinuteSecond = minutes.last * 60 + seconds.last;

  const { forward, backward } = monthSteps(months);

  const daysOf = (index: number): number => {
    if (((months >> (index % 12)) & 1) === 0) return 0;
    if (years !== undefined && years[(index / 12) | 0] !== 1) return 0;
    return dayMask(monthShapes[index] as number);
  };

  /** Time of day at or after, −1 when the day has none left. */
  const timeAtOrAfter = (time: number): number => {
    const hour = (time / 3600) | 0;
    const rest = time - hour * 3600;
    if (nextHour[hour] === hour) {
      const minute = (rest / 60) | 0;
      if (nextMinute[minute] === minute) {
        const second = nextSecond[rest - minute * 60] as number;
        if (second < 60) return hour * 3600 + minute * 60 + second;
      }
      const later = nextMinute[minute + 1] as number;
      if (later < 60) return hour * 3600 + later * 60 + seconds.first;
    }
    const later = nextHour[hour + 1] as number;
    return later < 24 ? later * 3600 + firstMinuteSecond : -1;
  };

  const timeAtOrBefore = (time: number): number => {
    const hour = (time / 3600) | 0;
    const rest = time - hour * 3600;
    if (nextHour[hour] === hour) {
      const minute = (rest / 60) | 0;
      if (nextMinute[minute] === minute) {
        const second = seconds.previous[rest - minute * 60] as number;
        if (second < 60) return hour * 3600 + minute * 60 + second;
      }
      const earlier = minute === 0 ? 255 : (minutes.previous[minute - 1] as number);
      if (earlier < 60) return hour * 3600 + earlier * 60 + seconds.last;
    }
    const earlier = hour === 0 ? 255 : (hours.previous[hour - 1] as number);
    return earlier < 24 ? earlier * 3600 + lastMinuteSecond : -1;
  };

  const atOrAfter = (from: number): number => {
    const local = Math.max(from, beginning);
    const day = Math.floor(local / daySeconds);
    let index = monthIndexOf(day);
    if (!(index < monthCount)) return none;
    let bits = daysOf(index);
    const date = day - (monthStarts[index] as number);
    if ((bits >> date) & 1) {
      const time = timeAtOrAfter(local - day * daySeconds);
      if (time >= 0) return day * daySeconds + time;
    }
    bits &= -2 << date;
    while (bits === 0) {
      index += forward[index % 12] as number;
      if (years !== undefined) {
        // A year that is not allowed is left in one step, to the January of the next.
        while (index < monthCount && years[(index / 12) | 0] !== 1) index = (((index / 12) | 0) + 1) * 12;
      }
      if (index >= monthCount) return none;
      bits = daysOf(index);
    }
    const found = (monthStarts[index] as number) + 31 - Math.clz32(bits & -bits);
    return found * daySeconds + earliest;
  };

  const atOrBefore = (from: number): number => {
    const local = Math.min(from, ending);
    const day = Math.floor(local / daySeconds);
    let index = monthIndexOf(day);
    if (!(index >= 0)) return none;
    let bits = daysOf(index);
    const date = day - (monthStarts[index] as number);
    if ((bits >> date) & 1) {
      const time = timeAtOrBefore(local - day * daySeconds);
      if (time >= 0) return day * daySeconds + time;
    }
    bits &= (1 << date) - 1;
    while (bits === 0) {
      index -= backward[index % 12] as number;
      if (years !== undefined) {
        while (index >= 0 && years[(index / 12) | 0] !== 1) index = ((index / 12) | 0) * 12 - 1;
      }
      if (index < 0) return none;
      bits = daysOf(index);
    }
    const found = (monthStarts[index] as number) + 31 - Math.clz32(bits);
    return found * daySeconds + latest;
  };

  const matches = (local: number): boolean => {
    const day = Math.floor(local / daySeconds);
    const index = monthIndexOf(day);
    if (index < 0 || index >= monthCount) return false;
    const time = local - day * daySeconds;
    const hour = (time / 3600) | 0;
    const minute = ((time / 60) | 0) % 60;
    const second = time % 60;
    if (nextSecond[second] !== second || nextMinute[minute] !== minute || nextHour[hour] !== hour)
      return false;
    return ((daysOf(index) >> (day - (monthStarts[index] as number))) & 1) === 1;
  };

  const wholeMinutes = seconds.count === 60;
  const wholeHours = wholeMinutes && minutes.count === 60;
  const grain = wholeHours ? (hours.count === 24 ? daySeconds : 3600) : wholeMinutes ? 60 : 1;
  return { atOrAfter, atOrBefore, matches, everyHour: hours.count === 24, grain };
}
