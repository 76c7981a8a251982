/** The second reading of cron must be right by itself, and agree with the spec library everywhere. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addTime, day, formatInstant, instant } from '../../packages/carillon/src/base/time.ts';
import { plainTimes } from '../../packages/carillon/src/doctor/plain-cron.ts';
import { compileSpec, findZone } from '../../packages/carillon/src/spec/index.ts';

const zoneOf = (name: string) => findZone(name) as NonNullable<ReturnType<typeof findZone>>;

function times(text: string, zone: string, after: string, most: number): readonly string[] | undefined {
  const from = instant(Date.parse(after));
  return plainTimes(text, zoneOf(zone), { after: from, to: addTime(from, 800 * day), most })?.map(
    formatInstant,
  );
}

describe('known answers', () => {
  test.each<readonly [string, string, string, readonly string[]]>([
    [
      '0 0 13 * 5',
      'UTC',
      '2026-02-01T00:00:00Z',
      ['2026-02-06T00:00:00Z', '2026-02-13T00:00:00Z', '2026-02-20T00:00:00Z'],
    ],
    ['0 0 */2 * mon', 'UTC', '2026-06-01T00:00:00Z', ['2026-06-15T00:00:00Z', '2026-06-29T00:00:00Z']],
    [
      '30 2 * * *',
      'America/New_York',
      '2026-03-07T12:00:00Z',
      ['2026-03-08T07:30:00Z', '2026-03-09T06:30:00Z'],
    ],
    [
      '30 1 * * *',
      'America/New_York',
      '2026-10-31T12:00:00Z',
      ['2026-11-01T05:30:00Z', '2026-11-02T06:30:00Z'],
    ],
    ['0 8 * * 7', 'UTC', '2026-03-01T09:00:00Z', ['2026-03-08T08:00:00Z']],
    ['@monthly', 'UTC', '2026-03-01T09:00:00Z', ['2026-04-01T00:00:00Z']],
    ['0 0 1 feb-apr *', 'UTC', '2026-03-01T09:00:00Z', ['2026-04-01T00:00:00Z', '2027-02-01T00:00:00Z']],
  ])('%s in %s', (text, zone, after, expected) => {
    expect(times(text, zone, after, expected.length)).toEqual(expected);
  });

  test('is no judge of what cron cannot hold', () => {
    for (const text of ['0 0 L * *', '* * * *', '61 * * * *', '5-1 * * * *', '@reboot', '0 0 0 * * *'])
      expect(times(text, 'UTC', '2026-01-01T00:00:00Z', 1)).toBeUndefined();
  });
});

test('both readings take 7-7 for Sunday alone', () => {
  const sundays = ['2026-03-08T08:00:00Z', '2026-03-15T08:00:00Z'];
  expect(times('0 8 * * 7-7', 'UTC', '2026-03-01T09:00:00Z', 2)).toEqual(sundays);
  const window = { from: instant(Date.UTC(2026, 2, 1, 9)), to: instant(Date.UTC(2026, 3, 1)) };
  const ours = compileSpec({ cron: [{ text: '0 8 * * 7-7' }] }).between(window, 2).times;
  expect(ours.map(({ nominal }) => formatInstant(nominal))).toEqual(sundays);
});

const list = (low: number, high: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    fc.integer({ min: low, max: high }).map(String),
    fc.integer({ min: 2, max: 9 }).map((step) => `*/${step}`),
    fc
      .tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high }))
      .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc
      .uniqueArray(fc.integer({ min: low, max: high }), { minLength: 2, maxLength: 4 })
      .map((each) => each.join(',')),
  );

test('agrees with the spec library over random texts, zones and years', () => {
  const zones = [
    'UTC',
    'America/New_York',
    'Europe/Berlin',
    'America/Santiago',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
  ];
  const texts = fc
    .tuple(list(0, 59), list(0, 23), list(1, 31), list(1, 12), list(0, 7))
    .map((each) => each.join(' '));
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(1995, 0, 1), max: Date.UTC(2035, 0, 1) }),
      (text, zone, start) => {
        const after = instant(start);
        const to = addTime(after, 500 * day);
        const ours = compileSpec({ cron: [{ text }], zone }).between({ from: after, to }, 300).times;
        const plain = plainTimes(text, zoneOf(zone), { after, to, most: 300 });
        expect(ours.map(({ nominal }) => formatInstant(nominal))).toEqual(plain?.map(formatInstant));
      },
    ),
    { numRuns: 150, seed: 20261116 },
  );
});
