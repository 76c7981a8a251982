import fc from 'fast-check';
import rrulePackage from 'rrule';
import { describe, expect, it } from 'vitest';
import { instant } from '../../base/time.ts';
import { budgetOf, defaultUnits } from '../budget.ts';
import type { Zone } from '../model.ts';
import { createSearch } from '../search.ts';
import { findZone } from '../zone/zone.ts';
import { parseRecurrence } from './parse.ts';
import type { Recurrence } from './recurrence.ts';
import { recurrenceSources } from './source.ts';
import type { ResolvedDst } from './zoned-times.ts';

function zone(name: string): Zone {
  const found = findZone(name);
  if (found === undefined) throw new Error(`no zone ${name}`);
  return found;
}

const utc = zone('UTC');
const newYork = zone('America/New_York');
const lordHowe = zone('Australia/Lord_Howe');

const rfc: ResolvedDst = { gap: 'shift', fold: 'first' };

function parsed(text: string): Recurrence {
  const result = parseRecurrence(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.rule;
}

/** A recurrence as a search queries it, on whole seconds. */
interface Source {
  next(after: number): number;
  previous(before: number): number;
  matches(second: number): boolean;
  /** Units of work that the question costs. */
  cost(after: number): number;
}

function recurrenceSource(rule: Recurrence, zone: Zone, dst: ResolvedDst): Source {
  const compiled = createSearch({
    sources: recurrenceSources(rule, zone, dst),
    exclusions: undefined,
    startAt: undefined,
    endAt: undefined,
    jitterMs: 0,
    timeZoneVersion: '',
  });
  return {
    next: (after) => compiled.nextSecond(after),
    previous: (before) => (compiled.previous(instant(before * 1000))?.nominal ?? Number.NaN) / 1000,
    matches: (second) => compiled.matches(instant(second * 1000)),
    cost: (after) => {
      const budget = budgetOf(defaultUnits);
      compiled.search(instant(after * 1000), { budget });
      return defaultUnits - budget.left;
    },
  };
}

function source(text: string, zone: Zone = utc, dst: ResolvedDst = rfc): Source {
  return recurrenceSource(parsed(text), zone, dst);
}

function walk(from: Source, count: number, after = -1): number[] {
  const found: number[] = [];
  for (
    let second = from.next(after);
    found.length < count && !Number.isNaN(second);
    second = from.next(second)
  ) {
    found.push(second);
  }
  return found;
}

const second = (text: string) => Date.parse(`${text}Z`.replace('ZZ', 'Z')) / 1000;
const local = (at: number, zone: Zone) =>
  new Date((at + zone.offsetAt(at)) * 1000).toISOString().slice(0, 19);

/** Local days `M/D` of a year list, as the examples of the RFC give them, all at 09:00. */
function days(text: string): string[] {
  return text.split(';').flatMap((yearPart) => {
    const [year, list] = yearPart.trim().split(': ');
    return (list ?? '').split(' ').map((day) => {
      const [month, date] = day.split('/');
      return `${year}-${(month ?? '').padStart(2, '0')}-${(date ?? '').padStart(2, '0')}`;
    });
  });
}

// Section 3.8.5.3 of the RFC, all in New York. "open" lists are the beginning of an endless rule.
const examples: readonly (readonly [
  rule: string,
  days: string,
  start?: string | undefined,
  ends?: 'ends',
])[] = [
  ['FREQ=DAILY;COUNT=10', '1997: 9/2 9/3 9/4 9/5 9/6 9/7 9/8 9/9 9/10 9/11', undefined, 'ends'],
  ['FREQ=DAILY;INTERVAL=2', '1997: 9/2 9/4 9/6 9/8 9/10'],
  ['FREQ=DAILY;INTERVAL=10;COUNT=5', '1997: 9/2 9/12 9/22 10/2 10/12', undefined, 'ends'],
  ['FREQ=WEEKLY;COUNT=10', '1997: 9/2 9/9 9/16 9/23 9/30 10/7 10/14 10/21 10/28 11/4', undefined, 'ends'],
  [
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU',
    '1997: 9/2 9/16 9/30 10/14 10/28 11/11 11/25 12/9 12/23; 1998: 1/6 1/20',
  ],
  [
    'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
    '1997: 9/2 9/4 9/9 9/11 9/16 9/18 9/23 9/25 9/30 10/2',
    undefined,
    'ends',
  ],
  [
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    '1997: 9/1 9/3 9/5 9/15 9/17 9/19 9/29 10/1 10/3 10/13 10/15 10/17 10/27 10/29 10/31 11/10 11/12 11/14 11/24 11/26 11/28 12/8 12/10 12/12 12/22',
    '19970901T090000',
    'ends',
  ],
  [
    'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
    '1997: 9/2 9/4 9/16 9/18 9/30 10/2 10/14 10/16',
    undefined,
    'ends',
  ],
  [
    'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
    '1997: 9/5 10/3 11/7 12/5; 1998: 1/2 2/6 3/6 4/3 5/1 6/5',
    '19970905T090000',
    'ends',
  ],
  ['FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR', '1997: 9/5 10/3 11/7 12/5', '19970905T090000', 'ends'],
  [
    'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
    '1997: 9/7 9/28 11/2 11/30; 1998: 1/4 1/25 3/1 3/29 5/3 5/31',
    '19970907T090000',
    'ends',
  ],
  [
    'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
    '1997: 9/22 10/20 11/17 12/22; 1998: 1/19 2/16',
    '19970922T090000',
    'ends',
  ],
  ['FREQ=MONTHLY;BYMONTHDAY=-3', '1997: 9/28 10/29 11/28 12/29; 1998: 1/29 2/26', '19970928T090000'],
  [
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
    '1997: 9/2 9/15 10/2 10/15 11/2 11/15 12/2 12/15; 1998: 1/2 1/15',
    undefined,
    'ends',
  ],
  [
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
    '1997: 9/30 10/1 10/31 11/1 11/30 12/1 12/31; 1998: 1/1 1/31 2/1',
    '19970930T090000',
    'ends',
  ],
  [
    'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
    '1997: 9/10 9/11 9/12 9/13 9/14 9/15; 1999: 3/10 3/11 3/12 3/13',
    '19970910T090000',
    'ends',
  ],
  [
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
    '1997: 9/2 9/9 9/16 9/23 9/30 11/4 11/11 11/18 11/25; 1998: 1/6 1/13 1/20 1/27 3/3 3/10 3/17 3/24 3/31',
  ],
  [
    'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
    '1997: 6/10 7/10; 1998: 6/10 7/10; 1999: 6/10 7/10; 2000: 6/10 7/10; 2001: 6/10 7/10',
    '19970610T090000',
    'ends',
  ],
  [
    'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
    '1997: 3/10; 1999: 1/10 2/10 3/10; 2001: 1/10 2/10 3/10; 2003: 1/10 2/10 3/10',
    '19970310T090000',
    'ends',
  ],
  [
    'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    '1997: 1/1 4/10 7/19; 2000: 1/1 4/9 7/18; 2003: 1/1 4/10 7/19; 2006: 1/1',
    '19970101T090000',
    'ends',
  ],
  ['FREQ=YEARLY;BYDAY=20MO', '1997: 5/19; 1998: 5/18; 1999: 5/17', '19970519T090000'],
  ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '1997: 5/12; 1998: 5/11; 1999: 5/17', '19970512T090000'],
  [
    'FREQ=YEARLY;BYMONTH=3;BYDAY=TH',
    '1997: 3/13 3/20 3/27; 1998: 3/5 3/12 3/19 3/26; 1999: 3/4 3/11 3/18 3/25',
    '19970313T090000',
  ],
  [
    'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
    '1997: 6/5 6/12 6/19 6/26 7/3 7/10 7/17 7/24 7/31 8/7 8/14 8/21 8/28; 1998: 6/4 6/11',
    '19970605T090000',
  ],
  ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '1998: 2/13 3/13 11/13; 1999: 8/13; 2000: 10/13'],
  [
    'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
    '1997: 9/13 10/11 11/8 12/13; 1998: 1/10 2/7 3/7 4/11 5/9 6/13',
    '19970913T090000',
  ],
  [
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    '1996: 11/5; 2000: 11/7; 2004: 11/2',
    '19961105T090000',
  ],
  ['FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '1997: 9/4 10/7 11/6', '19970904T090000', 'ends'],
  [
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
    '1997: 9/29 10/30 11/27 12/30; 1998: 1/29 2/26 3/30',
    '19970929T090000',
  ],
  [
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
    '1997: 8/5 8/10 8/19 8/24',
    '19970805T090000',
    'ends',
  ],
  [
    'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
    '1997: 8/5 8/17 8/19 8/31',
    '19970805T090000',
    'ends',
  ],
  ['FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', '2007: 1/15 1/30 2/15 3/15 3/30', '20070115T090000', 'ends'],
];

