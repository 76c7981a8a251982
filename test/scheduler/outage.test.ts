/** A store that was away: the backlog is worked off in few commits of small rows, on all nodes, and nothing runs twice. */
import { expect, test } from 'vitest';
import { startsPerStep } from '../../packages/carillon/src/engine/work.ts';
import type { Writes } from '../../packages/carillon/src/store/store.ts';
import { aStage } from './stage.ts';

test('a minute without the store under load is made up for in few commits, and every slot runs once', async () => {
  const schedules = 40;
  const away = 60;
  await using stage = await aStage({ nodes: 2 });
  for (let index = 0; index < schedules; index += 1)
    await stage.create({ every: '1s', overlap: 'allowAll' }, `s-${index}`);
  await stage.advance('5s');
  stage.world.outage(true);
  await stage.advance(`${away}s`);

  let commits = 0;
  let longest = 0;
  let mostStarts = 0;
  const { store } = stage.world;
  const transact = store.transact.bind(store);
  store.transact = async (selection, decider) => {
    let written: Writes = {};
    const result = await transact(selection, {
      ...decider,
      decide: (loaded) => {
        const decision = decider.decide(loaded);
        written = decision.writes;
        return decision;
      },
    });
    if (Object.values(written).some((rows) => rows.length > 0)) commits += 1;
    mostStarts = Math.max(mostStarts, written.newRuns?.length ?? 0);
    for (const { state } of written.executions ?? []) longest = Math.max(longest, state.length);
    return result;
  };
  stage.world.outage(false);
  await stage.advance('15s');
  const slots = 5 + away + 15;
  const ran = new Map<string, number>();
  for (const { context } of stage.performed) {
    const slot = `${context.schedule} ${context.scheduledAt}`;
    ran.set(slot, (ran.get(slot) ?? 0) + 1);
  }
  expect(ran.size).toBe(schedules * slots);
  expect([...ran.values()].filter((count) => count > 1)).toEqual([]);
  // 40 schedules have 3,000 slots to make up for and to fire meanwhile; each commit carries many, and its rows stay small.
  expect(commits).toBeLessThan(400);
  expect(longest).toBeLessThan(1500);
  // A commit ends with the first schedule that reaches the bound, so that ends of runs need not wait for long.
  expect(mostStarts).toBeLessThan(startsPerStep + away + 1);
});
