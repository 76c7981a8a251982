import { describe, expect, test } from 'vitest';
import { aSchedule, aStage, t } from './stage.ts';

describe('overlap policies', () => {
  test('skip starts nothing while one runs, and says which run stood in the way', async () => {
    await using stage = await aSchedule({ run: 'long', input: { ms: 150_000 } });
    await stage.advance('6m');
    expect(await stage.ledger()).toEqual([
      '00:01:00 started',
      '00:02:00–00:03:00 ×2 skippedOverlap',
      '00:04:00 started',
      '00:05:00–00:06:00 ×2 skippedOverlap',
    ]);
    const { text, detail } = await stage.why(t('00:03:00'));
    expect(text).toContain(`run ${detail?.blockedBy}`);
    expect((await stage.describe()).counters).toMatchObject({ actions: 2, overlapSkipped: 4 });
  });

  test('bufferOne keeps the oldest waiting slot and runs it when the first ends', async () => {
    await using stage = await aSchedule({ run: 'long', input: { ms: 270_000 }, overlap: 'bufferOne' });
    await stage.advance('5m');
    expect(await stage.ledger()).toEqual([
      '00:01:00 started',
      '00:02:00 buffered',
      '00:03:00–00:05:00 ×3 skippedOverlap',
    ]);
    const before = await stage.describe();
    expect([before.running.length, before.waiting.length]).toEqual([1, 1]);
    await stage.advance('31s');
    expect((await stage.ledger()).slice(0, 3)).toEqual([
      '00:01:00 started',
      '00:02:00 startedLate',
      '00:03:00–00:05:00 ×3 skippedOverlap',
    ]);
  });

  test('bufferAll runs every slot, one after the other, in order', async () => {
    await using stage = await aSchedule({
      run: 'long',
      input: { ms: 90_000 },
      overlap: 'bufferAll',
      endAt: t('00:04:00'),
    });
    await stage.advance('10m');
    expect(stage.times).toEqual(['00:01:00', '00:02:00', '00:03:00', '00:04:00']);
    expect(stage.performed.map(({ at }) => new Date(at).toISOString().slice(14, 19))).toEqual([
      '01:00',
      '02:30',
      '04:00',
      '05:30',
    ]);
    expect((await stage.describe()).counters).toMatchObject({ actions: 4, overlapSkipped: 0 });
  });

  test('cancelOther asks the running one to stop and starts when it has', async () => {
    await using stage = await aSchedule({ run: 'long', overlap: 'cancelOther' });
    await stage.advance('2m');
    const items = await stage.runs();
    expect(items.map(({ outcome }) => outcome)).toEqual([null, 'cancelled']);
    expect(stage.times).toEqual(['00:01:00', '00:02:00']);
  });

  test('cancelOther waits for a run that does not listen; the newest of those that waited starts', async () => {
    await using stage = await aSchedule({
      run: 'long',
      input: { ms: 200_000, deaf: true },
      overlap: 'cancelOther',
    });
    await stage.advance('4m');
    expect(await stage.ledger()).toEqual([
      '00:01:00 started',
      '00:02:00 buffered',
      '00:03:00 buffered',
      '00:04:00 buffered',
    ]);
    await stage.advance('30s');
    expect(await stage.ledger()).toEqual([
      '00:01:00 started',
      '00:02:00 coalesced',
      '00:03:00 coalesced',
      '00:04:00 startedLate',
    ]);
    expect((await stage.why(t('00:02:00'))).detail).toMatchObject({ ranAs: Date.parse(t('00:04:00')) });
  });

  test('terminateOther ends the running one at once, whether it listens or not', async () => {
    await using stage = await aSchedule({ run: 'long', input: { deaf: true }, overlap: 'terminateOther' });
    await stage.advance('3m');
    const items = await stage.runs();
    expect(items.map(({ outcome }) => outcome)).toEqual([null, 'terminated', 'terminated']);
    expect(await stage.ledger()).toEqual(['00:01:00 started', '00:02:00 started', '00:03:00 started']);
  });

  test('allowAll starts regardless of what runs', async () => {
    await using stage = await aSchedule({ run: 'long', overlap: 'allowAll' });
    await stage.advance('30m');
    const { running, recent, counters } = await stage.describe();
    expect([running.length, recent.length, counters.actions]).toEqual([30, 0, 30]);
  });

  test('a limit of two lets two run at once before one counts as in the way', async () => {
    await using stage = await aSchedule({ run: 'long', limit: 2 });
    await stage.advance('5m');
    expect(await stage.ledger()).toEqual([
      '00:01:00 started',
      '00:02:00 started',
      '00:03:00–00:05:00 ×3 skippedOverlap',
    ]);
  });

  test('a start whose run waits for its next attempt counts as running', async () => {
    await using stage = await aSchedule({
      run: 'fail',
      retry: { attempts: 3, initial: '50s', longest: '50s' },
    });
    await stage.advance('119s');
    const { running } = await stage.describe();
    expect(running).toMatchObject([{ state: 'backingOff', attempt: 2 }]);
    await stage.advance('1s');
    expect(await stage.ledger()).toEqual(['00:01:00 started', '00:02:00 skippedOverlap']);
  });

  test('a start whose run no worker has taken yet counts as running', async () => {
    await using stage = await aSchedule({ run: 'unknown-handler' });
    await stage.advance('2m');
    expect((await stage.describe()).running).toMatchObject([{ state: 'ready' }]);
    expect(await stage.ledger()).toEqual(['00:01:00 started', '00:02:00 skippedOverlap']);
  });
});

