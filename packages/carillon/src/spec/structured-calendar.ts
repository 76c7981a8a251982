/** Calendars written as lists of ranges: checked against bounds and converted to `Calendar`. */
import type { Problem } from '../base/error.ts';
import { calendarOf } from './calendar-words.ts';
import { maxYear, minYear } from './limits.ts';
import type { Calendar, Range, RangeInput, StructuredCalendar } from './model.ts';
import { problem } from './parsed.ts';
import type { FieldName } from './temporal-field.ts';

interface Bounds {
  readonly title: string;
  readonly min: number;
  readonly max: number;
}

/** The fields, in the order in which Temporal checks them. */
export const structuredBounds: Readonly<Record<FieldName, Bounds>> = {
  second: { title: 'Second', min: 0, max: 59 },
  minute: { title: 'Minute', min: 0, max: 59 },
  hour: { title: 'Hour', min: 0, max: 23 },
  dayOfMonth: { title: 'DayOfMonth', min: 1, max: 31 },
  month: { title: 'Month', min: 1, max: 12 },
  year: { title: 'Year', min: minYear, max: maxYear },
  dayOfWeek: { title: 'DayOfWeek', min: 0, max: 6 },
};

export const structuredNames = Object.keys(structuredBounds) as readonly FieldName[];

/** `end` below `start` (0 when it was left out) and `step` 0 mean the single value and 1. */
export function cleanRange(input: RangeInput): Range {
  const start = input.start ?? 0;
  const end = Math.max(input.end ?? 0, start);
  return { start, end, step: input.step === undefined || input.step === 0 ? 1 : input.step };
}

/** Problems of the ranges, with Temporal's texts and paths such as `hour[1].end`. `minimumYear` differs by door. */
export function rangeProblems(calendar: StructuredCalendar, minimumYear: number = minYear): Problem[] {
  const problems: Problem[] = [];
  for (const name of structuredNames) {
    const { title, max } = structuredBounds[name];
    const min = name === 'year' ? minimumYear : structuredBounds[name].min;
    const bounds = `[${min}-${max}]`;
    const fix =
      name === 'dayOfWeek'
        ? 'write 0 for Sunday to 6 for Saturday'
        : `write a whole number from ${min} to ${max}`;
    (calendar[name] ?? []).forEach((input, i) => {
      const { start = 0, end = 0, step = 0 } = input;
      const at = `${name}[${i}]`;
      if (start < min || start > max) {
        problems.push(
          problem(`${at}.start`, 'OUT_OF_RANGE', `${title} Start is not in range ${bounds}`, fix),
        );
      }
      if (end !== 0 && (end < start || end > max)) {
        const message = `${title} End is before Start or not in range ${bounds}`;
        problems.push(problem(`${at}.end`, 'OUT_OF_RANGE', message, fix));
      }
      if (step < 0)
        problems.push(problem(`${at}.step`, 'STEP', `${title} has invalid Step`, 'a step is 1 or more'));
    });
  }
  return problems;
}

/** A missing field is an empty list: it matches nothing, except `year`, where it means all. */
export function calendarFromStructured(input: StructuredCalendar): Calendar {
  const fields: Partial<Record<FieldName, readonly Range[]>> = {};
  for (const name of structuredNames) fields[name] = (input[name] ?? []).map(cleanRange);
  return calendarOf({ ...fields, ...(input.comment === undefined ? {} : { comment: input.comment }) });
}
