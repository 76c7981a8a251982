/** What Spring's CronExpression was measured to accept, refuse and answer. */
import { describe, expect, it } from 'vitest';
import { formatInstant, instant } from '../base/time.ts';
import { compileSpec } from './compile.ts';
import { parseSpringCron } from './cron-spring.ts';

const literal = { gap: 'skip', fold: 'both' } as const;

function times(text: string, zone: string, from: string, count: number): string[] {
  const compiled = compileSpec({ cron: [{ text, dialect: 'spring' }], zone, dst: literal });
  const found: string[] = [];
  let after = instant(Date.parse(from));
  while (found.length < count) {
    const next = compiled.next(after);
    if (next === undefined) break;
    found.push(formatInstant(next.nominal));
    after = next.nominal;
  }
  return found;
}

const midnights = (days: string) => days.split(' ').map((day) => `${day}T00:00:00Z`);

describe('answers', () => {
  it.each([
    [
      '0 30 2 * * *',
      'America/New_York',
      '2024-03-09T17:00:00Z',
      ['2024-03-11T06:30:00Z', '2024-03-12T06:30:00Z'],
    ],
    ['0 0 2 * * *', 'America/New_York', '2024-03-09T17:00:00Z', ['2024-03-11T06:00:00Z']],
    [
      '0 0 * * * *',
      'America/New_York',
      '2024-03-10T05:30:00Z',
      ['2024-03-10T06:00:00Z', '2024-03-10T07:00:00Z', '2024-03-10T08:00:00Z'],
    ],
    [
      '0 15/30 1-3 * * *',
      'America/New_York',
      '2024-03-10T05:59:00Z',
      [
        '2024-03-10T06:15:00Z',
        '2024-03-10T06:45:00Z',
        '2024-03-10T07:15:00Z',
        '2024-03-10T07:45:00Z',
        '2024-03-11T05:15:00Z',
      ],
    ],
    ['0 30 2 10 3 *', 'America/New_York', '2024-03-09T05:00:00Z', ['2025-03-10T06:30:00Z']],
    [
      '0 30 1 * * *',
      'America/New_York',
      '2024-11-02T16:00:00Z',
      ['2024-11-03T05:30:00Z', '2024-11-03T06:30:00Z', '2024-11-04T06:30:00Z'],
    ],
    ['0 0 2 * * *', 'America/New_York', '2024-11-02T16:00:00Z', ['2024-11-03T07:00:00Z']],
    [
      '0 */30 * * * *',
      'America/New_York',
      '2024-11-03T04:50:00Z',
      [
        '2024-11-03T05:00:00Z',
        '2024-11-03T05:30:00Z',
        '2024-11-03T06:00:00Z',
        '2024-11-03T06:30:00Z',
        '2024-11-03T07:00:00Z',
      ],
    ],
    ['0 0 0 * * *', 'America/Sao_Paulo', '2018-11-03T15:00:00Z', ['2018-11-05T02:00:00Z']],
    ['0 0 0 * * *', 'Africa/Cairo', '2024-04-25T10:00:00Z', ['2024-04-26T21:00:00Z']],
    ['0 30 2 * * *', 'Australia/Lord_Howe', '2024-10-05T01:30:00Z', ['2024-10-05T15:30:00Z']],
  ])('%s in %s after %s', (text, zone, from, expected) => {
    expect(times(text, zone, from, expected.length)).toEqual(expected);
  });

  it.each([
    ['0 0 0 L * *', '2024-01-30', '2024-01-31 2024-02-29 2024-03-31'],
    ['0 0 0 L-3 * *', '2024-01-01', '2024-01-28 2024-02-26 2024-03-28'],
    ['0 0 0 LW * *', '2024-03-01', '2024-03-29 2024-04-30 2024-05-31'],
    ['0 0 0 1W * *', '2024-05-31', '2024-06-03 2024-07-01 2024-08-01'],
    ['0 0 0 15W * *', '2024-06-01', '2024-06-14 2024-07-15 2024-08-15'],
    ['0 0 0 ? * 5#2', '2024-01-01', '2024-01-12 2024-02-09 2024-03-08'],
    ['0 0 0 ? * MON#5', '2024-01-01', '2024-01-29 2024-04-29 2024-07-29'],
    ['0 0 0 ? * FRIL', '2024-01-01', '2024-01-26 2024-02-23'],
    ['0 0 0 13 * FRI', '2024-01-01', '2024-09-13 2024-12-13 2025-06-13'],
    ['0 0 0 29 2 MON', '2023-01-01', '2044-02-29 2072-02-29'],
    ['0 0 0 1,L * *', '2024-01-01', '2024-01-31 2024-02-01 2024-02-29 2024-03-01'],
    ['0 0 0 * * 7-2', '2024-01-01', '2024-01-02 2024-01-07 2024-01-08 2024-01-09'],
    ['0 0 0 * * SUN-TUE', '2024-01-01', '2024-01-02 2024-01-07 2024-01-08 2024-01-09'],
    ['0 0 0 * * */2', '2024-01-01', '2024-01-03 2024-01-05 2024-01-07 2024-01-08'],
    ['@WEEKLY', '2024-01-01', '2024-01-07 2024-01-14'],
  ])('%s in UTC after %s', (text, from, days) => {
    const expected = midnights(days);
    expect(times(text, 'UTC', `${from}T00:00:00Z`, expected.length)).toEqual(expected);
  });

  it('never matches 30 February, and seconds step from where they start', () => {
    expect(times('0 0 0 30 2 *', 'UTC', '2024-01-01T00:00:00Z', 1)).toEqual([]);
    const seconds = times('5/20 * * * * *', 'UTC', '2024-01-01T00:00:00Z', 4).map((time) =>
      time.slice(14, 19),
    );
    expect(seconds).toEqual(['00:05', '00:25', '00:45', '01:05']);
  });
});

