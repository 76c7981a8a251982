import { describe, expect, test } from 'vitest';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { formatInstant, parseInstant } from '../../packages/carillon/src/base/time.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { ScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import { readScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import { aSchedule, aStage, type Stage, t, workflowIdOf } from './stage.ts';

const hourly: ScheduleInput = { every: '1h', run: 'work' };

/** Runs of a schedule with exclusive workflow ids, as the Temporal door makes them. */
async function exclusive(stage: Stage, id: string, input: ScheduleInput): Promise<void> {
  const draft = readScheduleInput({ run: 'work', ...input });
  const action = { ...draft.action, findable: true };
  const caller = { actor: 'test', door: 'test' };
  await internalsOf(stage.carillon).services.schedules.create(
    { namespace: 'default', id },
    { ...draft, action },
    caller,
  );
}

describe('a slot that a backfill has run', () => {
  test('does not run again when it comes due, and uses no action', async () => {
    await using stage = await aSchedule({ ...hourly, overlap: 'allowAll', remaining: 5 });
    const range = { from: t('01:00:00'), to: t('02:00:00') };
    const { id } = await stage.schedules.backfill('s', range);
    await stage.advance('3h');
    expect(stage.times).toEqual(['01:00:00', '02:00:00', '03:00:00']);
    expect(await stage.ledger()).toEqual([
      '01:00:00 alreadyStarted',
      `backfill:${id} 01:00:00 started`,
      '02:00:00 alreadyStarted',
      `backfill:${id} 02:00:00 started`,
      '03:00:00 started',
    ]);
    const { remaining, counters } = await stage.describe();
    expect({ remaining, actions: counters.actions }).toEqual({ remaining: 4, actions: 3 });
    const why = await stage.why(t('01:00:00'));
    const [first] = (await stage.runs()).filter((run) => run.id === why?.run?.id);
    expect(why).toMatchObject({ answer: 'alreadyStarted', cause: 'auto' });
    expect(first?.id).toBeDefined();
    expect(why?.text).toContain(first?.id);
  });

  test('does not run again while that run goes on, even where runs may overlap', async () => {
    await using stage = await aSchedule({
      ...hourly,
      run: 'long',
      input: { ms: 7_200_000 },
      overlap: 'allowAll',
    });
    await stage.schedules.backfill('s', { from: t('01:00:00'), to: t('01:00:00') });
    await stage.advance('1h');
    expect(stage.times).toEqual(['01:00:00']);
  });
});

describe('a manual start', () => {
  test('waits for the unfinished run of its slot, then runs the slot again', async () => {
    await using stage = await aSchedule({
      ...hourly,
      run: 'long',
      input: { ms: 60_000 },
      overlap: 'allowAll',
    });
    await stage.advance('1h');
    const { id } = await stage.schedules.backfill('s', { from: t('01:00:00'), to: t('01:00:00') });
    await stage.schedules.trigger('s', { scheduledAt: t('01:00:00') });
    await stage.world.settle();
    expect(stage.performed).toHaveLength(1);
    expect(await stage.ledger()).toEqual([
      '01:00:00 started',
      `backfill:${id} 01:00:00 buffered`,
      'trigger:2 01:00:00 buffered',
    ]);
    await stage.advance('1m');
    expect(stage.performed).toHaveLength(2);
    await stage.advance('2m');
    expect(stage.times).toEqual(['01:00:00', '01:00:00', '01:00:00']);
    expect(await stage.ledger()).toEqual([
      '01:00:00 started',
      `backfill:${id} 01:00:00 started`,
      'trigger:2 01:00:00 started',
    ]);
  });

  test('does not hold up other starts while it waits', async () => {
    await using stage = await aSchedule({
      ...hourly,
      run: 'long',
      input: { ms: 9_000_000 },
      overlap: 'allowAll',
    });
    await stage.advance('1h');
    const again = { from: t('01:00:00'), to: t('01:00:00'), overlap: 'allowAll' } as const;
    await stage.schedules.backfill('s', again);
    await stage.advance('2h');
    expect(stage.times).toEqual(['01:00:00', '02:00:00', '03:00:00']);
    await stage.advance('1h');
    expect(stage.times).toEqual(['01:00:00', '02:00:00', '03:00:00', '01:00:00', '04:00:00']);
  });

  test('runs a slot only so often while its runs are kept', async () => {
    await using stage = await aSchedule({ ...hourly, paused: true, overlap: 'allowAll' });
    const again = { from: t('01:00:00'), to: t('01:00:00') };
    for (let n = 0; n < 34; n += 1) {
      await stage.schedules.backfill('s', again);
      await stage.world.settle();
    }
    expect(stage.performed).toHaveLength(32);
    expect((await stage.ledger()).filter((row) => row.endsWith('alreadyStarted'))).toHaveLength(2);
    expect((await stage.describe()).status).toBe('paused');
  });
});