describe('the examples of RFC 5545', () => {
  it.each(examples)('%s', (rule, list, start, ends) => {
    const expected = days(list ?? '').map((day) => `${day}T09:00:00`);
    const got = source(`DTSTART;TZID=America/New_York:${start ?? '19970902T090000'}\nRRULE:${rule}`, newYork);
    const found = walk(got, ends === 'ends' ? expected.length + 1 : expected.length);
    expect(found.map((at) => local(at, newYork))).toEqual(expected);
  });

  it.each([
    ['FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z', '09:00 12:00 15:00'],
    ['FREQ=MINUTELY;INTERVAL=15;COUNT=6', '09:00 09:15 09:30 09:45 10:00 10:15'],
    ['FREQ=MINUTELY;INTERVAL=90;COUNT=4', '09:00 10:30 12:00 13:30'],
  ])('%s', (rule, times) => {
    const found = walk(source(`DTSTART;TZID=America/New_York:19970902T090000\nRRULE:${rule}`, newYork), 10);
    expect(found.map((at) => local(at, newYork).slice(11, 16))).toEqual(times.split(' '));
  });

  it('reads every 20 minutes from 9 to 16:40 the same as a daily and as a minutely rule', () => {
    const start = 'DTSTART;TZID=America/New_York:19970902T090000\nRRULE:';
    const hours = 'BYHOUR=9,10,11,12,13,14,15,16';
    const daily = walk(source(`${start}FREQ=DAILY;${hours};BYMINUTE=0,20,40`, newYork), 100);
    expect(walk(source(`${start}FREQ=MINUTELY;INTERVAL=20;${hours}`, newYork), 100)).toEqual(daily);
  });

  it('leaves out a date given by EXDATE', () => {
    const text =
      'DTSTART;TZID=America/New_York:19970902T090000\nEXDATE;TZID=America/New_York:19970902T090000\nRRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13';
    expect(local(walk(source(text, newYork), 1)[0] ?? 0, newYork)).toBe('1998-02-13T09:00:00');
  });
});

