import { describe, expect, test } from 'vitest';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import { aSchedule, aStage, clock, t, workflowIdOf } from './stage.ts';

describe('a trigger', () => {
  test('starts one run now, beside the slots of the schedule', async () => {
    await using stage = await aSchedule();
    await stage.advance('30s');
    const { cause } = await stage.schedules.trigger('s');
    await stage.advance('30s');
    expect(cause).toBe('trigger:1');
    expect(await stage.ledger()).toEqual(['trigger:1 00:00:30 started', '00:01:00 started']);
    expect((await stage.describe()).counters.actions).toBe(2);
  });

  test('given twice in one second runs twice, under workflow ids of their own', async () => {
    await using stage = await aSchedule({ run: 'long' });
    await stage.schedules.trigger('s', { overlap: 'allowAll' });
    await stage.schedules.trigger('s', { overlap: 'allowAll' });
    await stage.world.settle();
    const items = await stage.runs();
    const ids = items.map(workflowIdOf).sort();
    expect(ids).toEqual(['s-2026-01-01T00:00:00Z', 's-2026-01-01T00:00:00Z-2']);
    expect(stage.performed).toHaveLength(2);
  });

  test('takes the time it is told to stand for', async () => {
    await using stage = await aSchedule();
    await stage.schedules.trigger('s', { scheduledAt: t('10:00:00') });
    await stage.world.settle();
    expect(stage.times).toEqual(['10:00:00']);
    expect(await stage.ledger()).toEqual(['trigger:1 10:00:00 started']);
    expect(await stage.why(t('10:00:00'))).toMatchObject({
      cause: 'trigger:1',
      text: expect.stringContaining('It started, asked for by hand.'),
    });
  });

  test('runs on a paused schedule and leaves it paused', async () => {
    await using stage = await aSchedule({ paused: true });
    await stage.schedules.trigger('s');
    await stage.advance('5m');
    expect(stage.performed).toHaveLength(1);
    expect((await stage.describe()).status).toBe('paused');
  });

  test('runs on an exhausted schedule and on one without times', async () => {
    await using stage = await aSchedule({ remaining: 0 });
    await stage.create({ spec: {} }, 'manual');
    await stage.schedules.trigger('s');
    await stage.schedules.trigger('manual');
    await stage.advance('5m');
    expect(stage.performed).toHaveLength(2);
  });

  test('obeys the overlap policy of the schedule unless it names one', async () => {
    await using stage = await aSchedule({ run: 'long' });
    for (const overlap of [undefined, undefined, 'bufferOne', 'bufferOne', 'allowAll'] as const) {
      await stage.schedules.trigger('s', overlap === undefined ? {} : { overlap });
      await stage.advance('1s');
    }
    expect((await stage.ledger()).map((row) => row.split(' ').at(-1))).toEqual([
      'started',
      'skippedOverlap',
      'buffered',
      'skippedOverlap',
      'started',
    ]);
  });

  test('does not wait for room however many starts wait', async () => {
    await using stage = await aSchedule({ every: '1s', overlap: 'bufferAll', run: 'long' });
    await stage.down('20m');
    await stage.advance('1s');
    expect((await stage.describe()).waiting).toHaveLength(1000);
    await stage.schedules.trigger('s', { overlap: 'allowAll' });
    expect((await stage.describe()).running).toHaveLength(2);
  });

  test('never gets too late: it waits as long as it must', async () => {
    await using stage = await aSchedule({
      run: 'long',
      input: { ms: 86_400_000 },
      every: '2d',
      catchup: '10s',
    });
    await stage.schedules.trigger('s');
    await stage.schedules.trigger('s', { overlap: 'bufferAll' });
    await stage.advance('25h');
    expect(stage.performed).toHaveLength(2);
  });

  test('and the schedule may run the same second: both do', async () => {
    await using stage = await aSchedule({ overlap: 'allowAll', run: 'long' });
    await stage.advance('1m');
    await stage.schedules.trigger('s');
    await stage.world.settle();
    expect(stage.times).toEqual(['00:01:00', '00:01:00']);
  });
});

