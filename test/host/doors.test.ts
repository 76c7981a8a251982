/** Hosts through the doors: REST, the client, the command line and the metrics, on a real server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { createHost, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import * as shape from '../../packages/server/src/door/native/host-schemas.ts';
import { carillon as command } from '../cli/command-stage.ts';
import { DoorStage } from '../door/door-stage.ts';
import { until } from '../support/until.ts';

/** Pays the given bills; the answer for `lost` is lost. */
const pay = defineWorkflow({ name: 'pay', topics: { bill: topic<{ id: string }>() } })
  .producer('poll', {
    schedule: { cron: '0 0 1 1 *' },
    publishes: ['bill'],
    handler: (ctx) => ctx.publish('bill', { id: 'polled', payload: { id: 'polled' } }),
  })
  .consumer('transfer', {
    subscribe: ['bill'],
    prepare: async (ctx) => {
      const [first] = (await ctx.peek('bill')).filter(({ id }) => id !== 'later');
      return {
        reservations: [{ topic: 'bill', ids: first === undefined ? [] : [first.id] }],
        data: { id: first?.id },
      };
    },
    mutate: (ctx, { id }) =>
      ctx.change('transfer', {
        run: () => {
          if (id === 'lost') throw new Error('connection reset');
          return 'paid';
        },
      }),
  });

/** Is deleted by a test. */
const spare = defineWorkflow({ name: 'spare', topics: { bill: topic() } }).consumer('keep', {
  subscribe: ['bill'],
  prepare: () => ({ reservations: [], data: null }),
});

let stage: DoorStage;
let client: CarillonClient;
beforeAll(async () => {
  stage = await DoorStage.open({}, {}, (carillon) => void createHost({ carillon, workflows: [pay, spare] }));
  client = new CarillonClient({ url: stage.server.url });
});
afterAll(async () => await stage.server.stop());

const run = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await command(['host', ...args], { url: stage.server.url });
  return { code, text: `${stdout}${stderr}` };
};

