/** The documented keys in a real Redis, as a dashboard would read them. */
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import type { PeriodicTask } from '../../packages/carillon/src/periodic/task.ts';
import { describeWithRedis, freshPrefix, redisNow } from '../support/redis-server.ts';
import { PeriodicStage } from './stage.ts';

const hourly: PeriodicTask = { id: 'cleanup_hourly', cron: '0 * * * *' };

await describeWithRedis('the state mirror', ({ url }) => {
  async function aStage(work: () => unknown = () => undefined, prune: 'delete' | 'disable' = 'disable') {
    const redis = new Redis(url);
    onTestFinished(() => redis.disconnect());
    const prefix = freshPrefix();
    const code = { tasks: [hourly, { ...hourly, id: 'other' }] as PeriodicTask[] };
    const stage = await PeriodicStage.open({
      tasks: () => code.tasks,
      options: () => ({ stateMirror: { redis, prefix }, prune }),
      work,
    });
    const hash = async (id = 'cleanup_hourly') => {
      await stage.periodic().settled();
      return await redis.hgetall(`${prefix}:schedules:${id}`);
    };
    return { stage, redis, prefix, hash, code };
  }

  test('shows the fields of the original, in RFC 3339', async () => {
    const { stage, hash } = await aStage();
    expect(await hash()).toEqual({ run_count: '0', next_run: '2026-01-05T11:00:00Z' });
    await stage.advance('2h');
    expect(await hash()).toEqual({
      run_count: '2',
      last_run: '2026-01-05T12:00:00Z',
      next_run: '2026-01-05T13:00:00Z',
      last_success: '2026-01-05T12:00:00Z',
    });
  });

  test('has the last error while there is one', async () => {
    let broken = true;
    const { stage, hash } = await aStage(() => {
      if (broken) throw new Error('disk full');
    });
    await stage.advance('1h');
    expect(await hash()).toMatchObject({ last_error: 'disk full', run_count: '1' });
    broken = false;
    await stage.advance('1h');
    expect(await hash()).not.toHaveProperty('last_error');
  });

  test('shows the lock while a job is under way, with a life of 60 s', async () => {
    let end = () => {};
    const { stage, redis, prefix } = await aStage(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const before = await redisNow(redis);
    await stage.advanceUntil('2026-01-05T11:00:00Z');
    await stage.periodic().settled();
    const key = `${prefix}:schedule_lock:cleanup_hourly`;
    expect(stage.ran.map(({ id }) => id)).toContain(await redis.get(key));
    // However long that took, by Redis' own clock it ends a minute after the job was made.
    const left = await redis.pttl(key);
    expect((await redisNow(redis)) + left - before).toBeGreaterThanOrEqual(60_000);
    end();
  });

  test('lost or changed by another program, it changes nothing about what runs, and is whole again after the next job', async () => {
    const { stage, redis, prefix, hash } = await aStage();
    await redis.hset(
      `${prefix}:schedules:cleanup_hourly`,
      'last_run',
      '2030-01-01T00:00:00Z',
      'next_run',
      'never',
    );
    await redis.set(`${prefix}:schedule_lock:cleanup_hourly`, 'intruder');
    await stage.advance('1h');
    expect(stage.ran.filter(({ schedule }) => schedule === 'cleanup_hourly')).toHaveLength(1);
    expect(await hash()).toMatchObject({
      last_run: '2026-01-05T11:00:00Z',
      next_run: '2026-01-05T12:00:00Z',
    });
  });

  test('is written to the last when the process stops, and complains of nothing', async () => {
    const { stage, redis, prefix } = await aStage();
    await stage.advance('1h');
    const stopping = stage.periodic().stop({ drainMs: 0 });
    await stage.advance('1m');
    await stopping;
    expect(await redis.hget(`${prefix}:schedules:cleanup_hourly`, 'run_count')).toBe('1');
    expect(stage.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('of a task that was deleted is gone', async () => {
    const { stage, hash, code } = await aStage(undefined, 'delete');
    expect(await hash('other')).toHaveProperty('run_count');
    code.tasks = [hourly];
    await stage.redeploy();
    expect(await hash('other')).toEqual({});
  });
});
