import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../base/time.ts';
import { calendarOf, range } from '../calendar-words.ts';
import { compileSpec } from '../compile.ts';
import type { Calendar, Dialect, ScheduleSpec } from '../model.ts';
import { describeCalendar } from './calendar.ts';
import { describeSpec } from './spec.ts';

const cron = (text: string, dialect: Dialect = 'unix') => describeSpec({ cron: [{ text, dialect }] });

describe('cron texts', () => {
  it.each([
    ['0 9 * * 1-5', 'At 09:00 on Monday to Friday'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['* * * * *', 'Every minute'],
    ['0 * * * *', 'Every hour'],
    ['5 * * * *', 'Every hour at minute 5'],
    ['*/7 * * * *', 'Every 7 minutes from minute 0 to 56 of every hour'],
    ['0-9 * * * *', 'Every minute from minute 0 to 9 of every hour'],
    ['0,15,40 * * * *', 'At minutes 0, 15 and 40 of every hour'],
    ['30 */2 * * *', 'Every 2 hours at minute 30'],
    ['0 */6 * * *', 'Every 6 hours'],
    ['0 9-17 * * *', 'Every hour from 09:00 to 17:00 every day'],
    ['30 9-17/2 * * mon', 'Every 2 hours from 09:30 to 17:30 on Monday'],
    ['*/15 9-17 * * mon-fri', 'Every 15 minutes from 09:00 to 17:45 on Monday to Friday'],
    ['* 9 * * *', 'Every minute from 09:00 to 09:59 every day'],
    ['0 9,17 * * *', 'At 09:00 and 17:00 every day'],
    ['0 8,12,17 * * sat,sun', 'At 08:00, 12:00 and 17:00 on Saturday and Sunday'],
    ['1,7,40 3,9,11 * * *', 'At minutes 1, 7 and 40 of hours 3, 9 and 11 every day'],
    ['@daily', 'At 00:00 every day'],
    ['@weekly', 'At 00:00 on Sunday'],
    ['@monthly', 'At 00:00 on day 1 of every month'],
    ['@yearly', 'At 00:00 on 1 January'],
    ['0 0 25 12 *', 'At 00:00 on 25 December'],
    ['0 12 1,15 * *', 'At 12:00 on days 1 and 15 of every month'],
    ['15 10 * 6-8 *', 'At 10:15 every day in June to August'],
    ['0 0 13 * 5', 'At 00:00 on day 13 of the month or on Friday'],
    ['0 0 13 1 5', 'At 00:00 on day 13 of the month or on Friday in January'],
    ['0 0 L * *', 'At 00:00 on the last day of every month'],
    ['0 0 L-3 * *', 'At 00:00 on the fourth-to-last day of every month'],
    ['0 0 LW * *', 'At 00:00 on the last weekday of every month'],
    ['0 0 15W * *', 'At 00:00 on the weekday nearest day 15 of every month'],
    ['0 0 * * 5#2', 'At 00:00 on the second Friday of every month'],
    ['0 0 * 3 5L', 'At 00:00 on the last Friday of March'],
    ['*/10 * * * * *', 'Every 10 seconds'],
    ['* * * * * *', 'Every second'],
    ['30 * * * * *', 'Every minute at second 30'],
    ['5,20 * * * * *', 'At seconds 5 and 20 of every minute'],
    ['*/10 * 9 * * *', 'Every 10 seconds from 09:00 to 09:59 every day'],
    ['15 30 9 * * *', 'At 09:30:15 every day'],
    ['not a cron', 'Cron "not a cron"'],
  ])('%s', (text, words) => {
    expect(cron(text)).toBe(words);
  });

  it('names the minute of `H` when the schedule is known, and says otherwise that it is spread', () => {
    const spec = { cron: [{ text: 'H 3 * * *' }] };
    const said = describeSpec(spec, { seed: 'default-nightly' });
    expect(said).toMatch(/^At 03:\d\d every day$/);
    const next = compileSpec(spec, { seed: 'default-nightly' }).next(instant(0));
    expect(new Date(Number(next?.nominal)).toISOString()).toContain(said.slice(3, 8));
    expect(describeSpec(spec)).toContain('(H: spread by schedule)');
  });

  it.each([
    ['0 0 13 * 5', 'At 00:00 on the 13th when it is a Friday'],
    ['0 0 1-7 * mon', 'At 00:00 on the 1st to the 7th when it is a Monday'],
    ['0 9 * * mon 2026-2030', 'At 09:00 on Monday in 2026 to 2030'],
    ['@every 90m/5m44s', 'Every 90 minutes, offset 5 min 44 s'],
    ['TZ=Asia/Tokyo 0 9 * * *', 'At 09:00 every day Asia/Tokyo time'],
  ])('temporal %s', (text, words) => {
    expect(cron(text, 'temporal')).toBe(words);
  });
});

describe('other entries', () => {
  const every = (everyMs: number) => describeSpec({ intervals: [{ everyMs }] });
  it.each([
    [1000, 'Every second'],
    [45_000, 'Every 45 seconds'],
    [60_000, 'Every minute'],
    [5_400_000, 'Every 90 minutes'],
    [3_600_000, 'Every hour'],
    [86_400_000, 'Every 24 hours'],
    [604_800_000, 'Every 7 days'],
  ])('interval of %d ms', (everyMs, words) => {
    expect(every(everyMs)).toBe(words);
  });

  it.each([
    ['FREQ=DAILY', 'Every day at 00:00'],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;BYHOUR=9;COUNT=10',
      'Every 2 weeks on Monday and Friday at 09:00, 10 times',
    ],
    ['FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17', 'Every month on the last Friday at 17:00'],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      'Every month on Monday to Friday at 00:00 (only the last of each month)',
    ],
    ['FREQ=MONTHLY;BYMONTHDAY=1,-1', 'Every month on day 1 and the last day at 00:00'],
    [
      'FREQ=YEARLY;BYMONTH=6,7;UNTIL=20300101',
      'Every year on day 1 of the month in June and July at 00:00, until 2030-01-01',
    ],
    ['FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11', 'Every 20 minutes at hours 9 to 11'],
    [
      'DTSTART:20260101T093000Z\nRRULE:FREQ=HOURLY',
      'Every hour at minute 30, from 2026-01-01 09:30 UTC time',
    ],
    ['RRULE:FREQ=DAILY\nEXDATE:20261225', 'Every day at 00:00, except 2026-12-25'],
  ])('rule %s', (text, words) => {
    expect(describeSpec({ rrules: [{ text }] })).toBe(words);
  });

  it('joins entries, exclusions, bounds, jitter, zone and clock changes', () => {
    const spec: ScheduleSpec = {
      cron: [{ text: '0 9 * * *' }],
      intervals: [{ everyMs: 3_600_000 }],
      times: [instant(Date.UTC(2026, 5, 1, 12))],
      exclude: {
        dates: ['2026-12-25'],
        calendars: [{ second: '*', minute: '*', hour: '*', dayOfWeek: 'sat,sun' }],
      },
      startAt: instant(Date.UTC(2026, 0, 1)),
      endAt: instant(Date.UTC(2027, 0, 1)),
      jitterMs: 30_000,
      zone: 'America/New_York',
      dst: { gap: 'skip', fold: 'first' },
    };
    expect(describeSpec(spec)).toBe(
      'At 09:00 every day; and every hour; and once at 2026-06-01 12:00 UTC, except on Saturday and Sunday and on 2026-12-25, from 2026-01-01 00:00 UTC, until 2027-01-01 00:00 UTC, up to 30 s later, America/New_York, times the clock jumps over are skipped',
    );
  });

  it('says nothing of the clock rule a dialect has anyway', () => {
    const entry = { text: '0 9 * * *', dialect: 'temporal' } as const;
    expect(describeSpec({ cron: [entry], dst: { gap: 'skip', fold: 'both' } })).toBe('At 09:00 every day');
  });

  it('describes specs that never fire', () => {
    expect(describeSpec({})).toBe('Never on its own, only when triggered');
    expect(describeCalendar(calendarOf({ hour: [] }))).toBe('Never: no hour is allowed');
    expect(describeCalendar(calendarOf({ dayOfMonth: [] }))).toBe('Never: no day of the month is allowed');
    expect(describeCalendar(calendarOf({ month: [] }))).toBe('Never: no month is allowed');
    expect(describeCalendar(calendarOf({ dayOfWeek: [] }))).toBe('Never: no weekday is allowed');
    expect(describeCalendar(calendarOf({ year: [range(1900)] }))).toBe('Never: no year is allowed');
  });
});

