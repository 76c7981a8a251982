import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { compiledOf } from '../../packages/carillon/src/scheduler/compiled-of.ts';
import { slotsPerPass } from '../../packages/carillon/src/scheduler/generate.ts';
import { Schedule } from '../../packages/carillon/src/scheduler/schedule.ts';
import { writePolicy } from '../../packages/carillon/src/service/schedule-fields.ts';
import { countWalk } from '../support/count-walk.ts';
import { aSchedule, aStage, t } from './stage.ts';

describe('a new schedule', () => {
  test('knows its coming times at once, aligned to its interval', async () => {
    await using stage = await aStage({ start: t('00:00:25') });
    await stage.create();
    const { future, next, status } = await stage.describe();
    expect(status).toBe('running');
    expect(next).toBe(Date.parse(t('00:01:00')));
    expect(future.map(({ nominal }) => nominal)).toEqual(
      Array.from({ length: 10 }, (_, index) => Date.parse(t('00:01:00')) + index * 60_000),
    );
  });

  test('leaves out the slot of the very second it was created in', async () => {
    await using stage = await aSchedule({ every: '1s' });
    await stage.advance('2s');
    expect(stage.times).toEqual(['00:00:01', '00:00:02']);
  });

  test('without any time never fires by itself', async () => {
    await using stage = await aStage();
    await stage.schedules.create('s', { run: 'work' });
    await stage.advance('5d');
    expect(stage.times).toEqual([]);
    expect(await stage.ledger()).toEqual([]);
  });

  test('fires at its interval even beside parts that never match', async () => {
    const never = { calendars: [{ month: '2', dayOfMonth: '30' }] };
    await using stage = await aSchedule({ every: '5s', spec: never as never });
    await stage.advance('10s');
    expect(stage.times).toEqual(['00:00:05', '00:00:10']);
  });

  test('with exclusions that leave nothing is refused in moments, and nothing is stored', async () => {
    const mirrored = {
      intervals: [{ everyMs: 1000 }],
      exclude: { calendars: [{ second: '*', minute: '*', hour: '*' }] },
    };
    await using stage = await aStage();
    await expect(stage.create({ spec: mirrored as never })).rejects.toMatchObject({
      code: 'invalidArgument',
      problems: [{ path: 'every', reason: 'NEVER' }],
    });
    expect((await stage.schedules.list()).items).toEqual([]);
  });

  test('with exclusions that leave one time goes idle after it, and can be deleted', async () => {
    const spec = {
      intervals: [{ everyMs: 1000 }],
      exclude: { calendars: [{ second: '1-59', minute: '*', hour: '*' }] },
      endAt: Date.parse(t('00:01:30')),
    };
    await using stage = await aSchedule({ spec: spec as never });
    await stage.advance('2m');
    expect(stage.times).toEqual(['00:01:00']);
    expect(await stage.describe()).toMatchObject({ next: null, future: [] });
    expect((await stage.why(t('00:00:30'))).answer).toBe('excluded');
    await stage.schedules.backfill('s', { from: t('00:00:01'), to: t('00:00:59') });
    await stage.advance('1m');
    expect((await stage.describe()).backfills).toEqual([]);
    expect(stage.times).toEqual(['00:01:00']);
    await stage.schedules.delete('s');
    expect(stage.trouble).toEqual([]);
  });

  test('many calendars and exclusions fire where the exclusions leave room', async () => {
    const minutes = Array.from({ length: 50 }, (_, minute) => ({ minute: String(minute), hour: '*' }));
    const spec = {
      calendars: minutes,
      exclude: { calendars: minutes.slice(1).map((each) => ({ ...each, hour: '1' })) },
    };
    await using stage = await aSchedule({ spec: spec as never });
    await stage.advance('2h');
    expect(await stage.verdicts()).toEqual({ started: 49 + 1 + 1 });
    expect((await stage.why(t('01:07:00'))).answer).toBe('excluded');
  });
});

