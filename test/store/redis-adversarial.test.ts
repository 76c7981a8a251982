/**
 * Commits that Redis would carry out by half: a script is atomic against others, but not against itself. An error in its
 * middle leaves what it wrote before.
 */
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { RedisStore } from '../../packages/carillon/src/store/redis/index.ts';
import type { Writes } from '../../packages/carillon/src/store/store.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';
import {
  aKey,
  anAudit,
  anEvent,
  anExecution,
  aRun,
  aSlot,
  look,
  nextOf,
  StandingClock,
  write,
} from './store-fixture.ts';

await describeWithRedis('redis against itself', (server) => {
  const open = async (options: Partial<ConstructorParameters<typeof RedisStore>[0]> = {}) => {
    const store = new RedisStore({ url: server.url, prefix: freshPrefix(), ...options });
    onTestFinished(() => store.close());
    return store;
  };

  const userWith = async (rules: readonly string[]) => {
    const admin = new Redis(server.url);
    const user = freshPrefix();
    await admin.call('ACL', 'SETUSER', user, 'on', '>secret', '~*', ...rules);
    onTestFinished(async () => {
      await admin.call('ACL', 'DELUSER', user);
      admin.disconnect();
    });
    const url = new URL(server.url);
    url.username = user;
    url.password = 'secret';
    return url.href;
  };

  test('a user who may not publish commits all the same, and is told', async () => {
    const warnings: string[] = [];
    const url = await userWith(['+@all', 'resetchannels']);
    const store = await open({ url, warn: (message) => warnings.push(message) });
    await store.migrate();
    await write(store, { executions: [anExecution()], newRuns: [aRun()] });
    expect(await store.count({})).toBe(1);
    expect(warnings.join()).toMatch(/may not publish/);
  });

  for (const command of ['zrem', 'unlink', 'hincrby', 'hdel', 'sadd', 'zremrangebyscore']) {
    test(`a user who may not ${command} is refused when the store is opened`, async () => {
      const store = await open({ url: await userWith(['+@all', 'allchannels', `-${command}`]) });
      await expect(store.migrate()).rejects.toThrow(/lacks rights that a store needs/);
    });
  }

  test('a number that is none is refused before anything is written', async () => {
    const store = await open();
    await store.migrate();
    await write(store, { executions: [anExecution({ id: 'old' })], newRuns: [aRun({ id: 'old' })] });
    const [old] = (await look(store, { kind: 'keys', keys: [aKey('old')] })).executions;
    const none = Number.NaN as never;
    const broken: Writes[] = [
      { executions: [anExecution({ wakeAt: none })] },
      { executions: [anExecution({ status: 'closed', closedAt: none })] },
      { executions: [nextOf(old as never, { wakeAt: none })] },
      { executions: [anExecution()], slots: [aSlot({ nominal: none })] },
      { executions: [anExecution()], newEvents: [anEvent({ sequence: none })] },
      { executions: [anExecution()], newRuns: [aRun({ availableAt: none })] },
      { executions: [anExecution()], newRuns: [aRun({ priority: none })] },
      { executions: [anExecution()], newRuns: [aRun({ state: 'leased', checkAt: none })] },
      { executions: [anExecution()], runs: [aRun({ id: 'old', state: 'done', finishedAt: none })] },
    ];
    for (const writes of broken) {
      await expect(
        write(store, { ...writes, audit: [anAudit()] }),
        JSON.stringify(writes),
      ).rejects.toMatchObject({
        trouble: 'conflict',
      });
    }
    expect(await store.count({})).toBe(1);
    expect((await store.runs({ limit: 9 })).items).toEqual([aRun({ id: 'old' })]);
    expect((await store.read({ keys: [aKey('old')] }))[0]?.version).toBe(1);
    expect((await store.audit({ limit: 9 })).items).toEqual([]);
  });

  test('what was put off and given back is never taken before its time', async () => {
    const clock = new StandingClock(1_000_000);
    const prefix = freshPrefix();
    const [one, two] = [await open({ prefix, clock }), await open({ prefix, clock })];
    await one.migrate();
    await two.migrate();
    for (let round = 0; round < 20; round += 1) {
      const id = `run-${round}`;
      await write(one, { newRuns: [aRun({ id, availableAt: 999_000 as never })] });
      // One takes the run and gives it back; meanwhile two writes the very time until which it was put off.
      let givingBack: Promise<unknown> = Promise.resolve();
      const takeAndGiveBack = () =>
        one.transact(
          { kind: 'claimable', queues: ['main'], limit: 1 },
          {
            need: () => {
              throw new Error('given back');
            },
            decide: () => ({ writes: {}, result: undefined }),
          },
        );
      await two.transact(
        { kind: 'runs', ids: [id] },
        {
          decide: ({ runs: [run] }) => {
            givingBack = takeAndGiveBack().catch(() => {});
            const later = {
              ...(run as ReturnType<typeof aRun>),
              availableAt: (1_001_499 + (round % 3)) as never,
            };
            return { writes: { runs: [later] }, result: undefined };
          },
        },
      );
      await Promise.allSettled([givingBack]);
      await look(one, { kind: 'keys', keys: [] });
    }
    const { runs } = await look(two, { kind: 'claimable', queues: ['main'], limit: 99 });
    expect(runs).toEqual([]);
  });
});