describe('stopping the others', () => {
  test('is retried until it is acknowledged, also by another node', async () => {
    const options = { nodes: 2, seed: 7, tuning: { engine: { longestSleep: 5000 as never } } };
    await using stage = await aStage(options);
    await stage.create({ run: 'long', overlap: 'cancelOther' });
    await stage.advance('119s');
    stage.world.setFaults({ failBefore: 0.7 });
    await stage.advance('20s');
    stage.world.crash(1);
    stage.world.clearFaults();
    await stage.advance('100s');
    const items = await stage.runs();
    expect(items.map(({ outcome }) => outcome)).toEqual([null, 'cancelled', 'cancelled']);
  });
});

describe('starts that wait', () => {
  test('are let go at the end of their catch-up window, without any call', async () => {
    await using stage = await aSchedule({
      run: 'long',
      overlap: 'bufferOne',
      catchup: '90s',
      endAt: t('00:02:00'),
    });
    await stage.advance('3m');
    expect(await stage.ledger()).toEqual(['00:01:00 started', '00:02:00 buffered']);
    await stage.advance('31s');
    expect(await stage.ledger()).toEqual(['00:01:00 started', '00:02:00 missedWindow']);
    expect((await stage.describe()).counters.missedCatchupWindow).toBe(1);
  });

  test('make room for the next one when they are let go', async () => {
    await using stage = await aSchedule({ run: 'long', overlap: 'bufferOne', catchup: '90s' });
    await stage.advance('4m');
    expect(await stage.ledger()).toEqual([
      '00:01:00 started',
      '00:02:00 missedWindow',
      '00:03:00 skippedOverlap',
      '00:04:00 buffered',
    ]);
  });

  test('start when the run before them failed', async () => {
    const fails = { run: 'fail', retry: { attempts: 2, initial: '90s', longest: '90s' } };
    await using stage = await aSchedule({ ...fails, overlap: 'bufferOne' });
    await stage.advance('151s');
    expect(await stage.ledger()).toEqual(['00:01:00 started', '00:02:00 startedLate']);
  });

  test('start when a person cancels the run before them', async () => {
    await using stage = await aSchedule({ run: 'long', overlap: 'bufferOne' });
    await stage.advance('2m');
    const items = await stage.runs();
    await stage.carillon.runs.terminate(items[0]?.id as string);
    await stage.world.settle();
    expect(await stage.ledger()).toEqual(['00:01:00 started', '00:02:00 started']);
  });

  test('follow the policy of the moment when the schedule is updated', async () => {
    await using stage = await aSchedule({ run: 'long', overlap: 'bufferAll' });
    await stage.advance('3m');
    expect(await stage.ledger()).toEqual(['00:01:00 started', '00:02:00 buffered', '00:03:00 buffered']);
    await stage.schedules.update('s', { every: '1m', run: 'work', overlap: 'allowAll' });
    await stage.world.settle();
    expect(await stage.ledger()).toEqual(['00:01:00 started', '00:02:00 startedLate', '00:03:00 started']);
    expect(stage.performed.slice(1).map(({ context }) => context.name)).toEqual(['work', 'work']);
  });

  test('a start that waited its turn is reported as such, and is not late by the scheduler', async () => {
    await using stage = await aSchedule({ run: 'long', input: { ms: 90_000 }, overlap: 'bufferOne' });
    const started: unknown[] = [];
    stage.carillon.subscribe((event) => {
      if (event.type === 'started' && event.schedule !== null) started.push([event.waited, event.lateByMs]);
    });
    await stage.advance('4m');
    expect(started.slice(0, 2)).toEqual([
      [false, 0],
      [true, 30_000],
    ]);
  });
});
