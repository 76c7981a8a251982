import { findZone } from 'carillon/spec';
import { beforeAll, describe, expect, test } from 'vitest';
import { countText, lengthText, plural, roughText, sinceText, whenText } from './text.ts';
import { bringZones, clockChanges, instantOf, startOfDay, wallTime, zoneLetters } from './zone.ts';

const at = (text: string) => Date.parse(text);

describe('lengths have at most two units', () => {
  test.each([
    [0, '0 ms'],
    [212, '212 ms'],
    [1500, '1.5 s'],
    [59_400, '59 s'],
    [140_000, '2 min 20 s'],
    [660_000, '11 min'],
    [59_900, '1 min'],
    [659_000, '11 min'],
    [599_700, '10 min'],
    [3_540_000, '59 min'],
    [3_599_900, '1 h'],
    [7_199_000, '2 h'],
    [2 * 86_400_000 - 1000, '2 days'],
    [4_980_000, '1 h 23 min'],
    [47 * 3_600_000, '47 h'],
    [16 * 86_400_000, '16 days'],
    [200 * 86_400_000, '7 months'],
  ])('%d ms is %s', (ms, text) => {
    expect(lengthText(ms)).toBe(text);
  });
});

test('relative times say in and ago', () => {
  const now = at('2026-11-01T18:12:40Z');
  expect(sinceText(now + 140_000, now)).toBe('in 2 min 20 s');
  expect(sinceText(now - 720_000, now)).toBe('12 min ago');
  expect(sinceText(now, now)).toBe('now');
});

describe('the letters of a zone change with its clock', () => {
  test.each([
    ['America/New_York', '2026-10-31T12:00:00Z', 'EDT'],
    ['America/New_York', '2026-11-01T12:00:00Z', 'EST'],
    ['Europe/Berlin', '2026-07-01T12:00:00Z', 'CEST'],
    ['UTC', '2026-07-01T12:00:00Z', 'UTC'],
    ['Asia/Kathmandu', '2026-07-01T12:00:00Z', 'UTC+5:45'],
  ])('%s at %s is %s', (zone, time, letters) => {
    expect(zoneLetters(zone, at(time))).toBe(letters);
  });
});

test('near times leave out the date', () => {
  const now = at('2026-11-01T18:12:40Z');
  expect(whenText('America/New_York', at('2026-11-01T18:30:00Z'), now)).toBe('Sun 13:30 EST');
  expect(whenText('America/New_York', at('2026-12-01T18:30:00Z'), now)).toBe('Tue 1 Dec 13:30 EST');
  expect(whenText('UTC', at('2027-12-01T18:30:00Z'), now)).toBe('Wed 1 Dec 2027 18:30 UTC');
});

describe.each([
  ['what the browser knows', undefined],
  ['the tables of the server', findZone],
])('by %s', (_, zones) => {
  if (zones !== undefined) beforeAll(() => bringZones(zones));

  test('a day begins at its local midnight, also on a day of 25 hours', () => {
    const zone = 'America/New_York';
    expect(startOfDay(zone, at('2026-11-01T23:00:00Z'))).toBe(at('2026-11-01T04:00:00Z'));
    expect(startOfDay(zone, at('2026-11-02T04:59:00Z'))).toBe(at('2026-11-01T04:00:00Z'));
    expect(wallTime(zone, at('2026-11-01T06:30:00Z'))).toMatchObject({ hour: 1, minute: 30 });
    expect(clockChanges(zone, at('2026-06-01T00:00:00Z'), at('2027-06-01T00:00:00Z'))).toEqual([
      { at: at('2026-11-01T06:00:00Z'), by: -3_600_000 },
      { at: at('2027-03-14T07:00:00Z'), by: 3_600_000 },
    ]);
  });

  test('a wall-clock time that comes twice is its first copy, one that does not exist is the jump', () => {
    const zone = 'America/New_York';
    expect(instantOf(zone, at('2026-11-01T01:30:00Z'))).toBe(at('2026-11-01T05:30:00Z'));
    expect(instantOf(zone, at('2027-03-14T02:30:00Z'))).toBe(at('2027-03-14T06:30:00Z'));
  });
});

test('counts', () => {
  expect(countText(1_284_310)).toBe('1,284,310');
  expect(roughText(14_960)).toBe('15k');
  expect(roughText(1500)).toBe('1.5k');
  expect(plural(1, 'slot')).toBe('1 slot');
  expect(plural(1204, 'slot')).toBe('1,204 slots');
});
