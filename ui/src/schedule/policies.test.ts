import type { ScheduleJson } from 'carillon/client';
import { expect, test } from 'vitest';
import { bringOwnZone, clockChanges } from '../time/zone.ts';
import '../time/zone-tables.ts';
import { policiesOf } from './policies.ts';

const schedule = {
  spec: { cron: ['0 * * * *'], zone: 'America/New_York' },
  policy: { overlap: 'skip', limit: 1, catchupWindowMs: 7_200_000, missed: 'latest', pauseAfterFailures: 0 },
  action: { settings: { retry: { attempts: 3, initialMs: 60_000, coefficient: 2 } } },
  words: 'Every hour, America/New_York',
  timeZoneVersion: '2026f',
  failures: 0,
  remaining: null,
} as unknown as ScheduleJson;
const now = Date.UTC(2026, 10, 1, 18);
const find = (name: string, origins: Parameters<typeof policiesOf>[3] = []) =>
  policiesOf(schedule, { overlap: 'skip', catchup: 7_200_000 }, now, origins).find(
    (each) => each.name === name,
  );

test('a setting is given or the default until a version changes it; the server returns defaults too', () => {
  expect(find('Overlap')?.from).toBe('default');
  expect(find('Catch-up')?.from).toBe('given');
  expect(find('Pause after')?.from).toBe('default');
});

test('the latest version that changed a part of a setting is its origin', () => {
  const origin = (path: string, number: number) => ({ path, number, at: '2026-11-01T11:17:00Z', by: 'mara' });
  const origins = [
    origin('policy.missed', 2),
    origin('policy.catchupWindowMs', 5),
    origin('spec.dst.gap', 3),
    origin('action.settings.retry.attempts', 4),
  ];
  const numbers = (name: string) => {
    const from = find(name, origins)?.from;
    return typeof from === 'object' ? from.number : from;
  };
  expect(['When', 'Gap, fold', 'Overlap', 'Catch-up', 'Retry'].map(numbers)).toEqual([
    'given',
    3,
    'default',
    5,
    4,
  ]);
});

test('bounds that most schedules do not have are shown where they exist', () => {
  const bounded = {
    ...schedule,
    policy: { ...schedule.policy, outstanding: 3 },
    action: { settings: { unclaimedMs: 1_200_000 } },
    remaining: 0,
  } as unknown as ScheduleJson;
  const rows = policiesOf(bounded, {}, now).slice(-3);
  expect(rows.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Unfinished: 3 runs',
    'No worker: 20 min',
    'Actions left: 0',
  ]);
});

test('words describe the pauses of a retry and the coming clock changes', () => {
  expect(find('Retry')?.value).toBe('3 attempts, 1 min ×2');
  expect(find('Zone')?.meaning).toBe('tz 2026f; clock changes 14 Mar and 7 Nov');
});

test.each([
  [
    { attempts: 5, initialMs: 60_000, coefficient: 2, maxMs: 600_000 },
    '5 attempts, 1 min ×2, at most 10 min',
  ],
  [{ attempts: 5, initialMs: 60_000, coefficient: 2, maxMs: 60_000 }, '5 attempts, 1 min'],
  [{ attempts: 5, initialMs: 60_000, coefficient: 1, maxMs: 600_000 }, '5 attempts, 1 min'],
])('the waits of %j are told with their cap', (retry, text) => {
  const retried = { ...schedule, action: { settings: { retry } } } as unknown as ScheduleJson;
  expect(policiesOf(retried, {}, now).find(({ name }) => name === 'Retry')?.value).toBe(text);
});

test('a clock that was changed before, and has no change ahead, is not called one that never changes', () => {
  const zone = 'Demo/Island';
  const after = Date.UTC(2026, 10, 19);
  // From UTC-4 to UTC-5 at 2026-11-18T06:00:00Z, without a rule for later years.
  bringOwnZone(
    zone,
    'VFppZgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAgAAAAhq/T7gAf//x8ABAP//ubAABElEVABJU1QA',
  );
  expect(clockChanges(zone, 0, after)).toHaveLength(1);
  const moved = { ...schedule, spec: { cron: ['0,30 0-6 * * *'], zone } } as unknown as ScheduleJson;
  const meaningOf = (name: string) =>
    policiesOf(moved, {}, after).find((each) => each.name === name)?.meaning;
  expect(meaningOf('Zone')).toBe('tz 2026f; no clock change in the coming year');
  expect(meaningOf('Gap, fold')).toBe('No clock change of the coming year skips a time or repeats one');
});
