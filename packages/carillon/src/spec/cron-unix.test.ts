import { describe, expect, it } from 'vitest';
import { formatInstant, instant } from '../base/time.ts';
import { compileSpec } from './compile.ts';
import { parseUnixCron } from './cron-unix.ts';
import { forEachValue } from './field-table.ts';
import type { Calendar } from './model.ts';

function calendarOf(text: string, seed = ''): Calendar {
  const parsed = parseUnixCron(text, { seed });
  if (!parsed.ok) expect.fail(`${text}: ${parsed.problems[0]?.message}`);
  if (parsed.value.kind !== 'calendar') expect.fail(text);
  return parsed.value.calendar;
}

function members(
  text: string,
  field: 'minute' | 'hour' | 'dayOfMonth' | 'month' | 'dayOfWeek',
  seed = '',
): number[] {
  const found = new Set<number>();
  forEachValue(calendarOf(text, seed)[field], (value) => found.add(value));
  return [...found].sort((a, b) => a - b);
}

function days(text: string, from: string, count: number): string {
  const compiled = compileSpec({ cron: [{ text }] });
  let after = instant(Date.parse(`${from}T00:00:00Z`));
  const found: string[] = [];
  while (found.length < count) {
    const next = compiled.next(after);
    if (next === undefined) break;
    found.push(formatInstant(next.nominal).slice(5, 10));
    after = next.nominal;
  }
  return found.join(' ');
}

describe('days', () => {
  it.each([
    // Both restricted: either matches. 2026-06-01 is a Monday.
    ['0 0 13 * 5', '06-05 06-12 06-13 06-19'],
    // A field that begins with * is not restricted: both must match.
    ['0 0 */2 * 5', '06-05 06-19 07-03'],
    ['0 0 13 * *', '06-13 07-13'],
    ['0 0 ? * 5', '06-05 06-12'],
    ['0 0 13 * ?', '06-13 07-13'],
    ['0 0 13 * 5#1', '06-05 06-13 07-03'],
    ['0 0 L * *', '06-30 07-31'],
    ['0 0 L-2 * *', '06-28 07-29'],
    ['0 0 LW * *', '06-30 07-31 08-31 09-30 10-30'],
    ['0 0 13W 6,9 *', '06-12 09-14'],
    ['0 0 * * 5L', '06-26 07-31'],
    ['0 0 * * friL', '06-26 07-31'],
    ['0 0 * * 7#3', '06-21 07-19'],
    ['0 0 * * fri-mon', '06-05 06-06 06-07 06-08'],
    ['0 0 * * fri-mon/2', '06-05 06-07 06-12'],
    ['0 0 1 nov-feb *', '11-01 12-01 01-01 02-01 11-01'],
    ['0 0 * * Saturday', '06-06 06-13'],
    ['0 0 29 2 *', '02-29 02-29'],
    ['@weekly', '06-07 06-14'],
    ['@YEARLY', '01-01 01-01'],
  ])('%s after 1 June 2026: %s', (text, expected) => {
    expect(days(text, '2026-06-01', expected.split(' ').length)).toBe(expected);
  });
});

describe('fields', () => {
  it.each([
    ['* * * * 0-7', [0, 1, 2, 3, 4, 5, 6]],
    ['* * * * 7', [0]],
    ['* * * * 5-7', [0, 5, 6]],
    ['* * * * 1-7', [0, 1, 2, 3, 4, 5, 6]],
    ['* * * * */2', [0, 2, 4, 6]],
    ['* * * * 7-2', [0, 1, 2]],
    ['* * * * sat-sun', [0, 6]],
    ['* * * * sun-tue', [0, 1, 2]],
    ['* * * * 7/2', [0, 2, 4, 6]],
    ['* * * * 1/2', [1, 3, 5]],
  ])('%s is the days %j', (text, expected) => {
    expect(members(text, 'dayOfWeek')).toEqual(expected);
  });

  it('takes six fields with seconds first', () => {
    expect(calendarOf('5 0 9 * * *').second).toEqual([{ start: 5, end: 5, step: 1 }]);
    expect(calendarOf('0 9 * * *').second).toEqual([{ start: 0, end: 0, step: 1 }]);
  });

  it('takes a zone prefix and @every', () => {
    expect(parseUnixCron('CRON_TZ=Asia/Tokyo 0 9 * * *')).toMatchObject({
      ok: true,
      value: { zone: 'Asia/Tokyo' },
    });
    expect(parseUnixCron('@every 15m')).toEqual({
      ok: true,
      value: { kind: 'interval', interval: { everyMs: 900_000 } },
    });
    expect(parseUnixCron('@every 1h/5m')).toMatchObject({
      value: { interval: { everyMs: 3_600_000, phaseMs: 300_000 } },
    });
  });
});

