/** Random specs for property tests. Zones and instants favour changes of the clock. */
import fc from 'fast-check';
import type { Zone } from '../../packages/carillon/src/spec/model.ts';
import { findZone } from '../../packages/carillon/src/spec/zone/zone.ts';

export const zoneList = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Sao_Paulo',
  'Europe/Berlin',
  'Europe/London',
  'Europe/Dublin',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Africa/Monrovia',
  'Asia/Beirut',
  'Asia/Tehran',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Gaza',
  'Australia/Lord_Howe',
  'Australia/Adelaide',
  'Antarctica/Troll',
  'Pacific/Apia',
  'Pacific/Chatham',
  '+05:30',
] as const;

export function zoneNamed(name: string): Zone {
  const zone = findZone(name);
  if (zone === undefined) throw new Error(`no zone ${name}`);
  return zone;
}

const lastYearSecond = 4_133_894_400;

/** A moment and a zone, two times out of three within hours of a change of its clock. */
export const zonedMoment = fc
  .record({
    name: fc.constantFrom(...zoneList),
    second: fc.integer({ min: 86_400, max: lastYearSecond - 86_400 * 40 }),
    nearChange: fc.integer({ min: 0, max: 2 }),
    shift: fc.integer({ min: -30 * 3600, max: 3 * 3600 }),
  })
  .map(({ name, second, nearChange, shift }) => {
    const zone = zoneNamed(name);
    const change = zone.nextTransition(second);
    const near = nearChange > 0 && change < lastYearSecond - 86_400;
    return { zone, second: near ? Math.max(86_400, change + shift) : second };
  });

/** A change of some clock, and a text whose hours lie right before, inside and after what it leaves out or repeats. */
export const changeWithCron = fc
  .record({
    name: fc.constantFrom(...zoneList.filter((name) => zoneNamed(name).nextTransition(0) < lastYearSecond)),
    second: fc.integer({ min: 0, max: 2_000_000_000 }),
    minutes: fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 4 }),
    hours: fc.uniqueArray(fc.integer({ min: -1, max: 3 }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ name, second, minutes, hours }) => {
    const zone = zoneNamed(name);
    const next = zone.nextTransition(second);
    const change = next < lastYearSecond ? next : zone.previousTransition(second);
    const before = zone.offsetAt(change - 1);
    const local = change + Math.min(before, zone.offsetAt(change));
    const hour = Math.floor(local / 3600) + 24;
    const text = `${minutes.join(',')} ${hours.map((h) => (hour + h) % 24).join(',')} * * *`;
    return { text, zone, second: change - 5 * 3600 };
  });

function part(min: number, max: number): fc.Arbitrary<string> {
  const value = fc.integer({ min, max });
  return fc.oneof(
    { weight: 4, arbitrary: value.map(String) },
    { weight: 2, arbitrary: fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: max + 3 }).map((step) => `*/${step}`) },
    { weight: 1, arbitrary: fc.tuple(value, fc.integer({ min: 1, max: 9 })).map(([a, n]) => `${a}/${n}`) },
  );
}

export function field(min: number, max: number, starWeight = 2): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: starWeight, arbitrary: fc.constant('*') },
    {
      weight: 4,
      arbitrary: fc.array(part(min, max), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(',')),
    },
  );
}

const dayOfMonth = fc.oneof(
  { weight: 5, arbitrary: field(1, 31, 10) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('L', 'L-1', 'L-3', 'LW', '1W', '15W', '28W', '31W', '1,L', '?', '15W,LW,3'),
  },
);
const dayOfWeek = fc.oneof(
  { weight: 5, arbitrary: field(0, 7, 10) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('mon-fri', 'fri-mon', 'sat-sun', '5L', '0L', '1#1', '3#5', '?', '6#2,tue'),
  },
);

/** Hours lean towards the small ones, where clocks change. */
const hour = fc.oneof(field(0, 23), field(0, 3), fc.constant('*'));

/** Five-field unix texts. */
export const unixCron = fc
  .tuple(field(0, 59), hour, dayOfMonth, field(1, 12, 20), dayOfWeek)
  .map((fields) => fields.join(' '));

/** Six-field unix texts, seconds first. */
export const unixCronSeconds = fc
  .tuple(field(0, 59), unixCron)
  .map(([seconds, rest]) => `${seconds} ${rest}`);

export const gapRule = fc.constantFrom('skip', 'shift', 'gapEnd') satisfies fc.Arbitrary<
  'skip' | 'shift' | 'gapEnd'
>;
export const foldRule = fc.constantFrom('first', 'last', 'both') satisfies fc.Arbitrary<
  'first' | 'last' | 'both'
>;
