import { compileSpec, type Instant } from 'carillon/spec';
import { expect, test } from 'vitest';
import { isSame, languages, readingsOf, saidIn } from './dialects.ts';

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

test.each([
  ['@daily', 'unix', 'rrule', 'FREQ=DAILY;BYHOUR=0;BYMINUTE=0;BYSECOND=0'],
  ['@weekly', 'unix', 'rrule', 'FREQ=DAILY;BYDAY=SU;BYHOUR=0;BYMINUTE=0;BYSECOND=0'],
  ['@every 15m', 'unix', 'spring', '0 */15 * * * *'],
  ['@every 15m', 'temporal', 'rrule', 'FREQ=HOURLY;BYMINUTE=0,15,30,45;BYSECOND=0'],
  ['TZ=Asia/Tokyo 0 9 * * *', 'unix', 'spring', '0 0 9 * * *'],
  ['TZ=Asia/Tokyo 0 9 * * *', 'unix', 'rrule', 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0'],
  ['0 9 L * *', 'unix', 'rrule', 'FREQ=DAILY;BYMONTHDAY=-1;BYHOUR=9;BYMINUTE=0;BYSECOND=0'],
  [
    '0 9 LW * *',
    'unix',
    'rrule',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0;BYSECOND=0;BYSETPOS=-1',
  ],
  ['0 9 * * 5L', 'unix', 'rrule', 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9;BYMINUTE=0;BYSECOND=0'],
  ['0 30 9 ? * 2#1', 'spring', 'rrule', 'FREQ=MONTHLY;BYDAY=1TU;BYHOUR=9;BYMINUTE=30;BYSECOND=0'],
  ['15 30 9 * * *', 'unix', 'temporal', '15 30 9 * * * *'],
  ['*/30 * * * * *', 'temporal', 'unix', '*/30 * * * *'],
  ['FREQ=MINUTELY;INTERVAL=15;BYSECOND=0', 'rrule', 'unix', '*/15 * * * *'],
  [
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;BYHOUR=9;BYMINUTE=0;BYSECOND=0',
    'rrule',
    'unix',
    '0 9 LW * *',
  ],
  // What ends cannot be said by cron, however late the end is.
  ['FREQ=DAILY;UNTIL=20270101T000000Z;BYHOUR=9;BYMINUTE=0;BYSECOND=0', 'rrule', 'unix', undefined],
  ['FREQ=DAILY;COUNT=500;BYHOUR=9;BYMINUTE=0;BYSECOND=0', 'rrule', 'spring', undefined],
  ['0 9 * * * 2027', 'temporal', 'unix', undefined],
])('%s of %s is said in %s as %s', (text, from, to, expected) => {
  expect(saidIn(text, from, to, 'Europe/Berlin', now)).toBe(expected);
});

test('a text that is said in another dialect has the same times for years', () => {
  const years = 3 * 366 * 86_400_000;
  const timesOf = (text: string, language: string, zone: string) => {
    const spec =
      language === 'rrule'
        ? { rrules: [{ text }], zone }
        : { cron: [{ text, dialect: language as 'unix' }], zone };
    const compiled = compileSpec(spec);
    const times: number[] = [];
    for (let at: number = now; times.length < 2000; ) {
      const found = compiled.next(at as Instant)?.nominal;
      if (found === undefined || found > now + years) break;
      times.push(found);
      at = found;
    }
    return times;
  };
  const texts = [
    ['30 2 * * *', 'unix'],
    ['*/20 1-3 * * *', 'unix'],
    ['0 9 * * 5L', 'unix'],
    ['0 9 L-3 * *', 'unix'],
    ['0 0 29 2 *', 'unix'],
    ['@every 6h', 'unix'],
    ['0 30 9 ? * 2#1', 'spring'],
    ['0 12 1 */2 *', 'temporal'],
    ['FREQ=MONTHLY;BYDAY=2TU;BYHOUR=2;BYMINUTE=30;BYSECOND=0', 'rrule'],
    ['FREQ=HOURLY;INTERVAL=6', 'rrule'],
  ] as const;
  for (const zone of ['UTC', 'America/New_York', 'Australia/Lord_Howe']) {
    for (const [text, from] of texts) {
      for (const to of languages.filter((each) => each !== from)) {
        const said = saidIn(text, from, to, zone, now);
        if (said !== undefined) expect(timesOf(said, to, zone)).toEqual(timesOf(text, from, zone));
      }
    }
  }
});
