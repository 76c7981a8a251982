/** Behaviours of Temporal's scheduler, sentence by sentence; the numbers are those of docs/temporal-behaviours.md. */
import { expect, test } from 'vitest';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { aSchedule, aStage, t, workflowIdOf } from './stage.ts';

const wakeOf = async (stage: Awaited<ReturnType<typeof aStage>>): Promise<Instant | null | undefined> => {
  const key = { namespace: 'default', archetype: 'schedule', id: 's' };
  return (await stage.world.store.read({ keys: [key] }))[0]?.wakeAt;
};

test('a backfill of 5000 slots hands over its first batch at once and one more per step, each slot once (112)', async () => {
  await using stage = await aSchedule({ every: '1m', paused: true, catchup: '30d' });
  const request = { from: '2025-01-01T00:00:00Z', to: '2025-01-04T11:19:00Z', overlap: 'allowAll' } as const;
  await stage.schedules.backfill('s', request);
  const handed: number[] = [];
  for (;;) {
    const [backfill] = (await stage.describe()).backfills;
    if (backfill === undefined) break;
    handed.push(backfill.handed);
    await stage.advance(1);
  }
  expect(handed).toEqual(Array.from({ length: 49 }, (_, step) => (step + 1) * 100));
  await stage.advance('1m');
  expect(stage.performed).toHaveLength(5000);
  expect(new Set(stage.performed.map(({ context }) => context.scheduledAt)).size).toBe(5000);
});

test('starts that only wait for a run arm no timer but the end of their window (119)', async () => {
  await using stage = await aSchedule({ at: '2030-01-01T00:00:00Z', run: 'long', overlap: 'bufferAll' });
  await stage.schedules.pause('s');
  await stage.schedules.trigger('s');
  await stage.advance(1);
  const before = await wakeOf(stage);
  await stage.schedules.trigger('s');
  await stage.advance(1);
  expect((await stage.describe()).waiting).toHaveLength(1);
  // What a person asked for has no window, so nothing at all wakes the schedule until the run ends.
  expect([before, await wakeOf(stage)]).toEqual([null, null]);
  await stage.advance('1h');
  expect(stage.performed).toHaveLength(2);
});

test('workflow ids are the base and the second of the slot; run ids tell neither cause nor schedule (183)', async () => {
  await using stage = await aStage();
  await stage.create({ cron: '0 0 1 1 *', workflowId: 'my-workflow' }, 'my-schedule');
  await stage.schedules.trigger('my-schedule', { scheduledAt: '2024-06-15T10:30:45.900Z' });
  await stage.advance(1);
  const [run] = await stage.runs('my-schedule');
  if (run === undefined) throw new Error('no run');
  expect(workflowIdOf(run)).toBe('my-workflow-2024-06-15T10:30:45Z');
  expect(run.id).not.toContain('my-schedule');
  expect(JSON.parse(run.options)).toMatchObject({ cause: 'trigger:1' });
});

test('a schedule that is paused or closed has no task left (243)', async () => {
  await using stage = await aSchedule({ every: '1m' });
  expect(await wakeOf(stage)).toBe(Date.parse(t('00:01:00')));
  await stage.schedules.pause('s');
  expect(await wakeOf(stage)).toBeNull();
  await stage.schedules.resume('s');
  expect(await wakeOf(stage)).not.toBeNull();
  await stage.schedules.delete('s');
  expect(await wakeOf(stage)).toBeNull();
  await stage.advance('1h');
  expect(stage.performed).toEqual([]);
});

test('a backfill under way loses its task with the schedule that closes (243)', async () => {
  await using stage = await aSchedule({ every: '1m', paused: true, run: 'long' });
  const request = { from: '2025-01-01T00:00:00Z', to: '2025-01-04T00:00:00Z', overlap: 'bufferAll' } as const;
  await stage.schedules.backfill('s', request);
  await stage.advance(1);
  expect((await stage.describe()).backfills).toHaveLength(1);
  const begun = stage.performed.length;
  await stage.schedules.delete('s');
  expect(await wakeOf(stage)).toBeNull();
  await stage.advance('1d');
  expect(stage.performed).toHaveLength(begun);
});
