/**
 * One field of a Temporal calendar or cron text. The grammar and the error texts are Temporal's, which clients
 * see; only `1-7` in the day of the week keeps its Sunday, which Temporal loses.
 */
import { monthNames, range, weekdayNames, weekdayRanges } from './calendar-words.ts';
import { maxYear, minTextYear } from './limits.ts';
import type { Range } from './model.ts';
import type { Parsed } from './parsed.ts';
import { failure, problem, success } from './parsed.ts';

export interface TemporalField {
  /** The name in error texts: `DayOfMonth`. */
  readonly title: string;
  /** Used when the text is blank. */
  readonly fallback: string;
  readonly min: number;
  readonly max: number;
  readonly mode: 'int' | 'mon' | 'dow' | 'year';
}

function field(
  title: string,
  fallback: string,
  min: number,
  max: number,
  mode: TemporalField['mode'],
): TemporalField {
  return { title, fallback, min, max, mode };
}

/** The fields, in the order in which Temporal reads them, which is the order of its joined error texts. */
export const temporalFields = {
  second: field('Second', '0', 0, 59, 'int'),
  minute: field('Minute', '0', 0, 59, 'int'),
  hour: field('Hour', '0', 0, 23, 'int'),
  dayOfWeek: field('DayOfWeek', '*', 0, 7, 'dow'),
  dayOfMonth: field('DayOfMonth', '*', 1, 31, 'int'),
  month: field('Month', '*', 1, 12, 'mon'),
  year: field('Year', '*', minTextYear, maxYear, 'year'),
} as const satisfies Record<string, TemporalField>;

export type FieldName = keyof typeof temporalFields;

const names = {
  mon: { words: monthNames, shortest: 3, first: 1 },
  dow: { words: weekdayNames, shortest: 2, first: 0 },
} as const;

/** A number (sign allowed, as in Go) or a name, within the bounds; undefined otherwise. */
export function parseTemporalValue(
  text: string,
  { min, max, mode }: Pick<TemporalField, 'min' | 'max' | 'mode'>,
): number | undefined {
  let value: number | undefined;
  if (/^[+-]?\d+$/.test(text)) value = Number(text);
  else if (mode === 'mon' || mode === 'dow') {
    const { words, shortest, first } = names[mode];
    const lower = text.toLowerCase();
    const index = lower.length < shortest ? -1 : words.findIndex((word) => word.startsWith(lower));
    if (index >= 0) value = index + first;
  }
  return value === undefined || value < min || value > max ? undefined : value;
}

/** Advice for what people mean when a part is refused. */
function adviceFor(part: string, { mode, min, max }: TemporalField): string {
  if (part.includes('?')) return '`?` belongs to Quartz and Spring; write * for any day';
  if (/[LW]/.test(part.toUpperCase()) && mode !== 'mon') {
    return 'L and W belong to the unix and spring dialects; use one of them for last days and nearest weekdays';
  }
  if (part.trim() !== part || /\s/.test(part)) return 'leave out the blanks inside the field';
  if (mode === 'dow')
    return 'write 0 or 7 for Sunday, 1 to 6, or names such as mon; a range cannot wrap: write fri,sat,sun,mon';
  if (mode === 'mon') return 'write 1 to 12 or a name of at least three letters, such as sep';
  return `write a number from ${min} to ${max}, a range a-b, a step */n, or a list of them`;
}

export function parseTemporalField(text: string | undefined, rules: TemporalField): Parsed<readonly Range[]> {
  const { title, fallback, min, max, mode } = rules;
  const trimmed = (text ?? '').trim();
  const content = trimmed === '' ? fallback : trimmed;
  if (content === '*' && mode === 'year') return success([]);
  const bounds = `[${min}-${max}]`;
  const ranges: Range[] = [];
  for (const whole of content.split(',')) {
    const refuse = (reason: string, message: string): Parsed<readonly Range[]> =>
      failure([problem('', reason, message, adviceFor(whole, rules))]);
    const slashes = whole.split('/');
    if (slashes.length > 2) return refuse('TOO_MANY_SLASHES', `${title} has too many slashes`);
    const [part = '', stepText] = slashes;
    let step = 1;
    if (stepText !== undefined) {
      if (stepText === '') return refuse('STEP', `${title} missing step value`);
      if (!/^[+-]?\d+$/.test(stepText)) {
        return refuse('STEP', `strconv.Atoi: parsing ${JSON.stringify(stepText)}: invalid syntax`);
      }
      step = Number(stepText);
      if (!Number.isSafeInteger(step)) {
        return refuse('STEP', `strconv.Atoi: parsing ${JSON.stringify(stepText)}: value out of range`);
      }
      if (step < 1) return refuse('STEP', `${title} has invalid Step`);
    }
    let start = min;
    let end = max;
    if (part !== '*') {
      const ends = part.split('-');
      if (ends.length > 2) return refuse('TOO_MANY_DASHES', `${title} has too many dashes`);
      const low = parseTemporalValue(ends[0] ?? '', rules);
      if (ends[1] === undefined) {
        if (low === undefined) return refuse('OUT_OF_RANGE', `${title} is not in range ${bounds}`);
        start = low;
        if (stepText === undefined) end = low;
      } else {
        if (low === undefined) return refuse('OUT_OF_RANGE', `${title} Start is not in range ${bounds}`);
        const high = parseTemporalValue(ends[1], { min: low, max, mode });
        if (high === undefined) {
          return refuse('OUT_OF_RANGE', `${title} End is before Start or not in range ${bounds}`);
        }
        start = low;
        end = high;
      }
    }
    if (mode === 'dow') ranges.push(...weekdayRanges(start, end, step));
    else ranges.push(range(start, end, step));
  }
  return success(ranges);
}
