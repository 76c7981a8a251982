/** What becomes of specs without a time to come. The world starts on 2026-01-01. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Schedules } from '../../packages/carillon/src/embed/schedules.ts';
import type { ScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

let world: CarillonWorld;
let schedules: Schedules;
beforeAll(async () => {
  world = await CarillonWorld.start({
    start: '2026-01-01T00:00:00Z',
    setup: (c) => c.handle('work', () => 'ok'),
  });
  ({ schedules } = world.carillon());
});
afterAll(() => world[Symbol.asyncDispose]());

const never: readonly [string, Partial<ScheduleInput>][] = [
  ['cron', { cron: '0 0 30 2 *' }],
  ['cron', { cron: ['0 0 31 4 *', '0 0 31 11 *'] }],
  ['rrule', { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }],
  ['cron', { cron: '0 0 1 1 *', startAt: '2026-02-01T00:00:00Z', endAt: '2026-03-01T00:00:00Z' }],
];
const over: readonly [string, Partial<ScheduleInput>][] = [
  ['at', { at: '2025-12-31T23:59:59Z' }],
  ['at', { at: ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'] }],
  ['endAt', { cron: '0 * * * *', endAt: '2025-06-01T00:00:00Z' }],
];

describe('a schedule that would never run', () => {
  test.each(never)('is refused at %s: %j', async (path, when) => {
    const refused = { problems: [{ path, reason: 'NEVER', fix: expect.any(String) }] };
    await expect(schedules.create('s', { ...when, run: 'work' })).rejects.toMatchObject(refused);
    await expect(schedules.upsert('s', { ...when, run: 'work' })).rejects.toMatchObject(refused);
    await expect(schedules.describe('s')).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  });
});

describe('a schedule whose times are over', () => {
  test.each(over)(
    'is refused at %s by create, and declared with a warning by upsert: %j',
    async (path, when) => {
      const problem = { path, reason: 'OVER', fix: expect.any(String) };
      await expect(schedules.create('s', { ...when, run: 'work' })).rejects.toMatchObject({
        problems: [problem],
      });
      const id = `declared ${JSON.stringify(when)}`;
      expect(await schedules.upsert(id, { ...when, run: 'work' })).toMatchObject({
        created: true,
        warnings: [problem],
      });
      expect(await schedules.describe(id)).toMatchObject({ status: 'ended', next: null });
    },
  );

  test('keeps its spec when something else changes', async () => {
    await schedules.create('once', { at: '2026-01-01T01:00:00Z', run: 'work' });
    await world.advance('2h');
    expect(await schedules.describe('once')).toMatchObject({ status: 'ended' });
    await schedules.patch('once', { note: 'done' });
    await schedules.update('once', { at: '2026-01-01T01:00:00Z', run: 'work' });
    const earlier = schedules.patch('once', { at: '2026-01-01T00:30:00Z' });
    await expect(earlier).rejects.toMatchObject({ problems: [{ path: 'at', reason: 'OVER' }] });
  });

  test('is accepted when one of its times is to come', async () => {
    const at = ['2024-01-01T00:00:00Z', '2027-01-01T00:00:00Z'];
    expect(await schedules.create('mixed', { at, run: 'work' })).not.toHaveProperty('warnings');
  });
});

describe('a schedule without any time', () => {
  test('is manual: it comes back with a warning, runs when triggered, and stays', async () => {
    const created = await schedules.create('manual', { run: 'work' });
    expect(created).toMatchObject({ warnings: [{ path: 'cron', reason: 'MANUAL' }] });
    await world.advance('30d');
    expect(await schedules.describe('manual')).toMatchObject({ status: 'running', closesAt: null });
    expect(await schedules.trigger('manual')).toMatchObject({ verdict: 'started' });
  });

  test('is closed by an idleClose of its own, as describe says before and explain afterwards', async () => {
    const { token } = await schedules.create('brief', { run: 'work', idleClose: '1d' });
    expect(token).toBe(1);
    const { closesAt, createdAt } = await schedules.describe('brief');
    expect(closesAt).toBe(createdAt + 86_400_000);
    await world.advance('2d');
    expect(await schedules.describe('brief')).toMatchObject({ status: 'closed', closesAt: null });
    const { answer, text } = await schedules.explain('brief', createdAt + 90_000_000);
    expect(answer).toBe('afterEnd');
    expect(text).toContain('it had no work left for 1 day (idleClose)');
  });
});