describe('H', () => {
  it('is one value of the field, the same for the same seed', () => {
    for (const seed of ['a', 'b', 'schedule-17']) {
      const [minute, ...others] = members('H H H H H', 'minute', seed);
      expect(others).toEqual([]);
      expect(members('H H H H H', 'minute', seed)).toEqual([minute]);
      expect(members('H H H H H', 'dayOfMonth', seed)[0]).toBeLessThanOrEqual(28);
    }
  });

  it('keeps to its range and its step', () => {
    for (let i = 0; i < 50; i++) {
      expect([10, 11, 12]).toContain(members('H(10-12) * * * *', 'minute', `s${i}`)[0]);
      const stepped = members('H/20 * * * *', 'minute', `s${i}`);
      expect(stepped).toHaveLength(3);
      expect((stepped[1] as number) - (stepped[0] as number)).toBe(20);
      const within = members('H(0-29)/10 * * * *', 'minute', `s${i}`);
      expect(within).toHaveLength(3);
      expect(within.at(-1)).toBeLessThan(30);
    }
  });

  it('spreads many schedules evenly', () => {
    const counts = new Array<number>(60).fill(0);
    for (let i = 0; i < 6000; i++) {
      const [minute = 0] = members('H * * * *', 'minute', `schedule-${i}`);
      counts[minute] = (counts[minute] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(60);
    expect(Math.max(...counts)).toBeLessThan(150);
  });

  it('compiles apart for different seeds and together for the same', () => {
    const spec = { cron: [{ text: 'H H * * *' }] };
    expect(compileSpec(spec, { seed: 'a' })).toBe(compileSpec(spec, { seed: 'a' }));
    expect(compileSpec(spec, { seed: 'a' })).not.toBe(compileSpec(spec, { seed: 'b' }));
    const plain = { cron: [{ text: '0 9 * * thu' }] };
    expect(compileSpec(plain, { seed: 'a' })).toBe(compileSpec(plain, { seed: 'b' }));
  });
});

it.each([
  ['* * * *', 'FIELD_COUNT', /5 fields are needed/],
  ['', 'FIELD_COUNT', /5 fields are needed/],
  ['0 0 9 * * MON 2030', 'FIELD_COUNT', /7 found/],
  ['60 * * * *', 'OUT_OF_RANGE', /minute 60/],
  ['0 24 * * *', 'OUT_OF_RANGE', /hour 24/],
  ['0 0 0 * *', 'OUT_OF_RANGE', /day of month 0/],
  ['0 0 * 13 *', 'OUT_OF_RANGE', /month 13/],
  ['0 0 * * 8', 'OUT_OF_RANGE', /day of week 8/],
  ['0 0 * * 5-1', 'REVERSED', /5-1/],
  ['0 22-2 * * *', 'REVERSED', /22-2/],
  ['? * * * *', 'QUESTION_MARK', /minute/],
  ['*/0 * * * *', 'STEP', /minute/],
  ['*/x * * * *', 'STEP', /minute/],
  ['5/ * * * *', 'STEP', /minute/],
  ['1/2/3 * * * *', 'TOO_MANY_SLASHES', /minute/],
  ['1-2-3 * * * *', 'TOO_MANY_DASHES', /minute/],
  ['1,,2 * * * *', 'EMPTY', /minute/],
  ['-5 * * * *', 'EMPTY', /minute/],
  ['L * * * *', 'SPECIAL', /minute/],
  ['0 0 * * L', 'LAST', /day of week/],
  ['0 0 * * 5#6', 'NTH', /never exists/],
  ['0 0 L-31 * *', 'LAST', /never exists/],
  ['0 0 32W * *', 'OUT_OF_RANGE', /day of month 32/],
  ['H(5-2) * * * *', 'REVERSED', /minute/],
  ['H(5) * * * *', 'UNREADABLE', /minute/],
  ['mon * * * *', 'UNREADABLE', /minute/],
  ['@reboot', 'MACRO', /@reboot/],
  ['@fortnightly', 'MACRO', /@fortnightly/],
  ['@every soon', 'EVERY', /duration/],
  ['TZ=UTC', 'FIELD_COUNT', /0 found/],
  ['every day at nine', 'FIELD_COUNT', /4 found/],
])('refuses %j (%s)', (text, reason, message) => {
  const parsed = parseUnixCron(text);
  if (parsed.ok) expect.fail('accepted');
  const [first] = parsed.problems;
  expect(first).toMatchObject({ path: '', reason });
  expect(first?.message).toMatch(message);
  expect(first?.message).toMatch(/^unix cron: /);
  expect(first?.fix).toBeTruthy();
});
