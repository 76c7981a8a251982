import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../packages/carillon/src/base/error.ts';
import { readScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import { aSchedule, aStage, t } from './stage.ts';

const circular: Record<string, unknown> = {};
circular.self = circular;

/** One bad value for every field. */
const bad: readonly (readonly [path: string, input: Record<string, unknown>])[] = [
  ['cron', { cron: '99 * * * *' }],
  ['cron', { cron: 5 }],
  ['cron[1]', { cron: ['0 * * * *', 'x'] }],
  ['dialect', { dialect: 'quartz' }],
  ['every', { every: '5x' }],
  ['every', { every: 0 }],
  ['every', { every: -1000 }],
  ['offset', { offset: '5m' }],
  ['offset', { every: '1s', offset: '2s' }],
  ['at', { at: 'tomorrow' }],
  ['at', { at: new Date(Number.NaN) }],
  ['at', { at: 1e20 }],
  ['rrule', { rrule: 'FREQ=BAD' }],
  ['spec', { spec: 7 }],
  ['spec.cron[0].text', { spec: { cron: [{ text: 'x' }] } }],
  ['zone', { zone: 'Mars/Olympus' }],
  ['dst.gap', { dst: { gap: 'no' } }],
  ['dst.fold', { dst: { fold: 'no' } }],
  ['dst.leap', { dst: { leap: 'no' } }],
  ['startAt', { startAt: 'soon' }],
  ['endAt', { endAt: true }],
  ['jitter', { jitter: -1 }],
  ['excludeDates[0]', { excludeDates: ['x'] }],
  ['run', { run: undefined }],
  ['run', { run: '' }],
  ['http', { http: { url: 'https://example.com' } }],
  ['http.url', { run: undefined, http: { url: 'ftp://x' } }],
  ['http.method', { run: undefined, http: { url: 'https://x', method: 'HEAD' } }],
  ['command.argv', { run: undefined, command: { argv: [] } }],
  ['input', { input: 1n }],
  ['input.self', { input: circular }],
  ['input', { input: 'x'.repeat(2_100_000) }],
  ['queue', { queue: '@ours' }],
  ['priority', { priority: 'urgent' }],
  ['priority', { priority: 1e9 }],
  ['workflowId', { workflowId: 'x'.repeat(901) }],
  ['retry.attempts', { retry: { attempts: 0 } }],
  ['retry.initial', { retry: { initial: 'soon' } }],
  ['retry.longest', { retry: { longest: true } }],
  ['retry.coefficient', { retry: { coefficient: 0 } }],
  ['retry.tries', { retry: { tries: 3 } }],
  ['attemptTimeout', { attemptTimeout: 'x' }],
  ['timeout', { timeout: 'x' }],
  ['overlap', { overlap: 'never' }],
  ['limit', { limit: 0 }],
  ['limit', { limit: 1.5 }],
  ['catchup', { catchup: true }],
  ['missed', { missed: 'some' }],
  ['pauseAfterFailures', { pauseAfterFailures: -1 }],
  ['remaining', { remaining: -1 }],
  ['keepOriginalId', { keepOriginalId: 'yes' }],
  ['idleClose', { idleClose: 'x' }],
  ['paused', { paused: 3 }],
  ['note', { note: 'x'.repeat(1001) }],
  ['description', { description: 5 }],
  ['owner', { owner: 'x'.repeat(256) }],
  ['tags[0]', { tags: [''] }],
  ['memo', { memo: [] }],
  ['attributes.$mine', { attributes: { $mine: 1 } }],
  ['attributes.x', { attributes: { x: {} } }],
  ['bogus', { bogus: 1 }],
];

describe('bad input', () => {
  test.each(bad.map(([path, input]) => ({ path, input })))(
    'names $path, the rule and the fix',
    ({ path, input }) => {
      const problems = problemsOf(() => readScheduleInput({ run: 'work', ...input }));
      const found = problems.find((problem) => problem.path === path);
      expect(found, JSON.stringify(problems)).toBeDefined();
      expect(found?.reason).toMatch(/^[A-Z_]+$/);
      expect(found?.message).not.toBe('');
      expect(found?.fix ?? '').not.toBe('');
    },
  );

  test('is reported all at once', () => {
    const problems = problemsOf(() =>
      readScheduleInput({ run: 'work', overlap: 'x', limit: 0, missed: 'y' }),
    );
    expect(problems.map(({ path }) => path)).toEqual(['overlap', 'limit', 'missed']);
    const later = problemsOf(() => readScheduleInput({ offset: '5m', cron: 'x' }));
    expect(later.map(({ path }) => path)).toEqual(['offset', 'cron', 'run']);
  });

  test('creates nothing and changes nothing', async () => {
    await using stage = await aSchedule();
    const before = await stage.describe();
    await expect(stage.schedules.create('other', { cron: 'x', run: 'work' })).rejects.toMatchObject({
      code: 'invalidArgument',
    });
    await expect(stage.schedules.update('s', { cron: 'x', run: 'work' })).rejects.toMatchObject({
      code: 'invalidArgument',
    });
    expect(await stage.describe()).toEqual(before);
    expect(await stage.schedules.count()).toBe(1);
    expect((await stage.schedules.audit('s')).items).toHaveLength(1);
  });

  test.each([
    ['trigger', { overlap: 'never' }, 'overlap'],
    ['resume', { missed: 'some' }, 'missed'],
    ['backfill', { from: t('00:01:00'), to: t('00:00:00') }, 'to'],
    ['backfill', { from: t('00:01:00'), to: t('00:02:00'), overlap: 'never' }, 'overlap'],
    ['backfill', { from: t('00:01:00'), to: t('00:02:00'), ratePerMinute: 0 }, 'ratePerMinute'],
    [
      'backfill',
      { from: t('00:01:00'), to: t('00:02:00'), ratePerMinute: Number.POSITIVE_INFINITY },
      'ratePerMinute',
    ],
  ])('of a %s is refused with its path, its fix, and no change', async (verb, given, path) => {
    await using stage = await aSchedule();
    const { schedules } = stage;
    const call = async () => {
      if (verb === 'trigger') return await schedules.trigger('s', given as never);
      if (verb === 'resume') return await schedules.resume('s', given as never);
      return await schedules.backfill('s', given as never);
    };
    const error = await call().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'invalidArgument', problems: [{ path, fix: expect.any(String) }] });
    expect((await stage.describe()).token).toBe(1);
  });

  test.each([
    { id: '', ok: false },
    { id: 'x'.repeat(977), ok: true },
    { id: 'x'.repeat(978), ok: false },
    { id: 'ü'.repeat(488), ok: true },
    { id: 'ü'.repeat(489), ok: false },
  ])('an id of $id.length characters is accepted: $ok', async ({ id, ok }) => {
    await using stage = await aStage();
    const creating = stage.schedules.create(id, { every: '1m', run: 'work' });
    if (!ok) {
      await expect(creating).rejects.toMatchObject({ problems: [{ path: 'id', fix: expect.any(String) }] });
      return;
    }
    await creating;
    await stage.advance('1m');
    expect(stage.performed).toHaveLength(1);
  });
});

function problemsOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (error instanceof ServiceError) return error.problems;
    throw error;
  }
  return [];
}
