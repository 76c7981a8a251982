/** Reads one RRULE value (`FREQ=…;BYDAY=…`). Collects every problem instead of stopping at the first. */
import type { Problem } from '../../base/error.ts';
import { parseMoment } from './moment.ts';
import { type Frequency, frequencies, type Rule, type WeekdayChoice, weekdayCodes } from './recurrence.ts';
import { ruleConflicts } from './rule-conflicts.ts';

/** COUNT is answered from a stored expansion; this bounds its memory and time. */
const largestCount = 100_000;

interface NumberPart {
  readonly low: number;
  readonly high: number;
  /** Negative values count from the end. */
  readonly signed?: true;
}

const numberParts = {
  BYSECOND: { low: 0, high: 59 },
  BYMINUTE: { low: 0, high: 59 },
  BYHOUR: { low: 0, high: 23 },
  BYMONTHDAY: { low: 1, high: 31, signed: true },
  BYYEARDAY: { low: 1, high: 366, signed: true },
  BYWEEKNO: { low: 1, high: 53, signed: true },
  BYMONTH: { low: 1, high: 12 },
  BYSETPOS: { low: 1, high: 366, signed: true },
} as const satisfies Record<string, NumberPart>;
type NumberPartName = keyof typeof numberParts;

const partNames = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST', ...Object.keys(numberParts)];

export function parseRule(text: string, path: string, problems: Problem[]): Rule | undefined {
  const before = problems.length;
  const report = (part: string, reason: string, message: string, fix: string) => {
    problems.push({ path: part === '' ? path : `${path}.${part}`, reason, message, fix });
  };
  const parts = splitParts(text, report);
  const numbers = (name: NumberPartName) => parseNumbers(name, parts.get(name), report);
  const frequency = parseFrequency(parts.get('FREQ'), report);
  const interval = parsePositive('INTERVAL', parts.get('INTERVAL'), 100_000_000, report);
  const count = parsePositive('COUNT', parts.get('COUNT'), largestCount, report);
  const untilText = parts.get('UNTIL');
  const until = untilText === undefined ? undefined : parseMoment(untilText);
  if (typeof until === 'string') {
    report('UNTIL', 'BAD_DATE', `UNTIL: ${until}`, 'write 20261231, 20261231T235959 or 20261231T235959Z');
  }
  const rule = {
    interval: interval ?? 1,
    ...(count === undefined ? {} : { count }),
    ...(until === undefined || typeof until === 'string' ? {} : { until }),
    bySecond: numbers('BYSECOND'),
    byMinute: numbers('BYMINUTE'),
    byHour: numbers('BYHOUR'),
    byDay: parseWeekdays(parts.get('BYDAY'), report),
    byMonthDay: numbers('BYMONTHDAY'),
    byYearDay: numbers('BYYEARDAY'),
    byWeekNumber: numbers('BYWEEKNO'),
    byMonth: numbers('BYMONTH'),
    bySetPosition: numbers('BYSETPOS'),
    weekStart: parseWeekStart(parts.get('WKST'), report),
  };
  if (frequency === undefined || problems.length > before) return undefined;
  const parsed: Rule = { frequency, ...rule };
  for (const conflict of ruleConflicts(parsed)) {
    report(conflict.part, 'CONFLICT', conflict.message, conflict.fix);
  }
  return problems.length > before ? undefined : parsed;
}

type Report = (part: string, reason: string, message: string, fix: string) => void;

