/** A process that dies right before or right after each commit of a run: nothing is done twice, and nothing is lost. */
import { expect, test } from 'vitest';
import { createHost, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/carillon-world.ts';
import { sink } from './parts.ts';

const key = { namespace: 'default', archetype: 'host', id: 'w' };

async function live(dies: { readonly at: number; readonly side: 'before' | 'after' } | null) {
  const applied: string[] = [];
  const workflow = defineWorkflow({ name: 'w', topics: { in: topic(), out: topic() } })
    .producer('poll', {
      schedule: { interval: '1m' },
      publishes: ['in'],
      handler: (ctx, state: { n: number } | undefined) => {
        const n = (state?.n ?? 0) + 1;
        if (n <= 2) ctx.publish('in', { id: `m${n}`, payload: n });
        return { n };
      },
    })
    .consumer('do', {
      subscribe: ['in'],
      publishes: ['out'],
      prepare: async (ctx) => {
        const [first] = await ctx.peek('in', { limit: 1 });
        const ids = first === undefined ? [] : [first.id];
        return { reservations: [{ topic: 'in', ids }], data: { ids } };
      },
      mutate: (ctx, { ids }) =>
        ctx.change('make', {
          run: () => {
            applied.push(...ids);
            return ids.length;
          },
          reconcile: () => (ids.every((id) => applied.includes(id)) ? ids.length : null),
        }),
      next: (ctx, { ids }) => {
        for (const id of ids) ctx.publish('out', { id: `of ${id}`, payload: id });
      },
    })
    .consumer('sink', sink('out'));
  const world = new CarillonWorld({
    seed: 1,
    patienceMs: 0,
    expectFailures: true,
    setup: (carillon) => {
      createHost({ carillon, workflows: [workflow], settings: { phaseLimit: '7d' } });
    },
  });
  const { store } = world;
  const transact = store.transact.bind(store);
  let commits = 0;
  let isDead = false;
  const versionOf = async () => (await store.read({ keys: [key] }))[0]?.version ?? 0;
  store.transact = async (selection, decider) => {
    const before = await versionOf();
    if (dies?.side === 'before' && commits === dies.at - 1 && !isDead && commits > 0) {
      // Whether this commit concerns the workflow is seen by deciding it without a commit.
      const touches = await transact(selection, {
        ...(decider.need === undefined ? {} : { need: decider.need.bind(decider) }),
        decide: (loaded) => {
          const decision = decider.decide(loaded);
          const isIt = decision.writes.executions?.some((row) => row.key.archetype === 'host') === true;
          return { writes: {}, result: isIt };
        },
      });
      if (touches) {
        isDead = true;
        world.crash(0);
        return await new Promise<never>(() => {});
      }
    }
    const result = await transact(selection, decider);
    if ((await versionOf()) !== before) {
      commits += 1;
      if (dies?.side === 'after' && commits === dies.at && !isDead) {
        isDead = true;
        world.crash(0);
      }
    }
    return result;
  };
  await world.start();
  for (let turn = 0; turn < 10; turn += 1) {
    await world.advance('30s');
    if (!world.isAlive(0)) await world.restart(0);
  }
  const [row] = await store.read({ keys: [key] });
  const events = async (name: string) =>
    (await store.events({ owner: row?.incarnation ?? '', topic: name, limit: 99 })).items.map(
      ({ id, state }) => `${id} ${state}`,
    );
  const result = { applied, inbox: await events('in'), outbox: await events('out'), commits, isDead };
  await world[Symbol.asyncDispose]();
  return result;
}

const expected = {
  applied: ['m1', 'm2'],
  inbox: ['m1 consumed', 'm2 consumed'],
  outbox: ['of m1 consumed', 'of m2 consumed'],
};

test('a life without a crash has at least fourteen commits', async () => {
  const { commits, isDead, ...rest } = await live(null);
  expect(rest).toEqual(expected);
  expect(isDead).toBe(false);
  expect(commits).toBeGreaterThanOrEqual(14);
});

for (const side of ['before', 'after'] as const) {
  test(`a crash ${side} any commit repeats no change and loses no event`, async () => {
    // The first commit is the deployment, within the start of the world.
    for (let at = 2; at <= 14; at += 1) {
      const { commits: _, isDead, ...rest } = await live({ at, side });
      expect({ at, isDead, ...rest }).toEqual({ at, isDead: true, ...expected });
    }
  });
}
