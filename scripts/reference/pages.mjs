// What the reference describes, page by page, with an example each. An entry is a name, or a
// name with an example or another entry point than the page's (default: the main one). The examples are compiled by test/docs.
export const pages = [
  {
    file: 'open',
    title: 'Opening a Carillon',
    about: '`openCarillon` with every option, the `Carillon`, what it keeps and for how long',
    intro: 'A program opens one Carillon on a store, registers its handlers, and starts it.',
    entries: [
      {
        name: 'openCarillon',
        example: `
import { openCarillon } from 'carillon';

const opened = await openCarillon({ store: 'postgres://localhost/app', name: 'worker-1', concurrency: 20 });
opened.handle('report', () => 'written');
await opened.start();
`,
      },
      {
        name: 'CarillonOptions',
        example: `
import type { CarillonOptions } from 'carillon';

const options: CarillonOptions = {
  store: 'sqlite:./carillon.db',
  durability: 'fast',
  command: false,
  allowPrivateTargets: false,
  secrets: { file: '/run/secrets/carillon.json' },
  retention: { finishedRuns: 7 * 86_400_000 },
  onFailed: ({ runId }) => console.error('failed for good:', runId),
};
`,
      },
      {
        name: 'Carillon',
        example: `
const report = carillon.handle('report', () => 'written', { queue: 'reports', concurrency: 4 });
const unsubscribe = carillon.subscribe((event) => console.log(event.type));
await carillon.reloadHandlers(() => carillon.handle('changing', () => 'new code'));
await carillon.backup('./copy.db');
console.log(carillon.queues, carillon.activeRuns, await carillon.nodes.list(), report.name);
unsubscribe();
await carillon.stop({ drainMs: 5000 });
`,
      },
      'HandleOptions',
      'HttpOptions',
      'CommandOptions',
      {
        name: 'BullmqOptions',
        example: `
await openCarillon({ store: 'redis://localhost', bullmq: { connection: { host: 'localhost', port: 6379 } } });
`,
      },
      'RetentionPolicy',
      'CarillonWarning',
    ],
  },
  {
    file: 'schedules',
    title: 'Schedules',
    about: '`carillon.schedules`, the fields of a schedule, what a description has',
    intro:
      'Everything that can be done with schedules of one namespace. The client has the same methods ([Client](client.md)); its times are texts.',
    entries: [
      {
        name: 'Schedules',
        example: `
const { schedules: all } = carillon;
await all.create('nightly', { cron: '0 2 * * *', zone: 'Europe/Berlin', run: 'report' });
await all.update('nightly', { cron: '0 3 * * *', zone: 'Europe/Berlin', run: 'report' });
await all.upsert('nightly', { cron: '0 3 * * *', zone: 'Europe/Berlin', run: 'report' }, { note: 'deploy 42' });
await all.patch('nightly', { overlap: 'bufferOne', tags: null });
const { token, next } = await all.describe('nightly');
const asWritten = await all.definition('nightly');
const { items } = await all.list({ limit: 20 });
for await (const { id } of all.each()) console.log(id);
console.log(await all.count(), token, next, asWritten, items);
await all.pause('nightly', { note: 'audit', until: '2026-12-01T00:00:00Z' });
await all.resume('nightly', { missed: 'latest' });
const { verdict, runId } = await all.trigger('nightly', { overlap: 'allowAll' });
const { id: backfill } = await all.backfill('nightly', january);
console.log(verdict, runId, await all.previewBackfill('nightly', january));
await all.cancelBackfill('nightly', backfill);
await all.bulk('pause', ['nightly', 'weekly'], { note: 'freeze' });
console.log(await all.next('nightly', { count: 3 }));
console.log((await all.explain('nightly', '2026-11-16T02:00:00Z')).text);
console.log(await all.explainAll('nightly', '2026-11-16T02:00:00Z'));
console.log(await all.versions('nightly'), await all.slots('nightly'), await all.runs('nightly'));
console.log(await all.audit('nightly'));
await all.release('nightly');
await all.delete('nightly', { waiting: 'keep' });
`,
      },
      {
        name: 'ScheduleInput',
        example: `
import type { ScheduleInput } from 'carillon';

const schedule: ScheduleInput = {
  cron: ['0 9 * * MON-FRI', '0 12 * * SAT'],
  zone: 'America/New_York',
  excludeDates: ['2026-12-25'],
  dst: { gap: 'shift', fold: 'first' },
  run: 'report',
  input: { team: 'sales' },
  overlap: 'bufferOne',
  catchup: '2h',
  missed: 'latest',
  retry: { attempts: 5, initial: '1s' },
  attemptTimeout: '10m',
  pauseAfterFailures: 3,
  tags: ['billing'],
};
await carillon.schedules.create('opening', schedule);
`,
      },
      'EmbedChangeOptions',
      'ScheduleFilters',
      {
        name: 'ScheduleDescription',
        example: `
const { status, words, counters, failures } = await carillon.schedules.describe('opening');
console.log(status, words, counters.actions, failures);
`,
      },
      {
        name: 'Explanation',
        example: `
const { answer, text } = await carillon.schedules.explain('opening', '2026-11-16T14:00:00Z');
console.log(answer, text);
`,
      },
      'SlotView',
      'AuditView',
    ],
  },
  {
    file: 'runs',
    title: 'Runs and handlers',
    about: '`carillon.runs`, what a handler receives, typed handlers',
    intro: 'A run is one piece of work: of a slot, of a trigger, or queued without a schedule.',
    entries: [
      {
        name: 'Runs',
        example: `
const run = await carillon.runs.enqueue({ run: 'report', input: { team: 'sales' }, priority: 'high' });
const ended = await carillon.runs.wait(run.id);
console.log(ended.outcome, ended.result, (await carillon.runs.get(run.id)).attempt);
const { items: failed } = await carillon.runs.list({ outcome: ['failed'], limit: 10 });
for await (const each of carillon.runs.each({ queue: 'default' })) console.log(each.id);
for await (const line of carillon.runs.log(run.id, { follow: true })) console.log(line);
await carillon.runs.again(run.id);
await carillon.runs.cancel(run.id, { reason: 'the disk is full' });
await carillon.runs.terminate(run.id);
console.log(failed);
`,
      },
      {
        name: 'RunContext',
        example: `
import type { RunContext } from 'carillon';

carillon.handle('copy', async ({ input, progress, heartbeat, log, signal }: RunContext<{ files: string[] }>) => {
  for (const [index, file] of input.files.entries()) {
    if (index < Number(progress)) continue; // an earlier attempt came this far
    signal.throwIfAborted();
    log('copied', file);
    heartbeat(index + 1);
  }
});
`,
      },
      'RunView',
      'RunFilters',
      'RunOptions',
      'RetryPolicy',
      'Failure',
      {
        name: 'defineHandler',
        example: `
import { defineHandler } from 'carillon';
import { z } from 'zod';

const invoice = defineHandler({
  name: 'invoice',
  input: z.object({ customer: z.string() }),
  result: z.object({ pages: z.number() }),
  run: ({ input: { customer } }) => ({ pages: customer.length }),
});
carillon.handle(invoice);
const made = await carillon.runs.enqueue({ run: invoice, input: { customer: 'ACME' } });
console.log((await carillon.runs.wait(made)).result?.pages);
`,
      },
      {
        name: 'NonRetryable',
        example: `
import { NonRetryable } from 'carillon';

carillon.handle('charge', () => {
  throw new NonRetryable('the card is gone');
});
`,
      },
    ],
  },
  {
    file: 'events',
    title: 'Events and observers',
    about: 'what `subscribe` and `observe` tell',
    intro:
      'Events are told after they are durable. Over HTTP the same events come as a stream ([the server](../server.md)).',
    entries: [
      {
        name: 'CarillonEvent',
        example: `
carillon.subscribe((event) => {
  if (event.type === 'pausedOnFailure') log.warn(\`\${event.schedule} paused itself\`);
});
`,
      },
      {
        name: 'CarillonObserver',
        example: `
const stop = carillon.observe({ lost: (reason) => log.warn(\`the store is gone: \${reason.message}\`) });
stop();
`,
      },
      'FailedEvent',
    ],
  },
  {
    file: 'errors',
    title: 'Errors',
    about: '`ServiceError`, problems of input, errors of the client',
    intro: 'Switch on `reason`, never on `message`. [All reasons](../errors.md) with what to do about them.',
    entries: [
      {
        name: 'ServiceError',
        example: `
import { isServiceError } from 'carillon';

try {
  await carillon.schedules.create('nightly', { cron: '0 2 * *', run: 'report' });
} catch (error) {
  if (!isServiceError(error)) throw error;
  for (const { path, reason, message, fix } of error.problems) console.error(path, reason, message, fix);
}
`,
      },
      'Problem',
      {
        name: 'isServiceError',
      },
      'RunInterrupted',
      {
        from: 'carillon/client',
        name: 'CarillonError',
        example: `
import { CarillonClient, isCarillonError } from 'carillon/client';

const client = new CarillonClient();
await client.schedules.pause('nigthly').catch((error) => {
  if (isCarillonError(error) && error.reason === 'SCHEDULE_NOT_FOUND') console.error(error.message);
});
`,
      },
    ],
  },
  {
    file: 'host',
    from: 'carillon/host',
    title: 'Producers and consumers',
    about: '`carillon/host`: workflows that publish events and work on them',
    intro: 'The guide is [Producers and consumers](../guides/producers-and-consumers.md).',
    entries: [
      {
        name: 'createHost',
        example: `
import { createHost, defineWorkflow, topic } from 'carillon/host';

const inbox = defineWorkflow({ name: 'inbox', topics: { mail: topic<{ readonly from: string }>() } })
  .producer('poll', {
    schedule: { interval: '1m' },
    publishes: ['mail'],
    handler: (ctx) => {
      ctx.publish('mail', { id: '1', payload: { from: 'ada' } });
    },
  })
  .consumer('answer', {
    subscribe: ['mail'],
    prepare: async (ctx) => {
      const [mail] = await ctx.peek('mail', { limit: 1 });
      const reservations = mail === undefined ? [] : [{ topic: 'mail' as const, ids: [mail.id] }];
      return { reservations, data: undefined };
    },
  });
const host = createHost({ carillon, workflows: [inbox], settings: { phaseLimit: '30s' } });
console.log(await host.describe('inbox'));
`,
      },
      'HostOptions',
      'defineWorkflow',
      'topic',
      'SettingsInput',
      'Host',
    ],
  },
  {
    file: 'periodic',
    from: 'carillon/periodic',
    title: 'Periodic tasks',
    about: '`carillon/periodic`: schedules declared in code',
    intro: 'The guide is [Periodic tasks](../periodic.md).',
    entries: [
      {
        name: 'createPeriodic',
        example: `
import { createPeriodic } from 'carillon/periodic';

const tasks = createPeriodic({ carillon, owner: 'billing' });
tasks.task({ id: 'cleanup', cron: '0 * * * *', payload: { days: 30 }, run: ({ payload }) => cleanUp(payload.days) });
await tasks.start();
`,
      },
      'PeriodicOptions',
      'PeriodicTask',
      {
        name: 'Periodic',
        example: `
await periodic.override('cleanup', { cron: '30 * * * *' });
await periodic.pause('cleanup', 'audit');
await periodic.resume('cleanup');
await periodic.trigger('cleanup');
console.log(await periodic.state('cleanup'), await periodic.history('cleanup', 10));
`,
      },
    ],
  },
  {
    file: 'lock',
    from: 'carillon/lock',
    title: 'Locks',
    about: '`carillon/lock`: one holder at a time, with fencing',
    intro: 'A lock on a store, on Redis, or on a backend of your own.',
    entries: [
      {
        name: 'withLock',
        example: `
import { storeLocks, withLock } from 'carillon/lock';

await withLock(storeLocks(carillon), 'invoices', { ttl: '1m' }, async (signal, { fence }) => {
  await writeInvoices({ signal, fence });
});
`,
      },
      'WithLockOptions',
      'acquireLock',
      'LockOptions',
      'DistributedLock',
      'storeLocks',
      'redisLocks',
    ],
  },
  {
    file: 'testing',
    from: 'carillon/testing',
    title: 'Testing',
    about: '`carillon/testing`: a world in virtual time',
    intro: 'The guide is [Testing your schedules](../guides/testing-your-schedules.md).',
    entries: [
      {
        name: 'CarillonWorld',
        example: `
import { CarillonWorld } from 'carillon/testing';

await using day = await CarillonWorld.start({ setup: (c) => c.handle('report', () => 'ok') });
await day.carillon().schedules.create('hourly', { cron: '0 * * * *', run: 'report' });
await day.advanceToNext('hourly');
await day.advance('1d');
await day.assertOutcomes('hourly', { completed: 25 });
`,
      },
      'CarillonWorldOptions',
      'Faults',
    ],
  },
  {
    file: 'client',
    from: 'carillon/client',
    title: 'Client and remote workers',
    about: '`carillon/client`: the same API over HTTP, and workers in other processes',
    intro: 'Needs nothing but `fetch`, so it also runs in browsers. Times are texts.',
    entries: [
      {
        name: 'CarillonClient',
        example: `
import { CarillonClient } from 'carillon/client';

const api = new CarillonClient({ url: 'http://127.0.0.1:8080', key: 'crl_…' });
await api.schedules.pause('nightly', { note: 'audit' });
console.log(await api.about(), await api.nodes());
`,
      },
      'ClientOptions',
      {
        name: 'createWorker',
        example: `
import { createWorker } from 'carillon/client';

const worker = createWorker({ url: 'http://127.0.0.1:8080', handlers: { report: () => 'written' } });
await worker.start();
`,
      },
      'WorkerOptions',
    ],
  },
  {
    file: 'server',
    from: '@carillon/server',
    title: 'Server and mount',
    about: '`@carillon/server`: a server of its own, or inside yours',
    intro: 'See [the server](../server.md) and [in your framework](../guides/frameworks.md).',
    entries: [
      {
        name: 'startServer',
        example: `
import { startServer } from '@carillon/server';

const server = await startServer({ carillon, port: 8080, grpc: { port: 7233 } });
console.log(server.url, server.grpc?.address);
await server.stop();
`,
      },
      'ServerOptions',
      {
        name: 'mountCarillon',
        example: `
import { createServer } from 'node:http';
import { mountCarillon } from '@carillon/server';

const mounted = await mountCarillon({
  carillon,
  basePath: '/carillon',
  authenticate: ({ headers }) => (headers.cookie === 'session=ada' ? { actor: 'ada', role: 'operator' } : null),
});
createServer(mounted.handler).listen(3000);
`,
      },
      'MountOptions',
      'MountedCarillon',
    ],
  },
];
