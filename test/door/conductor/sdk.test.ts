/** The official JavaScript clients, unmodified: every method of their schedulers. */

import * as sdk2 from 'conductor-sdk-2';
import * as sdk3 from 'conductor-sdk-3';
import * as sdk4 from 'conductor-sdk-4';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flow } from '../../../packages/server/src/flow/flow-archetype.ts';
import { hashKey, newKey } from '../../../packages/server/src/server/keys.ts';
import { until } from '../../support/until.ts';
import { DoorStage } from '../door-stage.ts';

let stage: DoorStage;
beforeAll(async () => {
  const archetype = flow();
  stage = await DoorStage.open({ flow: archetype }, { archetypes: [archetype] });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

/** The methods that all versions have; 2.4 has no tags. */
interface SchedulerClient {
  saveSchedule(schedule: object): Promise<unknown>;
  getSchedule(name: string): Promise<Shown>;
  getAllSchedules(workflow?: string): Promise<readonly Shown[]>;
  pauseSchedule(name: string): Promise<unknown>;
  resumeSchedule(name: string): Promise<unknown>;
  deleteSchedule(name: string): Promise<unknown>;
  getNextFewSchedules(cron: string, start?: number, end?: number, limit?: number): Promise<readonly number[]>;
  search(start: number, size: number, sort: string, freeText: string, query: string): Promise<Hits>;
  pauseAllSchedules(): Promise<unknown>;
  resumeAllSchedules(): Promise<unknown>;
  requeueAllExecutionRecords(): Promise<unknown>;
  setSchedulerTags?(tags: readonly object[], name: string): Promise<unknown>;
  getSchedulerTags?(name: string): Promise<readonly object[]>;
  deleteSchedulerTags?(tags: readonly object[], name: string): Promise<unknown>;
}

interface Shown {
  readonly name: string;
  readonly cronExpression: string;
  readonly paused: boolean;
  readonly nextRunTime: number | null;
}

interface Hits {
  readonly totalHits: number;
  readonly results: readonly { readonly state: string; readonly workflowId: string }[];
}

const versions: Readonly<Record<string, (config: object) => Promise<SchedulerClient>>> = {
  '2.4': async (config) =>
    new sdk2.SchedulerClient(await sdk2.orkesConductorClient(config as never)) as unknown as SchedulerClient,
  '3.1': async (config) =>
    new sdk3.SchedulerClient(await sdk3.orkesConductorClient(config as never)) as unknown as SchedulerClient,
  '4.0': async (config) =>
    new sdk4.SchedulerClient(await sdk4.orkesConductorClient(config as never)) as unknown as SchedulerClient,
};

describe.each(Object.keys(versions))('version %s', (version) => {
  const name = `sdk ${version}/ü`;
  const workflow = 'work';
  let client: SchedulerClient;
  beforeAll(async () => {
    client = await (versions[version] as (typeof versions)[string])({ serverUrl: `${stage.server.url}/api` });
  });

  test('saves, reads, lists, resumes, finds records, pauses and deletes', async () => {
    await client.saveSchedule({
      name,
      cronExpression: '0/1 * * ? * *',
      startWorkflowRequest: { name: workflow, version: 1, input: { from: version } },
      paused: true,
    });
    expect(await client.getSchedule(name)).toMatchObject({ name, paused: true, nextRunTime: null });
    expect((await client.getAllSchedules(workflow)).map((each) => each.name)).toContain(name);
    await client.resumeSchedule(name);
    expect((await client.getSchedule(name)).paused).toBe(false);
    await expect(client.resumeSchedule(name)).rejects.toThrow(/./);
    // The empty free text and the sort of the hosted dialect are what the clients' own tests send.
    const found = await until(
      () => client.search(0, 15, 'startTime:DESC', '', `scheduleName IN (${name})`),
      ({ results }) => results.some(({ state }) => state === 'EXECUTED'),
    );
    expect(found.totalHits).toBe(found.results.length);
    await client.pauseSchedule(name);
    expect((await client.getSchedule(name)).paused).toBe(true);
    await client.deleteSchedule(name);
    await client.deleteSchedule(name);
    await expect(client.getSchedule(name)).rejects.toThrow(/not found/i);
    expect((await client.getAllSchedules()).map((each) => each.name)).not.toContain(name);
  });

  test('previews, and refuses a bad cron', async () => {
    const times = await client.getNextFewSchedules('0 0 * * * *', undefined, undefined, 3);
    expect(times).toHaveLength(3);
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    await expect(client.getNextFewSchedules('bad')).rejects.toThrow(/./);
  });

  test('holds and releases all schedules, and asks for records to be queued again', async () => {
    await client.saveSchedule({
      name,
      cronExpression: '@yearly',
      startWorkflowRequest: { name: workflow },
    });
    await client.pauseAllSchedules();
    expect((await client.getSchedule(name)).paused).toBe(true);
    await client.resumeAllSchedules();
    expect((await client.getSchedule(name)).paused).toBe(false);
    await client.requeueAllExecutionRecords();
    await client.deleteSchedule(name);
  });

  test('sets, reads and removes tags', async (context) => {
    const { setSchedulerTags, getSchedulerTags, deleteSchedulerTags } = client;
    if (!setSchedulerTags || !getSchedulerTags || !deleteSchedulerTags) return context.skip();
    await client.saveSchedule({ name, cronExpression: '@yearly', startWorkflowRequest: { name: workflow } });
    await client.setSchedulerTags?.(
      [
        { key: 'team', value: 'a:b' },
        { key: 'x', value: '1' },
      ],
      name,
    );
    await client.setSchedulerTags?.([{ key: 'x', value: '2' }], name);
    expect(await client.getSchedulerTags?.(name)).toEqual([
      { key: 'team', value: 'a:b' },
      { key: 'x', value: '2' },
    ]);
    await client.deleteSchedulerTags?.(
      [
        { key: 'x', value: '1' },
        { key: 'team', value: 'a:b' },
      ],
      name,
    );
    expect(await client.getSchedulerTags?.(name)).toEqual([{ key: 'x', value: '2' }]);
    await client.deleteSchedule(name);
  });

  test('works with a key where keys are needed', async () => {
    const key = newKey();
    const keys = [{ name: 'robot', hash: hashKey(key), role: 'admin' }] as const;
    await using guarded = await DoorStage.open({ keys });
    const config = { serverUrl: guarded.server.url, keyId: 'robot', keySecret: key };
    const known = await (versions[version] as (typeof versions)[string])(config);
    await known.saveSchedule({
      name: 'k',
      cronExpression: '@daily',
      startWorkflowRequest: { name: workflow },
    });
    expect((await known.getSchedule('k')).cronExpression).toBe('@daily');
    const refused = await guarded.raw('/api/scheduler/schedules');
    expect(refused).toMatchObject({ status: 401, body: { status: 401, error: 'INVALID_TOKEN' } });
    const wrong = await guarded.raw('/api/token', { body: { keyId: 'other', keySecret: key } });
    expect(wrong.status).toBe(401);
  });
});

describe('the typed schedules of version 4.0', () => {
  const agent = 'work';

  test('are saved, read, listed, paused, resumed, previewed, reconciled and deleted', async () => {
    const client = new sdk4.SchedulerClient(await sdk4.orkesConductorClient({ serverUrl: stage.server.url }));
    const nightly = new sdk4.Schedule({ name: 'nightly', cron: '0 0 3 * * *', input: { a: 1 } });
    await client.save(nightly, agent);
    const wire = `${agent}-nightly`;
    const info = await client.get(wire, agent);
    expect(info).toMatchObject({ name: wire, shortName: 'nightly', cron: '0 0 3 * * *' });
    expect(info.nextRun).toBeGreaterThan(0);
    expect((await client.listForAgent(agent)).map(({ name }) => name)).toEqual([wire]);
    await client.pause(wire, 'because');
    expect(await client.get(wire)).toMatchObject({ paused: true, pausedReason: 'because' });
    await client.resume(wire);
    expect(await client.get(wire)).toMatchObject({ paused: false });
    const times = await client.previewNext('0 0 * * * *', { n: 3 });
    expect(new Set(times).size).toBe(3);
    const bad = new sdk4.Schedule({ name: 'bad', cron: 'every day' });
    await expect(client.save(bad, agent)).rejects.toThrow(/cron/i);
    await expect(client.get('nobody')).rejects.toBeInstanceOf(sdk4.ScheduleNotFound);
    await client.reconcile(agent, [new sdk4.Schedule({ name: 'only', cron: '@hourly' })]);
    expect((await client.listForAgent(agent)).map(({ name }) => name)).toEqual([`${agent}-only`]);
    await client.reconcile(agent, []);
    expect(await client.listForAgent(agent)).toEqual([]);
    await client.delete(wire);
  });

  test('are run now', async () => {
    const client = new sdk4.SchedulerClient(await sdk4.orkesConductorClient({ serverUrl: stage.server.url }));
    const task = { name: 's', taskReferenceName: 's', type: 'SET_VARIABLE', inputParameters: { x: 1 } };
    const definition = { name: 'bot', version: 1, schemaVersion: 2, ownerEmail: 'a@b.c', tasks: [task] };
    expect((await stage.raw('/api/metadata/workflow', { method: 'PUT', body: [definition] })).status).toBe(
      200,
    );
    await client.save(new sdk4.Schedule({ name: 'yearly', cron: '@yearly', input: { a: 1 } }), 'bot');
    const id = await client.runNow(await client.get('bot-yearly', 'bot'));
    const { body } = await until(
      () => stage.raw(`/api/workflow/${id}`),
      (heard) => heard.body.status === 'COMPLETED',
    );
    expect(body.input).toMatchObject({ a: 1 });
    await client.delete('bot-yearly');
  });
});
