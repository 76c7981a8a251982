/** Gaps and folds, rule by rule, in the zones where implementations go wrong. */
import { describe, expect, it } from 'vitest';
import { formatInstant, instant } from '../base/time.ts';
import { compileSpec } from './compile.ts';
import type { DstPolicy } from './model.ts';

interface Case {
  readonly cron: string;
  readonly zone: string;
  /** The UTC day or days looked at, both included. */
  readonly from: string;
  readonly to: string;
}

function fires({ cron, zone, from, to }: Case, dst?: DstPolicy): string[] {
  const compiled = compileSpec({ cron: [{ text: cron }], zone, ...(dst === undefined ? {} : { dst }) });
  const window = { from: instant(Date.parse(from) - 1000), to: instant(Date.parse(to)) };
  return compiled.between(window, 100).times.map(({ nominal }) => formatInstant(nominal).slice(5, 16));
}

const day = (cron: string, zone: string, date: string, until = date): Case => ({
  cron,
  zone,
  from: `${date}T00:00:00Z`,
  to: `${until}T23:59:59Z`,
});

describe('gaps', () => {
  it.each([
    [
      'New York 02:30',
      day('30 2 * * *', 'America/New_York', '2026-03-08'),
      [],
      ['03-08T07:30'],
      ['03-08T07:00'],
    ],
    [
      'New York 02:00, the first left out',
      day('0 2 * * *', 'America/New_York', '2026-03-08'),
      [],
      ['03-08T07:00'],
      ['03-08T07:00'],
    ],
    [
      'New York 03:00, the first after',
      day('0 3 * * *', 'America/New_York', '2026-03-08'),
      ['03-08T07:00'],
      ['03-08T07:00'],
      ['03-08T07:00'],
    ],
    [
      'New York 02:30 and 03:30 meet',
      day('30 2,3 * * *', 'America/New_York', '2026-03-08'),
      ['03-08T07:30'],
      ['03-08T07:30'],
      ['03-08T07:00', '03-08T07:30'],
    ],
    [
      'New York 02:45 and 03:15 keep apart',
      day('45 2 * * *', 'America/New_York', '2026-03-08'),
      [],
      ['03-08T07:45'],
      ['03-08T07:00'],
    ],
    [
      'Lord Howe 02:15, half an hour',
      day('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03'),
      [],
      ['10-03T15:45'],
      ['10-03T15:30'],
    ],
    [
      'Casablanca 02:30',
      day('30 2 * * *', 'Africa/Casablanca', '2026-03-22'),
      [],
      ['03-22T02:30'],
      ['03-22T02:00'],
    ],
    ['Beirut midnight', day('0 0 * * *', 'Asia/Beirut', '2026-03-28'), [], ['03-28T22:00'], ['03-28T22:00']],
    ['Beirut 00:30', day('30 0 * * *', 'Asia/Beirut', '2026-03-28'), [], ['03-28T22:30'], ['03-28T22:00']],
    [
      'Sao Paulo midnight',
      day('0 0 * * *', 'America/Sao_Paulo', '2018-11-04'),
      [],
      ['11-04T03:00'],
      ['11-04T03:00'],
    ],
    // 30 December 2011 did not exist in Samoa; shifted by 24 hours it falls on the 31st.
    [
      'Apia noon of the lost day',
      {
        cron: '0 12 30 12 *',
        zone: 'Pacific/Apia',
        from: '2011-12-29T00:00:00Z',
        to: '2012-01-02T00:00:00Z',
      },
      [],
      ['12-30T22:00'],
      ['12-30T10:00'],
    ],
    [
      'Apia daily noon over the lost day',
      { cron: '0 12 * * *', zone: 'Pacific/Apia', from: '2011-12-29T12:00:00Z', to: '2012-01-01T00:00:00Z' },
      ['12-29T22:00', '12-30T22:00', '12-31T22:00'],
      ['12-29T22:00', '12-30T22:00', '12-31T22:00'],
      ['12-29T22:00', '12-30T10:00', '12-30T22:00', '12-31T22:00'],
    ],
    [
      'Troll 01:30, two hours',
      day('30 1 29 3 *', 'Antarctica/Troll', '2026-03-29'),
      [],
      ['03-29T01:30'],
      ['03-29T01:00'],
    ],
    [
      'Troll 02:59',
      day('59 2 * * *', 'Antarctica/Troll', '2026-03-29'),
      [],
      ['03-29T02:59'],
      ['03-29T01:00'],
    ],
    [
      'St. Johns 02:30, half-hour offset',
      day('30 2 * * *', 'America/St_Johns', '2026-03-08'),
      [],
      ['03-08T06:00'],
      ['03-08T05:30'],
    ],
    [
      'Adelaide 02:30',
      day('30 2 * * *', 'Australia/Adelaide', '2026-10-03'),
      [],
      ['10-03T17:00'],
      ['10-03T16:30'],
    ],
    [
      'Chatham 03:00',
      day('0 3 * * *', 'Pacific/Chatham', '2026-09-26'),
      [],
      ['09-26T14:15'],
      ['09-26T14:00'],
    ],
  ] as const)('%s: skip, shift, gapEnd', (_, at, skip, shift, gapEnd) => {
    const fold = 'both';
    expect(fires(at, { gap: 'skip', fold })).toEqual(skip);
    expect(fires(at, { gap: 'shift', fold })).toEqual(shift);
    expect(fires(at, { gap: 'gapEnd', fold })).toEqual(gapEnd);
    expect(fires(at)).toEqual(shift);
  });
});

