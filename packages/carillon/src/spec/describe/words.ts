/** English phrases: lists, ordinals, clock times, durations. */

import { civilDay, daySeconds } from '../calendar-day.ts';
import { monthNames, weekdayNames } from '../calendar-words.ts';
import type { Range } from '../model.ts';

export function monthName(month: number): string {
  return capital(monthNames[month - 1] ?? `month ${month}`);
}

export function weekdayName(weekday: number): string {
  return capital(weekdayNames[weekday % 7] ?? `weekday ${weekday}`);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function uncapital(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

export function joinWords(words: readonly string[], glue: 'and' | 'or' = 'and'): string {
  if (words.length <= 1) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} ${glue} ${words.at(-1)}`;
}

/** `1, 2, 3, 7` as `1 to 3 and 7`: three or more neighbours become a range. */
export function joinRuns(
  values: readonly number[],
  name: (value: number) => string = String,
  glue: 'and' | 'or' = 'and',
): string {
  const words: string[] = [];
  for (let from = 0; from < values.length; ) {
    let to = from;
    while ((values[to + 1] ?? Number.NaN) === (values[to] ?? 0) + 1) to += 1;
    if (to - from >= 2) {
      words.push(`${name(values[from] ?? 0)} to ${name(values[to] ?? 0)}`);
      from = to + 1;
    } else {
      words.push(name(values[from] ?? 0));
      from += 1;
    }
  }
  return joinWords(words, glue);
}

/** Weekdays from Monday on, as people list them. */
export function joinWeekdays(weekdays: readonly number[], glue: 'and' | 'or' = 'and'): string {
  const fromMonday = weekdays.map((weekday) => (weekday === 0 ? 7 : weekday)).sort((a, b) => a - b);
  return joinRuns(fromMonday, weekdayName, glue);
}

export function ordinal(value: number): string {
  const tens = value % 100;
  if (tens >= 11 && tens <= 13) return `${value}th`;
  return `${value}${['th', 'st', 'nd', 'rd'][value % 10] ?? 'th'}`;
}

/** first … fifth; −1 last, −2 second-to-last. */
export function ordinalWord(nth: number): string {
  const names = ['first', 'second', 'third', 'fourth', 'fifth'];
  if (nth > 0) return names[nth - 1] ?? ordinal(nth);
  return nth === -1 ? 'last' : `${names[-nth - 1] ?? ordinal(-nth)}-to-last`;
}

export function clockText(hour: number, minute: number, second = 0): string {
  return `${two(hour)}:${two(minute)}${second === 0 ? '' : `:${two(second)}`}`;
}

/** `2026-01-31 09:00` of a local second. */
export function dateTimeText(localSecond: number): string {
  const day = Math.floor(localSecond / daySeconds);
  const rest = localSecond - day * daySeconds;
  return `${dateText(day)} ${clockText(Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60)}`;
}

export function dateText(dayNumber: number): string {
  const { year, month, day } = civilDay(dayNumber);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** `5 min 44 s`. Fractions of a second are cut off, as the spec does. */
export function lengthText(milliseconds: number): string {
  const total = Math.floor(milliseconds / 1000);
  if (total === 0) return `${Math.max(0, Math.floor(milliseconds))} ms`;
  const units: readonly (readonly [number, string])[] = [
    [daySeconds, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ];
  let rest = total;
  const parts: string[] = [];
  for (const [size, unit] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(' ');
}

/** Every value of some ranges that lies in [low, high], sorted, once. */
export function valuesOf(ranges: readonly Range[], low: number, high: number): readonly number[] {
  const values: number[] = [];
  for (let value = low; value <= high; value += 1) {
    const inside = ranges.some(
      ({ start, end, step }) => value >= start && value <= end && (value - start) % Math.max(1, step) === 0,
    );
    if (inside) values.push(value);
  }
  return values;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