test('one request that names a range twice runs it once', async () => {
  await using stage = await aSchedule({ ...hourly, paused: true, overlap: 'allowAll' });
  const at = (time: string) => parseInstant(t(time)) as Instant;
  const range = { from: at('01:00:00'), to: at('03:00:00') };
  await internalsOf(stage.carillon).services.schedules.patch(
    { namespace: 'default', id: 's' },
    { backfills: [range, range, { from: at('02:00:00'), to: at('04:00:00') }] },
    { actor: 'test', door: 'test' },
  );
  await stage.advance('1m');
  expect(stage.times).toEqual(['01:00:00', '02:00:00', '03:00:00', '04:00:00']);
});

describe('an exclusive workflow id', () => {
  test('of two schedules is started once per due time, also when the first run is over', async () => {
    await using stage = await aStage();
    for (const id of ['a', 'b'])
      await exclusive(stage, id, { ...hourly, workflowId: 'shared', remaining: 3 });
    await stage.advance('2h');
    expect(stage.times).toEqual(['01:00:00', '02:00:00']);
    const ledgers = [...(await stage.ledger('a')), ...(await stage.ledger('b'))].sort();
    expect(ledgers).toEqual([
      '01:00:00 alreadyStarted',
      '01:00:00 started',
      '02:00:00 alreadyStarted',
      '02:00:00 started',
    ]);
    const left = [(await stage.describe('a')).remaining, (await stage.describe('b')).remaining];
    expect(left[0]! + left[1]!).toBe(4);
  });

  test('is open once when it is kept, however many starts are allowed', async () => {
    await using stage = await aStage();
    const kept: ScheduleInput = { every: '1h', run: 'long', keepOriginalId: true, overlap: 'allowAll' };
    await exclusive(stage, 'a', { ...kept, workflowId: 'one', input: { ms: 5_400_000 } });
    await exclusive(stage, 'b', { ...kept, every: '90m', workflowId: 'one' });
    await stage.advance('3h');
    expect(stage.times).toEqual(['01:00:00', '03:00:00']);
    expect(await stage.ledger('a')).toEqual([
      '01:00:00 started',
      '02:00:00 alreadyStarted',
      '03:00:00 started',
    ]);
    expect(await stage.ledger('b')).toEqual(['01:30:00 alreadyStarted', '03:00:00 alreadyStarted']);
  });

  test('is given on to the next waiting start by the end of its run', async () => {
    await using stage = await aStage();
    const kept: ScheduleInput = { every: '1h', run: 'long', keepOriginalId: true, overlap: 'bufferAll' };
    await exclusive(stage, 'a', { ...kept, workflowId: 'one', input: { ms: 5_400_000 } });
    await stage.advance('4h');
    expect(stage.times).toEqual(['01:00:00', '02:00:00', '03:00:00']);
    expect(stage.performed.map(({ at }) => formatInstant(at))).toEqual(
      ['01:00:00', '02:30:00', '04:00:00'].map(t),
    );
  });

  test('of triggers for now gains a suffix: all of them run', async () => {
    await using stage = await aStage();
    for (const id of ['a', 'b'])
      await exclusive(stage, id, { every: '1d', run: 'long', workflowId: 'w', overlap: 'allowAll' });
    for (const id of ['a', 'a', 'b', 'a']) await stage.schedules.trigger(id);
    await stage.world.settle();
    const ids = [...(await stage.runs('a')), ...(await stage.runs('b'))].map(workflowIdOf);
    expect(new Set(ids).size).toBe(4);
    expect(ids).toContain('w-2026-01-01T00:00:00Z');
    expect(ids).toContain('w-2026-01-01T00:00:00Z-2');
  });

  test('that is open refuses a manual start of its slot', async () => {
    await using stage = await aStage();
    await exclusive(stage, 'a', { ...hourly, run: 'long', input: { ms: 60_000 }, overlap: 'allowAll' });
    await stage.advance('1h');
    const slot = { from: t('01:00:00'), to: t('01:00:00'), overlap: 'allowAll' } as const;
    const { id } = await stage.schedules.backfill('a', slot);
    await stage.advance('2m');
    const again = await stage.schedules.backfill('a', slot);
    await stage.advance('1m');
    expect(stage.times).toEqual(['01:00:00', '01:00:00']);
    expect(await stage.ledger('a')).toEqual([
      '01:00:00 started',
      `backfill:${id} 01:00:00 alreadyStarted`,
      `backfill:${again.id} 01:00:00 started`,
    ]);
  });
});
