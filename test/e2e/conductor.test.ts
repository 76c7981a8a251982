/** The live concurrency scenarios of Conductor's scheduler, with real processes. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describePostgres } from '../support/postgres-suite.ts';
import { until } from '../support/until.ts';
import { ConductorServers, call, type Noted } from './conductor-servers.ts';

/** A herd comes together every five seconds. */
const herd = (name: string) => ({
  name,
  cronExpression: '*/5 * * * * *',
  startWorkflowRequest: { name: 'tick' },
});
const nextHerd = () => Math.ceil((Date.now() + 1) / 5000) * 5000;
const schedulesOf = (noted: readonly Noted[], slot: number) =>
  new Set(noted.filter((each) => each.slot === slot).map(({ schedule }) => schedule)).size;
const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);

/** No slot ran as two runs, and none began before its time. */
function expectExact(noted: readonly Noted[]): void {
  const runs = new Map<string, Set<string>>();
  for (const { schedule, slot, id, at } of noted) {
    expect(at).toBeGreaterThanOrEqual(slot);
    const key = `${schedule} ${slot}`;
    runs.set(key, (runs.get(key) ?? new Set()).add(id));
  }
  for (const [key, ids] of runs) expect([key, ids.size]).toEqual([key, 1]);
}

describe('one server on a file', () => {
  test('two clients save one name at once: both succeed, there is one schedule', async () => {
    const servers = new ConductorServers();
    const server = await servers.start(`sqlite:${join(servers.folder, 'db')}`);
    const body = { name: 'same', cronExpression: '@yearly', startWorkflowRequest: { name: 'tick' } };
    const saves = await Promise.all(names(10).map(() => call(server, 'POST', '/schedules', body)));
    expect(saves.map(({ status }) => status)).toEqual(names(10).map(() => 200));
    expect((await call(server, 'GET', '/schedules')).body).toHaveLength(1);
    // Two clients resume it after a pause: nothing fires at once.
    await call(server, 'PUT', '/schedules/same/pause');
    const resumed = await Promise.all([1, 2].map(() => call(server, 'PUT', '/schedules/same/resume')));
    expect(resumed.map(({ status }) => status).sort()[0]).toBe(200);
    expect((await call(server, 'GET', '/search/executions')).body.totalHits).toBe(0);
  });

  test('killed in the middle of a herd of 300 and started again: each slot once', async () => {
    const servers = new ConductorServers();
    const store = `sqlite:${join(servers.folder, 'db')}`;
    const first = await servers.start(store);
    await Promise.all(names(300).map((name) => call(first, 'POST', '/schedules', herd(name))));
    const slot = nextHerd();
    await until(() => servers.noted().some((each) => each.slot === slot));
    await first.kill();
    await servers.start(store);
    await until(() => schedulesOf(servers.noted(), slot) === 300);
    expectExact(servers.noted());
  });

  test('work that always fails has a record for each start, and long runs overlap', async () => {
    const servers = new ConductorServers();
    const server = await servers.start(`sqlite:${join(servers.folder, 'db')}`);
    const every = (name: string) => ({ name, cronExpression: '* * * * * *', startWorkflowRequest: { name } });
    await call(server, 'POST', '/schedules', every('broken'));
    await call(server, 'POST', '/schedules', every('long'));
    const enough = async (name: string) => {
      const { body } = await call(server, 'GET', `/search/executions?query=${name}`);
      return body.results.filter(({ state }: { state: string }) => state === 'EXECUTED').length >= 3;
    };
    await until(async () => (await enough('broken')) && (await enough('long')));
    const response = await fetch(`${server.url}/api/v1/schedules/long`);
    const { running } = (await response.json()) as { readonly running: readonly object[] };
    expect(running.length).toBeGreaterThanOrEqual(2);
  });
});

await describePostgres('several servers on one database', ({ newDatabase }) => {
  test('each slot runs once, also when a server is killed among them; none is early and none is lost', async () => {
    const servers = new ConductorServers();
    const store = await newDatabase();
    const [one, two] = await Promise.all([servers.start(store), servers.start(store)]);
    const saved = names(100).map((name, index) =>
      call(index % 2 === 0 ? one : two, 'POST', '/schedules', herd(name)),
    );
    const every = { name: 'ticking', cronExpression: '* * * * * *', runCatchupScheduleInstances: true };
    await Promise.all([...saved, call(two, 'POST', '/schedules', { ...herd('ticking'), ...every })]);
    const slot = nextHerd();
    await until(() => servers.noted().some((each) => each.slot === slot));
    await one.kill();
    await until(() => schedulesOf(servers.noted(), slot) >= 100);
    const ticks = () => servers.noted().filter((each) => each.schedule === 'ticking');
    await until(() => ticks().some((each) => each.slot > slot + 2000));
    expectExact(servers.noted());
    const slots = [...new Set(ticks().map((each) => each.slot))].sort((a, b) => a - b);
    expect(slots).toEqual(slots.map((_, index) => (slots[0] as number) + index * 1000));
  });
});
