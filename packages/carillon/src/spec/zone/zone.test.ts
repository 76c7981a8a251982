import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { tableVersion, zoneRows } from './data.ts';
import { decodeHistory, encodeHistory } from './encoding.ts';
import { parsePosixRule, ruleTransitions } from './posix-rule.ts';
import { createZone, tableOf } from './table.ts';
import { readZoneFile, zoneFromTzif } from './tzif.ts';
import { findZone, loadZones, timeZoneVersion, zoneNames } from './zone.ts';

const at = (text: string) => Date.parse(text) / 1000;
const offset = (name: string, text: string) => findZone(name)?.offsetAt(at(text));
const shipped = { version: tableVersion, rows: zoneRows.split('\n') };

const root = '/usr/share/zoneinfo';
const systemVersion = existsSync(`${root}/tzdata.zi`)
  ? /^# version (\S+)/.exec(readFileSync(`${root}/tzdata.zi`, 'utf8'))?.[1]
  : undefined;

describe('tables', () => {
  it('are stamped, complete and small', () => {
    expect(timeZoneVersion()).toBe(tableVersion);
    expect(zoneNames().length).toBeGreaterThan(590);
    expect(zoneRows.length).toBeLessThan(100_000);
  });

  it.skipIf(systemVersion !== tableVersion)('equal the TZif files of the same release, zone by zone', () => {
    let compared = 0;
    for (const name of zoneNames()) {
      const file = `${root}/${name}`;
      if (!existsSync(file)) expect.fail(`${name} is no file`);
      const system = zoneFromTzif(name, readFileSync(file));
      const ours = findZone(name);
      if (system === undefined || ours === undefined) expect.fail(name);
      expect({ name, starts: ours.table.starts }).toEqual({ name, starts: system.table.starts });
      expect({ name, offsets: ours.table.offsets }).toEqual({ name, offsets: system.table.offsets });
      compared++;
    }
    expect(compared).toBe(zoneNames().length);
    const files = readdirSync(`${root}/Europe`);
    expect(files.filter((file) => findZone(`Europe/${file}`) === undefined)).toEqual([]);
  });

  // Node 20 carries 2025c and is wrong in these; from the TZif files of 2026f.
  it.each([
    ['America/Vancouver', '2027-01-15T12:00:00Z', -7 * 3600],
    ['America/Edmonton', '2027-01-15T12:00:00Z', -6 * 3600],
    ['America/Winnipeg', '2027-01-15T12:00:00Z', -5 * 3600],
    ['America/Inuvik', '2027-01-15T12:00:00Z', -6 * 3600],
    ['America/Havana', '2027-01-15T12:00:00Z', -4 * 3600],
    ['Africa/Casablanca', '2027-07-15T12:00:00Z', 0],
    ['Africa/El_Aaiun', '2027-07-15T12:00:00Z', 0],
    ['Europe/Chisinau', '2027-03-28T00:30:00Z', 2 * 3600],
    ['Europe/Chisinau', '2027-03-28T01:00:00Z', 3 * 3600],
  ])('have the rules of 2026f for %s at %s', (name, text, expected) => {
    expect([name, offset(name, text)]).toEqual([name, expected]);
  });

  it.each([
    ['America/New_York', '2026-03-08T06:59:59Z', -18_000],
    ['America/New_York', '2026-03-08T07:00:00Z', -14_400],
    ['America/New_York', '2099-07-01T00:00:00Z', -14_400],
    ['Australia/Lord_Howe', '2026-01-01T00:00:00Z', 39_600],
    ['Australia/Lord_Howe', '2026-06-01T00:00:00Z', 37_800],
    ['Asia/Kathmandu', '1985-12-31T00:00:00Z', 19_800],
    ['Asia/Kathmandu', '1986-01-02T00:00:00Z', 20_700],
    ['Africa/Monrovia', '1971-01-01T00:00:00Z', -2670],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', -36_000],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', 50_400],
    ['Europe/Dublin', '2050-07-01T00:00:00Z', 3600],
    ['Antarctica/Troll', '2026-07-01T00:00:00Z', 7200],
  ])('%s at %s', (name, text, expected) => {
    expect(offset(name, text)).toBe(expected);
  });
});

