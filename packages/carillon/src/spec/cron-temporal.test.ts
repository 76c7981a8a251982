/** Cases that the vectors do not cover. */
import { describe, expect, it } from 'vitest';
import { parseTemporalCron } from './cron-temporal.ts';
import { parseGoDuration } from './go-duration.ts';
import { formatProtoDuration, parseProtoDuration } from './temporal-spec.ts';

describe('problems', () => {
  it.each([
    ['0 9 * * fri-mon', 'DayOfWeek End is before Start or not in range [0-7]', /cannot wrap/],
    ['0 9 ? * *', 'DayOfMonth is not in range [1-31]', /Quartz/],
    ['0 9 L * *', 'DayOfMonth is not in range [1-31]', /unix and spring/],
    ['* * * *', 'CronString does not have 5-7 fields', /4 fields were found/],
    ['@Daily', 'CronString does not have 5-7 fields', /small letters/],
  ])('%s keeps the text of Temporal and adds a fix', (text, message, fix) => {
    const parsed = parseTemporalCron(text);
    if (parsed.ok) expect.fail('accepted');
    expect(parsed.problems[0]).toMatchObject({ path: '', message });
    expect(parsed.problems[0]?.fix).toMatch(fix);
  });

  it('names every bad field', () => {
    const parsed = parseTemporalCron('61 25 * * *');
    expect(parsed.ok ? [] : parsed.problems.map(({ message }) => message)).toEqual([
      'Minute is not in range [0-59]',
      'Hour is not in range [0-23]',
    ]);
  });
});

describe('Go durations', () => {
  it.each([
    ['1h30m', 5400],
    ['1.5h', 5400],
    ['.5m', 30],
    ['2d', 172_800],
    ['1d12h', 129_600],
    ['-5s', -5],
    ['+5s', 5],
    ['0', 0],
    ['90000ms', 90],
    ['5000000us', 5],
    ['5000000µs', 5],
    ['1000000000ns', 1],
  ])('%s is %d seconds', (text, seconds) => {
    expect(parseGoDuration(text)).toEqual({ ok: true, value: BigInt(seconds) * 1_000_000_000n });
  });

  it.each([
    ['', 'time: invalid duration ""'],
    ['.', 'time: invalid duration "."'],
    ['5', 'time: missing unit in duration "5"'],
    ['5x', 'time: unknown unit "x" in duration "5x"'],
    ['h', 'time: invalid duration "h"'],
    ['9999999999999h', 'time: invalid duration "9999999999999h"'],
    ['5toString', 'time: unknown unit "toString" in duration "5toString"'],
  ])('%j is refused as Go refuses it', (text, message) => {
    expect(parseGoDuration(text)).toMatchObject({ ok: false, problems: [{ message }] });
  });
});

it.each(['0s', '1.500s', '-5s', '0.000000001s', '315576000000s', '-0.500s'])(
  'proto duration %s comes back',
  (text) => {
    const parsed = parseProtoDuration(text);
    expect(parsed === undefined ? undefined : formatProtoDuration(parsed)).toBe(text);
  },
);
