/** A worker and a server that holds its heartbeats, both in virtual time: no lease ends while both are there. */
import { expect, onTestFinished, test } from 'vitest';
import { nextTurn } from '../../packages/carillon/src/base/next-turn.ts';
import { pause } from '../../packages/carillon/src/base/pause.ts';
import { addTime, instant } from '../../packages/carillon/src/base/time.ts';
import { createWorker } from '../../packages/carillon/src/client/index.ts';
import type { SentLease } from '../../packages/carillon/src/client/worker-protocol.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import { aClaimedRun } from './claimed-run.ts';

const leaseMs = 1200;

test('a handler that writes lines keeps its lease, however short', async () => {
  const clock = new VirtualClock(instant(0));
  const waiting = [aClaimedRun()];
  const lines: string[] = [];
  const answer = async (verb: string, body: string, signal: AbortSignal): Promise<unknown> => {
    if (verb === 'claim') {
      if (waiting.length === 0) await pause(clock, Number.POSITIVE_INFINITY, signal);
      signal.throwIfAborted();
      return { items: waiting.splice(0), waitedMs: 0 };
    }
    if (verb !== 'heartbeat') return { items: [] };
    const sent = JSON.parse(body) as { readonly leases: readonly SentLease[]; readonly waitMs: number };
    for (const { log = [] } of sent.leases) lines.push(...log.map(({ text }) => text));
    await pause(clock, sent.waitMs, signal);
    signal.throwIfAborted();
    return { items: sent.leases.map(({ runId }) => ({ runId, state: 'held', reason: '' })) };
  };
  let lease: AbortSignal | undefined;
  let say = (_line: string) => {};
  const worker = createWorker({
    url: 'http://server.test',
    clock,
    leaseMs,
    drainMs: 0,
    fetch: async (url, init) => {
      const verb = String(url).split(':').at(-1) as string;
      return Response.json(await answer(verb, String(init?.body), init?.signal as AbortSignal));
    },
    handlers: {
      work: async ({ signal, log }) => {
        lease = signal;
        say = log;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    },
  });
  onTestFinished(() => worker.stop());
  await worker.start();
  const steps = 200;
  for (let step = 0; step < steps; step += 1) {
    for (let turns = 0; turns < 10; turns += 1) await nextTurn();
    clock.moveTo(addTime(clock.now(), 50));
    while (clock.fireNext()) await nextTurn();
    if (step % 100 === 10) say(`step ${step}`);
  }
  expect(clock.now()).toBeGreaterThan(5 * leaseMs);
  expect(lease).toMatchObject({ aborted: false });
  expect(lines).toEqual(['step 10', 'step 110']);
});
