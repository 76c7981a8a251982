/** Jobs on a real BullMQ, on a real Redis, worked on by real BullMQ workers. */
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { type Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bullmqPriority } from '../../packages/carillon/src/action/bullmq-action.ts';
import { slotJobId } from '../../packages/carillon/src/action/slot-job.ts';
import type { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { createPeriodic } from '../../packages/carillon/src/periodic/periodic.ts';
import type { ScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import { describeWithRedis, freshPrefix, startRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { failureIn, lastRun, runOf, untilRun } from './stage.ts';

describe('a job of a slot', () => {
  const slot = { id: 'r1', namespace: 'default', schedule: 'nightly', scheduledAt: 1767225600000 as never };

  test('has an id made of the schedule and the nominal time, without colons', () => {
    expect(slotJobId({ ...slot, cause: 'auto' })).toBe('nightly@1767225600000');
    expect(slotJobId({ ...slot, cause: 'trigger:3' })).toBe('nightly@1767225600000.trigger-3');
    expect(slotJobId({ ...slot, namespace: 'a', cause: 'auto' })).toBe('a/nightly@1767225600000');
    expect(slotJobId({ ...slot, schedule: null, cause: null })).toBe('run@r1');
  });

  test('has a priority whatever ours is: high 1, normal 5, low 10', () => {
    expect([1000, 100, 50, 0, -50, -100, -1000].map(bullmqPriority)).toEqual([1, 1, 3, 5, 8, 10, 10]);
    // The table in docs/periodic.md.
    const ours = [100, 75, 50, 25, 0, -20, -40, -60, -80, -100];
    expect(ours.map(bullmqPriority)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

await describeWithRedis('BullMQ', ({ url }) => {
  interface Place {
    readonly carillon: Carillon;
    readonly queue: Queue;
    readonly redis: Redis;
    work(process: (job: Job) => Promise<unknown>): Worker;
  }

  async function aPlace(options: { readonly lookMs?: number; readonly to?: string } = {}): Promise<Place> {
    const { lookMs = 60_000, to = url } = options;
    const prefix = freshPrefix();
    const redis = new Redis(url, { maxRetriesPerRequest: null });
    const queue = new Queue('mail', { connection: redis, prefix });
    const carillon = await openCarillon({ store: 'memory:', bullmq: { connection: to, prefix, lookMs } });
    await carillon.start();
    const workers: Worker[] = [];
    onTestFinished(async () => {
      for (const worker of workers) await worker.close(true);
      await carillon.stop({ drainMs: 0 });
      await queue.close();
      redis.disconnect();
    });
    const work = (process: (job: Job) => Promise<unknown>) => {
      const worker = new Worker('mail', process, { connection: redis.duplicate(), prefix });
      workers.push(worker);
      return worker;
    };
    return { carillon, queue, redis, work };
  }

  const asleep = {
    at: '2099-01-01T00:00:00Z',
    bullmq: { queue: 'mail', name: 'digest' },
  } satisfies ScheduleInput;

  test('gets one job with the data, the reason and a priority, and its result is the result of the run', async () => {
    const { carillon, work } = await aPlace();
    const jobs: Job[] = [];
    work(async (job) => {
      jobs.push(job);
      return { sent: 3 };
    });
    await carillon.schedules.create('nightly', {
      ...asleep,
      bullmq: { ...asleep.bullmq, data: { to: 'all' }, opts: { attempts: 2 } },
      priority: 'high',
    });
    const run = await runOf(carillon, 'nightly');
    expect(run).toMatchObject({ outcome: 'completed', result: '{"sent":3}' });
    expect(jobs).toHaveLength(1);
    expect(jobs[0]).toMatchObject({
      id: expect.stringMatching(/^nightly@\d+\.trigger-1$/),
      name: 'digest',
      data: {
        to: 'all',
        _schedule: {
          schedule_id: 'nightly',
          trigger_type: 'manual',
          run_id: run.id,
          scheduled_at: expect.any(String),
        },
      },
      opts: { priority: 1, attempts: 2 },
    });
  });

  test('is normal in priority and named after the schedule when nothing is said; what is no object is a value', async () => {
    const { carillon, queue } = await aPlace();
    await carillon.schedules.create('plain', { at: asleep.at, bullmq: { queue: 'mail' }, input: [1, 2] });
    await carillon.schedules.trigger('plain');
    await untilRun(carillon, 'plain', ({ state }) => state === 'leased');
    const [job] = await untilJobs(queue, 1);
    expect(job).toMatchObject({ name: 'plain', opts: { priority: 5 }, data: { value: [1, 2] } });
  });

  test('that fails, after the attempts BullMQ makes, fails the run without another try', async () => {
    const { carillon, work } = await aPlace();
    let attempts = 0;
    work(async () => {
      attempts += 1;
      throw new Error('mailbox full');
    });
    await carillon.schedules.create('nightly', {
      ...asleep,
      bullmq: { ...asleep.bullmq, opts: { attempts: 3 } },
    });
    const run = await runOf(carillon, 'nightly');
    expect(run).toMatchObject({ outcome: 'failed', attempt: 1 });
    expect(failureIn(run)).toMatchObject({
      message: 'mailbox full',
      type: 'JobFailed',
      details: { attempts: 3 },
    });
    expect(attempts).toBe(3);
  });

  test('whose events are lost is noticed by the next poll', async () => {
    const admin = new Redis(url);
    onTestFinished(async () => {
      await admin.call('ACL', 'DELUSER', 'deaf');
      admin.disconnect();
    });
    // This user may do everything but read streams, and events are a stream.
    await admin.call('ACL', 'SETUSER', 'deaf', 'on', '>secret', '~*', '&*', '+@all', '-xread');
    const { carillon, queue, work } = await aPlace({ lookMs: 300, to: url.replace('//', '//deaf:secret@') });
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    work(() => held);
    await carillon.schedules.create('nightly', asleep);
    await carillon.schedules.trigger('nightly');
    await until(async () => (await queue.getActiveCount()) === 1);
    finish();
    await until(async () => (await queue.getCompletedCount()) === 1);
    expect((await lastRun(carillon, 'nightly')).state).toBe('leased');
    expect((await untilRun(carillon, 'nightly')).outcome).toBe('completed');
  });

  test('that is there already, after a crash before its run was told, is not made again', async () => {
    const { carillon, queue, work } = await aPlace();
    const worked: (string | undefined)[] = [];
    work(async ({ id }) => {
      worked.push(id);
      return 'done before';
    });
    /** Another process had handed the slot over and died; its job has been done since. */
    const handOver = async (): Promise<string | undefined> => {
      const at = Math.ceil((Date.now() + 2000) / 1000) * 1000;
      const jobId = `early@${at}`;
      await queue.add('digest', {}, { jobId });
      await until(() => worked.includes(jobId));
      try {
        await carillon.schedules.create('early', { ...asleep, at: new Date(at) });
        return jobId;
      } catch (error) {
        // A machine so slow that the time is over takes another one.
        expect(error).toMatchObject({ problems: [{ reason: 'OVER' }] });
        return undefined;
      }
    };
    const jobId = await until(handOver);
    const run = await untilRun(carillon, 'early');
    expect(run).toMatchObject({ outcome: 'completed', result: '"done before"' });
    expect(worked.filter((id) => id === jobId)).toHaveLength(1);
  });

  test('that waits is taken out of the queue when its run is cancelled', async () => {
    const { carillon, queue } = await aPlace();
    await carillon.schedules.create('nightly', asleep);
    await carillon.schedules.trigger('nightly');
    await untilJobs(queue, 1);
    const { id } = await lastRun(carillon, 'nightly');
    await carillon.runs.cancel(id, { reason: 'not today' });
    expect(await untilRun(carillon, 'nightly')).toMatchObject({ outcome: 'cancelled' });
    expect(await queue.getJobCounts('waiting', 'prioritized', 'delayed')).toEqual({
      waiting: 0,
      prioritized: 0,
      delayed: 0,
    });
  });

  test('that was removed ends its run as failed: how it went cannot be known', async () => {
    const { carillon, queue } = await aPlace();
    await carillon.schedules.create('nightly', asleep);
    await carillon.schedules.trigger('nightly');
    const [job] = await untilJobs(queue, 1);
    await job?.remove();
    const run = await untilRun(carillon, 'nightly');
    expect(failureIn(run)).toMatchObject({ type: 'JobGone' });
  });

  test('stays in the queue when the process stops, and its run goes on elsewhere', async () => {
    const { carillon, queue } = await aPlace();
    await carillon.schedules.create('nightly', asleep);
    await carillon.schedules.trigger('nightly');
    await untilJobs(queue, 1);
    await carillon.stop({ drainMs: 0 });
    expect(await queue.getJobCounts('prioritized')).toEqual({ prioritized: 1 });
  });

  test('that waits elsewhere does not keep a process from stopping, however long handlers may take', async () => {
    const { carillon, queue } = await aPlace();
    await carillon.schedules.create('nightly', asleep);
    await carillon.schedules.trigger('nightly');
    await untilJobs(queue, 1);
    // An hour: waiting for the job would end the test instead.
    await carillon.stop({ drainMs: 3_600_000 });
    expect(await queue.getJobCounts('prioritized')).toEqual({ prioritized: 1 });
  });

  test('that is not followed ends its run when it is in the queue, and the next slot makes the next job', async () => {
    const { carillon, queue } = await aPlace();
    await carillon.schedules.create('nightly', { ...asleep, bullmq: { ...asleep.bullmq, follow: false } });
    const run = await runOf(carillon, 'nightly');
    expect(run.outcome).toBe('completed');
    expect(JSON.parse(run.result ?? '')).toEqual({
      jobId: expect.stringMatching(/^nightly@\d+\.trigger-1$/),
    });
    await runOf(carillon, 'nightly');
    await untilJobs(queue, 2);
  });

  test('has the delay it was given; one that is deduplicated follows the job that is there', async () => {
    const { carillon, queue, work } = await aPlace();
    const opts = { delay: 300, deduplication: { id: 'once' } };
    for (const id of ['a', 'b']) {
      await carillon.schedules.create(id, { ...asleep, bullmq: { ...asleep.bullmq, opts } });
    }
    await carillon.schedules.trigger('a');
    await until(async () => (await queue.getDelayedCount()) === 1);
    const [job] = await queue.getDelayed();
    expect(job?.opts).toMatchObject({ delay: 300, priority: 5 });
    await carillon.schedules.trigger('b');
    const jobs: Job[] = [];
    work(async (each) => {
      jobs.push(each);
      return 'sent';
    });
    expect((await untilRun(carillon, 'a')).result).toBe('"sent"');
    expect((await untilRun(carillon, 'b')).result).toBe('"sent"');
    expect(jobs).toHaveLength(1);
  });

  test('for a connection that the process does not have is not started, and says so', async () => {
    const { carillon } = await aPlace();
    const bullmq = { queue: 'mail', connection: 'reports' };
    await carillon.schedules.create('nightly', { ...asleep, bullmq, retry: { attempts: 1 } });
    const run = await runOf(carillon, 'nightly');
    expect(failureIn(run)).toMatchObject({
      message: "this process has no BullMQ connection 'reports'",
      startFailed: true,
    });
  });

  test('of a periodic task goes out on the minute with the payload, and the state learns how it went', async () => {
    const { carillon: plain, work, queue } = await aPlace();
    const prefix = queue.opts.prefix as string;
    const carillon = await openCarillon({ store: 'memory:', bullmq: { connection: url, prefix } });
    const periodic = createPeriodic({ carillon });
    onTestFinished(() => periodic.stop({ drainMs: 0 }));
    work(async (job) => job.data.n + 1);
    periodic.register({
      id: 'every_second',
      cron: '* * * * * *',
      job: 'count',
      payload: { n: 41 },
      priority: 'low',
      bullmq: { queue: 'mail' },
      maxRuns: 1,
    });
    await periodic.start();
    await until(async () => (await periodic.state('every_second')).counts.successes === 1);
    const [job] = await queue.getCompleted();
    const { lastRun: at } = await periodic.state('every_second');
    expect(job).toMatchObject({
      id: `every_second@${at}`,
      name: 'count',
      opts: { priority: 10 },
      data: { n: 41, _schedule: { trigger_type: 'cron' } },
      returnvalue: 42,
    });
    expect(plain).toBeDefined();
  });
});

describe('a Redis that is away at due time', () => {
  const errors: object[] = [];
  beforeEach(() => void errors.splice(0));

  async function aPeriodic(port: number, attempts: number, prefix: string) {
    const carillon = await openCarillon({
      store: 'memory:',
      bullmq: { connection: { host: '127.0.0.1', port }, prefix },
    });
    const logger = {
      info: () => {},
      debug: () => {},
      error: (fields: object, message: string) => void errors.push({ ...fields, message }),
    };
    const periodic = createPeriodic({ carillon, logger });
    onTestFinished(() => periodic.stop({ drainMs: 0 }));
    periodic.register({
      id: 'mail',
      cron: '@yearly',
      job: 'digest',
      bullmq: { queue: 'mail' },
      retry: { attempts, initial: '50ms', longest: '200ms' },
    });
    await periodic.start();
    await periodic.trigger('mail');
    return periodic;
  }

  test('means no job and an error that is shown; back again, it gets the one job of the slot', async () => {
    const redis = await startRedis();
    if ('missing' in redis) throw new Error(redis.missing);
    const gate = createServer((socket) => {
      const through = connect(redis.port, '127.0.0.1');
      socket.pipe(through).pipe(socket);
      for (const end of [socket, through]) end.on('error', () => end.destroy());
    });
    const port = await listening(gate);
    await new Promise((resolve) => gate.close(resolve));
    const prefix = freshPrefix();
    const periodic = await aPeriodic(port, 1000, prefix);
    await until(async () => (await periodic.state('mail')).lastError !== null);
    expect(await periodic.state('mail')).toMatchObject({
      lastError: expect.stringMatching(/^BullMQ queue 'mail': /),
      counts: { runs: 1, successes: 0 },
    });
    // While the queue is down, every attempt logs it for the operator.
    expect(errors).toContainEqual(
      expect.objectContaining({
        message: 'Failed to enqueue scheduled job, trying again',
        schedule_id: 'mail',
        job_name: 'digest',
        error: expect.stringMatching(/^BullMQ queue 'mail': /),
      }),
    );
    await listening(gate, port);
    onTestFinished(() => void gate.close());
    const client = new Redis(redis.url, { maxRetriesPerRequest: null });
    const worker = new Worker('mail', async () => 'sent', { connection: client, prefix });
    onTestFinished(async () => {
      await worker.close(true);
      client.disconnect();
    });
    await until(async () => (await periodic.state('mail')).counts.successes === 1);
    expect(await periodic.state('mail')).toMatchObject({ lastError: null, counts: { runs: 1, failures: 0 } });
    const queue = new Queue('mail', { connection: client, prefix });
    const done = await queue.getCompleted();
    expect(done.map(({ id }) => id)).toEqual([expect.stringMatching(/^mail@\d+\.trigger-1$/)]);
    await queue.close();
  });

  test('for good means a start that failed, which the ledger and the counts say', async () => {
    const closed = createServer();
    const port = await listening(closed);
    await new Promise((resolve) => closed.close(resolve));
    const periodic = await aPeriodic(port, 2, freshPrefix());
    await until(async () => (await periodic.history('mail'))[0]?.decision === 'failed');
    const [newest] = await periodic.history('mail');
    expect(newest).toMatchObject({ verdict: 'startFailed', trigger: 'manual' });
    expect((await periodic.state('mail')).counts).toMatchObject({ runs: 0, failures: 1 });
  });
});

async function listening(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

test('what makes no sense about a BullMQ job is refused with its path', async () => {
  const carillon = await openCarillon('memory:');
  onTestFinished(() => carillon.stop());
  const refused = async (bullmq: object) => {
    const error = await carillon.schedules
      .create('x', { every: '1h', bullmq } as never)
      .catch((e: unknown) => e);
    return (error as { problems: readonly { path: string }[] }).problems.map(({ path }) => path);
  };
  expect(await refused({})).toEqual(['bullmq.queue']);
  expect(await refused({ queue: 'a:b' })).toEqual(['bullmq.queue']);
  expect(await refused({ queue: 'a', opts: { priority: 0 } })).toEqual(['bullmq.opts.priority']);
  expect(await refused({ queue: 'a', opts: { removeOnComplete: true } })).toEqual([
    'bullmq.opts.removeOnComplete',
  ]);
  expect(await refused({ queue: 'a', data: { n: 1n } })).toEqual(['bullmq']);
});

async function untilJobs(queue: Queue, count: number): Promise<readonly Job[]> {
  await until(async () => (await queue.getJobs(['waiting', 'prioritized'])).length === count);
  return await queue.getJobs(['waiting', 'prioritized']);
}