describe('findZone', () => {
  it.each([
    ['america/new_york', 'America/New_York'],
    ['US/Eastern', 'US/Eastern'],
    ['utc', 'UTC'],
    ['gmt', 'GMT'],
    ['Z', 'UTC'],
    ['UT', 'UTC'],
    ['+5', '+05:00'],
    ['+05:30', '+05:30'],
    ['-0330', '-03:30'],
    ['utc+2', 'UTC+02:00'],
    ['GMT-11:45', 'GMT-11:45'],
    ['+00:00', 'UTC'],
  ])('%s is %s', (text, name) => {
    expect(findZone(text)?.name).toBe(name);
  });

  it('reads the sign of offsets as people do, and of Etc names as IANA does', () => {
    expect(findZone('UTC+2')?.offsetAt(0)).toBe(7200);
    expect(findZone('-03:30')?.offsetAt(0)).toBe(-12_600);
    expect(findZone('Etc/GMT+2')?.offsetAt(0)).toBe(-7200);
  });

  it.each(['', 'Local', 'Mars/Olympus', '+19:00', '+5:60', 'UTC2', 'localtime', 'constructor', '__proto__'])(
    'refuses %j',
    (name) => {
      expect(findZone(name)).toBeUndefined();
    },
  );

  it('gives the same object for the same zone', () => {
    expect(findZone('EUROPE/BERLIN')).toBe(findZone('Europe/Berlin'));
    expect(findZone('+2')).toBe(findZone('+02:00'));
  });

  it('walks transitions in both directions', () => {
    const zone = findZone('Europe/Berlin');
    if (zone === undefined) expect.fail();
    const spring = at('2026-03-29T01:00:00Z');
    expect(zone.nextTransition(spring - 1)).toBe(spring);
    expect(zone.nextTransition(spring)).toBe(at('2026-10-25T01:00:00Z'));
    expect(zone.previousTransition(spring)).toBe(spring);
    expect(zone.previousTransition(spring - 1)).toBe(at('2025-10-26T01:00:00Z'));
    expect(findZone('UTC')?.nextTransition(0)).toBe(Number.POSITIVE_INFINITY);
    expect(findZone('UTC')?.previousTransition(0)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('writes out the table of a zone that is not ours', () => {
    const zone = findZone('Europe/Berlin');
    if (zone === undefined) expect.fail();
    const { table: _, ...foreign } = zone;
    expect(tableOf(foreign)).toEqual(zone.table);
    expect(createZone('x', tableOf(foreign)).offsetAt(at('2026-07-01T00:00:00Z'))).toBe(7200);
  });
});

describe('loadZones', () => {
  afterEach(() => loadZones(shipped));

  it('replaces the tables and their version', () => {
    loadZones({
      version: '2099z',
      rows: ['Moon/Base=3600,0;;', ...shipped.rows].map((row) => row.replace('3600,0', '2s0')),
    });
    expect(timeZoneVersion()).toBe('2099z');
    expect(findZone('moon/base')?.offsetAt(0)).toBe(3600);
  });

  it('changes nothing when a row cannot be read', () => {
    expect(() => loadZones({ version: 'bad', rows: ['Moon/Base'] })).toThrow(RangeError);
    expect(timeZoneVersion()).toBe(tableVersion);
  });
});

describe('encoding', () => {
  it('gives a history back', () => {
    const history = {
      initialOffset: -2670,
      transitions: [
        [63_593_070, 0],
        [63_600_000, 3600],
      ] as const,
    };
    const text = encodeHistory(history, 'GMT0');
    expect(decodeHistory(text)).toEqual({ ...history, rule: { standard: 0 } });
  });

  it.each(['', 'x', '0;1B;', 'zz', ';;'])('refuses %j', (text) => {
    expect(decodeHistory(text)).toBeUndefined();
  });
});

describe('POSIX rules', () => {
  const year = (rule: string, of: number) => {
    const parsed = parsePosixRule(rule);
    if (parsed === undefined) expect.fail(rule);
    return ruleTransitions(parsed, of).map(([second, seconds]) => [
      new Date(second * 1000).toISOString(),
      seconds,
    ]);
  };

  it('knows months, weeks and weekdays', () => {
    expect(year('EST5EDT,M3.2.0,M11.1.0', 2026)).toEqual([
      ['2026-03-08T07:00:00.000Z', -14_400],
      ['2026-11-01T06:00:00.000Z', -18_000],
    ]);
  });

  it('knows summer time that is behind winter time, and times before midnight', () => {
    expect(year('IST-1GMT0,M10.5.0,M3.5.0/1', 2026).map(([time]) => time)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
    ]);
    expect(year('<-02>2<-01>,M3.5.0/-1,M10.5.0/0', 2026)[0]).toEqual(['2026-03-29T01:00:00.000Z', -3600]);
  });

  it('knows days of the year, with and without 29 February', () => {
    expect(year('AAA0BBB,J60/0,J300', 2024)[0]?.[0]).toBe('2024-03-01T00:00:00.000Z');
    expect(year('AAA0BBB,60/0,300', 2024)[0]?.[0]).toBe('2024-03-01T00:00:00.000Z');
    expect(year('AAA0BBB,59/0,300', 2024)[0]?.[0]).toBe('2024-02-29T00:00:00.000Z');
  });

  it.each(['', 'EST', 'EST5EDT', 'EST5EDT,M3.2.0', '5EST', 'EST5EDT,X,Y'])('refuses %j', (text) => {
    expect(parsePosixRule(text)).toBeUndefined();
  });
});

describe('TZif', () => {
  it.each([
    ['nothing', Uint8Array.of()],
    ['other bytes', new TextEncoder().encode('not a zone at all, but long enough to hold a header')],
    ['a header alone', Uint8Array.of(0x54, 0x5a, 0x69, 0x66, 0x32, ...new Array(39).fill(0))],
    ['counts beyond the end', Uint8Array.of(0x54, 0x5a, 0x69, 0x66, 0, ...new Array(39).fill(255))],
  ])('refuses %s', (_, bytes) => {
    expect(readZoneFile(bytes)).toBeUndefined();
  });
});
