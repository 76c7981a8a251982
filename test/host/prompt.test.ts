/**
 * From publish to `prepare` without waiting for a poll. On the same node the commit of the publication starts the run; on another
 * node a notification does. Times are in `bench/host.mjs`; here it is counted what happens in between.
 */
import { expect, onTestFinished, test } from 'vitest';
import type { Duration } from '../../packages/carillon/src/base/time.ts';
import { day } from '../../packages/carillon/src/base/time.ts';
import { createHost, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { describeWithRedis } from '../support/redis-server.ts';
import { HostStage } from './host-stage.ts';

/** A workflow whose looks can be waited for. */
function watched(onLook: () => void) {
  return defineWorkflow({ name: 'w', topics: { t: topic() } }).consumer('take', {
    subscribe: ['t'],
    prepare: async (ctx) => {
      onLook();
      const ids = (await ctx.peek('t')).map(({ id }) => id);
      return { reservations: [{ topic: 't', ids }], data: null };
    },
  });
}

test('on the same node the run begins with the commit of the publication, before any time passes', async () => {
  const looks: number[] = [];
  await using stage = await HostStage.open({ workflows: [watched(() => looks.push(stage.transactions))] });
  await stage.advance('1m');
  const before = stage.transactions;
  await stage.hosts.publish('w', 't', { payload: 1 });
  await stage.world.settle();
  // The publication is the only transaction before the look.
  expect(looks).toEqual([before + 1]);
});

/** Publishes on one node and waits for the look of another, one after the other. */
async function promptly(url: string): Promise<void> {
  let looked = () => {};
  await using publisher = await openCarillon({ store: url, name: 'publisher' });
  // This node never polls, so it begins only runs of which it was notified.
  await using runner = await openCarillon({
    store: url,
    name: 'runner',
    tuning: { engine: { longestSleep: day as Duration } },
  });
  createHost({ carillon: runner, workflows: [watched(() => looked())] });
  await runner.start();
  await publisher.start();
  const { store } = internalsOf(runner).runtime;
  const { transact } = store;
  let claims = 0;
  store.transact = async (selection, decider) => {
    if (selection.kind === 'claimable') claims += 1;
    return (await transact.call(store, selection, decider)) as never;
  };
  onTestFinished(() => {
    store.transact = transact;
  });
  let ended = () => {};
  runner.hosts.subscribe(({ type }) => {
    if (type === 'hostRunEnded') ended();
  });
  const times = 30;
  for (let time = 0; time < times; time += 1) {
    const seen = new Promise<void>((resolve) => {
      looked = resolve;
    });
    // The publication starts only an idle workflow; a busy one continues by itself.
    const idle = new Promise<void>((resolve) => {
      ended = resolve;
    });
    await publisher.hosts.publish('w', 't', { id: `e${time}`, payload: time });
    await Promise.all([seen, idle]);
  }
  // A notification causes one claim; a second one may follow when it comes while the first is under way.
  expect(claims).toBeGreaterThanOrEqual(times);
  expect(claims).toBeLessThanOrEqual(3 * times);
}

const title = 'a run on another node begins by a notification';

await describePostgres('on PostgreSQL', ({ url }) => {
  test(title, async () => await promptly(url));
});

await describeWithRedis('on Redis', (server) => {
  test(title, async () => await promptly(server.url));
});
