/**
 * A connection hangs: it takes requests and never answers them, and further idle connections of the same process hang with it. The
 * sockets are real; the worker's time is virtual and moves only while a request is known to hang.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { RunContext } from '../../packages/carillon/src/client/index.ts';
import { createWorker } from '../../packages/carillon/src/client/index.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import { until } from '../support/until.ts';
import { aClaimedRun } from './claimed-run.ts';

interface Asked {
  readonly waitMs: number;
  /** Virtual time. */
  readonly at: number;
  readonly response: ServerResponse;
}

/** A server that answers nothing by itself. `asked` has the requests of each verb in their order. */
async function aServer(clock: VirtualClock) {
  const asked = { claim: [] as Asked[], heartbeat: [] as Asked[] };
  const server = createServer(async (request, response) => {
    const verb = request.url?.split(':').at(-1);
    const { waitMs = 0 } = await bodyOf(request);
    if (verb === 'claim' || verb === 'heartbeat') asked[verb].push({ waitMs, at: clock.now(), response });
    else answer(response, { items: [] });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function bodyOf(request: IncomingMessage): Promise<{ readonly waitMs?: number }> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : (JSON.parse(text) as { readonly waitMs?: number });
}

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function aWorker(url: string, clock: VirtualClock, work: (context: RunContext) => unknown) {
  const worker = createWorker({ url, clock, drainMs: 0, onTrouble: () => {}, handlers: { work } });
  onTestFinished(() => worker.stop());
  await worker.start();
}

/** Moves time to the next timer, as soon as one is set. */
async function passToTimer(clock: VirtualClock): Promise<void> {
  clock.moveTo(await until(() => clock.nextTimer ?? false));
  clock.fireNext();
}

/** Lets time pass while the last request hangs: the worker gives it up, pauses and asks again. */
async function hang(clock: VirtualClock, requests: readonly Asked[]): Promise<void> {
  const before = requests.length;
  await passToTimer(clock);
  await until(() => requests[before - 1]?.response.destroyed);
  await passToTimer(clock);
  await until(() => requests.length > before);
}

test('a claim that hangs costs its hold once; further connections that hang cost some seconds each', async () => {
  const clock = new VirtualClock(instant(0));
  const { asked, url } = await aServer(clock);
  let ran = () => {};
  const begun = new Promise<void>((resolve) => {
    ran = resolve;
  });
  await aWorker(url, clock, () => ran());
  await until(() => asked.claim.length === 1);
  for (let hung = 0; hung < 3; hung += 1) await hang(clock, asked.claim);
  answer((asked.claim[3] as Asked).response, { items: [aClaimedRun()], waitedMs: 0 });
  await begun;
  await until(() => asked.claim.length === 5);
  expect(asked.claim.map(({ waitMs }) => waitMs)).toEqual([25_000, 0, 0, 0, 25_000]);
  // The hold with its margin, then five seconds and a pause for each connection that hangs.
  expect(asked.claim.map(({ at }) => at)).toEqual([0, 30_200, 35_600, 41_400, 41_400]);
});

test('a lease outlives heartbeats over connections that hang', async () => {
  const clock = new VirtualClock(instant(0));
  const { asked, url } = await aServer(clock);
  let lease: AbortSignal | undefined;
  let end = () => {};
  await aWorker(url, clock, async ({ signal }) => {
    lease = signal;
    await new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  onTestFinished(() => end());
  await until(() => asked.claim.length === 1);
  answer((asked.claim[0] as Asked).response, { items: [aClaimedRun()], waitedMs: 0 });
  await until(() => lease !== undefined);
  await passToTimer(clock);
  await until(() => asked.heartbeat.length === 1);
  for (let hung = 0; hung < 2; hung += 1) await hang(clock, asked.heartbeat);
  const held = { runId: aClaimedRun().runId, state: 'held', reason: '' };
  answer((asked.heartbeat[2] as Asked).response, { items: [held] });
  await until(() => asked.heartbeat.length === 4);
  expect(asked.heartbeat.map(({ waitMs }) => waitMs)).toEqual([10_000, 0, 0, 10_000]);
  expect(lease).toMatchObject({ aborted: false });
});