describe('after a time when no node ran', () => {
  test('every slot inside the window starts, late, in order', async () => {
    await using stage = await aSchedule({ overlap: 'bufferAll' });
    await stage.advance('30s');
    await stage.down('5m');
    expect(stage.times).toEqual(['00:01:00', '00:02:00', '00:03:00', '00:04:00', '00:05:00']);
    expect((await stage.ledger()).slice(0, 4).every((row) => row.endsWith('startedLate'))).toBe(true);
    expect((await stage.describe()).counters).toMatchObject({ actions: 5, missedCatchupWindow: 0 });
  });

  test('slots older than the window are missed, as one row and counted', async () => {
    await using stage = await aSchedule({ overlap: 'bufferAll', catchup: '5m' });
    await stage.down('10m');
    expect((await stage.ledger())[0]).toBe('00:01:00–00:04:00 ×4 missedWindow');
    expect(stage.times).toEqual(['00:05:00', '00:06:00', '00:07:00', '00:08:00', '00:09:00', '00:10:00']);
    expect((await stage.describe()).counters.missedCatchupWindow).toBe(4);
  });

  test.each([
    { catchup: '0s', times: ['00:01:00'], missed: 11 },
    { catchup: '1s', times: ['00:01:00'], missed: 11 },
    { catchup: '7s', times: ['00:00:55', '00:01:00'], missed: 10 },
  ])('a window of $catchup means what it says', async ({ catchup, times, missed }) => {
    await using stage = await aSchedule({ every: '5s', overlap: 'allowAll', catchup });
    await stage.down('1m');
    expect(stage.times).toEqual(times);
    expect((await stage.describe()).counters.missedCatchupWindow).toBe(missed);
  });

  test('an unlimited window runs what was missed years ago, and is shown as a word', async () => {
    await using stage = await aSchedule({ cron: '0 0 1 1 *', overlap: 'allowAll', catchup: 'unlimited' });
    await stage.down('1500d');
    expect(stage.performed).toHaveLength(4);
    expect(writePolicy((await stage.describe()).policy).catchup).toBe('unlimited');
  });

  test('with missed oldest the oldest in the window runs, with its own time, and the others say in whose favour', async () => {
    await using stage = await aSchedule({
      every: '1m',
      missed: 'oldest',
      catchup: '150s',
      overlap: 'allowAll',
    });
    await stage.down('5m30s');
    expect(stage.times).toEqual(['00:03:00']);
    expect(await stage.ledger()).toEqual([
      '00:01:00–00:02:00 ×2 missedWindow',
      '00:03:00 startedLate',
      '00:04:00–00:05:00 ×2 coalesced',
    ]);
    await stage.advance('1m');
    expect(stage.times).toEqual(['00:03:00', '00:06:00']);
  });

  test('with missed oldest one slot runs, however many passes the backlog takes', async () => {
    await using stage = await aSchedule({
      every: '1s',
      missed: 'oldest',
      catchup: '30d',
      overlap: 'allowAll',
    });
    await stage.down('4h');
    await stage.advance('100ms');
    expect(stage.times).toEqual(['00:00:01']);
    await stage.advance('900ms');
    expect(stage.times).toEqual(['00:00:01', '04:00:01']);
  });

  test('with missed once only the latest runs and the others say in whose favour', async () => {
    await using stage = await aSchedule({ missed: 'once' });
    await stage.down('10m');
    expect(await stage.ledger()).toEqual(['00:01:00–00:09:00 ×9 coalesced', '00:10:00 started']);
    expect((await stage.why(t('00:04:00'))).text).toContain('2026-01-01T00:10:00Z ran in their place');
  });

  test('with missed skip nothing that is late runs', async () => {
    await using stage = await aSchedule({ missed: 'skip', overlap: 'allowAll' });
    await stage.down('150s');
    await stage.advance('30s');
    expect(await stage.ledger()).toEqual(['00:01:00–00:02:00 ×2 missedWindow', '00:03:00 started']);
  });

  test('more slots than may wait at once all start when nothing makes them wait', async () => {
    await using stage = await aSchedule({ every: '1s', overlap: 'allowAll' });
    await stage.down('30m');
    await stage.advance('1s');
    expect((await stage.describe()).counters).toMatchObject({ actions: 1801, bufferDropped: 0 });
    expect(new Set(stage.times).size).toBe(1801);
  });

  test('what is more than may wait is dropped with a verdict and a counter when it has to wait', async () => {
    await using stage = await aSchedule({
      every: '1s',
      overlap: 'bufferAll',
      run: 'long',
      input: { ms: 7_200_000 },
    });
    await stage.down('30m');
    await stage.advance('5s');
    const { counters, waiting } = await stage.describe();
    expect(waiting).toHaveLength(1000);
    expect(counters).toMatchObject({ actions: 1, bufferDropped: 804 });
    const { items } = await stage.schedules.slots('s', { verdict: ['bufferFull'] });
    expect(items.map(({ count }) => count)).toEqual([804]);
    expect((await stage.why(t('00:20:00'))).text).toContain('1,000 starts were waiting already');
  });
});

describe('a schedule of every second that was down for three days', () => {
  test.each([
    { missed: 'all', catchup: '1h', rows: 4 },
    { missed: 'once', catchup: '30d', rows: 4 },
    { missed: 'skip', catchup: '1h', rows: 4 },
  ] as const)(
    'with missed $missed writes a few rows, in short steps, while others fire on time',
    async (policy) => {
      await using stage = await aStage({ retention: { ledger: Number.POSITIVE_INFINITY } });
      const { missed, catchup } = policy;
      await stage.create(
        { every: '1s', missed, catchup, run: 'long', input: { ms: 400 * 86_400_000 } },
        'behind',
      );
      stage.world.crash(0);
      stage.world.clock.moveTo(Date.parse('2026-01-04T00:00:00Z') as never);
      await stage.world.restart(0);
      await stage.create({ every: '1s', run: 'work' }, 'other');
      const key = { namespace: 'default', archetype: 'schedule', id: 'behind' };
      const definition = await internalsOf(stage.carillon).runtime.engine.read(
        Schedule,
        key,
        (view) => view.child('definition').state,
      );
      const examined = countWalk(compiledOf(definition));
      let most = 0;
      const { store } = stage.world;
      const transact = store.transact.bind(store);
      store.transact = (selection, decider) =>
        transact(selection, {
          need: (executions, runs) => decider.need?.(executions, runs) ?? { parts: [] },
          decide: (loaded) => {
            const before = examined();
            const decision = decider.decide(loaded);
            most = Math.max(most, examined() - before);
            return decision;
          },
        });
      await stage.advance('20s');
      // What one step examines is bounded, however far behind the schedule is.
      expect(examined()).toBeGreaterThan(2 * 86_400);
      expect(most).toBe(slotsPerPass + 1);
      const others = stage.performed.filter(({ context }) => context.name === 'work');
      expect(others.map(({ at, context }) => at - context.scheduledAt)).toEqual(Array(20).fill(0));
      const rows = await stage.rows('behind');
      expect(rows.length).toBeLessThanOrEqual(policy.rows + 40);
      const judged = rows.reduce((sum, row) => sum + row.count, 0);
      expect(judged).toBe(3 * 86_400 + 20);
      expect((await stage.describe('behind')).stateBytes).toBeLessThan(4096);
    },
  );
});

