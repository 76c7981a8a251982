import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { compiledOf } from '../../packages/carillon/src/scheduler/compiled-of.ts';
import { Schedule } from '../../packages/carillon/src/scheduler/schedule.ts';
import { countWalk } from '../support/count-walk.ts';
import { aSchedule, aStage, t } from './stage.ts';

describe('a description', () => {
  test('shows the defaults that apply', async () => {
    await using stage = await aSchedule();
    const { policy, remaining, counters } = await stage.describe();
    expect(policy).toEqual({
      overlap: 'skip',
      limit: 1,
      catchupWindowMs: 3_600_000,
      missed: 'all',
      pauseAfterFailures: 0,
      idleCloseMs: 7 * 86_400_000,
      keepOriginalId: false,
    });
    expect(remaining).toBeNull();
    expect(counters).toEqual({ actions: 0, overlapSkipped: 0, missedCatchupWindow: 0, bufferDropped: 0 });
  });

  test('is a copy: changing it changes nothing', async () => {
    await using stage = await aSchedule({ memo: { a: 1 }, attributes: { team: 'red' }, input: { b: 2 } });
    const seen = await stage.describe();
    (seen.memo as Record<string, unknown>).a = 'changed';
    (seen.attributes as Record<string, unknown>).team = 'changed';
    (seen.action.input as Record<string, unknown>).b = 'changed';
    (seen.policy as { overlap: string }).overlap = 'changed';
    const again = await stage.describe();
    expect(again).toMatchObject({ memo: { a: 1 }, attributes: { team: 'red' }, action: { input: { b: 2 } } });
    expect(again.policy.overlap).toBe('skip');
    await stage.advance('1m');
    expect(stage.performed[0]?.context.input).toEqual({ b: 2 });
  });

  test('of a schedule that is a year behind searches no further back and shows only coming times', async () => {
    await using stage = await aSchedule({ every: '1s' });
    await internalsOf(stage.carillon).runtime.engine.stop();
    stage.world.clock.moveTo(Date.parse('2027-01-01T00:00:00Z') as never);
    const key = { namespace: 'default', archetype: 'schedule', id: 's' };
    const definition = await internalsOf(stage.carillon).runtime.engine.read(
      Schedule,
      key,
      (view) => view.child('definition').state,
    );
    const steps = countWalk(compiledOf(definition));
    const { future } = await stage.describe();
    // One step for each time that is shown, and for one that is just over.
    expect(steps()).toBeGreaterThanOrEqual(future.length);
    expect(steps()).toBeLessThanOrEqual(future.length + 1);
    expect(future[0]?.nominal).toBe(Date.parse('2027-01-01T00:00:01Z'));
  });

  test('lists up to ten coming times, ten days apart if need be', async () => {
    await using stage = await aSchedule({ every: '10d' });
    const { future } = await stage.describe();
    const apart = future.slice(1).map(({ nominal }, index) => nominal - (future[index]?.nominal as number));
    expect(apart).toEqual(Array(9).fill(10 * 86_400_000));
  });

  test('keeps moving its coming times while paused', async () => {
    await using stage = await aSchedule({ paused: true });
    await stage.advance('5m');
    expect((await stage.describe()).future[0]?.nominal).toBe(Date.parse(t('00:06:00')));
  });

  test('tells the size of the row that every fire rewrites: a few hundred bytes', async () => {
    await using stage = await aSchedule({ input: 'x'.repeat(100_000) });
    await stage.advance('2m');
    const { stateBytes } = await stage.describe();
    expect(stateBytes).toBeGreaterThan(0);
    expect(stateBytes).toBeLessThan(1000);
  });
});

describe('a listing', () => {
  test('pages through all open schedules of the namespace', async () => {
    await using stage = await aStage();
    for (const id of ['a', 'b', 'c', 'd']) await stage.create({}, id);
    const first = await stage.schedules.list({ limit: 2 });
    const second = await stage.schedules.list({ limit: 2, after: first.next as string });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    await stage.schedules.delete('b');
    expect(await stage.schedules.count()).toBe(3);
    expect(await stage.schedules.count({ includeClosed: true })).toBe(4);
  });

  test('filters by attribute, pause, id, next time, running and waiting', async () => {
    await using stage = await aStage();
    await stage.create({ attributes: { team: 'red' }, run: 'long', overlap: 'bufferOne' }, 'one');
    await stage.create({ attributes: { team: 'red' }, paused: true }, 'two');
    await stage.create({ attributes: { team: 'blue' }, every: '1d' }, 'three');
    await stage.advance('2m');
    const ids = async (filter: object) =>
      (await stage.schedules.list({ filter: filter as never })).items.map(({ id }) => id);
    expect(await ids({ field: 'team', is: '=', value: 'red' })).toEqual(['one', 'two']);
    expect(await ids({ field: '$paused', is: '=', value: true })).toEqual(['two']);
    expect(await ids({ field: 'id', is: 'startsWith', value: 't' })).toEqual(['three', 'two']);
    expect(await ids({ field: 'id', is: 'in', values: ['one', 'three'] })).toEqual(['one', 'three']);
    expect(await ids({ not: { field: 'id', is: '=', value: 'one' } })).toEqual(['three', 'two']);
    expect(await ids({ field: '$next', is: '>', value: Date.parse(t('12:00:00')) })).toEqual(['three']);
    expect(await ids({ field: '$running', is: '>=', value: 1 })).toEqual(['one']);
    expect(await ids({ field: '$buffered', is: '>=', value: 1 })).toEqual(['one']);
  });
});

describe('matching times', () => {
  test('of a range are its slots, both ends included, past or future, paused or not', async () => {
    await using stage = await aSchedule({ every: '1h', paused: true });
    const { items: times, truncated } = await stage.schedules.previewBackfill('s', {
      from: t('01:00:00'),
      to: t('06:00:00'),
    });
    expect([times.length, truncated]).toEqual([6, false]);
    const cut = await stage.schedules.previewBackfill('s', {
      from: t('01:00:00'),
      to: t('06:00:00'),
      limit: 2,
    });
    expect([cut.items.length, cut.truncated]).toEqual([2, true]);
  });

  test('come one after the other from any moment on', async () => {
    await using stage = await aSchedule({ every: '1h' });
    const times = await stage.schedules.next('s', { count: 2, after: t('05:30:00') });
    expect(times.map(({ nominal }) => nominal)).toEqual([
      Date.parse(t('06:00:00')),
      Date.parse(t('07:00:00')),
    ]);
  });
});