describe('hosts through the doors', () => {
  test('the answers fit their schemas, from publishing to a resolved change', async () => {
    const { hosts } = client;
    expect(
      await hosts.publish('pay', 'bill', [
        { id: 'a', payload: { id: 'a' } },
        { id: 'a', payload: { id: 'a' } },
      ]),
    ).toEqual({ published: 1, ids: ['a', 'a'] });
    await until(async () => (await hosts.events('pay', 'bill', { state: ['consumed'] })).items.length === 1);
    await hosts.publish('pay', 'bill', { id: 'lost', payload: { id: 'lost' } });
    const blocked = await until(async () => {
      const found = await hosts.describe('pay');
      return found.status === 'blocked' ? found : undefined;
    });
    expect(shape.host.parse(blocked)).toBeTruthy();
    expect(blocked.attention).toContain('transfer');
    await expect(hosts.resume('pay')).rejects.toMatchObject({ reason: 'CHANGE_UNRESOLVED' });
    const list = await hosts.list({ blocked: true });
    for (const item of list.items) shape.hostSummary.parse(item);
    expect(list.items.map(({ id }) => id)).toEqual(['pay']);
    const runs = await hosts.runs('pay');
    for (const item of runs.items) shape.hostRun.parse(item);
    const attempts = await hosts.attempts('pay', runs.items[0]?.id ?? '');
    expect(attempts.map(({ id }) => id)).toContain(runs.items[0]?.id);
    for (const item of (await hosts.events('pay', 'bill')).items) shape.hostEvent.parse(item);
    for (const item of (await hosts.slots('pay', 'poll')).items) shape.hostSlot.parse(item);
    const why = await hosts.explain('pay', { topic: 'bill', event: 'lost' });
    expect(shape.hostExplanation.parse(why)).toMatchObject({ about: 'event', answer: 'reserved' });
    await hosts.resolve('pay', { action: 'happened', result: 'seen' }, { note: 'statement' });
    await until(async () => (await hosts.describe('pay')).status === 'idle');
    expect((await hosts.events('pay', 'bill', { id: ['lost'] })).items).toMatchObject([
      { state: 'consumed' },
    ]);
  });

  test('a wrong request says what is wrong and changes nothing', async () => {
    for (const [path, body, status, field] of [
      ['/hosts/none', undefined, 404, undefined],
      ['/hosts/pay:publish', { topic: 'bill', messages: [] }, 400, 'messages'],
      ['/hosts/pay:publish', { topic: 'none', messages: [{ payload: 1 }] }, 404, undefined],
      ['/hosts/pay:trigger', {}, 400, 'producer'],
      ['/hosts/pay:resolve', { action: 'maybe' }, 400, 'action'],
      ['/hosts/pay:resolve', { action: 'skip' }, 409, undefined],
      ['/hosts/pay:skip', { topic: 'bill', event: 'none' }, 404, undefined],
      ['/hosts/pay/why?producer=poll', undefined, 400, 'at'],
      ['/hosts/pay/why?consumer=none', undefined, 404, undefined],
      ['/hosts/pay/events', undefined, 400, 'topic'],
    ] as const) {
      const heard = await stage.call(path, body === undefined ? {} : { body });
      expect([path, heard.status]).toEqual([path, status]);
      if (field !== undefined) expect(JSON.stringify(heard.body)).toContain(field);
    }
  });

  test('the command line shows and changes the same', async () => {
    expect((await run('list')).text).toMatch(/WORKFLOW +STATUS +PENDING[\s\S]*pay/);
    expect((await run('publish', 'pay', 'bill', '{"id":"later"}', '--id', 'later')).text).toContain(
      'Published later',
    );
    const text = await until(async () => {
      const shown = await run('describe', 'pay');
      return shown.text.includes('sleeping') ? shown.text : undefined;
    });
    expect(text).toMatch(
      /PRODUCER[\s\S]*poll[\s\S]*CONSUMER[\s\S]*transfer +sleeping[\s\S]*TOPIC[\s\S]*bill/,
    );
    expect((await run('why', 'pay', 'transfer')).text).toContain('sleeps until');
    expect((await run('why', 'pay', 'bill', 'later')).text).toContain("'transfer' has not chosen it");
    expect((await run('why', 'pay', 'poll', '2030-01-01T00:00:00Z')).text).toContain('it will run then');
    expect((await run('why', 'pay', 'poll')).code).toBe(2);
    expect((await run('pause', 'pay', '--note', 'lunch')).text).toContain('paused');
    expect((await run('trigger', 'pay', 'nothing')).text).toContain("no producer or consumer 'nothing'");
    expect((await run('trigger', 'pay', 'poll')).text).toContain('Started: run');
    await until(async () =>
      (await run('events', 'pay', 'bill', '--state', 'pending')).text.includes('polled'),
    );
    expect((await run('skip', 'pay', 'bill', 'later')).text).toContain('skipped');
    expect((await run('resume', 'pay')).text).toContain('resumed');
    expect((await run('runs', 'pay')).text).toMatch(/RUN +HANDLER +TASK/);
    expect((await run('resolve', 'pay', 'maybe')).code).not.toBe(0);
    expect(JSON.parse((await run('describe', 'pay', '--json')).text)).toMatchObject({ id: 'pay' });
  });

  test('the command line rehearses a publication, a release and a deletion, and carries them out', async () => {
    await client.hosts.pause('pay');
    await until(async () => (await client.hosts.describe('pay')).work === null);
    const publish = ['publish', 'pay', 'bill', '{"id":"later"}', '--id', 'rehearsed', '--dry-run'];
    expect((await run(...publish)).text).toBe(
      "pay, nothing is changed:\n  1 event is published to 'bill'.\n  It stays pending while the workflow is paused.\n",
    );
    expect((await client.hosts.events('pay', 'bill', { id: ['rehearsed'] })).items).toEqual([]);
    expect((await run('release', 'pay', '--dry-run')).text).toContain('Nothing changes.');
    expect((await run('release', 'pay', '--note', 'just so')).text).toBe('pay was released.\n');
    expect((await run('delete', 'pay', '--dry-run')).text).toContain('The workflow is deleted.');
    expect((await client.hosts.describe('pay')).status).toBe('paused');
    expect((await run('delete', 'spare', '--note', 'not needed')).text).toBe('spare was deleted.\n');
    await expect(client.hosts.describe('spare')).rejects.toMatchObject({ status: 404 });
    const { items } = await client.audit.list({ limit: 10 });
    expect(items.map(({ target, action, note }) => [target, action, note])).toEqual(
      expect.arrayContaining([
        ['host/spare', 'delete', 'not needed'],
        ['host/pay', 'release', 'just so'],
      ]),
    );
    await client.hosts.resume('pay');
  });

  test('the metrics show what waits: events by topic, the age of the oldest, and blocked workflows', async () => {
    await client.hosts.pause('pay');
    await until(async () => (await client.hosts.describe('pay')).work === null);
    await client.hosts.publish('pay', 'bill', [
      { id: 'waits', payload: { id: 'waits' } },
      { id: 'waits-too', payload: { id: 'waits-too' } },
    ]);
    const pending = (await client.hosts.describe('pay')).topics[0]?.pending ?? 0;
    expect(pending).toBeGreaterThanOrEqual(2);
    const of = 'namespace="default",workflow="pay"';
    // The first scrape of this server: a survey is used for a while, and absent until it ends.
    const body = await until(async () => {
      const text = (await stage.raw('/metrics')).body as string;
      return text.includes(`carillon_host_events_pending{${of},topic="bill"} ${pending}\n`)
        ? text
        : undefined;
    });
    expect(body).toContain(`carillon_host_events_pending_oldest_seconds{${of},topic="bill"} `);
    expect(body).toContain(`carillon_host_blocked{${of}} 0\n`);
  });

  test('the metrics count runs, events, due times and stops', async () => {
    const { body } = await stage.raw('/metrics');
    expect(body).toMatch(/carillon_host_runs_total\{result="committed"\} [1-9]/);
    expect(body).toMatch(/carillon_host_blocks_total\{reason="uncertain"\} 1/);
    expect(body).toMatch(/carillon_host_events_published_total [1-9]/);
    expect(body).toContain('carillon_host_slots_total{verdict="workflowBusy"}');
  });
});
