/** A recurrence rule in plain words: "Every 2 weeks on Monday and Friday at 09:00, 10 times". */
import { daySeconds } from '../calendar-day.ts';
import { fillDays } from '../rrule/day-filter.ts';
import type { Frequency, Moment, Recurrence, Rule } from '../rrule/recurrence.ts';
import { clockPhrase } from './clock-phrase.ts';
import {
  dateText,
  dateTimeText,
  joinRuns,
  joinWeekdays,
  joinWords,
  monthName,
  ordinalWord,
  uncapital,
  weekdayName,
} from './words.ts';

const units: Readonly<Record<Frequency, string>> = {
  SECONDLY: 'second',
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};

/** More dates than this are counted, not listed. */
const mostDates = 3;

export function describeRecurrence(recurrence: Recurrence): string {
  const { start, rules, dates, exceptDates } = recurrence;
  const anchor = start ?? 0;
  const parts = rules.map((rule) => describeRule(rule, anchor));
  if (rules.length === 0 && start !== undefined) parts.push(`Once at ${dateTimeText(start)}`);
  let text = parts.map((part, index) => (index === 0 ? part : uncapital(part))).join('; and ');
  if (dates.length > 0) text += text === '' ? `Once at ${dateWords(dates)}` : `, also at ${dateWords(dates)}`;
  if (exceptDates.length > 0) text += `, except ${dateWords(exceptDates)}`;
  if (rules.length > 0 && start !== undefined) text += `, from ${dateTimeText(start)}`;
  return text;
}

function describeRule(given: Rule, anchor: number): string {
  const rule = fillDays(given, Math.floor(anchor / daySeconds));
  const unit = units[rule.frequency];
  const words = [rule.interval === 1 ? `Every ${unit}` : `Every ${rule.interval} ${unit}s`];
  words.push(...dayWords(rule), ...clockWords(rule, anchor));
  if (rule.bySetPosition.length > 0) {
    const places = rule.bySetPosition.map((position) => `the ${ordinalWord(position)}`);
    words.push(`(only ${joinWords(places)} of each ${unit})`);
  }
  if (
    rule.weekStart !== 1 &&
    (rule.frequency === 'WEEKLY' ? rule.interval > 1 : rule.byWeekNumber.length > 0)
  ) {
    words.push(`(weeks begin on ${weekdayName(rule.weekStart)})`);
  }
  let text = words.join(' ');
  if (rule.count !== undefined) text += rule.count === 1 ? ', once' : `, ${rule.count} times`;
  if (rule.until !== undefined) text += `, until ${momentText(rule.until)}`;
  return text;
}

function dayWords(rule: Rule): readonly string[] {
  const words: string[] = [];
  const dates = rule.byMonthDay;
  const onWeekday = rule.byDay.length > 0;
  if (rule.byYearDay.length > 0) words.push(`on ${numberedDays(rule.byYearDay)} of the year`);
  if (dates.length > 0) {
    const month = rule.byMonth.length === 1 ? ` of ${monthName(rule.byMonth[0] ?? 0)}` : '';
    words.push(
      `on ${numberedDays(dates)}${month === '' && rule.frequency !== 'MONTHLY' ? ' of the month' : month}`,
    );
  }
  if (onWeekday) {
    const filter = dates.length > 0 || rule.byYearDay.length > 0;
    words.push(`${filter ? 'when it is' : 'on'} ${weekdayChoices(rule, filter ? 'or' : 'and')}`);
  }
  if (rule.byWeekNumber.length > 0) {
    const weeks = rule.byWeekNumber.map((week) =>
      week > 0 ? `week ${week}` : `the ${ordinalWord(week)} week`,
    );
    words.push(`of ${joinWords(weeks)}`);
  }
  const named = dates.length > 0 && rule.byMonth.length === 1;
  if (rule.byMonth.length > 0 && !named) words.push(`in ${joinRuns(rule.byMonth, monthName)}`);
  return words;
}

function weekdayChoices(rule: Rule, glue: 'and' | 'or'): string {
  const plain = rule.byDay.filter(({ nth }) => nth === 0).map(({ weekday }) => weekday);
  const numbered = rule.byDay.filter(({ nth }) => nth !== 0);
  const period = rule.frequency === 'YEARLY' && rule.byMonth.length === 0 ? ' of the year' : '';
  const words = numbered.map(
    ({ weekday, nth }) => `the ${ordinalWord(nth)} ${weekdayName(weekday)}${period}`,
  );
  return joinWords([...(plain.length > 0 ? [joinWeekdays(plain, glue)] : []), ...words], glue);
}

function numberedDays(days: readonly number[]): string {
  const positive = days.filter((day) => day > 0);
  const negative = days.filter((day) => day < 0).reverse();
  const plain = positive.length > 0 ? [`day${positive.length === 1 ? '' : 's'} ${joinRuns(positive)}`] : [];
  return joinWords([...plain, ...negative.map((day) => `the ${ordinalWord(day)} day`)]);
}

function clockWords(rule: Rule, anchor: number): readonly string[] {
  const ofDay = anchor - Math.floor(anchor / daySeconds) * daySeconds;
  const list = (given: readonly number[], open: number) => (given.length > 0 ? given : [open]);
  switch (rule.frequency) {
    case 'SECONDLY':
    case 'MINUTELY':
    case 'HOURLY':
      return limitWords(rule, ofDay);
    default: {
      const phrase = clockPhrase({
        hours: list(rule.byHour, Math.floor(ofDay / 3600)),
        minutes: list(rule.byMinute, Math.floor(ofDay / 60) % 60),
        seconds: list(rule.bySecond, ofDay % 60),
      });
      return [uncapital(phrase.text)];
    }
  }
}

/** Parts of a rule shorter than a day, field by field. */
function limitWords(rule: Rule, ofDay: number): readonly string[] {
  const words: string[] = [];
  const field = (name: string, values: readonly number[]) => {
    if (values.length > 0) words.push(`${name}${values.length === 1 ? '' : 's'} ${joinRuns(values)}`);
  };
  const open = (given: readonly number[], value: number) =>
    given.length > 0 || value === 0 ? given : [value];
  field('second', rule.frequency === 'SECONDLY' ? rule.bySecond : open(rule.bySecond, ofDay % 60));
  field(
    'minute',
    rule.frequency === 'HOURLY' ? open(rule.byMinute, Math.floor(ofDay / 60) % 60) : rule.byMinute,
  );
  field('hour', rule.byHour);
  return words.length === 0 ? [] : [`at ${words.join(' of ')}`];
}

function dateWords(dates: readonly Moment[]): string {
  return dates.length > mostDates ? `${dates.length} single dates` : joinWords(dates.map(momentText));
}

function momentText(moment: Moment): string {
  switch (moment.kind) {
    case 'date':
      return dateText(moment.day);
    case 'local':
      return dateTimeText(moment.second);
    case 'utc':
      return `${dateTimeText(moment.second)} UTC`;
  }
}