describe('where the RFC leaves a choice', () => {
  it('anchors a rule without DTSTART at the epoch', () => {
    expect(walk(source('FREQ=DAILY'), 2)).toEqual([0, 86_400]);
    expect(walk(source('FREQ=WEEKLY;BYHOUR=9'), 1)).toEqual([second('1970-01-01T09:00:00')]);
    expect(source('FREQ=WEEKLY;INTERVAL=2').next(second('2026-01-01T00:00:00'))).toBe(
      second('2026-01-15T00:00:00'),
    );
  });

  it('takes DTSTART as a time only when there is no rule', () => {
    expect(walk(source('DTSTART:20260101T090000'), 3)).toEqual([second('2026-01-01T09:00:00')]);
    expect(walk(source('DTSTART:20260101T090000\nRRULE:FREQ=DAILY;BYHOUR=10;COUNT=1'), 3)).toEqual([
      second('2026-01-01T10:00:00'),
    ]);
  });

  it('joins rules and RDATE, and removes whole days', () => {
    const text =
      'DTSTART:20260101T090000\nRRULE:FREQ=DAILY;COUNT=3\nRRULE:FREQ=DAILY;BYHOUR=12;COUNT=3\nRDATE:20260105,20260106T070000Z\nEXDATE;VALUE=DATE:20260102';
    expect(walk(source(text), 20).map((at) => local(at, utc).slice(5, 16))).toEqual([
      '01-01T09:00',
      '01-01T12:00',
      '01-03T09:00',
      '01-03T12:00',
      '01-05T09:00',
      '01-06T07:00',
    ]);
  });

  it('takes the weekday of a week number from DTSTART', () => {
    const found = walk(source('DTSTART:20260101T000000\nRRULE:FREQ=YEARLY;BYWEEKNO=20;COUNT=2'), 3);
    expect(found.map((at) => local(at, utc).slice(0, 10))).toEqual(['2026-05-14', '2027-05-20']);
  });

  it.each([
    ['52', 'SU', '2021-12-31', '2022-01-02'],
    ['53', 'FR', '2026-12-31', '2027-01-01'],
    ['-1', 'FR', '2026-12-31', '2027-01-01'],
    ['1', 'MO', '2024-12-01', '2024-12-30'],
  ])('finds the days of week %s that lie in the neighbouring year', (week, day, after, expected) => {
    const rule = source(`FREQ=YEARLY;BYWEEKNO=${week};BYDAY=${day}`);
    expect(local(rule.next(second(`${after}T00:00:00`)), utc).slice(0, 10)).toBe(expected);
  });

  it('includes the whole day of an UNTIL date', () => {
    expect(walk(source('DTSTART:20260101T090000\nRRULE:FREQ=DAILY;UNTIL=20260103'), 9)).toHaveLength(3);
  });
});