describe('a backfill', () => {
  test('runs both ends of its range, by its own cause, and the schedule goes on from its own cursor', async () => {
    await using stage = await aStage({ start: t('06:00:00') });
    await stage.create({ every: '1h', overlap: 'allowAll' });
    const { id } = await stage.schedules.backfill('s', { from: t('01:00:00'), to: t('04:00:00') });
    await stage.advance('1h');
    expect(await stage.ledger()).toEqual([
      ...['01', '02', '03', '04'].map((hour) => `backfill:${id} ${hour}:00:00 started`),
      '07:00:00 started',
    ]);
    expect((await stage.describe()).backfills).toEqual([]);
  });

  test('leaves single slots out, and counts those that are left', async () => {
    await using stage = await aSchedule({ every: '1h', overlap: 'allowAll', paused: true });
    const except = [t('02:00:00'), t('02:30:00'), t('09:00:00')];
    const range = { from: t('01:00:00'), to: t('04:00:00'), except, ratePerMinute: 1 };
    const { id } = await stage.schedules.backfill('s', range);
    await stage.world.settle();
    expect((await stage.describe()).backfills).toMatchObject([{ id, total: 3, handed: 1 }]);
    await stage.advance('10m');
    expect(stage.times).toEqual(['01:00:00', '03:00:00', '04:00:00']);
  });

  test.each([
    { from: '01:00:00', to: '01:00:00', runs: 1 },
    { from: '01:00:00.001', to: '01:00:00.001', runs: 0 },
    { from: '01:10:00', to: '01:50:00', runs: 0 },
    { from: '03:00:00', to: '05:00:00', runs: 3 },
  ])(
    'from $from to $to has $runs slots, future ones included, as its preview says',
    async ({ from, to, runs }) => {
      await using stage = await aSchedule({ every: '1h', overlap: 'allowAll', paused: true });
      const { items: times } = await stage.schedules.previewBackfill('s', { from: t(from), to: t(to) });
      await stage.schedules.backfill('s', { from: t(from), to: t(to) });
      await stage.advance('1s');
      expect(stage.times).toEqual(times.map(({ nominal }) => clock(nominal)));
      expect(stage.times).toHaveLength(runs);
      expect((await stage.describe()).backfills).toEqual([]);
    },
  );

  test('runs a slot again that has run before', async () => {
    await using stage = await aSchedule();
    await stage.advance('2m');
    await stage.schedules.backfill('s', { from: t('00:01:00'), to: t('00:01:00') });
    await stage.world.settle();
    expect(stage.times).toEqual(['00:01:00', '00:02:00', '00:01:00']);
    expect((await stage.describe()).counters.actions).toBe(3);
  });

  test.each([
    { overlap: 'skip', runs: 1 },
    { overlap: 'bufferOne', runs: 2 },
    { overlap: 'bufferAll', runs: 5 },
    { overlap: 'allowAll', runs: 5 },
  ] as const)('with $overlap over five slots makes $runs runs', async ({ overlap, runs }) => {
    await using stage = await aSchedule({ paused: true, run: 'long', input: { ms: 1000 } });
    await stage.schedules.backfill('s', { from: t('00:01:00'), to: t('00:05:00'), overlap });
    await stage.advance('1m');
    expect(stage.performed).toHaveLength(runs);
    const verdicts = await stage.rows();
    expect(verdicts).toHaveLength(5);
  });

  test('of two ranges far apart runs both, also on a paused schedule', async () => {
    await using stage = await aSchedule({ paused: true, overlap: 'allowAll' });
    await stage.schedules.backfill('s', { from: '2023-01-01T00:00:00Z', to: '2023-01-01T00:02:00Z' });
    await stage.schedules.backfill('s', { from: '2025-12-31T23:00:00Z', to: '2025-12-31T23:02:00Z' });
    await stage.advance('1s');
    expect((await stage.describe()).counters.actions).toBe(6);
  });

  test('shows its progress, stops at half the buffer, and goes on the moment a start leaves it', async () => {
    await using stage = await aSchedule({ paused: true, run: 'long', input: { ms: 60_000 } });
    await stage.schedules.backfill('s', {
      from: t('00:01:00'),
      to: addTime(stage.world.now, 60_000_000),
      overlap: 'bufferAll',
    });
    await stage.advance('1s');
    const [first] = (await stage.describe()).backfills;
    expect(first).toMatchObject({ handed: 451, total: 1000 });
    await stage.advance('60s');
    expect((await stage.describe()).backfills).toMatchObject([{ handed: 452 }]);
    await stage.advance('60m');
    expect((await stage.describe()).backfills).toMatchObject([{ handed: 512 }]);
    await stage.advance('16h');
    expect(stage.performed).toHaveLength(1000);
    expect((await stage.describe()).backfills).toEqual([]);
  });

  test('several share the room evenly, and none starves', async () => {
    await using stage = await aSchedule({ paused: true, run: 'long', input: { ms: 60_000 } });
    for (let index = 0; index < 3; index += 1) {
      const range = {
        from: t('00:01:00'),
        to: addTime(stage.world.now, 30_000_000),
        overlap: 'bufferAll' as const,
      };
      await stage.schedules.backfill('s', range);
    }
    await stage.advance('1s');
    const handed = (await stage.describe()).backfills.map((backfill) => backfill.handed);
    expect(handed).toHaveLength(3);
    expect(Math.min(...handed)).toBeGreaterThan(0);
    await stage.advance('26h');
    expect(stage.performed).toHaveLength(1500);
  });

  test('that finds no room at first runs its whole range as soon as there is some', async () => {
    await using stage = await aSchedule({
      every: '1s',
      overlap: 'bufferAll',
      run: 'long',
      input: { ms: 1000 },
    });
    await stage.down('16m');
    // The backlog is handed over in several steps, a millisecond apart.
    await stage.advance(10);
    await stage.schedules.backfill('s', { from: t('02:00:01'), to: t('02:00:03') });
    expect((await stage.describe()).backfills).toMatchObject([{ handed: 0, total: 3 }]);
    await stage.schedules.pause('s');
    await stage.advance('10s');
    expect(stage.times.slice(-3)).toEqual(['02:00:01', '02:00:02', '02:00:03']);
    expect((await stage.describe()).backfills).toEqual([]);
  });

  test('leaves room for the slots of the schedule itself', async () => {
    await using stage = await aSchedule({ run: 'long', overlap: 'bufferAll', input: { ms: 86_400_000 } });
    await stage.schedules.backfill('s', { from: '2025-01-01T00:00:00Z', to: '2025-02-01T00:00:00Z' });
    await stage.advance('10m');
    expect((await stage.verdicts()).bufferFull).toBeUndefined();
    expect((await stage.rows()).filter(({ cause }) => cause === 'auto')).toHaveLength(10);
  });

  test('of a day of seconds runs in many small steps, not in one', async () => {
    await using stage = await aSchedule({ every: '1s', paused: true });
    let most = 0;
    const { store } = stage.world;
    const transact = store.transact.bind(store);
    store.transact = (selection, decider) =>
      transact(selection, {
        ...decider,
        decide: (loaded) => {
          const decision = decider.decide(loaded);
          most = Math.max(most, decision.writes.slots?.length ?? 0);
          return decision;
        },
      });
    await stage.schedules.backfill('s', {
      from: '2025-01-01T00:00:00Z',
      to: '2025-01-01T23:59:59Z',
      overlap: 'skip',
    });
    await stage.advance('10s');
    expect(most).toBeLessThanOrEqual(101);
    expect((await stage.describe()).backfills).toEqual([]);
    const { actions, overlapSkipped } = (await stage.describe()).counters;
    expect(actions + overlapSkipped).toBe(86_400);
    expect(stage.trouble).toEqual([]);
  });

  test('keeps to its rate', async () => {
    await using stage = await aSchedule({ paused: true, overlap: 'allowAll' });
    await stage.schedules.backfill('s', { from: t('00:01:00'), to: t('00:10:00'), ratePerMinute: 3 });
    const counts: number[] = [];
    for (let minute = 0; minute < 4; minute += 1) {
      await stage.advance('30s');
      counts.push(stage.performed.length);
      await stage.advance('30s');
    }
    expect(counts).toEqual([3, 6, 9, 10]);
  });

  test('cancelled ends at once: what it handed over and has not started is cancelled with a verdict', async () => {
    await using stage = await aSchedule({ paused: true, run: 'long' });
    const { id } = await stage.schedules.backfill('s', {
      from: t('00:01:00'),
      to: t('00:05:00'),
      overlap: 'bufferAll',
    });
    await stage.advance('1s');
    expect(await stage.schedules.cancelBackfill('s', id, { actor: 'ann' })).toMatchObject({ cancelled: 4 });
    await stage.advance('2h');
    expect(await stage.verdicts()).toEqual({ started: 1, cancelled: 4 });
    const why = await stage.why(t('00:03:00'));
    expect(why.text).toBe('It was cancelled by ann before it started.');
    // The schedule's own slot of that time gets its row when the pause ends.
    const both = await stage.schedules.explainAll('s', t('00:03:00'));
    expect(both.map(({ answer }) => answer)).toEqual(['cancelled', 'paused']);
    await stage.schedules.resume('s');
    const after = await stage.schedules.explainAll('s', t('00:03:00'));
    expect(after.map(({ answer }) => answer)).toEqual(['paused', 'cancelled']);
  });

  test('is refused when a hundred are under way, and changes nothing', async () => {
    await using stage = await aSchedule({ paused: true, run: 'long' });
    const range = { from: t('00:01:00'), to: '2026-01-02T00:00:00Z', overlap: 'bufferAll' as const };
    for (let index = 0; index < 100; index += 1) await stage.schedules.backfill('s', range);
    const { token } = await stage.describe();
    await expect(stage.schedules.backfill('s', range)).rejects.toMatchObject({
      code: 'failedPrecondition',
      reason: 'TOO_MANY_BACKFILLS',
    });
    expect((await stage.describe()).token).toBe(token);
  });
});
