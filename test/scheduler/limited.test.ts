import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { defaultOwnLease } from '../../packages/carillon/src/runs/own-lease.ts';
import { RunQueue } from '../../packages/carillon/src/runs/run-queue.ts';
import type { Stage } from './stage.ts';
import { aSchedule, t } from './stage.ts';

describe('limited actions', () => {
  test('are used up by starts and never exceeded; later slots say so in one row', async () => {
    await using stage = await aSchedule({ remaining: 2 });
    expect((await stage.describe()).future).toHaveLength(2);
    await stage.advance('5m');
    expect(await stage.ledger()).toEqual([
      '00:01:00 started',
      '00:02:00 started',
      '00:03:00–00:05:00 ×3 limitReached',
    ]);
    expect(await stage.describe()).toMatchObject({ remaining: 0, future: [], next: null });
  });

  test('of one are not exceeded by several slots that are due at once', async () => {
    await using stage = await aSchedule({ remaining: 1, overlap: 'allowAll' });
    await stage.down('5m');
    expect(await stage.ledger()).toEqual(['00:01:00 startedLate', '00:02:00–00:05:00 ×4 limitReached']);
  });

  test('are not used by skipped, missed or paused slots', async () => {
    await using stage = await aSchedule({ remaining: 3, run: 'long', catchup: '10s' });
    await stage.down('2m');
    await stage.advance('2m');
    expect(await stage.ledger()).toEqual([
      '00:01:00 missedWindow',
      '00:02:00 started',
      '00:03:00–00:04:00 ×2 skippedOverlap',
    ]);
    await stage.schedules.pause('s');
    await stage.advance('2m');
    expect((await stage.describe()).remaining).toBe(2);
  });

  test('are not used by triggers and backfills, which run although none is left', async () => {
    await using stage = await aSchedule({ remaining: 0 });
    await stage.schedules.trigger('s');
    await stage.schedules.backfill('s', { from: t('00:00:00'), to: t('00:01:00'), overlap: 'allowAll' });
    await stage.world.settle();
    expect(stage.performed).toHaveLength(3);
    expect((await stage.describe()).remaining).toBe(0);
  });

  test('given by an update count from then on; an update that is silent about them keeps what is left', async () => {
    await using stage = await aSchedule({ remaining: 1 });
    await stage.advance('2m');
    await stage.schedules.update('s', { every: '1m', run: 'work', remaining: 1 });
    await stage.advance('2m');
    expect(stage.times).toEqual(['00:01:00', '00:03:00']);
    await stage.schedules.update('s', { every: '1m', run: 'work' });
    await stage.advance('2m');
    expect(stage.times).toEqual(['00:01:00', '00:03:00']);
    expect((await stage.describe()).remaining).toBe(0);
  });

  test('raise the conflict token when used', async () => {
    await using stage = await aSchedule({ remaining: 5 });
    await stage.advance('3m');
    expect((await stage.describe()).token).toBe(4);
  });

  test('are given back when the start never happened, and the slot says so', async () => {
    await using stage = await aSchedule({ remaining: 1, run: 'elsewhere', every: '10m' });
    await stage.advance('10m');
    expect(await stage.describe()).toMatchObject({ remaining: 0, counters: { actions: 1 } });
    await failStart(stage, 'the address does not answer');
    expect(await stage.describe()).toMatchObject({ remaining: 1, counters: { actions: 0 } });
    expect(await stage.ledger()).toEqual(['00:10:00 startFailed']);
    expect((await stage.why(t('00:10:00'))).text).toBe(
      'It could not be started: its one attempt failed (the address does not answer).',
    );
    await stage.advance('10m');
    expect(await stage.ledger()).toEqual(['00:10:00 startFailed', '00:20:00 started']);
  });

  test('given back let a start that waits go at once', async () => {
    await using stage = await aSchedule({ remaining: 2, run: 'elsewhere', overlap: 'bufferAll' });
    await stage.advance('3m');
    expect(await stage.ledger()).toEqual(['00:01:00 started', '00:02:00 buffered', '00:03:00 buffered']);
    await failStart(stage, 'no');
    expect(await stage.ledger()).toEqual([
      '00:01:00 startFailed',
      '00:02:00 startedLate',
      '00:03:00 buffered',
    ]);
    expect((await stage.describe()).remaining).toBe(1);
  });
});