describe('clock changes', () => {
  const ny = (dst: ResolvedDst, rule: string, from: string) =>
    walk(source(`DTSTART:20260101T000000\nRRULE:${rule}`, newYork, dst), 4, second(from)).map((at) =>
      new Date(at * 1000).toISOString().slice(5, 16),
    );

  it.each([
    ['shift', ['03-07T07:30', '03-08T07:30', '03-09T06:30', '03-10T06:30']],
    ['gapEnd', ['03-07T07:30', '03-08T07:00', '03-09T06:30', '03-10T06:30']],
    ['skip', ['03-07T07:30', '03-09T06:30', '03-10T06:30', '03-11T06:30']],
  ] as const)('gap %s at 02:30 in New York', (gap, expected) => {
    expect(ny({ gap, fold: 'first' }, 'FREQ=DAILY;BYHOUR=2;BYMINUTE=30', '2026-03-07T00:00:00')).toEqual(
      expected,
    );
  });

  it.each([
    ['first', ['10-31T05:30', '11-01T05:30', '11-02T06:30', '11-03T06:30']],
    ['last', ['10-31T05:30', '11-01T06:30', '11-02T06:30', '11-03T06:30']],
    ['both', ['10-31T05:30', '11-01T05:30', '11-01T06:30', '11-02T06:30']],
  ] as const)('fold %s at 01:30 in New York', (fold, expected) => {
    expect(ny({ gap: 'shift', fold }, 'FREQ=DAILY;BYHOUR=1;BYMINUTE=30', '2026-10-31T00:00:00')).toEqual(
      expected,
    );
  });

  it('keeps shifted times in order with the times they meet', () => {
    const found = ny(
      { gap: 'shift', fold: 'first' },
      'FREQ=MINUTELY;INTERVAL=20;BYHOUR=2,3',
      '2026-03-08T06:59:00',
    );
    expect(found).toEqual(['03-08T07:00', '03-08T07:20', '03-08T07:40', '03-09T06:00']);
    const mixed = ny(
      { gap: 'shift', fold: 'first' },
      'FREQ=DAILY;BYHOUR=2,3;BYMINUTE=15,45;BYSETPOS=1,2,4',
      '2026-03-08T06:59:00',
    );
    expect(mixed).toEqual(['03-08T07:15', '03-08T07:45', '03-09T06:15', '03-09T06:45']);
  });

  it('handles the half hours of Lord Howe', () => {
    const daily = (rule: string, dst: ResolvedDst, from: string) =>
      walk(source(`DTSTART:20260101T000000\nRRULE:${rule}`, lordHowe, dst), 2, second(from)).map((at) =>
        new Date(at * 1000).toISOString().slice(5, 16),
      );
    const gap = 'FREQ=DAILY;BYHOUR=2;BYMINUTE=15';
    expect(daily(gap, rfc, '2026-10-03T15:00:00')).toEqual(['10-03T15:45', '10-04T15:15']);
    expect(daily(gap, { gap: 'gapEnd', fold: 'first' }, '2026-10-03T15:00:00')).toEqual([
      '10-03T15:30',
      '10-04T15:15',
    ]);
    const fold = 'FREQ=DAILY;BYHOUR=1;BYMINUTE=45';
    expect(daily(fold, rfc, '2026-04-04T13:00:00')).toEqual(['04-04T14:45', '04-05T15:15']);
    expect(daily(fold, { gap: 'skip', fold: 'both' }, '2026-04-04T13:00:00')).toEqual([
      '04-04T14:45',
      '04-04T15:15',
    ]);
  });
});