it.each([
  '0  0 9   * * MON-FRI ',
  '0 0 0 ? * ?',
  '0 */70 * * * *',
  '0 0 0 * * 5#6',
  '0 0 0 L-31 * *',
  '0 0 0 15W,L * *',
  '0 0 0 ? * 1#1,3#2',
  '0 0 0 * jan,MAR sun',
  '@Annually',
  '@midnight',
])('accepts %j', (text) => {
  expect(parseSpringCron(text)).toMatchObject({ ok: true });
});

it.each([
  ['* * * * *', 'FIELD_COUNT', 'spring wants seconds first: try `0 * * * * *`'],
  ['0 0 9 * * MON-FRI 2030', 'FIELD_COUNT', 'there is no year field: try `0 0 9 * * MON-FRI`'],
  ['', 'FIELD_COUNT', undefined],
  ['0 60 * * * *', 'OUT_OF_RANGE', undefined],
  ['0 0 24 * * *', 'OUT_OF_RANGE', undefined],
  ['0 0 0 0 * *', 'OUT_OF_RANGE', undefined],
  ['0 0 0 32 * *', 'OUT_OF_RANGE', undefined],
  ['0 0 0 * 13 *', 'OUT_OF_RANGE', undefined],
  ['0 0 0 * * 8', 'OUT_OF_RANGE', 'write 0 or 7 for Sunday, 1 for Monday to 6 for Saturday'],
  ['0 0 0 * JANUARY *', 'NAME', 'names have three letters: JAN'],
  ['0 0 0 * * MONDAY', 'NAME', 'names have three letters: MON'],
  ['? * * * * *', 'QUESTION_MARK', undefined],
  ['0 0 0 ? ? *', 'QUESTION_MARK', undefined],
  ['0 0 0 5L * *', 'SPECIAL', undefined],
  ['0 0 0 W * *', 'SPECIAL', undefined],
  ['0 0 0 32W * *', 'OUT_OF_RANGE', undefined],
  ['0 0 0 * * L', 'LAST', 'write 5L for the last Friday of the month'],
  ['0 0 0 * * 5#0', 'NTH', 'write 5#1 for the first'],
  ['0 0 0 * * #2', 'SPECIAL', undefined],
  ['0 0 0 L-0 * *', 'LAST', 'write L for the last day'],
  ['0,,5 * * * * *', 'EMPTY', undefined],
  ['*/0 * * * * *', 'STEP', undefined],
  ['0 0 22-2 * * *', 'REVERSED', 'a range cannot wrap around: write 22-23,0-2'],
  ['0 0 0 * * FRI-MON', 'REVERSED', undefined],
  ['@every 5m', 'MACRO', undefined],
  ['@reboot', 'MACRO', undefined],
  ['H 0 0 * * *', 'HASH', undefined],
  ['0\t0\t0\t*\t*\t*', 'FIELD_COUNT', undefined],
])('refuses %j (%s)', (text, reason, fix) => {
  const parsed = parseSpringCron(text);
  if (parsed.ok) expect.fail('accepted');
  expect(parsed.problems[0]).toMatchObject({ path: '', reason });
  expect(parsed.problems[0]?.message).toMatch(/^spring cron: /);
  expect(parsed.problems[0]?.fix ?? 'a fix').not.toBe('');
  if (fix !== undefined) expect(parsed.problems[0]?.fix).toBe(fix);
});

it('reports every bad field at once', () => {
  const parsed = parseSpringCron('60 60 24 32 13 8');
  expect(parsed.ok ? [] : parsed.problems.map((found) => found.message)).toEqual([
    'spring cron: second 60 is not in range [0-59]',
    'spring cron: minute 60 is not in range [0-59]',
    'spring cron: hour 24 is not in range [0-23]',
    'spring cron: day of month 32 is not in range [1-31]',
    'spring cron: month 13 is not in range [1-12]',
    'spring cron: day of week 8 is not in range [0-7]',
  ]);
});
