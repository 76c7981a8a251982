import { expect, test } from 'vitest';
import type { Instant } from '../../base/time.ts';
import { day } from '../../base/time.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import type { ScheduleSpec } from '../../spec/index.ts';
import { readDays } from './days.ts';
import { specKey } from './fleet-specs.ts';
import type { SpecChange } from './known-changes.ts';

const monday = Date.UTC(2026, 10, 2) as Instant;
const dated = (date: string): ScheduleSpec => ({ cron: [{ text: '0 9 * * *' }], exclude: { dates: [date] } });

// More schedules than different specs that one answer searches: searching for each of them would truncate it.
test('a bulk edit of 10,000 schedules costs two searches', async () => {
  const ids = Array.from({ length: 10_000 }, (_, place) => `job-${place}`);
  const definition = { spec: dated('2026-11-12'), seed: '' } as ScheduleDefinition;
  const text = JSON.stringify(dated('2026-11-04'));
  const before = { key: text, text, seed: '', zone: undefined, hasExclusions: true };
  const changes = new Map(
    ids.map((id, place): [string, SpecChange[]] => {
      return [id, [{ id, at: (monday + 7 * day + place) as Instant, before, zoneAfter: undefined }]];
    }),
  );
  const createdAt = ids.map(() => (monday - day) as Instant);
  const { excluded, truncated } = await readDays(
    {
      fleet: {
        groups: [{ key: specKey(definition), definition, ids, createdAt, seeds: [], remaining: null }],
        paused: [],
        resuming: [],
        schedules: ids.length,
        truncated: false,
      },
      past: { pauses: [], changes, knownFrom: null },
    },
    { namespace: 'default', from: monday, to: (monday + 20 * day) as Instant, zone: 'UTC' },
  );
  expect(truncated).toBe(false);
  expect(excluded.map(({ date, schedules }) => [date, schedules])).toEqual([
    ['2026-11-04', 10_000],
    ['2026-11-12', 10_000],
  ]);
});