describe('bounds of the search', () => {
  it.each([
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=31',
    'FREQ=SECONDLY;INTERVAL=60;BYSECOND=30',
    'FREQ=HOURLY;INTERVAL=24;BYHOUR=5',
    'FREQ=MINUTELY;INTERVAL=7;BYMINUTE=3;BYMONTHDAY=30;BYMONTH=2',
    'FREQ=DAILY;INTERVAL=7;BYDAY=MO',
    'FREQ=SECONDLY;INTERVAL=604800;BYDAY=MO',
    'FREQ=YEARLY;COUNT=5;BYMONTH=4;BYMONTHDAY=31',
  ])('finds nothing, soon: %s', (rule) => {
    expect(source(rule).next(0)).toBeNaN();
    expect(source(rule).previous(4_000_000_000)).toBeNaN();
    expect(source(rule).cost(0)).toBeLessThan(60_000);
  });

  it('stays within 1970 and 2100', () => {
    const daily = source('DTSTART:19000101T000000\nRRULE:FREQ=DAILY');
    expect(daily.next(-1e12)).toBe(0);
    expect(daily.previous(1e12)).toBe(second('2100-12-31T00:00:00'));
    expect(daily.next(second('2100-12-31T00:00:00'))).toBeNaN();
    expect(daily.previous(0)).toBeNaN();
  });

  it('jumps far from DTSTART without walking there', () => {
    const secondly = source('FREQ=SECONDLY;INTERVAL=7');
    expect(secondly.cost(4_000_000_000)).toBeLessThan(10);
  });
});

// Random rules, kept to what the RFC allows.
const some = <T>(values: readonly T[]) =>
  fc.option(fc.subarray([...values], { minLength: 1, maxLength: 3 }), { nil: undefined });
const range = (low: number, high: number) =>
  Array.from({ length: high - low + 1 }, (_, index) => low + index);
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

