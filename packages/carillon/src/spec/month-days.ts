/**
 * Which days of a month a calendar matches, as a bit mask (bit 0 = the first). A month's days depend only on its
 * length and on the weekday of its first, so there are 28 kinds of month and each mask is computed once.
 */
import { unreachable } from '../base/assert.ts';
import { forEachValue } from './field-table.ts';
import type { Calendar, MonthDay, MonthWeekday } from './model.ts';

const monthShapeCount = 28;
/** Days 1, 8, 15, 22 and 29. */
const weekly = 0x10204081;

function nearestWeekday(day: number, length: number, weekdayOf: (day: number) => number): number {
  if (day > length) return 0;
  const weekday = weekdayOf(day);
  // Stays inside the month: the 1st moves to Monday the 3rd, a last Sunday back to Friday.
  if (weekday === 6) return day === 1 ? 3 : day - 1;
  if (weekday === 0) return day === length ? day - 2 : day + 1;
  return day;
}

function monthDayOf(rule: MonthDay, length: number, weekdayOf: (day: number) => number): number {
  switch (rule.kind) {
    case 'last':
      return length - rule.before;
    case 'lastWeekday':
      return nearestWeekday(length, length, weekdayOf);
    case 'nearestWeekday':
      return nearestWeekday(rule.day, length, weekdayOf);
    default:
      return unreachable(rule);
  }
}

function monthWeekdayOf(rule: MonthWeekday, length: number, firstWeekday: number): number {
  const first = ((rule.weekday - firstWeekday + 7) % 7) + 1;
  switch (rule.kind) {
    case 'lastWeekdayOf':
      return first + Math.floor((length - first) / 7) * 7;
    case 'nth':
      return first + (rule.nth - 1) * 7;
    default:
      return unreachable(rule);
  }
}

/** Returns the mask for a shape (see `monthShapes`), computing it when first asked. */
export function monthDayMasks(calendar: Calendar): (shape: number) => number {
  let dates = 0;
  let weekdays = 0;
  forEachValue(calendar.dayOfMonth, (day) => {
    dates |= 1 << (day - 1);
  });
  forEachValue(calendar.dayOfWeek, (day) => {
    weekdays |= 1 << day;
  });
  const masks = new Int32Array(monthShapeCount).fill(-1);

  const compute = (shape: number): number => {
    const firstWeekday = shape % 7;
    const length = 28 + (shape - firstWeekday) / 7;
    const all = -1 >>> (32 - length);
    const bit = (day: number) => (day >= 1 && day <= length ? 1 << (day - 1) : 0);
    const weekdayOf = (day: number) => (firstWeekday + day - 1) % 7;
    let byDate = dates;
    for (const rule of calendar.monthDays) byDate |= bit(monthDayOf(rule, length, weekdayOf));
    let byWeekday = 0;
    for (let weekday = 0; weekday < 7; weekday++) {
      if ((weekdays >> weekday) & 1) byWeekday |= weekly << ((weekday - firstWeekday + 7) % 7);
    }
    for (const rule of calendar.monthWeekdays) byWeekday |= bit(monthWeekdayOf(rule, length, firstWeekday));
    return (calendar.days === 'either' ? byDate | byWeekday : byDate & byWeekday) & all;
  };

  return (shape) => {
    let mask = masks[shape] as number;
    if (mask < 0) {
      mask = compute(shape);
      masks[shape] = mask;
    }
    return mask;
  };
}
