import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatInstant, instant } from '../../packages/carillon/src/base/time.ts';
import { dstReport } from '../../packages/carillon/src/spec/dst-report.ts';
import type { DstPolicy, ScheduleSpec } from '../../packages/carillon/src/spec/index.ts';
import { findZone } from '../../packages/carillon/src/spec/index.ts';

const year = { from: instant(Date.UTC(2026, 0, 1)), to: instant(Date.UTC(2026, 11, 31)) };

function report(spec: ScheduleSpec) {
  return dstReport(spec, year).map(({ at, effect, local, count, runsAt }) => [
    formatInstant(at),
    effect,
    local,
    count,
    ...runsAt.map(formatInstant),
  ]);
}

const cron = (text: string, zone: string, dst?: DstPolicy): ScheduleSpec => ({
  cron: [{ text }],
  zone,
  ...(dst === undefined ? {} : { dst }),
});

const gap = '2026-03-08T07:00:00Z';
const fold = '2026-11-01T06:00:00Z';

describe('a time that does not exist', () => {
  test.each<readonly [DstPolicy, string, readonly string[]]>([
    [{}, 'shifted', ['2026-03-08T07:30:00Z']],
    [{ gap: 'shift' }, 'shifted', ['2026-03-08T07:30:00Z']],
    [{ gap: 'gapEnd' }, 'shifted', ['2026-03-08T07:00:00Z']],
    [{ gap: 'skip' }, 'skipped', []],
  ])('02:30 in New York under %j is %s', (dst, effect, runs) => {
    expect(report(cron('30 2 * * *', 'America/New_York', dst))).toEqual([
      [gap, effect, '2026-03-08 02:30', 1, ...runs],
    ]);
  });

  test('midnight in Santiago, where the day begins at one', () => {
    expect(report(cron('0 0 * * *', 'America/Santiago', { gap: 'skip' }))[0]).toEqual([
      '2026-09-06T04:00:00Z',
      'skipped',
      '2026-09-06 00:00',
      1,
    ]);
  });

  test('half an hour on Lord Howe', () => {
    const rows = report(cron('15 2 * * *', 'Australia/Lord_Howe'));
    expect(rows).toEqual([
      ['2026-10-03T15:30:00Z', 'shifted', '2026-10-04 02:15', 1, '2026-10-03T15:45:00Z'],
    ]);
  });

  test('that moves onto another one is one run less', () => {
    expect(report(cron('30 2,3 * * *', 'America/New_York'))).toEqual([
      [gap, 'merged', '2026-03-08 02:30', 1, '2026-03-08T07:30:00Z'],
    ]);
    expect(report(cron('30 2,3 * * *', 'America/New_York', { gap: 'skip' }))).toEqual([
      [gap, 'skipped', '2026-03-08 02:30', 1],
    ]);
    expect(report(cron('30 2,3 * * *', 'America/New_York', { gap: 'gapEnd' }))).toEqual([
      [gap, 'shifted', '2026-03-08 02:30', 1, '2026-03-08T07:00:00Z'],
    ]);
    expect(report(cron('0,30 2,3 * * *', 'America/New_York', { gap: 'gapEnd' }))).toEqual([
      [gap, 'merged', '2026-03-08 02:00', 2, '2026-03-08T07:00:00Z'],
    ]);
  });

  test('several of them are one row', () => {
    expect(report(cron('*/10 2 * * *', 'America/New_York', { gap: 'skip' }))).toEqual([
      [gap, 'skipped', '2026-03-08 02:00', 6],
    ]);
  });
});

