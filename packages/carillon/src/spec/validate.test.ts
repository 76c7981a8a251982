import { describe, expect, it } from 'vitest';
import { validateSpec } from './validate.ts';

function problemsOf(input: unknown) {
  const result = validateSpec(input);
  return result.ok ? [] : result.problems.map(({ path, reason }) => `${path} ${reason}`);
}

it('accepts every kind of entry and gives the input back', () => {
  const spec = {
    cron: [{ text: '0 9 * * 1-5' }, { text: '0 0 9 * * MON', dialect: 'spring', zone: 'Asia/Tokyo' }],
    calendars: [{ hour: '9-17', dayOfWeek: 'mon-fri', comment: 'office' }],
    structuredCalendars: [
      { second: [{}], minute: [{}], hour: [{ start: 9 }], dayOfMonth: [{ start: 1, end: 31 }] },
    ],
    intervals: [{ everyMs: 900_000, phaseMs: 60_000 }],
    rrules: [{ text: 'FREQ=DAILY;BYHOUR=9' }],
    times: [1_800_000_000_000],
    exclude: { dates: ['2026-12-25'], cron: [{ text: '@daily' }], calendars: [{}] },
    startAt: 0,
    endAt: 1_900_000_000_000,
    jitterMs: 5000,
    zone: 'Europe/Berlin',
    dst: { gap: 'gapEnd', fold: 'last' },
  };
  const result = validateSpec(spec);
  expect(result).toEqual({ ok: true, spec });
  expect(validateSpec({})).toEqual({ ok: true, spec: {} });
  expect(validateSpec({ zone: undefined })).toMatchObject({ ok: true });
});

it.each([
  ['text', '0 9 * * *', [' WRONG_TYPE']],
  ['nothing', null, [' WRONG_TYPE']],
  ['a list', [], [' WRONG_TYPE']],
  ['an unknown field', { crons: [] }, ['crons UNKNOWN_FIELD']],
  [
    'a field of the prototype',
    JSON.parse('{"__proto__": 1, "constructor": 2}'),
    ['__proto__ UNKNOWN_FIELD', 'constructor UNKNOWN_FIELD'],
  ],
  [
    'unknown fields deep inside',
    { cron: [{ text: '@daily', tz: 'UTC' }], dst: { gaps: 'skip' } },
    ['cron[0].tz UNKNOWN_FIELD', 'dst.gaps UNKNOWN_FIELD'],
  ],
  ['a missing text', { cron: [{}] }, ['cron[0].text MISSING']],
  [
    'an unknown dialect',
    { cron: [{ text: '@daily', dialect: 'quartz' }] },
    ['cron[0].dialect UNKNOWN_CHOICE'],
  ],
  [
    'wrong types',
    { intervals: [{ everyMs: '5m' }], times: ['now'], zone: 5, jitterMs: -1 },
    ['intervals[0].everyMs WRONG_TYPE', 'times[0] WRONG_TYPE', 'zone WRONG_TYPE', 'jitterMs OUT_OF_RANGE'],
  ],
  [
    'values that are not numbers',
    { jitterMs: Number.NaN, startAt: Number.POSITIVE_INFINITY, endAt: 1.5 },
    ['jitterMs OUT_OF_RANGE', 'startAt OUT_OF_RANGE', 'endAt OUT_OF_RANGE'],
  ],
  ['texts too long', { cron: [{ text: '*'.repeat(1001) }] }, ['cron[0].text TOO_LONG']],
  ['too many entries of one kind', { times: new Array(1001).fill(0) }, ['times TOO_MANY_ENTRIES']],
  [
    'too many entries together',
    { times: new Array(600).fill(0), intervals: new Array(600).fill({ everyMs: 1000 }) },
    [' TOO_MANY_ENTRIES'],
  ],
  [
    'bad cron in each dialect',
    {
      cron: [
        { text: '60 * * * *' },
        { text: '* * * * *', dialect: 'spring' },
        { text: '* *', dialect: 'temporal' },
      ],
    },
    ['cron[0].text OUT_OF_RANGE', 'cron[1].text FIELD_COUNT', 'cron[2].text FIELD_COUNT'],
  ],
  [
    'bad calendar fields',
    { calendars: [{ hour: '25', minute: '61' }] },
    ['calendars[0].minute OUT_OF_RANGE', 'calendars[0].hour OUT_OF_RANGE'],
  ],
  [
    'bad ranges',
    {
      structuredCalendars: [
        { hour: [{ start: 1 }, { start: 16, end: 12, step: -1 }], year: [{ start: 1969 }] },
      ],
    },
    [
      'structuredCalendars[0].hour[1].end OUT_OF_RANGE',
      'structuredCalendars[0].hour[1].step STEP',
      'structuredCalendars[0].year[0].start OUT_OF_RANGE',
    ],
  ],
  [
    'exclusions like everything else',
    {
      exclude: {
        structuredCalendars: [{ hour: [{ start: 99 }] }],
        cron: [{ text: 'x' }],
        dates: ['2026-02-30', 'xmas'],
      },
    },
    [
      'exclude.cron[0].text FIELD_COUNT',
      'exclude.structuredCalendars[0].hour[0].start OUT_OF_RANGE',
      'exclude.dates[0] DATE',
      'exclude.dates[1] DATE',
    ],
  ],
  [
    'bad intervals',
    { intervals: [{ everyMs: 999 }, { everyMs: 1000, phaseMs: -1 }, { everyMs: 1000, phaseMs: 1000 }] },
    ['intervals[0].everyMs TOO_SMALL', 'intervals[1].phaseMs NEGATIVE', 'intervals[2].phaseMs TOO_LARGE'],
  ],
  ['an @every that is too short', { cron: [{ text: '@every 10ms' }] }, ['cron[0].text TOO_SMALL']],
  [
    'unknown zones',
    { zone: 'Mars/Olympus', cron: [{ text: '@daily', zone: 'Moon' }, { text: 'TZ=Sun @daily' }] },
    ['zone UNKNOWN_ZONE', 'cron[0].zone UNKNOWN_ZONE', 'cron[1].text UNKNOWN_ZONE'],
  ],
  [
    'two zones for one text',
    { cron: [{ text: 'TZ=Asia/Tokyo @daily', zone: 'UTC' }] },
    ['cron[0].zone ZONE_CONFLICT'],
  ],
  ['zone data that is none', { zoneData: 'AA==' }, ['zoneData ZONE_DATA']],
  ['zone data that is no base64', { zoneData: '!' }, ['zoneData ZONE_DATA']],
  ['long comments', { calendars: [{ comment: 'é'.repeat(101) }] }, ['calendars[0].comment TOO_LONG']],
  [
    'unknown rules for the clock',
    { dst: { gap: 'jump', fold: 'twice' } },
    ['dst.gap UNKNOWN_CHOICE', 'dst.fold UNKNOWN_CHOICE'],
  ],
])('refuses %s', (_, input, expected) => {
  expect(problemsOf(input)).toEqual(expected);
});

describe('problems', () => {
  it('say what to write instead', () => {
    const result = validateSpec({ Cron: [], intervals: [{ everyMs: 60_000, phaseMs: 90_000 }] });
    expect(result).toMatchObject({ ok: false, problems: [{ path: 'Cron', fix: 'write cron' }] });
    const phase = validateSpec({ intervals: [{ everyMs: 60_000, phaseMs: 90_000 }] });
    expect(phase).toMatchObject({ problems: [{ fix: 'write the rest of the division: 30000' }] });
  });
});
