/** The registry by itself: behaviours 1 to 21. Nothing here has a clock or a store. */
import { describe, expect, test } from 'vitest';
import type { ServiceError } from '../../packages/carillon/src/base/error.ts';
import { formatInstant } from '../../packages/carillon/src/base/time.ts';
import { PeriodicRegistry } from '../../packages/carillon/src/periodic/registry.ts';
import type { PeriodicTask } from '../../packages/carillon/src/periodic/task.ts';

const hourly: PeriodicTask = { id: 'cleanup_hourly', cron: '0 * * * *', job: 'cleanup_old_data' };

function refusal(task: object): ServiceError {
  try {
    new PeriodicRegistry().register(task as PeriodicTask);
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('it was not refused');
}

/** The next times after a moment, as text. */
function nextTimes(task: Partial<PeriodicTask>, after: string, count = 1): readonly string[] {
  const registry = new PeriodicRegistry();
  const registered = registry.register({ ...hourly, ...task });
  const times: string[] = [];
  for (let from: string = after; times.length < count; ) {
    const next = registry.nextRun(registered, from);
    if (next === null) break;
    from = formatInstant(next);
    times.push(from);
  }
  return times;
}

describe('registration', () => {
  test('a valid task is stored, counted and found, in UTC, enabled and of normal priority by default', () => {
    const registry = new PeriodicRegistry();
    registry.register(hourly);
    expect(registry.count).toBe(1);
    expect(registry.get('cleanup_hourly')).toMatchObject({
      ...hourly,
      timezone: 'UTC',
      enabled: true,
      priority: 'normal',
      missed: 'once',
      overlap: 'skip',
    });
    expect(registry.get('other')).toBeUndefined();
  });

  test('a second task with the same id is refused and the first stays as it was', () => {
    const registry = new PeriodicRegistry();
    registry.register(hourly);
    expect(() => registry.register({ ...hourly, cron: '@daily' })).toThrow(
      /^schedule with ID cleanup_hourly already exists$/,
    );
    expect(registry.get('cleanup_hourly')?.cron).toBe('0 * * * *');
    expect(registry.count).toBe(1);
  });

  test.each([
    ['', 'invalid schedule: schedule ID cannot be empty'],
    ...['a b', 'a.b', 'a@b', 'a:b', 'é'].map((id) => [
      id,
      'invalid schedule: schedule ID must contain only alphanumeric characters, underscores, and hyphens',
    ]),
    ['x'.repeat(201), 'invalid schedule: schedule ID must have at most 200 characters, not 201'],
  ])('the id %j is refused with the field named', (id, message) => {
    expect(refusal({ ...hourly, id })).toMatchObject({ message, problems: [{ path: 'id' }] });
  });

  test.each([
    ['', 'invalid schedule: cron expression cannot be empty'],
    ['* * * *', /^invalid schedule: invalid cron expression "\* \* \* \*": .*5 fields/],
    ['60 * * * *', /^invalid schedule: invalid cron expression "60 \* \* \* \*": .*minute 60/],
    ['every day at nine', /^invalid schedule: invalid cron expression "every day at nine": /],
    ['@reboot', /^invalid schedule: invalid cron expression "@reboot": /],
    ['CRON_TZ=Asia/Tokyo 0 9 * * *', /the time zone belongs in timezone/],
  ])('the cron text %j is refused', (cron, message) => {
    const error = refusal({ ...hourly, cron });
    expect(error.message).toMatch(message);
    expect(error.problems).toMatchObject([{ path: 'cron' }]);
  });

  test('a task without cron and without every is refused', () => {
    expect(refusal({ id: 'a', job: 'b' }).message).toBe('invalid schedule: cron expression cannot be empty');
  });

  test.each([
    ['@hourly', '0 * * * *'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@weekly', '0 0 * * 0'],
    ['@monthly', '0 0 1 * *'],
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
  ])('%s is the same as %s', (macro, cron) => {
    const after = '2026-03-14T15:09:26Z';
    expect(nextTimes({ cron: macro }, after, 5)).toEqual(nextTimes({ cron }, after, 5));
  });

  test('30 February is refused as never matching, 29 February waits for a leap year', () => {
    expect(refusal({ ...hourly, cron: '0 0 30 2 *' }).message).toBe(
      'invalid schedule: invalid cron expression "0 0 30 2 *": it never matches',
    );
    expect(nextTimes({ cron: '0 0 29 2 *' }, '2026-01-01T00:00:00Z')).toEqual(['2028-02-29T00:00:00Z']);
  });

  test('weekday 7 is Sunday', () => {
    const after = '2026-01-01T00:00:00Z';
    expect(nextTimes({ cron: '0 0 * * 7' }, after, 3)).toEqual(nextTimes({ cron: '0 0 * * 0' }, after, 3));
  });

  test('when both day fields are restricted, either matches', () => {
    // Friday the 2nd, Tuesday the 13th, Friday the 9th …
    expect(nextTimes({ cron: '0 0 13 * 5' }, '2026-01-01T00:00:00Z', 3)).toEqual([
      '2026-01-02T00:00:00Z',
      '2026-01-09T00:00:00Z',
      '2026-01-13T00:00:00Z',
    ]);
  });

  test('an unknown zone is refused; UTC and an empty one are the same', () => {
    expect(refusal({ ...hourly, timezone: 'Mars/Olympus' }).message).toMatch(
      /^invalid schedule: invalid timezone "Mars\/Olympus": /,
    );
    expect(new PeriodicRegistry().register({ ...hourly, timezone: '' }).timezone).toBe('UTC');
  });

  test('an unknown priority is refused; none, or an empty one, is normal', () => {
    expect(refusal({ ...hourly, priority: 'urgent' }).message).toBe(
      'invalid schedule: invalid priority "urgent"',
    );
    expect(new PeriodicRegistry().register({ ...hourly, priority: '' } as never).priority).toBe('normal');
  });

  test('a task without a job is refused', () => {
    expect(refusal({ id: 'a', cron: '@daily' }).message).toBe('invalid schedule: job name cannot be empty');
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;
  test.each([
    ['a bigint', { n: 1n }],
    ['a function', () => {}],
    ['a date', { at: new Date(0) }],
    ['NaN', { n: Number.NaN }],
    ['a map', new Map()],
    ['undefined in a list', [undefined]],
    ['something within itself', circular],
  ])('a payload with %s is refused, because JSON does not hold it', (_, payload) => {
    const error = refusal({ ...hourly, payload });
    expect(error.message).toMatch(/^invalid schedule: payload is not JSON: /);
    expect(error.problems).toMatchObject([{ path: 'payload' }]);
  });

  test('several problems are told at once', () => {
    const { problems } = refusal({ id: 'a b', cron: '60 * * * *', timezone: 'Nowhere', priority: 'x' });
    expect(problems.map(({ path }) => path)).toEqual(['id', 'cron', 'job', 'timezone', 'priority']);
  });

  test.each([
    ['jitter', { jitter: 'soon' }],
    ['every', { cron: undefined, every: '1500ms' }],
    ['endAt', { startAt: '2026-02-01T00:00:00Z', endAt: '2026-01-01T00:00:00Z' }],
    ['overlap', { overlap: 'maybe' }],
    ['missed', { missed: { catchUp: 0 } }],
    ['maxRuns', { maxRuns: 0 }],
    ['timeZone', { timeZone: 'UTC' }],
    ['misfireWindow', { misfireWindow: 'long' }],
    ['bullmq.queue', { bullmq: { queue: 'a:b' } }],
  ])('what is wrong with %s is told under that name', (path, fields) => {
    expect(refusal({ ...hourly, ...fields }).problems).toMatchObject([{ path }]);
  });

  test('mustRegister throws with the same message, and says that it failed', () => {
    const registry = new PeriodicRegistry();
    expect(() => registry.mustRegister({ ...hourly, cron: '' })).toThrow(
      /^failed to register schedule: invalid schedule: cron expression cannot be empty$/,
    );
    registry.mustRegister(hourly);
    expect(() => registry.mustRegister(hourly)).toThrow(
      /^failed to register schedule: schedule with ID cleanup_hourly already exists$/,
    );
  });

  test('what the caller does to its object afterwards changes nothing, and the copy cannot be changed', () => {
    const payload = { ages: [30] };
    const task = { ...hourly, payload };
    const registry = new PeriodicRegistry();
    const registered = registry.register(task);
    task.cron = 'nonsense';
    payload.ages.push(31);
    expect(registry.get(hourly.id)).toMatchObject({ cron: '0 * * * *', payload: { ages: [30] } });
    expect(() => Object.assign(registered, { enabled: false })).toThrow(TypeError);
    expect(() => (registered.payload as { ages: number[] }).ages.push(32)).toThrow(TypeError);
  });

  test('the list is by id, not by the order in which tasks were registered', () => {
    const registry = new PeriodicRegistry();
    for (const id of ['b', 'c', 'a', 'B']) registry.register({ ...hourly, id });
    expect(registry.list().map(({ id }) => id)).toEqual(['B', 'a', 'b', 'c']);
  });

  test('the payload of a typed task is what its handler gets', () => {
    const registry = new PeriodicRegistry();
    registry.task({ id: 'a', cron: '@daily', payload: { days: 30 }, run: ({ payload }) => payload.days * 2 });
    // @ts-expect-error: the payload has no such field.
    registry.task({ id: 'b', cron: '@daily', payload: { days: 30 }, run: ({ payload }) => payload.weeks });
    expect(registry.get('a')).toMatchObject({ job: 'a', payload: { days: 30 } });
  });
});

describe('the next occurrence', () => {
  test('is strictly after', () => {
    expect(nextTimes({}, '2026-01-01T14:30:00Z')).toEqual(['2026-01-01T15:00:00Z']);
    expect(nextTimes({}, '2026-01-01T15:00:00.000Z')).toEqual(['2026-01-01T16:00:00Z']);
  });

  test('of every quarter of an hour after 14:07 is 14:15', () => {
    expect(nextTimes({ cron: '*/15 * * * *' }, '2026-01-01T14:07:00Z')).toEqual(['2026-01-01T14:15:00Z']);
  });

  test('of a daily 09:00 is today before nine and tomorrow after', () => {
    expect(nextTimes({ cron: '0 9 * * *' }, '2026-01-01T08:00:00Z')).toEqual(['2026-01-01T09:00:00Z']);
    expect(nextTimes({ cron: '0 9 * * *' }, '2026-01-01T10:00:00Z')).toEqual(['2026-01-02T09:00:00Z']);
  });

  test('of 09:00 in New York is 14:00Z in winter and 13:00Z in summer', () => {
    const task = { cron: '0 9 * * *', timezone: 'America/New_York' };
    expect(nextTimes(task, '2026-01-10T00:00:00Z')).toEqual(['2026-01-10T14:00:00Z']);
    expect(nextTimes(task, '2026-07-10T00:00:00Z')).toEqual(['2026-07-10T13:00:00Z']);
  });

  test('of 02:30 on the day the clock jumps is the first instant after the gap, or as the task says', () => {
    const task = { cron: '30 2 * * *', timezone: 'America/New_York' };
    const day = '2026-03-08T00:00:00-05:00';
    expect(nextTimes(task, day, 2)).toEqual(['2026-03-08T07:00:00Z', '2026-03-09T06:30:00Z']);
    expect(nextTimes({ ...task, dst: { gap: 'shift' } }, day)).toEqual(['2026-03-08T07:30:00Z']);
    expect(nextTimes({ ...task, dst: { gap: 'skip' } }, day)).toEqual(['2026-03-09T06:30:00Z']);
  });

  test('of 01:30 on the day the clock repeats an hour comes once, of an hourly task every elapsed hour', () => {
    const timezone = 'America/New_York';
    const day = '2026-11-01T00:00:00-04:00';
    expect(nextTimes({ cron: '30 1 * * *', timezone }, day, 2)).toEqual([
      '2026-11-01T05:30:00Z',
      '2026-11-02T06:30:00Z',
    ]);
    expect(nextTimes({ cron: '0 * * * *', timezone }, day, 4)).toEqual([
      '2026-11-01T05:00:00Z',
      '2026-11-01T06:00:00Z',
      '2026-11-01T07:00:00Z',
      '2026-11-01T08:00:00Z',
    ]);
  });

  test.each([
    ['0 0 31 * *', '2026-01-31T00:00:00Z', '2026-03-31T00:00:00Z'],
    ['0 0 29 2 *', '2024-02-29T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['0 0 1 * *', '2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z'],
    ['59 23 31 12 *', '2026-12-31T23:59:00Z', '2027-12-31T23:59:00Z'],
    ['*/10 * * * * *', '2026-12-31T23:59:55Z', '2027-01-01T00:00:00Z'],
  ])('of %s after %s is %s', (cron, after, next) => {
    expect(nextTimes({ cron }, after)).toEqual([next]);
  });

  test('of an interval counts from the epoch; outside its bounds there is none', () => {
    expect(nextTimes({ cron: undefined as never, every: '5m' }, '2026-01-01T00:02:00Z')).toEqual([
      '2026-01-01T00:05:00Z',
    ]);
    expect(nextTimes({ endAt: '2026-01-01T12:30:00Z' }, '2026-01-01T11:30:00Z', 3)).toEqual([
      '2026-01-01T12:00:00Z',
    ]);
  });

  test('is found by id, and refused for an unknown one', () => {
    const registry = new PeriodicRegistry();
    registry.register(hourly);
    expect(registry.nextRun('cleanup_hourly', 0)).toBe(3_600_000);
    expect(() => registry.nextRun('other', 0)).toThrow('no schedule with ID other');
    expect(() => registry.nextRun({ ...hourly, cron: 'x' }, 0)).toThrow(/^invalid schedule: /);
  });
});