describe('a time that comes twice', () => {
  test.each<readonly [DstPolicy, string, readonly string[]]>([
    [{}, 'first', ['2026-11-01T05:30:00Z']],
    [{ fold: 'last' }, 'second', ['2026-11-01T06:30:00Z']],
    [{ fold: 'both' }, 'doubled', ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z']],
  ])('01:30 in New York under %j runs %s', (dst, effect, runs) => {
    expect(report(cron('30 1 * * *', 'America/New_York', dst))).toEqual([
      [fold, effect, '2026-11-01 01:30', 1, ...runs],
    ]);
  });

  test('an hourly schedule with a rule for one copy loses an hour', () => {
    expect(report(cron('*/30 * * * *', 'America/New_York', { fold: 'first' }))).toEqual([
      [fold, 'first', '2026-11-01 01:00', 2, '2026-11-01T05:00:00Z'],
    ]);
  });
});

describe('what no clock touches', () => {
  test.each<readonly [string, ScheduleSpec]>([
    ['a beat', cron('*/15 * * * *', 'America/New_York')],
    ['a beat of Sundays', cron('*/15 * * * 0', 'America/New_York')],
    ['a beat where the day begins at one', cron('*/15 * * * *', 'America/Santiago')],
    ['an hourly one', cron('0 * * * *', 'America/New_York')],
    ['other hours', cron('30 4 * * *', 'America/New_York')],
    ['other days', cron('30 2 * * 3', 'America/New_York')],
    ['UTC', cron('30 2 * * *', 'UTC')],
    ['a zone without changes', cron('30 2 * * *', 'Asia/Tokyo')],
    ['an interval', { intervals: [{ everyMs: 3_600_000 }], zone: 'America/New_York' }],
    ['@every', cron('@every 30m', 'America/New_York')],
    [
      'a day that is left out',
      { ...cron('30 2 * * *', 'America/New_York'), exclude: { dates: ['2026-03-08'] } },
    ],
    ['after its end', { ...cron('30 2 * * *', 'America/New_York'), endAt: instant(Date.UTC(2026, 1, 1)) }],
  ])('%s', (_, spec) => {
    expect(report(spec)).toEqual([]);
  });
});

test('each source is read in its own zone', () => {
  const spec: ScheduleSpec = {
    cron: [{ text: 'CRON_TZ=Europe/Berlin 30 2 * * *' }, { text: '30 2 * * *', zone: 'America/New_York' }],
    calendars: [{ hour: '2', minute: '30' }],
    rrules: [{ text: 'DTSTART;TZID=Europe/London:20260101T013000\nRRULE:FREQ=DAILY' }],
    zone: 'Australia/Sydney',
  };
  const rows = dstReport(spec, year).map(({ zone, local, effect }) => [zone, local, effect]);
  expect(rows).toEqual([
    ['America/New_York', '2026-03-08 02:30', 'shifted'],
    ['Europe/London', '2026-03-29 01:30', 'shifted'],
    ['Europe/Berlin', '2026-03-29 02:30', 'shifted'],
    ['Australia/Sydney', '2026-04-05 02:30', 'first'],
    ['Australia/Sydney', '2026-10-04 02:30', 'shifted'],
    ['Europe/London', '2026-10-25 01:30', 'first'],
    ['Europe/Berlin', '2026-10-25 02:30', 'first'],
  ]);
});

test('finds every time of a year that comes never or twice, and no other', () => {
  const zones = [
    'America/New_York',
    'Europe/Berlin',
    'America/Santiago',
    'Australia/Lord_Howe',
    'Africa/Cairo',
  ];
  const daySeconds = 86_400;
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: 2000, max: 2050 }),
      (name, hour, minute, of) => {
        const zone = findZone(name) as NonNullable<ReturnType<typeof findZone>>;
        const expected: string[] = [];
        const first = Date.UTC(of, 0, 2) / 1000;
        for (let day = first; day < first + 360 * daySeconds; day += daySeconds) {
          const wall = day + hour * 3600 + minute * 60;
          const offsets = new Set([zone.offsetAt(wall - daySeconds), zone.offsetAt(wall + daySeconds)]);
          const shown = [...offsets].filter((offset) => zone.offsetAt(wall - offset) === offset);
          const local = new Date(wall * 1000).toISOString().slice(0, 16).replace('T', ' ');
          if (shown.length !== 1) expected.push(`${local} ${shown.length === 0 ? 'shifted' : 'first'}`);
        }
        const window = { from: instant(Date.UTC(of, 0, 2)), to: instant(Date.UTC(of, 11, 28)) };
        const rows = dstReport(cron(`${minute} ${hour} * * *`, name), window);
        expect(rows.map(({ local, effect }) => `${local} ${effect}`)).toEqual(expected);
      },
    ),
    { numRuns: 200, seed: 20261116 },
  );
});