const ranges = (low: number, high: number) =>
  fc.array(
    fc
      .tuple(
        fc.integer({ min: low, max: high }),
        fc.integer({ min: low, max: high }),
        fc.integer({ min: 1, max: 9 }),
      )
      .map(([a, b, step]) => ({ start: Math.min(a, b), end: Math.max(a, b), step })),
    { maxLength: 3 },
  );
const weekday = fc.integer({ min: 0, max: 6 });

const anyCalendar: fc.Arbitrary<Calendar> = fc.record({
  second: fc.oneof(fc.constant([range(0)]), ranges(0, 59)),
  minute: ranges(0, 59),
  hour: fc.oneof(fc.constant([range(0, 23)]), ranges(0, 23)),
  dayOfMonth: fc.oneof(fc.constant([range(1, 31)]), ranges(1, 31)),
  month: fc.oneof(fc.constant([range(1, 12)]), ranges(1, 12)),
  year: ranges(2000, 2100),
  dayOfWeek: fc.oneof(fc.constant([range(0, 6)]), ranges(0, 6)),
  monthDays: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('last' as const), before: fc.integer({ min: 0, max: 30 }) }),
      fc.record({ kind: fc.constant('lastWeekday' as const) }),
      fc.record({ kind: fc.constant('nearestWeekday' as const), day: fc.integer({ min: 1, max: 31 }) }),
    ),
    { maxLength: 2 },
  ),
  monthWeekdays: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('lastWeekdayOf' as const), weekday }),
      fc.record({ kind: fc.constant('nth' as const), weekday, nth: fc.integer({ min: 1, max: 5 }) }),
    ),
    { maxLength: 2 },
  ),
  days: fc.constantFrom('both' as const, 'either' as const),
});

it('reads every calendar as a sentence', () => {
  fc.assert(
    fc.property(anyCalendar, (calendar) => {
      const words = describeCalendar(calendar);
      expect(words).toMatch(/^(At|Every|Never)\b/);
      expect(words).not.toMatch(/undefined|NaN|null| {2}|,,| $| of $/);
    }),
    { numRuns: 1000 },
  );
});
