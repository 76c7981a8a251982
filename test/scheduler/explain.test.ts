import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { ScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import { aSchedule, aStage, t } from './stage.ts';

describe('why it did not run', () => {
  test.each([
    { title: 'not in the spec', at: t('00:00:30'), answer: 'notInSpec', words: 'does not name this time' },
    { title: 'not yet', at: t('01:00:00'), answer: 'notYet', words: 'due in 58 min' },
    {
      title: 'before its creation',
      at: '2025-12-31T23:59:00Z',
      answer: 'beforeCreation',
      words: 'created later',
    },
  ])('$title', async ({ at, answer, words }) => {
    await using stage = await aSchedule();
    await stage.advance('2m');
    const told = await stage.why(at);
    expect(told.answer).toBe(answer);
    expect(told.text).toContain(words);
  });

  test('an instant that is no slot comes with its neighbours', async () => {
    await using stage = await aSchedule();
    const { previous, next } = await stage.why(t('00:01:30'));
    expect([previous, next]).toEqual([Date.parse(t('00:01:00')), Date.parse(t('00:02:00'))]);
  });

  test.each<{ title: string; input: Partial<ScheduleInput>; at: string; answer: string }>([
    {
      title: 'excluded',
      input: { excludeDates: ['2026-01-02'] },
      at: '2026-01-02T10:00:00Z',
      answer: 'excluded',
    },
    {
      title: 'before the start',
      input: { startAt: t('02:00:00') },
      at: t('01:00:00'),
      answer: 'outOfBounds',
    },
    { title: 'after the end', input: { endAt: t('02:00:00') }, at: t('03:00:00'), answer: 'outOfBounds' },
  ])('$title', async ({ input, at, answer }) => {
    await using stage = await aSchedule({ every: '1h', idleClose: 0, ...input });
    await stage.advance('2d');
    expect((await stage.why(at)).answer).toBe(answer);
  });

  test('the clock jumped over it', async () => {
    await using stage = await aStage({ start: '2026-03-07T00:00:00Z' });
    await stage.create({ cron: '30 2 * * *', zone: 'America/New_York', dst: { gap: 'skip' } });
    await stage.advance('3d');
    const told = await stage.why('2026-03-08T07:30:00Z');
    expect(told).toMatchObject({ answer: 'dstGap' });
    expect(told.text).toContain('The clock skips 02:30 on this day');
    expect(stage.performed).toHaveLength(2);
  });

  test('the clock repeated it and the other copy fired', async () => {
    await using stage = await aStage({ start: '2026-11-01T00:00:00Z' });
    await stage.create({ cron: '30 1 * * *', zone: 'America/New_York', dst: { fold: 'first' } });
    await stage.advance('1d');
    expect((await stage.why('2026-11-01T05:30:00Z')).answer).toBe('started');
    const second = await stage.why('2026-11-01T06:30:00Z');
    expect(second.answer).toBe('dstFold');
    expect(second.text).toContain('01:30 comes twice; the one at 2026-11-01T05:30:00Z is the one that fires');
    expect(stage.performed).toHaveLength(1);
  });

  test('the schedule was closed by then', async () => {
    await using stage = await aSchedule();
    await stage.schedules.delete('s');
    await stage.advance('1h');
    expect((await stage.why(t('00:30:00'))).answer).toBe('afterEnd');
  });

  test('it is paused now, or will be then', async () => {
    await using stage = await aSchedule();
    await stage.schedules.pause('s', { note: 'holidays', actor: 'ann' });
    await stage.advance('2m');
    expect(await stage.why(t('00:01:00'))).toMatchObject({ answer: 'paused', detail: { pausedBy: 'ann' } });
    expect((await stage.why(t('00:05:00'))).text).toBe(
      'It is due in 3 min, but the schedule is paused by ann.',
    );
  });

  test('its pause ends by itself before it is due', async () => {
    await using stage = await aSchedule();
    await stage.schedules.pause('s', { actor: 'ann', until: t('00:03:00') });
    expect((await stage.why(t('00:05:00'))).text).toBe(
      'It is due in 5 min; the schedule is paused by ann and resumes by itself at 2026-01-01T00:03:00Z.',
    );
  });

  test('no actions are left for it, or others come first', async () => {
    await using stage = await aSchedule({ remaining: 2, idleClose: 0 });
    const { answer, text } = await stage.why(t('00:03:00'));
    expect(answer).toBe('notYet');
    expect(text).toContain('Only 2 actions are left');
    expect((await stage.why(t('00:02:00'))).text).toBe('It is due in 2 min.');
    await stage.advance('5m');
    expect(await stage.why(t('01:00:00'))).toMatchObject({
      answer: 'limitReached',
      text: 'It will not run: the schedule has used up its 2 actions. Set remaining to a new number and it runs again.',
      decidedAt: null,
    });
    expect((await stage.why(t('00:04:00'))).text).toContain('had used up its 2 actions');
  });

  test('it had used up its actions, and how many there were', async () => {
    await using stage = await aSchedule({ remaining: 2 });
    await stage.advance('5m');
    const { answer, text } = await stage.why(t('00:03:00'));
    expect(answer).toBe('limitReached');
    expect(text).toContain('The schedule had used up its 2 actions.');
  });

  test('it is due and no node has handled it yet', async () => {
    await using stage = await aSchedule();
    await internalsOf(stage.carillon).runtime.engine.stop();
    await stage.advance('2m');
    expect((await stage.why(t('00:02:00'))).answer).toBe('due');
  });

  test('the ledger no longer reaches back that far', async () => {
    await using stage = await aStage({ retention: { ledger: 86_400_000 } });
    await stage.create({ every: '1h' });
    await stage.advance('5d');
    expect((await stage.why(t('05:00:00'))).answer).toBe('forgotten');
  });
});

describe('why it ran', () => {
  test('in time, with its run and how that ended', async () => {
    await using stage = await aSchedule({ run: 'long', input: { ms: 5000 } });
    await stage.advance('1m');
    expect((await stage.why(t('00:01:00'))).text).toContain('is running on node-0');
    await stage.advance('10s');
    const { text, run, decidedAt } = await stage.why(t('00:01:00'));
    expect(text).toBe(`It started. Its run ${run?.id} completed after 5 s.`);
    expect(decidedAt).toBe(Date.parse(t('00:01:00')));
  });

  test('by hand, in words', async () => {
    await using stage = await aSchedule();
    await stage.schedules.trigger('s');
    await stage.advance('1s');
    expect((await stage.why(t('00:00:00'))).text).toContain('It started, asked for by hand.');
  });

  test('it has not started while no worker has begun its run', async () => {
    await using stage = await aSchedule({ run: 'unheard-of' });
    await stage.advance('2m');
    const { answer, text } = await stage.why(t('00:01:00'));
    expect(answer).toBe('started');
    expect(text).toMatch(/^Its start was decided\. Its run \S+ waits for a worker/);
  });

  test('late, and by how much', async () => {
    await using stage = await aSchedule({ every: '1h' });
    await stage.down('90m');
    expect((await stage.why(t('01:00:00'))).text).toContain('It started 30 min late');
  });

  test('it waits, and for which run', async () => {
    await using stage = await aSchedule({ run: 'long', overlap: 'bufferOne' });
    await stage.advance('2m');
    const [run] = await stage.runs();
    expect((await stage.why(t('00:02:00'))).text).toBe(`It waits for run ${run?.id} to end.`);
  });

  test('a slot inside a stretch is told with the stretch', async () => {
    await using stage = await aSchedule({ catchup: '10s' });
    await stage.down('10m');
    const { answer, text } = await stage.why(t('00:05:00'));
    expect(answer).toBe('missedWindow');
    expect(text).toContain(
      'The same holds for 8 more between 2026-01-01T00:01:00Z and 2026-01-01T00:09:00Z.',
    );
  });

  test('by the definition that was in force then, however often it changed since', async () => {
    await using stage = await aSchedule();
    await stage.advance('3m');
    await stage.schedules.update('s', { every: '1h', run: 'work' });
    await stage.advance('1h');
    expect((await stage.why(t('00:02:00'))).answer).toBe('started');
    expect((await stage.why(t('00:04:00'))).answer).toBe('notInSpec');
    const both = await internalsOf(stage.carillon).services.schedules.explain(
      { namespace: 'default', id: 's' },
      Date.parse(t('00:02:00')) as never,
    );
    expect(both.map(({ stamp }) => stamp)).toEqual([1]);
  });
});
