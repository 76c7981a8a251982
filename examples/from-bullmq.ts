/**
 * Moves the job schedulers of a BullMQ queue to Carillon and keeps the queue and its workers: reads them from Redis, compares the coming
 * times, declares a schedule for each, and removes the old scheduler. Needs REDIS_URL; every step may be repeated.
 */
import { Queue, Worker } from 'bullmq';
import type { ScheduleInput } from 'carillon';
import { openCarillon } from 'carillon';
import { CronExpressionParser } from 'cron-parser';

const url = process.env.REDIS_URL;
if (url === undefined) {
  console.log('this example needs REDIS_URL');
  process.exit();
}
const { hostname: host, port } = new URL(url);
const connection = { host, port: Number(port || 6379) };
const queue = new Queue('mail', { connection });

// What the old project did at its start.
await queue.upsertJobScheduler(
  'digest',
  { pattern: '0 7 * * *', tz: 'Europe/Berlin' },
  { name: 'digest', data: { to: 'all' } },
);
await queue.upsertJobScheduler(
  'reminders',
  { pattern: '*/15 9-17 * * 1-5', tz: 'America/New_York' },
  { name: 'remind' },
);
await queue.upsertJobScheduler('poll', { every: 60_000 }, { name: 'poll', data: { box: 'inbox' } });

const carillon = await openCarillon({ store: url, bullmq: { connection } });
for (const { key, name, pattern, tz, every, template } of await queue.getJobSchedulers()) {
  const when = pattern === undefined ? { every: Number(every) } : { cron: pattern, zone: tz ?? 'UTC' };
  const schedule: ScheduleInput = {
    ...when,
    bullmq: { queue: queue.name, name },
    input: template?.data ?? {},
    owner: 'mail',
  };
  await carillon.schedules.upsert(key, schedule, { note: 'moved from BullMQ' });
  if (pattern !== undefined) {
    const theirs = CronExpressionParser.parse(pattern, { tz: tz ?? 'UTC' }).take(200);
    const ours = await carillon.schedules.next(key, { count: 200 });
    const differing = ours.filter(({ nominal }, index) => nominal !== theirs[index]?.getTime());
    console.log(`${key}: ${ours.length} coming times compared, ${differing.length} differ`);
  }
  await queue.removeJobScheduler(key);
}

const worked: string[] = [];
const worker = new Worker(
  'mail',
  async ({ name, data }) => worked.push(`${name} for ${data.to ?? 'no address'}`),
  {
    connection,
  },
);
await carillon.start();
const { runId } = await carillon.schedules.trigger('digest');
const { outcome } = await carillon.runs.wait(String(runId));
console.log(`the worker of BullMQ did ${worked.at(-1)}: ${outcome}`);
const [due] = await carillon.schedules.next('reminders', { count: 1 });
const { answer } = await carillon.schedules.explain('reminders', due?.nominal ?? 0);
console.log(`the next reminder: ${answer}; left in BullMQ: ${(await queue.getJobSchedulers()).length}`);
await carillon.stop();
await worker.close();
await queue.close();