const ruleText = fc
  .record({
    frequency: fc.constantFrom('YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'),
    interval: fc.integer({ min: 1, max: 13 }),
    count: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
    byMonth: some(range(1, 12)),
    byMonthDay: some([...range(1, 31), -1, -2, -29]),
    byYearDay: some([1, 32, 60, 100, 200, 365, 366, -1, -100, -366]),
    // Weeks that reach into another year are tested below: the package loses some of their days.
    byWeekNumber: some([2, 10, 20, 40, -10, -20]),
    byDay: some(weekdays),
    nth: fc.constantFrom('', '', '1', '2', '-1', '5'),
    byHour: some(range(0, 23)),
    byMinute: some(range(0, 59)),
    bySecond: some([0, 1, 30, 59]),
    bySetPosition: some([1, 2, -1, 4]),
    weekStart: fc.constantFrom(...weekdays),
  })
  .map((given) => {
    const { frequency } = given;
    const yearly = frequency === 'YEARLY';
    const numbered =
      given.nth !== '' && (frequency === 'MONTHLY' || (yearly && given.byWeekNumber === undefined));
    const parts: [string, readonly (string | number)[] | undefined][] = [
      ['BYMONTH', given.byMonth],
      ['BYMONTHDAY', frequency === 'WEEKLY' || yearly ? undefined : given.byMonthDay],
      ['BYYEARDAY', yearly && given.byWeekNumber === undefined ? given.byYearDay : undefined],
      // With a weekday only: the package takes every day of a bare week, we take the weekday of DTSTART.
      ['BYWEEKNO', yearly && given.byDay !== undefined ? given.byWeekNumber : undefined],
      ['BYDAY', given.byDay?.map((day) => (numbered ? `${given.nth}${day}` : day))],
      ['BYHOUR', given.byHour],
      ['BYMINUTE', given.byMinute],
      ['BYSECOND', given.bySecond],
    ];
    const present = parts.filter(([, values]) => values !== undefined);
    if (present.length > 0 && given.bySetPosition !== undefined)
      present.push(['BYSETPOS', given.bySetPosition]);
    const texts = present.map(([name, values]) => `${name}=${values?.join(',')}`);
    const count = given.count === undefined ? [] : [`COUNT=${given.count}`];
    return [
      `FREQ=${frequency}`,
      `INTERVAL=${given.interval}`,
      ...count,
      ...texts,
      `WKST=${given.weekStart}`,
    ].join(';');
  });

const startText = fc
  .record({ day: fc.integer({ min: 0, max: 4000 }), second: fc.integer({ min: 0, max: 86_399 }) })
  .map(({ day, second: of }) =>
    new Date((Date.UTC(2015, 0, 1) / 1000 + day * 86_400 + of) * 1000)
      .toISOString()
      .replace(/[-:]|\.000/g, ''),
  );

