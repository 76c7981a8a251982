/** When schedules of the Conductor door fire, what becomes of missed slots, and what the records say; in virtual time. */
import { describe, expect, test } from 'vitest';
import { ConductorWorld } from './conductor-world.ts';

const start = '2026-06-01T00:00:00Z';
const begin = Date.parse(start);
const minute = 60_000;
const slots = (first: number, count: number, step = minute) =>
  Array.from({ length: count }, (_, index) => first + index * step);

describe('firing', () => {
  test('is never early, and each run knows its slot', async () => {
    await using door = await ConductorWorld.open({}, { start });
    const saved = await door.save('s', { cronExpression: '*/10 * * * * *', zoneId: 'America/New_York' });
    expect(saved.body.nextRunTime).toBe(begin + 10_000);
    await door.world.advance('1m');
    expect(door.slotsOf('s')).toEqual(slots(begin + 10_000, 6, 10_000));
    for (const { at, slot, id, input } of door.ran) {
      expect(at).toBeGreaterThanOrEqual(slot);
      expect(input).toEqual({
        scheduledTime: slot,
        executionTime: at,
        _startedByScheduler: 's',
        _scheduledTime: slot,
        _executedTime: at,
        _executionId: id,
        _schedulerCron: '*/10 * * * * * America/New_York',
      });
    }
    expect((await door.call('GET', '/schedules/s')).body.nextRunTime).toBe(begin + 70_000);
  });

  test("a plain key of the user's own wins, keys with an underscore are the scheduler's", async () => {
    await using door = await ConductorWorld.open({}, { start });
    const input = { scheduledTime: 'mine', _scheduledTime: 'mine', other: 1 };
    await door.save('s', { cronExpression: '0 * * * * *', startWorkflowRequest: { name: 'work', input } });
    await door.world.advance('1m');
    expect(door.ran[0]?.input).toMatchObject({
      scheduledTime: 'mine',
      executionTime: begin + minute,
      _scheduledTime: begin + minute,
      other: 1,
    });
  });

  test('runs may overlap', async () => {
    await using door = await ConductorWorld.open({}, { start });
    door.world.carillon().handle('long', async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await door.save('s', { cronExpression: '0 * * * * *', startWorkflowRequest: { name: 'long' } });
    await door.world.advance('3m');
    expect((await door.world.carillon().schedules.describe('s')).running).toHaveLength(3);
  });

  test('entries have zones of their own; the earliest is the next run; a time that two of them name runs once', async () => {
    await using door = await ConductorWorld.open({}, { start });
    const cronSchedules = [
      { cronExpression: '0 0 9 * * *', zoneId: 'Asia/Tokyo' },
      { cronExpression: '0 0 0 * * *', zoneId: 'UTC' },
      { cronExpression: '0 0 18 * * *', zoneId: 'America/New_York' },
    ];
    const saved = await door.save('s', { cronSchedules });
    expect(saved.body.nextRunTime).toBe(Date.parse('2026-06-01T22:00:00Z'));
    await door.world.advance('1d');
    expect(door.slotsOf('s')).toEqual([
      Date.parse('2026-06-01T22:00:00Z'),
      Date.parse('2026-06-02T00:00:00Z'),
    ]);
    const texts = door.ran.map(({ input }) => input._schedulerCron);
    expect(texts).toEqual(['0 0 18 * * * America/New_York', '0 0 9 * * * Asia/Tokyo']);
  });

  test('bounds are exact and inclusive; after the end nothing fires again', async () => {
    await using door = await ConductorWorld.open({}, { start });
    const bounds = { scheduleStartTime: begin + minute, scheduleEndTime: begin + 3 * minute };
    await door.save('s', { cronExpression: '0 * * * * *', ...bounds });
    await door.save('late', {
      cronExpression: '0 * * * * *',
      ...bounds,
      scheduleStartTime: begin + minute + 1,
    });
    await door.save('one', {
      cronExpression: '0 * * * * *',
      ...bounds,
      scheduleStartTime: begin + 3 * minute,
    });
    await door.world.advance('1h');
    expect(door.slotsOf('s')).toEqual(slots(begin + minute, 3));
    expect(door.slotsOf('late')).toEqual(slots(begin + 2 * minute, 2));
    expect(door.slotsOf('one')).toEqual([begin + 3 * minute]);
    expect((await door.call('GET', '/schedules/s')).body).toMatchObject({ name: 's', nextRunTime: null });
  });

  test('a catch-up schedule keeps to its bounds too', async () => {
    await using door = await ConductorWorld.open({}, { start });
    const bounds = { scheduleStartTime: begin + 5 * minute, scheduleEndTime: begin + 8 * minute };
    await door.save('s', { cronExpression: '0 * * * * *', runCatchupScheduleInstances: true, ...bounds });
    await door.world.advance('2m');
    door.world.crash(0);
    await door.world.advance('1h');
    await door.world.restart(0);
    await door.world.advance('1m');
    expect(door.slotsOf('s')).toEqual(slots(begin + 5 * minute, 4));
  });

  test('saving again and again does not keep a schedule from firing, nor fire a slot twice', async () => {
    await using door = await ConductorWorld.open({}, { start });
    for (let saves = 0; saves < 120; saves += 1) {
      await door.save('s', { cronExpression: '*/10 * * * * *', description: `save ${saves}` });
      await door.world.advance(500);
    }
    expect(door.slotsOf('s')).toEqual(slots(begin + 10_000, 6, 10_000));
  });

  test('jitter delays a start, never its slot, and no other schedule', async () => {
    await using door = await ConductorWorld.open({ jitterMaxMs: 5000 }, { start });
    for (let index = 0; index < 20; index += 1)
      await door.save(`s${index}`, { cronExpression: '0 * * * * *' });
    await door.world.advance('2m');
    const first = door.ran.filter(({ slot }) => slot === begin + minute);
    expect(first).toHaveLength(20);
    const delays = first.map(({ at, slot }) => at - slot);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThanOrEqual(5000);
    expect(new Set(delays).size).toBeGreaterThan(10);
  });
});

describe('after an outage of an hour', () => {
  const outage = async (fields: object) => {
    const door = await ConductorWorld.open({}, { start });
    await door.save('s', { cronExpression: '0 */10 * * * *', ...fields });
    await door.world.advance('11m');
    door.world.crash(0);
    await door.world.advance('1h');
    await door.world.restart(0);
    await door.world.advance('1s');
    return door;
  };

  test('without catch-up the oldest slot runs once with its own time, then the next future one', async () => {
    await using door = await outage({});
    expect(door.slotsOf('s')).toEqual([begin + 10 * minute, begin + 20 * minute]);
    await door.world.advance('10m');
    expect(door.slotsOf('s').slice(2)).toEqual([begin + 80 * minute]);
    const why = await door.world.carillon().schedules.explain('s', begin + 30 * minute);
    expect(why).toMatchObject({ answer: 'coalesced' });
  });

  test('with catch-up every slot runs, in order and one after the other', async () => {
    await using door = await outage({ runCatchupScheduleInstances: true });
    expect(door.slotsOf('s')).toEqual(slots(begin + 10 * minute, 7, 10 * minute));
    const late = door.ran.slice(1).map(({ at }) => at);
    const gaps = late.slice(1).map((at, index) => at - (late[index] as number));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
  });

  test('a schedule of every second catches up', async () => {
    await using door = await ConductorWorld.open({}, { start });
    await door.save('s', { cronExpression: '* * * * * *', runCatchupScheduleInstances: true });
    door.world.crash(0);
    await door.world.advance('1m');
    await door.world.restart(0);
    await door.world.advance('30s');
    expect(door.slotsOf('s')).toEqual(slots(begin + 1000, 90, 1000));
  });
});

describe('pausing', () => {
  const paused = async (fields: object) => {
    const door = await ConductorWorld.open({}, { start });
    await door.save('s', { cronExpression: '0 */10 * * * *', ...fields });
    await door.call('PUT', '/schedules/s/pause?reason=holidays');
    await door.world.advance('35m');
    await door.call('PUT', '/schedules/s/resume');
    await door.world.advance('10m');
    return door;
  };

  test('without catch-up nothing of the pause runs', async () => {
    await using door = await paused({});
    expect(door.slotsOf('s')).toEqual([begin + 40 * minute]);
    const why = await door.world.carillon().schedules.explain('s', begin + 20 * minute);
    expect(why).toMatchObject({ answer: 'paused' });
    expect(JSON.stringify(why)).toContain('holidays');
  });

  test('with catch-up the slots of the pause run', async () => {
    await using door = await paused({ runCatchupScheduleInstances: true });
    expect(door.slotsOf('s')).toEqual(slots(begin + 10 * minute, 4, 10 * minute));
  });

  test('pausing and resuming twice does not replay what has run', async () => {
    await using door = await paused({ runCatchupScheduleInstances: true });
    await door.call('PUT', '/schedules/s/pause');
    await door.call('PUT', '/schedules/s/resume');
    await door.world.advance('10m');
    expect(door.slotsOf('s')).toEqual(slots(begin + 10 * minute, 5, 10 * minute));
  });

  test('holding all schedules outlives a restart, covers new ones, and is followed as an outage', async () => {
    await using door = await ConductorWorld.open({}, { start });
    const every = { cronExpression: '0 */10 * * * *' };
    await door.save('once', every);
    await door.save('all', { ...every, runCatchupScheduleInstances: true });
    await door.save('off', { ...every, paused: true });
    expect((await door.call('GET', '/admin/pause')).body).toEqual({ status: 'done' });
    await door.save('new', every);
    door.world.crash(0);
    await door.world.restart(0);
    await door.world.advance('35m');
    expect(door.ran).toEqual([]);
    expect((await door.call('GET', '/admin/resume')).body).toEqual({ status: 'done' });
    await door.world.advance('1s');
    expect(door.slotsOf('once')).toEqual([begin + 10 * minute]);
    expect(door.slotsOf('new')).toEqual([begin + 10 * minute]);
    expect(door.slotsOf('all')).toEqual(slots(begin + 10 * minute, 3, 10 * minute));
    await door.world.advance('10m');
    expect(door.slotsOf('off')).toEqual([]);
    expect((await door.call('GET', '/schedules/off')).body.paused).toBe(true);
  });
});

describe('records', () => {
  test('are pruned after each start: above ten, five stay', async () => {
    await using door = await ConductorWorld.open({}, { start });
    await door.save('s', { cronExpression: '0 * * * * *' });
    const shown: number[] = [];
    for (let starts = 1; starts <= 18; starts += 1) {
      await door.world.advance('1m');
      const { body } = await door.call('GET', '/search/executions?query=s');
      expect(body.results[0]).toMatchObject({ state: 'EXECUTED', scheduledTime: begin + starts * minute });
      shown.push(body.totalHits);
    }
    expect(shown).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 5, 6, 7, 8, 9, 10, 5, 6]);
  });

  test('say POLLED until a worker has taken the start, and go with the schedule', async () => {
    await using door = await ConductorWorld.open({}, { start });
    await door.save('s', {
      cronExpression: '0 * * * * *',
      startWorkflowRequest: { name: 'nobody-knows-it' },
    });
    await door.world.advance('4m');
    const { body } = await door.call('GET', '/schedules/s/executions?limit=3');
    expect(body).toHaveLength(3);
    expect(body[0]).toMatchObject({ state: 'POLLED', scheduledTime: begin + 4 * minute });
    expect((await door.call('GET', '/admin/requeue')).body['recordIds.size']).toBe(4);
    await door.call('DELETE', '/schedules/s');
    expect((await door.call('GET', '/search/executions')).body).toEqual({ totalHits: 0, results: [] });
    await door.save('s', { cronExpression: '0 * * * * *' });
    expect((await door.call('GET', '/search/executions')).body.totalHits).toBe(0);
  });

  test('are POLLED for five minutes at most: then a name that nothing knows is FAILED, with the reason', async () => {
    await using door = await ConductorWorld.open({}, { start });
    const startWorkflowRequest = { name: 'late' };
    await door.save('s', {
      cronExpression: '0 * * * * *',
      scheduleEndTime: begin + minute,
      startWorkflowRequest,
    });
    const found = async (state: string) =>
      (await door.call('GET', `/search/executions?query=state%20IN%20(${state})`)).body.results;
    await door.world.advance('5m');
    expect(await found('POLLED')).toHaveLength(1);
    await door.world.advance('2m');
    expect(await found('POLLED')).toEqual([]);
    expect(await found('FAILED')).toMatchObject([
      {
        scheduledTime: begin + minute,
        reason: 'No such workflow defined. name=late, version=null',
        startWorkflowRequest,
      },
    ]);
    const why = await door.world.carillon().schedules.explain('s', begin + minute);
    expect(why).toMatchObject({ answer: 'noWorker' });
  });

  test('of a name that a process learns within that time are EXECUTED', async () => {
    await using door = await ConductorWorld.open({}, { start });
    await door.save('s', { cronExpression: '0 * * * * *', startWorkflowRequest: { name: 'late' } });
    await door.world.advance('3m');
    const slots: number[] = [];
    door.world.carillon().handle('late', async ({ scheduledAt }) => {
      slots.push(scheduledAt);
    });
    await door.world.advance('30s');
    expect(slots).toEqual([begin + minute, begin + 2 * minute, begin + 3 * minute]);
    expect((await door.call('GET', '/search/executions?query=state:EXECUTED')).body.totalHits).toBe(3);
  });

  test('of a request with a version are FAILED at once where nothing knows the name', async () => {
    await using door = await ConductorWorld.open({}, { start });
    await door.save('s', {
      cronExpression: '0 * * * * *',
      startWorkflowRequest: { name: 'missing', version: 7 },
    });
    await door.world.advance('1m');
    await door.world.advance('5s');
    const { body } = await door.call('GET', '/search/executions?query=state:FAILED');
    expect(body.results).toMatchObject([
      { reason: 'No such workflow defined. name=missing, version=7', state: 'FAILED' },
    ]);
  });

  test('say EXECUTED for each start of work that fails', async () => {
    await using door = await ConductorWorld.open({}, { start });
    await door.save('s', { cronExpression: '0 * * * * *', startWorkflowRequest: { name: 'broken' } });
    await door.world.advance('3m');
    const { body } = await door.call('GET', '/search/executions?query=state:EXECUTED');
    expect(body.totalHits).toBe(3);
  });

  test('of one slot come in stable pages', async () => {
    await using door = await ConductorWorld.open({}, { start });
    for (let index = 0; index < 50; index += 1)
      await door.save(`s${index}`, { cronExpression: '0 * * * * *' });
    await door.world.advance('1m');
    const names = new Set<string>();
    for (let from = 0; from < 50; from += 7) {
      const { body } = await door.call('GET', `/search/executions?start=${from}&size=7`);
      for (const { scheduleName } of body.results) names.add(scheduleName);
    }
    expect(names.size).toBe(50);
  });

  test('keep the request as it was when they started', async () => {
    await using door = await ConductorWorld.open({}, { start });
    const request = (version: number) => ({ startWorkflowRequest: { name: 'work', version } });
    await door.save('s', { cronExpression: '0 * * * * *', zoneId: 'Asia/Tokyo', ...request(1) });
    await door.world.advance('90s');
    await door.save('s', { cronExpression: '0 * * * * *', ...request(2) });
    await door.world.advance('1m');
    const { body } = await door.call('GET', '/search/executions?sort=scheduledTime:ASC');
    const seen = (
      body.results as readonly { startWorkflowRequest: { version: number }; zoneId: string }[]
    ).map(({ startWorkflowRequest, zoneId }) => [startWorkflowRequest.version, zoneId]);
    expect(seen).toEqual([
      [1, 'Asia/Tokyo'],
      [2, 'UTC'],
    ]);
  });
});

test('the coming times of a stored schedule are in its own zone and within its bounds', async () => {
  await using door = await ConductorWorld.open({}, { start });
  const scheduleEndTime = Date.parse('2026-06-03T12:00:00Z');
  await door.save('s', { cronExpression: '0 0 9 * * *', zoneId: 'Europe/Berlin', scheduleEndTime });
  const { body } = await door.call('GET', '/schedules/s/next-execution-times?count=9');
  expect(body).toEqual(slots(Date.parse('2026-06-01T07:00:00Z'), 3, 24 * 60 * minute));
});
