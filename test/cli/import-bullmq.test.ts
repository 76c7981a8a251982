/** `carillon import bullmq`: from the real library on a real Redis, in the forms of its present and its older versions. */
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DoorStage } from '../door/door-stage.ts';
import { describeWithRedis } from '../support/redis-server.ts';
import { carillon } from './command-stage.ts';

const prefix = `import-${process.pid}`;

await describeWithRedis('carillon import bullmq', ({ url }) => {
  const redis = new Redis(url);
  const connection = { host: redis.options.host ?? '', port: redis.options.port ?? 0 };
  const mail = new Queue('mail', { connection, prefix });
  const end = Date.parse('2099-01-01T00:00:00Z');
  beforeAll(async () => {
    await mail.upsertJobScheduler(
      'digest',
      { pattern: '30 2 * * *', tz: 'Europe/Berlin', limit: 10 },
      {
        name: 'send',
        data: { to: 'all' },
        opts: { attempts: 3, removeOnComplete: { age: 60 }, keepLogs: 5 },
      },
    );
    await mail.upsertJobScheduler('poll', { every: 90_000, endDate: end }, { name: 'poll' });
    await mail.upsertJobScheduler('seconds', { pattern: '*/20 0 9 * * 1-5', tz: 'America/New_York' });
    // As bullmq 4 writes `queue.add('clean', …, { repeat: { pattern, tz } })` and `{ repeat: { every } }`.
    const key = (...parts: string[]) => [prefix, 'old', ...parts].join(':');
    await redis.zadd(key('repeat'), 1, 'clean::::0 4 * * 0', 2, `ping:7:${end}:UTC:60000`);
    await redis.zadd(key('delayed'), 1, 'repeat:0123:99');
    const opts = JSON.stringify({
      repeat: { pattern: '0 4 * * 0', count: 1 },
      jobId: 'repeat:0123:99',
      attempts: 0,
    });
    await redis.hset(key('repeat:0123:99'), { name: 'clean', data: '{"days":30}', opts });
  });
  afterAll(async () => {
    await mail.close();
    redis.disconnect();
  });
  const run = (...args: string[]) => carillon(['import', 'bullmq', url, '--prefix', prefix, ...args]);

  test('prints a manifest, proves the times and lists what has no counterpart, for both forms', async () => {
    const said = await run('--json', '--zone', 'Europe/Berlin');
    expect([said.code, said.stderr]).toEqual([0, '']);
    const { manifest, proofs, remarks } = JSON.parse(said.stdout);
    const byId = Object.fromEntries(manifest.schedules.map((each: { id: string }) => [each.id, each]));
    expect(Object.keys(byId).sort()).toEqual(['clean', 'digest', 'ping-7', 'poll', 'seconds']);
    expect(byId.digest).toMatchObject({
      cron: '30 2 * * *',
      zone: 'Europe/Berlin',
      bullmq: { queue: 'mail', name: 'send', opts: { attempts: 3, removeOnComplete: { age: 60 } } },
      input: { to: 'all' },
      remaining: 10,
      missed: 'latest',
    });
    expect(byId.poll).toMatchObject({ every: 90_000, bullmq: { name: 'poll' }, endAt: end });
    expect(byId.clean).toMatchObject({
      cron: '0 4 * * 0',
      zone: 'Europe/Berlin',
      bullmq: { queue: 'old', name: 'clean' },
      input: { days: 30 },
    });
    expect(byId['ping-7']).toMatchObject({ every: 60_000, endAt: end, input: {} });
    // A year of nights has both clock changes in it.
    const times = Object.fromEntries(
      proofs.map(({ id, times }: { id: string; times: number }) => [id, times]),
    );
    expect(times.digest).toBeGreaterThan(360);
    expect(times.seconds).toBeGreaterThan(700);
    expect(times.poll).toBe(1000);
    expect(proofs.every(({ difference }: { difference?: string }) => difference === undefined)).toBe(true);
    expect(
      remarks.map(({ name, level }: { name: string; level: string }) => `${name} ${level}`).sort(),
    ).toEqual(['clean info', 'digest warning', 'ping-7 warning', 'poll info']);
  });

  test('the report for people ends with the proof, and only the asked queues are read', async () => {
    const said = await run('--queue', 'mail');
    expect(said.code).toBe(0);
    expect(said.stderr).toMatch(/digest +.*equal, \d+ times compared/);
    expect(said.stderr).toMatch(
      /Proved: 3 schedules, \d+ fire times, equal to those that BullMQ computes\.\n$/,
    );
    expect(said.stdout).toContain('owner: bullmq');
    expect(said.stdout).not.toContain('clean');
  });

  test('applied, the schedules are on the server, and Redis is as it was', async () => {
    await using stage = await DoorStage.open();
    const before = await redis.zrange(`${prefix}:mail:repeat`, '0', '-1', 'WITHSCORES');
    const said = await carillon(
      ['import', 'bullmq', url, '--prefix', prefix, '--queue', 'mail', '--apply', '--owner', 'mail'],
      { url: stage.server.url },
    );
    expect(said.code).toBe(0);
    const { body } = await stage.call('/schedules/digest');
    expect(body).toMatchObject({ owner: 'mail', remaining: 10 });
    expect(await redis.zrange(`${prefix}:mail:repeat`, '0', '-1', 'WITHSCORES')).toEqual(before);
  });

  test('an address that is none, and one that does not answer, are told', async () => {
    expect(await carillon(['import', 'bullmq', 'localhost'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('write redis://host:6379'),
    });
    expect(await carillon(['import', 'bullmq', 'redis://127.0.0.1:1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot read 127.0.0.1:1'),
    });
  });
});