describe('against other ways to compute the same', () => {
  it('agrees with the rrule package in UTC', () => {
    fc.assert(
      fc.property(ruleText, startText, (rule, start) => {
        const text = `DTSTART:${start}\nRRULE:${rule}`;
        const ours = source(text);
        // Without a match the package searches to the year 9999, which takes hours for short periods.
        const short = /FREQ=(HOURLY|MINUTELY|SECONDLY)/.test(rule);
        const limited = /BYMONTH|BYDAY|BYHOUR|BYSETPOS|SECONDLY.*BY|MINUTELY.*BYMINUTE/.test(rule);
        fc.pre(!(short && limited) && !Number.isNaN(ours.next(-1)));
        // It counts positions of the first week from DTSTART, where the RFC says the whole week.
        fc.pre(!/WEEKLY.*BYSETPOS/.test(rule));
        const theirs = rrulePackage.rrulestr(text);
        const from = Date.parse(start.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'));
        // The package walks every period, so the window is small where periods are short.
        const length = /FREQ=(YEARLY|MONTHLY)/.test(rule)
          ? 12 * 366
          : /FREQ=(WEEKLY|DAILY)/.test(rule)
            ? 400
            : 1;
        const end = from + length * 86_400_000;
        const expected: number[] = [];
        theirs.between(new Date(from), new Date(end), true, (date: Date) => {
          expected.push(date.getTime() / 1000);
          return expected.length < 40;
        });
        // It repeats a time that two positions name.
        const unique = [...new Set(expected)];
        const inside = walk(ours, Math.max(unique.length, 1), from / 1000 - 1).filter(
          (at) => at * 1000 <= end,
        );
        expect(inside).toEqual(unique);
      }),
      { numRuns: 150 },
    );
  });

  it('walks back over the way it came, and matches exactly there', () => {
    fc.assert(
      fc.property(
        ruleText,
        startText,
        fc.constantFrom(utc, newYork, lordHowe),
        fc.constantFrom<ResolvedDst>(
          { gap: 'shift', fold: 'first' },
          { gap: 'skip', fold: 'both' },
          { gap: 'gapEnd', fold: 'last' },
        ),
        (rule, start, zone, dst) => {
          const ours = recurrenceSource(parsed(`DTSTART:${start.slice(0, -1)}\nRRULE:${rule}`), zone, dst);
          const forward = walk(ours, 25);
          for (let index = 0; index < forward.length; index += 1) {
            const at = forward[index] ?? 0;
            expect(ours.matches(at)).toBe(true);
            expect(ours.previous(at)).toEqual(index === 0 ? Number.NaN : forward[index - 1]);
            expect(ours.next(at - 1)).toBe(at);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('agrees with a second-by-second reading of the clock around changes', () => {
    const cases = [
      [newYork, '2026-03-08T04:00:00', '2026-03-08T11:00:00'],
      [newYork, '2026-11-01T03:00:00', '2026-11-01T10:00:00'],
      [lordHowe, '2026-04-04T12:00:00', '2026-04-04T18:00:00'],
      [lordHowe, '2026-10-03T12:00:00', '2026-10-03T18:00:00'],
    ] as const;
    for (const [zone, from, to] of cases) {
      for (const rule of [
        'FREQ=MINUTELY;INTERVAL=7',
        'FREQ=HOURLY;BYMINUTE=0,15,45',
        'FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=5,35',
      ]) {
        const text = `DTSTART:20260101T000000\nRRULE:${rule}`;
        const onWall = source(text);
        const expected: number[] = [];
        for (let at = second(from); at <= second(to); at += 1) {
          if (onWall.matches(at + zone.offsetAt(at))) expected.push(at);
        }
        const found = walk(source(text, zone, { gap: 'skip', fold: 'both' }), 1000, second(from) - 1);
        expect(found.filter((at) => at <= second(to))).toEqual(expected);
      }
    }
  });

  it('agrees with a walk over all periods where short ones are limited', () => {
    const units: Record<string, number> = { HOURLY: 3600, MINUTELY: 60, SECONDLY: 1 };
    const given = fc.record({
      frequency: fc.constantFrom('HOURLY', 'MINUTELY', 'SECONDLY'),
      interval: fc.integer({ min: 1, max: 100 }),
      hours: fc.subarray([0, 5, 9, 23], { minLength: 1 }),
      minutes: fc.subarray([0, 7, 30, 59], { minLength: 1 }),
      seconds: fc.subarray([0, 20, 59], { minLength: 1 }),
      weekdays: fc.subarray(weekdays, { minLength: 3 }),
      start: fc.integer({ min: 1_700_000_000, max: 1_800_000_000 }),
    });
    fc.assert(
      fc.property(given, (input) => {
        const start = new Date(input.start * 1000);
        const text = `DTSTART:${start.toISOString().slice(0, 19).replace(/[-:]/g, '')}
RRULE:FREQ=${input.frequency};INTERVAL=${input.interval};BYHOUR=${input.hours};BYMINUTE=${input.minutes};BYSECOND=${input.seconds};BYDAY=${input.weekdays}`;
        const unit = units[input.frequency] ?? 1;
        const end = input.start + 3 * 86_400;
        const expected: number[] = [];
        for (let at = input.start; at < end; at += 1) {
          const clock = new Date(at * 1000);
          if (
            !input.seconds.includes(clock.getUTCSeconds()) ||
            !input.minutes.includes(clock.getUTCMinutes())
          )
            continue;
          if (!input.hours.includes(clock.getUTCHours())) continue;
          if (!input.weekdays.includes(['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][clock.getUTCDay()] ?? ''))
            continue;
          if ((Math.floor(at / unit) - Math.floor(input.start / unit)) % input.interval === 0)
            expected.push(at);
        }
        const found = walk(source(text), expected.length + 1).filter((at) => at < end);
        expect(found).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});
