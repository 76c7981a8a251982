/**
 * Which days a rule allows. RFC 5545 words some parts as expanding a period and others as limiting it; once the open
 * parts are filled in from the anchor, both are the same check of each day of the period.
 */
import {
  type CivilDay,
  civilDay,
  dayNumber,
  firstWeek,
  monthLength,
  weekdayOf,
  yearLength,
} from '../calendar-day.ts';
import type { Rule, WeekdayChoice } from './recurrence.ts';

/** The rule with its open day parts taken from the anchor day. */
export function fillDays(rule: Rule, anchorDay: number): Rule {
  const open = rule.byDay.length === 0 && rule.byMonthDay.length === 0 && rule.byYearDay.length === 0;
  if (!open) return rule;
  const { month, day } = civilDay(anchorDay);
  const weekday = [{ weekday: weekdayOf(anchorDay), nth: 0 }];
  switch (rule.frequency) {
    case 'YEARLY':
      if (rule.byWeekNumber.length > 0) return { ...rule, byDay: weekday };
      return { ...rule, byMonthDay: [day], byMonth: rule.byMonth.length > 0 ? rule.byMonth : [month] };
    case 'MONTHLY':
      return { ...rule, byMonthDay: [day] };
    case 'WEEKLY':
      return { ...rule, byDay: weekday };
    default:
      return rule;
  }
}

/** Whether the rule excludes any day; if not, callers may skip the check. */
export function limitsDays(rule: Rule): boolean {
  return [rule.byMonth, rule.byMonthDay, rule.byYearDay, rule.byWeekNumber, rule.byDay].some(
    (list) => list.length > 0,
  );
}

export function allowsDay(rule: Rule, number: number): boolean {
  const date = civilDay(number);
  if (rule.byMonth.length > 0 && !rule.byMonth.includes(date.month)) return false;
  if (rule.byMonthDay.length > 0) {
    const fromEnd = date.day - monthLength(date.year, date.month) - 1;
    if (!rule.byMonthDay.includes(date.day) && !rule.byMonthDay.includes(fromEnd)) return false;
  }
  if (rule.byYearDay.length > 0) {
    const dayOfYear = number - dayNumber(date.year, 1, 1) + 1;
    const fromEnd = dayOfYear - yearLength(date.year) - 1;
    if (!rule.byYearDay.includes(dayOfYear) && !rule.byYearDay.includes(fromEnd)) return false;
  }
  if (rule.byWeekNumber.length > 0 && !allowsWeek(rule, number, date.year)) return false;
  return rule.byDay.length === 0 || rule.byDay.some((choice) => isChosenWeekday(rule, choice, number, date));
}

/** The first and last days of January and December may belong to a week of the neighbouring year. */
function allowsWeek(rule: Rule, number: number, year: number): boolean {
  let weekYear = year;
  if (number < firstWeek(year, rule.weekStart)) weekYear = year - 1;
  else if (number >= firstWeek(year + 1, rule.weekStart)) weekYear = year + 1;
  const first = firstWeek(weekYear, rule.weekStart);
  const total = (firstWeek(weekYear + 1, rule.weekStart) - first) / 7;
  const week = Math.floor((number - first) / 7) + 1;
  return rule.byWeekNumber.includes(week) || rule.byWeekNumber.includes(week - total - 1);
}

/** A numbered weekday counts within the month, or within the year for a yearly rule without BYMONTH. */
function isChosenWeekday(rule: Rule, choice: WeekdayChoice, number: number, date: CivilDay): boolean {
  if (weekdayOf(number) !== choice.weekday) return false;
  if (choice.nth === 0) return true;
  const inYear = rule.frequency === 'YEARLY' && rule.byMonth.length === 0;
  const first = inYear ? dayNumber(date.year, 1, 1) : number - date.day + 1;
  const length = inYear ? yearLength(date.year) : monthLength(date.year, date.month);
  const nth =
    choice.nth > 0
      ? Math.floor((number - first) / 7) + 1
      : -(Math.floor((first + length - 1 - number) / 7) + 1);
  return nth === choice.nth;
}
