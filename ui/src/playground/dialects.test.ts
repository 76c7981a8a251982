import { expect, test } from 'vitest';
import { isSame, readingsOf, saidIn } from './dialects.ts';

const now = Date.parse('2026-11-01T18:12:40Z');

test('a text that means different days in different dialects', () => {
  const readings = readingsOf('0 0 13 * 5', 'UTC', now);
  const [unix, temporal] = ['unix', 'temporal'].map((name) =>
    readings.find(({ dialect }) => dialect === name),
  );
  if (unix === undefined || temporal === undefined) throw new Error('both are dialects');
  expect(unix.ok && temporal.ok).toBe(true);
  expect(isSame(unix, temporal)).toBe(false);
});

test('a text that a dialect cannot read says why', () => {
  const spring = readingsOf('0 9 * * 1-5', 'UTC', now).find(({ dialect }) => dialect === 'spring');
  expect(spring?.ok).toBe(false);
  expect(spring?.problem).not.toBe('');
});

test('the same times in the words of another dialect, where it can say them', () => {
  const now = Date.UTC(2026, 10, 18);
  const said = (text: string, from: string, to: string) => saidIn(text, from, to, 'Europe/Berlin', now);
  expect(said('0 9 * * 1-5', 'unix', 'spring')).toBe('0 0 9 * * 1-5');
  expect(said('30 2 * * *', 'unix', 'temporal')).toBe('30 2 * * *');
  expect(said('0 30 9 ? * MON', 'spring', 'unix')).toBe('30 9 * * MON');
  // Both day fields: either one in unix cron, both in Spring's.
  expect(said('0 0 13 * 5', 'unix', 'spring')).toBeUndefined();
});

test('cron and recurrence rules are said in each other where they can', () => {
  const said = (text: string, from: string, to: string) => saidIn(text, from, to, 'Europe/Berlin', now);
  expect(said('0 9 * * 1-5', 'unix', 'rrule')).toBe(
    'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0;BYSECOND=0',
  );
  expect(said('*/15 * * * *', 'unix', 'rrule')).toBe('FREQ=HOURLY;BYMINUTE=0,15,30,45;BYSECOND=0');
  expect(said('0 30 2 1 JAN ?', 'spring', 'rrule')).toBe(
    'FREQ=DAILY;BYMONTH=1;BYMONTHDAY=1;BYHOUR=2;BYMINUTE=30;BYSECOND=0',
  );
  expect(said('FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=18;BYMINUTE=0;BYSECOND=0', 'rrule', 'unix')).toBe(
    '0 18 * * 5L',
  );
  expect(said('FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=7;BYMINUTE=30;BYSECOND=0', 'rrule', 'spring')).toBe(
    '0 30 7 * * MON,THU',
  );
  // Either day field in unix cron; a rule wants both.
  expect(said('0 0 13 * 5', 'unix', 'rrule')).toBeUndefined();
  expect(said('@every 90m', 'unix', 'rrule')).toBeUndefined();
});
