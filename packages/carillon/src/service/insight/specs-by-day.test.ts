import fc from 'fast-check';
import { expect, test } from 'vitest';
import { given } from '../../base/given.ts';
import type { Instant } from '../../base/time.ts';
import { day, hour } from '../../base/time.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import { findZone } from '../../spec/index.ts';
import { instantOf } from './bin-edges.ts';
import type { FleetSpecs } from './fleet-specs.ts';
import type { SpecChange } from './known-changes.ts';
import { readSpec, specsByDay } from './specs-by-day.ts';

const origin = Date.UTC(2026, 9, 20);
const at = (hours: number) => (origin + hours * hour) as Instant;
const days = Array.from({ length: 25 }, (_, place) => origin + place * day);

interface Version {
  readonly from: number;
  readonly zone: string | undefined;
  readonly hasExclusions: boolean;
}

const version = fc.record({
  from: fc.integer({ min: 24, max: 24 * 20 }),
  zone: fc.constantFrom(
    undefined,
    'Asia/Tokyo',
    'America/New_York',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
  ),
  hasExclusions: fc.boolean(),
});
/** Hours after which it is a later day on every clock. */
const apart = 50;
/** The oldest first; the first one begins when the schedule is created. */
const versions = fc
  .uniqueArray(version, { minLength: 1, maxLength: 5, selector: ({ from }) => from })
  .map((all) => [...all].sort((a, b) => a.from - b.from));
const pause = fc
  .tuple(fc.integer({ min: 24, max: 24 * 20 }), fc.integer({ min: 0, max: 24 * 6 }))
  .map(([from, length]) => ({ from, to: from + length }));

const nameOf = (place: number, { hasExclusions }: Version) =>
  hasExclusions ? `version ${place}` : undefined;

/** The rule by its words, for one day: no arithmetic of ranges. */
function expectedOn(local: number, all: readonly Version[], pauses: readonly { from: number; to: number }[]) {
  const endOf = (zone = 'UTC') => instantOf(local + day, findZone(zone)) - 1;
  const place = all.findLastIndex(({ from, zone }) => at(from) <= endOf(zone));
  const found = all[place];
  if (found === undefined) return undefined;
  const end = endOf(found.zone);
  const isPaused = pauses.some(({ from, to }) => at(from) <= end && end < at(to));
  return isPaused ? undefined : nameOf(place, found);
}

function specOf({ zone, hasExclusions }: Version, name: string | undefined): ScheduleDefinition['spec'] {
  return {
    ...given({ zone }),
    ...(hasExclusions ? { exclude: { calendars: [{ comment: name as string }] } } : {}),
  };
}

test('a day has the newest spec that came into force before it ended, unless the schedule is paused then', () => {
  fc.assert(
    fc.property(
      versions,
      fc.array(pause, { maxLength: 3 }),
      fc.integer({ min: 0, max: 24 * 20 }),
      (all, pauses, asked) => {
        const specs = all.map((each, place) => specOf(each, nameOf(place, each)));
        const changes = all.slice(1).flatMap((after, place): readonly SpecChange[] => {
          const { zone, hasExclusions, from } = all[place] as Version;
          // Changes that are about no exclusion are not read.
          if (!hasExclusions && !after.hasExclusions && after.from - from >= apart) return [];
          const text = JSON.stringify(specs[place]);
          const before = { key: text, text, seed: '', zone, hasExclusions };
          return [{ id: 'one', at: at(after.from), before, zoneAfter: after.zone }];
        });
        const spec = specs.at(-1);
        const definition = { spec, seed: '' } as ScheduleDefinition;
        const createdAt = [at(all[0]?.from as number)];
        const fleet: FleetSpecs = {
          groups: [
            { key: JSON.stringify(spec), definition, ids: ['one'], createdAt, seeds: [], remaining: null },
          ],
          paused: [],
          resuming: [],
          schedules: 1,
          truncated: false,
        };
        const found = specsByDay({
          fleet,
          // As they are read: the newest first, and only those of the asked time.
          changes: new Map([['one', changes.filter((each) => each.at >= at(asked)).reverse()]]),
          pauses: pauses.map(({ from, to }) => ({ id: 'one', from: at(from), to: at(to) })),
          from: at(asked),
        });
        for (const local of days) {
          // A day that ended before the asked time on some clock may be told or not.
          if (local + day < at(asked) + 14 * hour) continue;
          const told = found.flatMap(({ version: inForce, stretches }) =>
            stretches
              .filter(({ first, end }) => first <= local && local < end)
              .map(() => readSpec(inForce).spec.exclude?.calendars?.[0]?.comment),
          );
          const expected = expectedOn(local, all, pauses);
          expect(told).toEqual(expected === undefined ? [] : [expected]);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test('what is in force today comes first', () => {
  const definition = { spec: { exclude: { dates: [] } }, seed: '' } as unknown as ScheduleDefinition;
  const text = '{"exclude":{"dates":["2026-11-01"]}}';
  const before = { key: text, text, seed: '', zone: undefined, hasExclusions: true };
  const fleet: FleetSpecs = {
    groups: [
      {
        key: 'none',
        definition: { ...definition, spec: {} },
        ids: ['edited'],
        createdAt: [at(0)],
        seeds: [],
        remaining: null,
      },
      { key: 'now', definition, ids: ['same'], createdAt: [at(0)], seeds: [], remaining: null },
    ],
    paused: [],
    resuming: [],
    schedules: 2,
    truncated: false,
  };
  const changes = new Map([['edited', [{ id: 'edited', at: at(50), before, zoneAfter: undefined }]]]);
  const found = specsByDay({ fleet, changes, pauses: [], from: at(30) });
  expect(found.map(({ stretches }) => stretches)).toEqual([
    [{ id: 'same', first: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }],
    [{ id: 'edited', first: Number.NEGATIVE_INFINITY, end: origin + 2 * day }],
  ]);
});
