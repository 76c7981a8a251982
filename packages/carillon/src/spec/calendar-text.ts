/** Calendars written as text per field (`{ hour: '9-17', dayOfWeek: 'mon-fri' }`), and back again. */
import type { Problem } from '../base/error.ts';
import { calendarOf } from './calendar-words.ts';
import { maxCommentBytes } from './limits.ts';
import type { Calendar, CalendarText, Range } from './model.ts';
import type { Parsed } from './parsed.ts';
import { failure, problem, success, within } from './parsed.ts';
import { type FieldName, parseTemporalField, temporalFields } from './temporal-field.ts';

export const fieldNames = Object.keys(temporalFields) as readonly FieldName[];

const encoder = new TextEncoder();

export function commentProblems(comment: string | undefined): Problem[] {
  if (comment === undefined || encoder.encode(comment).length <= maxCommentBytes) return [];
  return [problem('comment', 'TOO_LONG', 'comment is too long', `keep it within ${maxCommentBytes} bytes`)];
}

/** Reports at most one problem per field, under the field's name. `commentProblems` checks comments. */
export function parseCalendarText(text: CalendarText): Parsed<Calendar> {
  const problems: Problem[] = [];
  const fields: Partial<Record<FieldName, readonly Range[]>> = {};
  for (const name of fieldNames) {
    const parsed = parseTemporalField(text[name], temporalFields[name]);
    if (parsed.ok) fields[name] = parsed.value;
    else problems.push(...within(name, parsed.problems));
  }
  if (problems.length > 0) return failure(problems);
  const comment = text.comment === undefined || text.comment === '' ? {} : { comment: text.comment };
  return success(calendarOf({ ...fields, ...comment }));
}

export function formatRange({ start, end, step }: Range): string {
  if (step !== 1) return `${start}-${end}/${step}`;
  return start === end ? `${start}` : `${start}-${end}`;
}

/**
 * The text form of a calendar; undefined where there is none: last days, nearest weekdays, nth weekdays, the
 * either-day rule, or a field that matches nothing.
 */
export function formatCalendar(calendar: Calendar): CalendarText | undefined {
  if (calendar.days === 'either' || calendar.monthDays.length > 0 || calendar.monthWeekdays.length > 0)
    return undefined;
  const text: Partial<Record<FieldName, string>> = {};
  for (const name of fieldNames) {
    const ranges = calendar[name];
    if (ranges.length > 0) text[name] = ranges.map(formatRange).join(',');
    else if (name !== 'year') return undefined;
  }
  return { ...text, ...(calendar.comment === undefined ? {} : { comment: calendar.comment }) };
}
