/** Zones that arrive as TZif bytes, in every version of the format. */
import { expect, it } from 'vitest';
import { formatInstant, instant } from '../../packages/carillon/src/base/time.ts';
import { compileSpec } from '../../packages/carillon/src/spec/compile.ts';
import { zoneFromTzif } from '../../packages/carillon/src/spec/zone/tzif.ts';
import { base64, tzifBytes } from './tzif-bytes.ts';
import { compileTemporal } from './vectors.ts';

const transitions = [
  [-2_000_000_000, -18_000],
  [1_000_000_000, -14_400],
  [1_010_000_000, -18_000],
] as const;

it.each([1, 2, 3, 4] as const)('version %i', (version) => {
  const zone = zoneFromTzif('x', tzifBytes({ initialOffset: -17_762, transitions, footer: 'EST5', version }));
  if (zone === undefined) expect.fail();
  expect([0, 999_999_999, 1_000_000_000, 1_010_000_000].map(zone.offsetAt)).toEqual([
    -18_000, -18_000, -14_400, -18_000,
  ]);
  expect(zone.nextTransition(1_010_000_000)).toBe(Number.POSITIVE_INFINITY);
});

it('follows the footer after the last change', () => {
  const bytes = tzifBytes({ initialOffset: -18_000, transitions, footer: 'EST5EDT,M3.2.0,M11.1.0' });
  const zone = zoneFromTzif('x', bytes);
  expect(zone?.offsetAt(Date.parse('2090-07-01T00:00:00Z') / 1000)).toBe(-14_400);
  expect(zone?.offsetAt(Date.parse('2090-12-01T00:00:00Z') / 1000)).toBe(-18_000);
});

it('overrides the data of the named zone, and only that', () => {
  const zoneData = base64(tzifBytes({ initialOffset: 3600, footer: 'XXX-1' }));
  const spec = { cron: [{ text: '0 9 * * *' }, { text: '0 9 * * *', zone: 'UTC' }], zone: 'UTC', zoneData };
  const { times } = compileSpec(spec).between({ from: instant(0), to: instant(86_400_000) }, 10);
  expect(times.map(({ nominal }) => formatInstant(nominal).slice(11, 16))).toEqual(['08:00', '09:00']);
});

it('serves timezoneData of Temporal clients', () => {
  const timezoneData = base64(tzifBytes({ initialOffset: 7200, footer: 'XXX-2' }));
  const compiled = compileTemporal({ cronString: ['0 9 * * *'], timezoneName: 'Home', timezoneData });
  expect(compiled.next(instant(0))?.nominal).toBe(7 * 3_600_000);
  expect(() => compileTemporal({ cronString: ['@daily'], timezoneData: 'AA==' })).toThrow(
    'malformed time zone information',
  );
  expect(() => compileTemporal({ cronString: ['@daily'], timezoneName: 'Nowhere/City' })).toThrow(
    'unknown time zone Nowhere/City',
  );
});