describe('folds', () => {
  it.each([
    ['New York 01:30', day('30 1 * * *', 'America/New_York', '2026-11-01'), '11-01T05:30', '11-01T06:30'],
    [
      'New York 01:00, the first repeated',
      day('0 1 * * *', 'America/New_York', '2026-11-01'),
      '11-01T05:00',
      '11-01T06:00',
    ],
    ['Lord Howe 01:45', day('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04'), '04-04T14:45', '04-04T15:15'],
    ['Casablanca 02:30', day('30 2 * * *', 'Africa/Casablanca', '2026-02-15'), '02-15T01:30', '02-15T02:30'],
    ['Beirut 23:30', day('30 23 * * *', 'Asia/Beirut', '2026-10-24'), '10-24T20:30', '10-24T21:30'],
    [
      'Sao Paulo 23:30',
      {
        cron: '30 23 17 2 *',
        zone: 'America/Sao_Paulo',
        from: '2018-02-17T00:00:00Z',
        to: '2018-02-18T12:00:00Z',
      },
      '02-18T01:30',
      '02-18T02:30',
    ],
    [
      'Troll 01:30, two hours',
      day('30 1 * * *', 'Antarctica/Troll', '2026-10-25', '2026-10-25'),
      '10-24T23:30',
      '10-25T01:30',
    ],
    ['St. Johns 01:30', day('30 1 * * *', 'America/St_Johns', '2026-11-01'), '11-01T04:00', '11-01T05:00'],
  ] as const)('%s: first, last, both', (_, at, first, last) => {
    // Troll's first copy lies on the evening before in UTC.
    const wide = { ...at, from: new Date(Date.parse(at.from) - 7_200_000).toISOString() };
    const all = fires(wide, { fold: 'both' });
    expect(all).toEqual(expect.arrayContaining([first, last]));
    const around = (times: string[]) => times.filter((time) => time === first || time === last);
    expect(around(fires(wide, { fold: 'first' }))).toEqual([first]);
    expect(around(fires(wide, { fold: 'last' }))).toEqual([last]);
    expect(around(fires(wide))).toEqual([first]);
    expect(around(all)).toEqual([first, last]);
  });

  it('leaves times outside the repeated hour alone', () => {
    for (const fold of ['first', 'last', 'both'] as const) {
      expect(fires(day('0 2 * * *', 'America/New_York', '2026-11-01'), { fold })).toEqual(['11-01T07:00']);
    }
  });
});

describe('rhythms', () => {
  const fall = {
    cron: '*/30 * * * *',
    zone: 'America/New_York',
    from: '2026-11-01T05:00:00Z',
    to: '2026-11-01T07:00:00Z',
  };

  it('keep their beat through a fold when no rule is given', () => {
    const beat = ['11-01T05:00', '11-01T05:30', '11-01T06:00', '11-01T06:30', '11-01T07:00'];
    expect(fires(fall)).toEqual(beat);
    expect(fires(fall, { gap: 'shift' })).toEqual(beat);
  });

  it('pause for the repeated hour when the rule says so', () => {
    expect(fires(fall, { fold: 'first' })).toEqual(['11-01T05:00', '11-01T05:30', '11-01T07:00']);
    expect(fires(fall, { fold: 'last' })).toEqual(['11-01T06:00', '11-01T06:30', '11-01T07:00']);
  });

  it('that leave out hours are appointments', () => {
    expect(fires({ ...fall, cron: '0 0-2 * * *', from: '2026-11-01T04:00:00Z' })).toEqual([
      '11-01T04:00',
      '11-01T05:00',
      '11-01T07:00',
    ]);
  });

  it('lose and double nothing in a gap', () => {
    const spring = { ...fall, from: '2026-03-08T06:00:00Z', to: '2026-03-08T08:00:00Z' };
    const beat = ['03-08T06:00', '03-08T06:30', '03-08T07:00', '03-08T07:30', '03-08T08:00'];
    for (const gap of ['skip', 'shift', 'gapEnd'] as const) expect(fires(spring, { gap })).toEqual(beat);
  });
});
