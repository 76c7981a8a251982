/** Jobs for any other queue, through the port of a registry. */
import { expect, test } from 'vitest';
import type { OutgoingJob, PeriodicTask } from '../../packages/carillon/src/periodic/index.ts';
import { PeriodicStage } from './stage.ts';

const digest: PeriodicTask = {
  id: 'digest',
  cron: '0 * * * *',
  job: 'send',
  payload: { to: 'all' },
  queue: 'mail',
};

async function aStage(enqueue: (job: OutgoingJob) => unknown, tasks: readonly PeriodicTask[] = [digest]) {
  const jobs: OutgoingJob[] = [];
  const stage = await PeriodicStage.open({
    nodes: 2,
    tasks: () => tasks,
    options: () => ({
      enqueue: (job) => {
        jobs.push(job);
        return enqueue(job);
      },
    }),
  });
  return { stage, jobs };
}

test('an occurrence is one job, with an id of its own, the payload and its origin', async () => {
  const other = { ...digest, id: 'weekly', cron: '30 * * * *', payload: 5, priority: 'low' as const };
  const { stage, jobs } = await aStage(() => 'taken', [digest, other]);
  await stage.advance('75m');
  expect(jobs.map(({ signal: _, ...job }) => job)).toEqual([
    {
      id: `weekly@${Date.UTC(2026, 0, 5, 10, 30)}`,
      name: 'send',
      queue: 'mail',
      priority: 'low',
      scheduledAt: Date.UTC(2026, 0, 5, 10, 30),
      data: { value: 5, _schedule: expect.objectContaining({ schedule_id: 'weekly', trigger_type: 'cron' }) },
    },
    {
      id: `digest@${Date.UTC(2026, 0, 5, 11)}`,
      name: 'send',
      queue: 'mail',
      priority: 'normal',
      scheduledAt: Date.UTC(2026, 0, 5, 11),
      data: {
        to: 'all',
        _schedule: {
          schedule_id: 'digest',
          scheduled_at: '2026-01-05T11:00:00Z',
          enqueued_at: '2026-01-05T11:00:00Z',
          trigger_type: 'cron',
          run_id: expect.any(String),
          attempt: 1,
        },
      },
    },
    expect.objectContaining({ id: `weekly@${Date.UTC(2026, 0, 5, 11, 30)}` }),
  ]);
  const { items } = await stage.carillon().schedules.runs('digest', { include: 'payloads' });
  expect(items).toMatchObject([{ outcome: 'completed', result: 'taken' }]);
});

test('a queue that is away is tried again under the same id, ten times, with a line for each', async () => {
  let refusals = 0;
  const { stage, jobs } = await aStage(() => {
    refusals += 1;
    if (refusals < 4) throw new Error('queue away');
  });
  await stage.advance('45m');
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
  expect(jobs.map(({ data }) => data._schedule.attempt)).toEqual([1, 2, 3, 4]);
  const told = stage.lines.filter(({ message }) => message.startsWith('Failed to enqueue scheduled job'));
  expect(told.map(({ level, fields }) => [level, fields.schedule_id, fields.attempt])).toEqual([
    ['error', 'digest', 1],
    ['error', 'digest', 2],
    ['error', 'digest', 3],
  ]);
  const [run] = (await stage.carillon().schedules.runs('digest', { include: 'payloads' })).items;
  expect(run).toMatchObject({ outcome: 'completed', attempt: 4, result: { jobId: jobs[0]?.id } });
});

test('what cannot have arrived is no start, after the last attempt', async () => {
  const { stage, jobs } = await aStage(() => {
    throw Object.assign(new Error('no route'), { isUnsent: true });
  });
  await stage.advance('59m');
  expect(jobs).toHaveLength(10);
  const { items } = await stage.carillon().schedules.slots('digest');
  expect(items).toMatchObject([{ verdict: 'startFailed', nominal: Date.UTC(2026, 0, 5, 11) }]);
});