describe('bounds and jitter', () => {
  test('both bounds are inclusive', async () => {
    await using stage = await aSchedule({ startAt: t('00:02:00'), endAt: t('00:04:00') });
    await stage.advance('10m');
    expect(stage.times).toEqual(['00:02:00', '00:03:00', '00:04:00']);
    expect(await stage.describe()).toMatchObject({ next: null, future: [] });
  });

  test('jitter delays the start, never before its time, and is the same each day', async () => {
    await using stage = await aSchedule({ every: '1h', jitter: '50m' });
    await stage.advance('5h');
    const delays = stage.performed.map(({ at, context }) => at - context.scheduledAt);
    expect(delays.every((delay) => delay > 0 && delay < 3_000_000)).toBe(true);
    const { items: times } = await stage.schedules.previewBackfill('s', {
      from: t('00:00:01'),
      to: t('04:00:00'),
    });
    expect(stage.performed.slice(0, 4).map(({ at }) => at)).toEqual(times.map(({ actual }) => actual));
  });

  test('whatever happens between nominal and jittered time, the slot is not lost', async () => {
    await using stage = await aSchedule({ every: '1h', jitter: '59m', overlap: 'allowAll' });
    const [first] = (await stage.describe()).future;
    const nominal = first?.nominal as number;
    const actual = first?.actual as number;
    expect(actual - nominal).toBeGreaterThan(60_000);
    await stage.world.advanceTo((nominal + 10_000) as never);
    await stage.schedules.trigger('s');
    await stage.schedules.backfill('s', { from: t('00:00:01'), to: t('00:00:02') });
    await stage.schedules.update('s', {
      every: '1h',
      jitter: '59m',
      run: 'work',
      note: 'changed',
      overlap: 'allowAll',
    });
    await stage.schedules.pause('s');
    await stage.schedules.resume('s');
    const { future } = await stage.describe();
    expect(future[0]).toEqual(first);
    await stage.world.advanceTo(actual as never);
    expect(stage.times).toEqual(['01:00:10', '01:00:00']);
  });

  test('a change of the spec between nominal and jittered time leaves a verdict', async () => {
    await using stage = await aSchedule({ every: '1h', jitter: '59m' });
    await stage.advance('3601s');
    await stage.schedules.update('s', { every: '2h', run: 'work' });
    await stage.advance('2h');
    expect(await stage.ledger()).toEqual(['01:00:00 superseded', '02:00:00 started']);
  });
});

describe('a spec that must be searched for long', () => {
  test('finds its time behind two days of excluded seconds', async () => {
    await using stage = await aStage();
    const facts: string[] = [];
    stage.carillon.subscribe(({ type }) => facts.push(type));
    const spec = {
      intervals: [{ everyMs: 1000 }],
      exclude: { dates: ['2026-01-01', '2026-01-02'] },
    };
    await stage.schedules.create('s', { spec: spec as never, run: 'work', endAt: '2026-01-03T00:00:01Z' });
    await stage.advance('3d');
    expect(facts).not.toContain('specSearchLong');
    expect(stage.performed).toHaveLength(2);
  });
});

describe('what five fires leave behind', () => {
  test('five runs with times, ids and workflow ids of their own, and the next wake-up within two intervals', async () => {
    await using stage = await aSchedule({ every: '1m', workflowId: 'scheduled-wf' });
    await stage.advance('5m');
    const runs = await stage.runs();
    expect(
      runs.map(({ options }) => (JSON.parse(options) as { workflowId: string }).workflowId).sort(),
    ).toEqual(
      ['00:01:00', '00:02:00', '00:03:00', '00:04:00', '00:05:00'].map((at) => `scheduled-wf-${t(at)}`),
    );
    expect(new Set(runs.map(({ id }) => id)).size).toBe(5);
    expect((await stage.describe()).recent.every(({ manual }) => !manual)).toBe(true);
    const { next } = await stage.describe();
    expect(next).toBe(Date.parse(t('00:06:00')));
  });
});