function splitParts(text: string, report: Report): Map<string, string> {
  const parts = new Map<string, string>();
  for (const piece of text.split(';')) {
    if (piece.trim() === '') continue;
    const cut = piece.indexOf('=');
    const name = (cut < 0 ? piece : piece.slice(0, cut)).trim().toUpperCase();
    if (cut < 0) {
      report(name, 'MISSING_VALUE', `"${piece.trim()}" has no value`, 'write each part as NAME=VALUE');
    } else if (name === 'DTSTART' || name === 'TZID') {
      report(
        name,
        'MISPLACED',
        `${name} is not part of a rule`,
        'write DTSTART;TZID=zone:time on its own line',
      );
    } else if (!partNames.includes(name)) {
      const fix = name === 'BYWEEKDAY' ? 'write BYDAY' : `use ${partNames.join(', ')}`;
      report(name, 'UNKNOWN_PART', `"${name}" is not a part of a recurrence rule`, fix);
    } else if (parts.has(name)) {
      report(name, 'REPEATED', `${name} is given twice`, 'join the values with commas');
    } else {
      parts.set(name, piece.slice(cut + 1).trim());
    }
  }
  return parts;
}

function parseFrequency(text: string | undefined, report: Report): Frequency | undefined {
  const found = frequencies.find((name) => name === text?.toUpperCase());
  if (found !== undefined) return found;
  const message = text === undefined ? 'FREQ is missing' : `"${text}" is not a frequency`;
  report(
    'FREQ',
    text === undefined ? 'MISSING' : 'UNKNOWN_VALUE',
    message,
    `write FREQ=${frequencies.join('|')}`,
  );
  return undefined;
}

function parsePositive(
  name: string,
  text: string | undefined,
  largest: number,
  report: Report,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= largest) return value;
  const more = name === 'COUNT' ? '; for more, end the rule with UNTIL' : '';
  report(
    name,
    'OUT_OF_RANGE',
    `${name}=${text} is not possible`,
    `write a whole number from 1 to ${largest}${more}`,
  );
  return undefined;
}

function parseNumbers(name: NumberPartName, text: string | undefined, report: Report): readonly number[] {
  if (text === undefined) return [];
  const { low, high, signed }: NumberPart = numberParts[name];
  const values = new Set<number>();
  for (const item of text.split(',').map((piece) => piece.trim())) {
    const value = /^[+-]?\d{1,3}$/.test(item) ? Number(item) : Number.NaN;
    const size = signed === true ? Math.abs(value) : value;
    if (size >= low && size <= high) {
      values.add(value);
      continue;
    }
    const range = signed === true ? `${low}–${high} or −${high}–−${low}` : `${low}–${high}`;
    const leap = name === 'BYSECOND' && value === 60 ? '; Unix time has no leap seconds, use 59' : '';
    report(name, 'OUT_OF_RANGE', `${name}: "${item}" is not in ${range}`, `use numbers in ${range}${leap}`);
  }
  return [...values].sort((a, b) => a - b);
}

function parseWeekdays(text: string | undefined, report: Report): readonly WeekdayChoice[] {
  if (text === undefined) return [];
  const choices = new Map<string, WeekdayChoice>();
  for (const item of text.split(',').map((piece) => piece.trim().toUpperCase())) {
    const found = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/.exec(item);
    const nth = Number(found?.[1] ?? 0);
    if (found === null || Math.abs(nth) > 53 || (found[1] !== undefined && nth === 0)) {
      const fix = 'write MO,TU,WE,TH,FR,SA,SU, with a number for the nth of the period: 2MO, -1FR';
      report('BYDAY', 'UNKNOWN_VALUE', `BYDAY: "${item}" is not a weekday`, fix);
      continue;
    }
    const weekday = weekdayCodes.indexOf(found[2] ?? '');
    choices.set(`${nth}/${weekday}`, { weekday, nth });
  }
  return [...choices.values()].sort((a, b) => a.nth - b.nth || ((a.weekday + 6) % 7) - ((b.weekday + 6) % 7));
}

function parseWeekStart(text: string | undefined, report: Report): number {
  if (text === undefined) return 1;
  const weekday = weekdayCodes.indexOf(text.toUpperCase());
  if (weekday >= 0) return weekday;
  report(
    'WKST',
    'UNKNOWN_VALUE',
    `WKST: "${text}" is not a weekday`,
    `write one of ${weekdayCodes.join(', ')}`,
  );
  return 1;
}
