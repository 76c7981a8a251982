/** The examples of Conductor's scheduler module, end to end over REST, in virtual time, with the outputs that a real server gave. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SystemClock } from '../../../packages/carillon/src/base/clock.ts';
import { scriptRunner } from '../../../packages/server/src/flow/script.ts';
import type { Server } from '../../../packages/server/src/server/server.ts';
import { startServer } from '../../../packages/server/src/server/server.ts';
import { FlowWorld } from '../flow-world.ts';
import { schedules, workflows } from './workflows.ts';

const paths: string[] = [];
const iso = expect.stringMatching(/^2026-01-01T/);

/** What the outside would answer, at the time of the world. */
const stub = createServer(({ url = '' }, response) => {
  paths.push(url);
  if (url.startsWith('/missing')) response.writeHead(404).end('nothing here');
  else {
    const body = url.startsWith('/posts')
      ? Array.from({ length: 20 }, (_, id) => ({ id }))
      : { dateTime: new Date(world.now).toISOString() };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
});

let world: FlowWorld;
let server: Server;
let began: number;

const get = async (path: string): Promise<unknown> => await (await fetch(`${server.url}${path}`)).json();
const send = async (method: string, path: string, body: unknown) => {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([path, response.status]).toEqual([path, 200]);
};

/** The workflows of a schedule, oldest first. */
async function started(name: string) {
  const found = (await get(
    `/api/scheduler/search/executions?size=50&sort=scheduledTime:ASC&query=scheduleName%20IN%20(${name})`,
  )) as {
    readonly results: readonly { readonly workflowId: string; readonly state: string }[];
  };
  return await Promise.all(
    found.results.map(async ({ workflowId, state }) => ({
      state,
      ...((await get(`/api/workflow/${workflowId}`)) as {
        status: string;
        output: object;
        tasks: { taskType: string }[];
      }),
    })),
  );
}

beforeAll(async () => {
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve));
  world = await new FlowWorld({
    http: { allowPrivate: true },
    runScript: scriptRunner({ clock: new SystemClock() }),
    isPatient: true,
  }).start();
  const [[carillon, archetype]] = world.archetypes as unknown as [
    [Parameters<typeof startServer>[0]['carillon'], NonNullable<Parameters<typeof startServer>[0]['flow']>],
  ];
  server = await startServer({ carillon, flow: archetype, port: 0, page: false });
  for (const definition of workflows(`http://127.0.0.1:${(stub.address() as AddressInfo).port}`))
    await send('POST', '/api/metadata/workflow', definition);
  began = world.now;
  for (const schedule of schedules(began)) await send('POST', '/api/scheduler/schedules', schedule);
  // Four minutes, and the time that the last wait takes.
  await world.advance(245_000);
});

afterAll(async () => {
  await server.stop();
  await new Promise((resolve) => stub.close(resolve));
});

it('every-minute: a report each minute, with the number of items', async () => {
  const runs = await started('every-minute');
  expect(runs.map(({ status, output }) => ({ status, output }))).toEqual(
    Array.from({ length: 4 }, () => ({ status: 'COMPLETED', output: { statusCode: 200, itemCount: 20 } })),
  );
  expect(paths).toContain('/posts/a%2Fb');
});

it('daily-report: bounds of 0 are no bounds', async () => {
  const { nextRunTime } = (await get('/api/scheduler/schedules/daily-report')) as { nextRunTime: number };
  expect(new Date(nextRunTime).toISOString()).toBe('2026-01-01T09:00:00.000Z');
});

it('catchup: the time of the outside', async () => {
  for (const { status, output } of await started('catchup'))
    expect({ status, output }).toEqual({ status: 'COMPLETED', output: { currentUtcTime: iso } });
});

it('bounded: two runs in 130 s, then none', async () => {
  const runs = await started('bounded');
  expect(runs.map(({ status, output }) => ({ status, output }))).toEqual([
    { status: 'COMPLETED', output: { firedAt: iso } },
    { status: 'COMPLETED', output: { firedAt: iso } },
  ]);
});

it('multistep: two requests side by side', async () => {
  const [run] = await started('multistep');
  expect(run).toMatchObject({ status: 'COMPLETED', output: { utcTime: iso, newYorkTime: iso } });
  expect(run?.tasks.map(({ taskType }) => taskType)).toEqual(['FORK', 'HTTP', 'HTTP', 'JOIN']);
});

it('retry: an answer 404 fails the workflow, and its record is EXECUTED, every minute', async () => {
  const runs = await started('retry');
  expect(runs.map(({ status, state, output }) => ({ status, state, output }))).toEqual(
    Array.from({ length: 4 }, () => ({
      status: 'FAILED',
      state: 'EXECUTED',
      output: { statusCode: null, body: null },
    })),
  );
});

it('concurrent: two run together, and each ends after its 90 s', async () => {
  const runs = await started('concurrent');
  expect(runs.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'RUNNING', 'RUNNING']);
  const { startedAt, finishedAt } = (runs[0]?.output ?? {}) as { startedAt: string; finishedAt: string };
  expect(Date.parse(finishedAt) - Date.parse(startedAt)).toBeGreaterThanOrEqual(90_000);
});

it('input-param: the scheduled time, and a window computed from it', async () => {
  const [run] = await started('input-param');
  const { scheduledAt, triggeredAt, ...window } = (run?.output ?? {}) as {
    scheduledAt: number;
    triggeredAt: number;
  };
  expect(scheduledAt).toBe(began + 60_000);
  expect(triggeredAt).toBeGreaterThanOrEqual(scheduledAt);
  expect(window).toEqual({
    reportWindowStart: '2025-12-31T00:01:00.000Z',
    reportWindowEnd: '2026-01-01T00:01:00.000Z',
  });
});

it('dowhile: three iterations, the last one addressed by its number', async () => {
  const [run] = await started('dowhile');
  expect(run).toMatchObject({ status: 'COMPLETED', output: { sampledAt: iso, iterations: 3 } });
});