describe('idle close', () => {
  test('happens after the idle time, counted from the last event', async () => {
    await using stage = await aSchedule({ at: t('00:01:00'), idleClose: '1h' });
    await stage.advance('60m');
    expect((await stage.describe()).status).toBe('ended');
    await stage.advance('1m');
    expect(await stage.describe()).toMatchObject({ status: 'closed', closedAt: Date.parse(t('01:01:00')) });
    await expect(stage.schedules.trigger('s')).rejects.toMatchObject({ code: 'failedPrecondition' });
  });

  test('comes for a schedule without any time, and never with an idle time of zero', async () => {
    await using stage = await aSchedule({ spec: {}, idleClose: '1h' });
    await stage.create({ spec: {}, idleClose: 0 }, 'kept');
    await stage.advance('2h');
    expect((await stage.describe()).status).toBe('closed');
    expect((await stage.describe('kept')).status).toBe('running');
  });

  test('waits for a run however long it takes', async () => {
    await using stage = await aSchedule({
      at: t('00:01:00'),
      idleClose: '1h',
      run: 'long',
      input: { ms: 36_000_000 },
    });
    await stage.advance('9h');
    expect((await stage.describe()).status).toBe('running');
    await stage.advance('3h');
    expect(await stage.describe()).toMatchObject({ status: 'closed', closedAt: Date.parse(t('11:01:00')) });
  });

  test('waits for starts that wait', async () => {
    await using stage = await aSchedule({
      at: [t('00:01:00'), t('00:02:00')],
      idleClose: '10m',
      overlap: 'bufferAll',
      run: 'long',
      input: { ms: 1_800_000 },
    });
    await stage.advance('80m');
    expect(stage.times).toEqual(['00:01:00', '00:02:00']);
    expect((await stage.describe()).status).toBe('closed');
  });

  test('does not come while paused, and does after the resume', async () => {
    await using stage = await aSchedule({ at: t('00:01:00'), idleClose: '1h' });
    await stage.advance('30m');
    await stage.schedules.pause('s');
    await stage.advance('5h');
    expect((await stage.describe()).status).toBe('paused');
    await stage.schedules.resume('s');
    await stage.advance('61m');
    expect((await stage.describe()).status).toBe('closed');
    expect(stage.times).toEqual(['00:01:00']);
  });

  test('is put off by a trigger or a backfill, which run before it', async () => {
    await using stage = await aSchedule({ remaining: 1, idleClose: '10m' });
    await stage.advance('9m');
    await stage.schedules.backfill('s', { from: t('00:01:00'), to: t('00:03:00'), overlap: 'bufferAll' });
    await stage.advance('9m');
    expect(await stage.describe()).toMatchObject({ status: 'ended', counters: { actions: 4 } });
    await stage.advance('2m');
    expect((await stage.describe()).status).toBe('closed');
  });

  test('accounts for slots that came due before a node could close it', async () => {
    await using stage = await aSchedule({ remaining: 1, idleClose: '3m' });
    await stage.advance('2m');
    await stage.down('10m');
    expect((await stage.describe()).status).toBe('closed');
    expect(await stage.verdicts()).toEqual({ started: 1, limitReached: 11 });
  });

  test('leaves the id free for a new schedule', async () => {
    await using stage = await aSchedule({ at: t('00:01:00'), idleClose: '1h' });
    await stage.advance('2h');
    await stage.create();
    await stage.advance('1m');
    expect(await stage.ledger()).toEqual(['02:01:00 started']);
  });
});

/** Stands in for the worker of an action elsewhere: takes the one waiting run and reports that it never began. */
async function failStart(stage: Stage, message: string): Promise<void> {
  const queue = new RunQueue({
    engine: internalsOf(stage.carillon).runtime.engine,
    newId: () => `token-${stage.world.now}`,
  });
  const { runs } = await queue.claim({
    free: new Map([['default', 1]]),
    holder: { worker: 'elsewhere', lease: defaultOwnLease },
  });
  const [run] = runs;
  if (run === undefined) throw new Error('no run waits');
  const failure = { message, startFailed: true, nonRetryable: true };
  await queue.finish([{ id: run.id, token: run.leaseToken, conclusion: { kind: 'failed', failure } }]);
  await stage.world.settle();
}
