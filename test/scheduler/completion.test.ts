import { describe, expect, test } from 'vitest';
import { aSchedule, aStage, t, workflowIdOf } from './stage.ts';

describe('what a run leaves behind', () => {
  test('success, failure, success: each run sees the last result, and the failure of the one before', async () => {
    const seen: unknown[] = [];
    await using stage = await aStage({
      setup: (carillon) => {
        carillon.handle('turns', ({ scheduledAt, lastResult, lastFailure }) => {
          seen.push([lastResult, lastFailure?.message ?? null]);
          if (scheduledAt === Date.parse(t('00:02:00'))) throw new Error('second fails');
          return { at: scheduledAt };
        });
      },
    });
    await stage.create({ run: 'turns' });
    await stage.advance('4m');
    const first = { at: Date.parse(t('00:01:00')) };
    expect(seen).toEqual([
      [null, null],
      [first, null],
      [first, 'second fails'],
      [{ at: Date.parse(t('00:03:00')) }, null],
    ]);
    expect(await stage.describe()).toMatchObject({
      lastResult: { at: Date.parse(t('00:04:00')) },
      lastFailure: null,
    });
  });

  test('a cancelled run leaves result and failure as they were', async () => {
    await using stage = await aSchedule({ run: 'long', overlap: 'cancelOther', input: { ms: 600_000 } });
    await stage.advance('3m');
    expect(await stage.describe()).toMatchObject({ lastResult: null, lastFailure: null, failures: 0 });
  });

  test('the ten newest finished runs are shown, and every one that goes on', async () => {
    await using stage = await aSchedule({ overlap: 'allowAll' });
    await stage.advance('13m');
    await stage.schedules.update('s', { every: '1m', run: 'long', overlap: 'allowAll' });
    await stage.advance('13m');
    const { recent, running } = await stage.describe();
    expect(recent).toHaveLength(10);
    expect(recent[0]).toMatchObject({ state: 'completed', nominal: Date.parse(t('00:13:00')) });
    expect(running).toHaveLength(13);
  });

  test('only the run that ended is taken off the running ones', async () => {
    await using stage = await aSchedule({ run: 'long', overlap: 'allowAll' });
    await stage.advance('2m');
    const items = await stage.runs();
    await stage.carillon.runs.terminate(items[1]?.id as string);
    const { running, recent } = await stage.describe();
    expect(running).toMatchObject([{ runId: items[0]?.id }]);
    expect(recent).toMatchObject([{ runId: items[1]?.id, outcome: 'terminated' }]);
  });

  test('the end of a run without an owner changes no schedule', async () => {
    await using stage = await aSchedule();
    const before = await stage.describe();
    await stage.carillon.runs.enqueue({ run: 'work' });
    await stage.world.settle();
    expect(await stage.describe()).toEqual(before);
  });

  test('the end of a run is recorded although its schedule was deleted', async () => {
    await using stage = await aSchedule({ run: 'long', input: { ms: 90_000 } });
    await stage.advance('1m');
    await stage.schedules.delete('s');
    await stage.advance('5m');
    expect(await stage.describe()).toMatchObject({
      status: 'closed',
      running: [],
      recent: [{ outcome: 'completed' }],
    });
    expect(stage.times).toEqual(['00:01:00']);
  });

  test('the input is delivered as it was given', async () => {
    const input = { text: 'ä€😀', list: [1, null, { deep: true }], number: 1.5 };
    await using stage = await aSchedule({ input });
    await stage.advance('1m');
    expect(stage.performed[0]?.context.input).toEqual(input);
  });

  test('a run that its worker took to the grave is run again and ends the wait of the schedule', async () => {
    const tuning = { engine: { longestSleep: 5000 as never } };
    await using stage = await aStage({ nodes: 2, tuning });
    await stage.create({ run: 'long', input: { ms: 10_000 }, every: '10m' });
    await stage.advance('10m');
    const [run] = await stage.runs();
    stage.world.crash(run?.worker === 'node-0' ? 0 : 1);
    const alive = stage.world.isAlive(0) ? 0 : 1;
    await stage.advance('2m');
    const { running, recent } = await stage.world.carillon(alive).schedules.describe('s');
    expect(running).toEqual([]);
    expect(recent).toMatchObject([{ outcome: 'completed' }]);
  });
});

describe('the ids of runs', () => {
  test('are the base and the nominal time; the base defaults to the id of the schedule', async () => {
    await using stage = await aSchedule();
    await stage.create({ workflowId: 'my-workflow' }, 'other');
    await stage.create({ workflowId: 'original', keepOriginalId: true }, 'kept');
    await stage.advance('1m');
    const idOf = async (id: string) => {
      const [run] = await stage.runs(id);
      return run === undefined ? undefined : workflowIdOf(run);
    };
    expect(await idOf('s')).toBe('s-2026-01-01T00:01:00Z');
    expect(await idOf('other')).toBe('my-workflow-2026-01-01T00:01:00Z');
    expect(await idOf('kept')).toBe('original');
  });
});
