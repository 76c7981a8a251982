import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { readScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import { aSchedule, aStage, t } from './stage.ts';

const name = { namespace: 'default', id: 's' };
const by = (requestId: string) => ({ actor: 'ann', door: 'test', requestId });

describe('conflict tokens', () => {
  test('guard an update: absent is unconditional, another one is refused and changes nothing', async () => {
    await using stage = await aSchedule();
    const { token } = await stage.schedules.update('s', { every: '2m', run: 'work' }, { token: 1 });
    expect(token).toBe(2);
    const before = await stage.describe();
    await expect(
      stage.schedules.update('s', { every: '3m', run: 'work' }, { token: 1 }),
    ).rejects.toMatchObject({
      code: 'failedPrecondition',
      reason: 'CONFLICT_TOKEN_MISMATCH',
    });
    expect(await stage.describe()).toEqual(before);
    expect(await stage.schedules.update('s', { every: '3m', run: 'work' })).toEqual({
      token: 3,
      isChanged: true,
    });
  });

  test('grow with every change and not with a fire', async () => {
    await using stage = await aSchedule();
    await stage.advance('2m');
    expect((await stage.describe()).token).toBe(1);
    await stage.schedules.pause('s');
    await stage.schedules.resume('s');
    await stage.schedules.trigger('s');
    expect((await stage.describe()).token).toBe(4);
  });
});

describe('a repeated request', () => {
  test('to create answers again and creates nothing; another one is refused', async () => {
    await using stage = await aStage();
    const service = internalsOf(stage.carillon).services.schedules;
    const draft = readScheduleInput({ every: '1m', run: 'work' });
    expect(await service.create(name, draft, by('r1'))).toEqual({ token: 1, created: true });
    expect(await service.create(name, draft, by('r1'))).toEqual({ token: 1, created: false });
    await expect(service.create(name, draft, by('r2'))).rejects.toMatchObject({ code: 'alreadyExists' });
  });

  test.each(['trigger', 'pause', 'update', 'backfill', 'delete'] as const)(
    'to %s happens once',
    async (what) => {
      await using stage = await aSchedule({ overlap: 'allowAll' });
      const service = internalsOf(stage.carillon).services.schedules;
      const range = { from: Date.parse(t('00:01:00')) as never, to: Date.parse(t('00:02:00')) as never };
      const draft = readScheduleInput({ every: '2m', run: 'work' });
      const ask = () => {
        if (what === 'trigger') return service.trigger(name, {}, by('same'));
        if (what === 'pause') return service.pause(name, by('same'));
        if (what === 'update') return service.update(name, draft, { ...by('same'), token: 1 });
        if (what === 'backfill') return service.backfill(name, range, by('same'));
        return service.delete(name, by('same'));
      };
      const first = await ask();
      await stage.advance('1s');
      const before = await stage.describe();
      expect(await ask()).toEqual(first);
      await stage.world.settle();
      expect(await stage.describe()).toEqual(before);
      expect((await stage.schedules.audit('s')).items.filter(({ action }) => action === what)).toHaveLength(
        1,
      );
    },
  );
});

describe('an update', () => {
  test('runs what is due under the old definition before the new one begins', async () => {
    await using stage = await aSchedule({ overlap: 'allowAll' });
    stage.world.crash(0);
    await stage.advance('3m');
    await stage.world.restart(0);
    await stage.schedules.update('s', { every: '5m', run: 'work' });
    await stage.advance('2m');
    expect(stage.times).toEqual(['00:01:00', '00:02:00', '00:03:00', '00:05:00']);
  });

  test('of a schedule far behind gives the rest of the old slots the verdict superseded', async () => {
    await using stage = await aSchedule({ every: '1s', catchup: '10s' });
    await internalsOf(stage.carillon).runtime.engine.stop();
    await stage.advance('3h');
    await stage.schedules.update('s', { every: '1h', run: 'work' });
    expect(await stage.ledger()).toEqual([
      '00:00:01–01:23:20 ×5000 missedWindow',
      '01:23:21–03:00:00 ×5800 superseded',
    ]);
    expect((await stage.why(t('02:00:00'))).text).toContain('changed before this slot was handled');
  });

  test('uses the new action for starts that wait, and leaves running ones alone', async () => {
    await using stage = await aSchedule({ run: 'long', input: { ms: 100_000 }, overlap: 'bufferAll' });
    await stage.advance('2m');
    await stage.schedules.update('s', { every: '1h', run: 'work', input: 'new', overlap: 'bufferAll' });
    await stage.advance('1m');
    expect(stage.performed.map(({ context }) => [context.name, context.input])).toEqual([
      ['long', { ms: 100_000 }],
      ['work', 'new'],
    ]);
    expect((await stage.runs()).map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
  });

  test('from five minutes to one second takes effect at once', async () => {
    await using stage = await aSchedule({ every: '5m' });
    await stage.advance('10s');
    await stage.schedules.update('s', { every: '1s', run: 'work' });
    await stage.advance('3s');
    expect(stage.times).toEqual(['00:00:11', '00:00:12', '00:00:13']);
  });

  test('replaces memo and attributes wholly, keeps a pause, and can end one', async () => {
    await using stage = await aSchedule({ memo: { a: 1 }, attributes: { team: 'red' }, paused: 'no' });
    await stage.schedules.update('s', { every: '1m', run: 'work', memo: { b: 2 } });
    expect(await stage.describe()).toMatchObject({ memo: { b: 2 }, attributes: {}, status: 'paused' });
    await stage.schedules.update('s', { every: '1m', run: 'work', paused: false });
    expect(await stage.describe()).toMatchObject({ memo: {}, status: 'running' });
  });
});

describe('upsert', () => {
  test('creates, then replaces, then creates again after a delete', async () => {
    await using stage = await aStage();
    const put = () => stage.schedules.upsert('s', { every: '1m', run: 'work' });
    expect(await put()).toEqual({ created: true, isChanged: true, token: 1 });
    expect(await put()).toEqual({ created: false, isChanged: false, token: 1 });
    await stage.schedules.delete('s');
    expect(await put()).toEqual({ created: true, isChanged: true, token: 1 });
  });
});

describe('delete', () => {
  test('closes at once: nothing starts any more, waiting starts are cancelled, running ones go on', async () => {
    await using stage = await aSchedule({ run: 'long', input: { ms: 200_000 }, overlap: 'bufferAll' });
    await stage.advance('2m');
    await stage.schedules.backfill('s', { from: t('00:01:00'), to: t('00:02:00') });
    await stage.schedules.delete('s', { actor: 'ann' });
    await stage.advance('1h');
    expect(await stage.verdicts()).toEqual({ started: 1, cancelled: 3 });
    expect((await stage.runs()).map(({ outcome }) => outcome)).toEqual(['completed']);
    expect((await stage.why(t('00:02:00'))).text).toBe('It was cancelled by ann before it started.');
    expect(await stage.schedules.count()).toBe(0);
  });

  test('gives due slots that no node handled the verdict cancelled', async () => {
    await using stage = await aSchedule();
    await internalsOf(stage.carillon).runtime.engine.stop();
    await stage.advance('3m');
    await stage.schedules.delete('s');
    expect(await stage.ledger()).toEqual(['00:01:00–00:03:00 ×3 cancelled']);
  });

  test('refuses every later change', async () => {
    await using stage = await aSchedule();
    await stage.schedules.delete('s');
    const closed = { code: 'failedPrecondition', reason: 'EXECUTION_CLOSED' };
    await expect(stage.schedules.update('s', { run: 'work' })).rejects.toMatchObject(closed);
    await expect(stage.schedules.pause('s')).rejects.toMatchObject(closed);
    await expect(stage.schedules.trigger('s')).rejects.toMatchObject(closed);
    await expect(stage.schedules.delete('s')).rejects.toMatchObject(closed);
    await expect(stage.schedules.describe('never')).rejects.toMatchObject({ code: 'notFound' });
  });

  test('frees the id: the next schedule begins anew', async () => {
    await using stage = await aSchedule();
    await stage.advance('1m');
    await stage.schedules.delete('s');
    await stage.create();
    expect(await stage.describe()).toMatchObject({ token: 1, counters: { actions: 0 } });
    expect(await stage.ledger()).toEqual([]);
  });
});

describe('the audit', () => {
  test('has one row for each change: who, through which door, why, before and after', async () => {
    await using stage = await aSchedule();
    const service = internalsOf(stage.carillon).services.schedules;
    await service.pause(name, { actor: 'ann', door: 'rest', note: 'too loud' });
    await service.resume(name, { actor: 'bob', door: 'grpc', note: 'quiet now' });
    await service.trigger(name, {}, { actor: 'cli', door: 'cli' });
    await service.update(name, readScheduleInput({ every: '2m', run: 'work' }), {
      actor: 'deploy',
      door: 'rest',
    });
    const range = { from: stage.world.now, to: stage.world.now };
    const { id } = await service.backfill(name, range, { actor: 'ann', door: 'rest' });
    await service.cancelBackfill(name, id, { actor: 'ann', door: 'rest' });
    await service.delete(name, { actor: 'ann', door: 'rest', note: 'done' });
    const rows = [...(await stage.schedules.audit('s')).items].reverse();
    expect(rows.map(({ action, actor, door, note }) => [action, actor, door, note].join(' ').trim())).toEqual(
      [
        'create embedded embed',
        'pause ann rest too loud',
        'resume bob grpc quiet now',
        'trigger cli cli',
        'update deploy rest',
        'backfill ann rest',
        'cancelBackfill ann rest',
        'delete ann rest done',
      ],
    );
    // biome-ignore lint/suspicious/noExplicitAny: the audit holds any JSON, and the expectations say what it must be
    const definition = (audited: unknown) => audited as any;
    expect(rows[0]?.before).toBeNull();
    expect(definition(rows[0]?.after).spec.intervals[0].everyMs).toBe(60_000);
    expect(definition(rows[1]?.before).paused).toBeNull();
    expect(definition(rows[1]?.after).paused).toMatchObject({ by: 'ann', note: 'too loud' });
    expect(definition(rows[4]?.before).spec.intervals[0].everyMs).toBe(60_000);
    expect(definition(rows[4]?.after).spec.intervals[0].everyMs).toBe(120_000);
  });
});
