/** A store that was unreachable: the backlog is worked off in few commits of small rows, on all nodes, and nothing runs twice. */
import { expect, test } from 'vitest';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import { startsPerStep } from '../../packages/carillon/src/engine/work.ts';
import type { Store, Writes } from '../../packages/carillon/src/store/store.ts';
import type { Stage } from './stage.ts';
import { aStage } from './stage.ts';

interface Seen {
  commits: number;
  /** Characters of the longest row of an execution. */
  longestRow: number;
  mostStarts: number;
  /** New runs that no worker took at once. */
  queued: number;
  claims: number;
}

/** Watches what is committed from now on. */
function watch(store: Store): Seen {
  const seen: Seen = { commits: 0, longestRow: 0, mostStarts: 0, queued: 0, claims: 0 };
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
    const { newRuns = [], runs = [], executions = [] } = written;
    if (Object.values(written).some((rows) => rows.length > 0)) seen.commits += 1;
    seen.mostStarts = Math.max(seen.mostStarts, newRuns.length);
    seen.queued += newRuns.filter(({ state }) => state === 'waiting').length;
    if (selection.kind === 'claimable') seen.claims += runs.length;
    for (const { state } of executions) seen.longestRow = Math.max(seen.longestRow, state.length);
    return result;
  };
  return seen;
}

function timesRun({ performed }: Stage): ReadonlyMap<string, number> {
  const ran = new Map<string, number>();
  for (const { context } of performed) {
    const slot = `${context.schedule} ${context.scheduledAt}`;
    ran.set(slot, (ran.get(slot) ?? 0) + 1);
  }
  return ran;
}

test('a minute without the store under load is made up for in few commits, and every slot runs once', async () => {
  const schedules = 40;
  const away = 60;
  await using stage = await aStage({ nodes: 2 });
  for (let index = 0; index < schedules; index += 1)
    await stage.create({ every: '1s', overlap: 'allowAll' }, `s-${index}`);
  await stage.advance('5s');
  stage.world.outage(true);
  await stage.advance(`${away}s`);

  const seen = watch(stage.world.store);
  stage.world.outage(false);
  await stage.advance('15s');
  const ran = timesRun(stage);
  expect(ran.size).toBe(schedules * (5 + away + 15));
  expect([...ran.values()].filter((count) => count > 1)).toEqual([]);
  // 40 schedules have 3,000 slots to make up for and to fire meanwhile; each commit carries many, and its rows stay small.
  expect(seen.commits).toBeLessThan(400);
  expect(seen.longestRow).toBeLessThan(1500);
  // A commit ends with the first schedule that reaches the bound, so that ends of runs need not wait for long.
  expect(seen.mostStarts).toBeLessThan(startsPerStep + away + 1);
});

test('the ends of runs from before an outage do not bring the backlog of their schedules into one commit, and no run waits in a queue', async () => {
  const schedules = 30;
  const away = 60;
  const handlers = { concurrency: 10_000 };
  await using stage = await aStage({
    nodes: 2,
    setup: (carillon, { clock }) => {
      carillon.handle(
        'slow',
        async () => {
          await new Promise<void>((resolve) => clock.wakeAt(addTime(clock.now(), 1500), resolve));
        },
        handlers,
      );
    },
  });
  for (let index = 0; index < schedules; index += 1)
    await stage.create({ every: '1s', overlap: 'allowAll', run: 'slow' }, `s-${index}`);
  await stage.advance('5s');
  stage.world.outage(true);
  await stage.advance(`${away}s`);

  const seen = watch(stage.world.store);
  stage.world.outage(false);
  await stage.advance('15s');
  expect(seen.mostStarts).toBeGreaterThan(away);
  expect(seen.mostStarts).toBeLessThan(startsPerStep + away + 1);
  expect([seen.queued, seen.claims]).toEqual([0, 0]);
  const { items } = await stage.carillon.runs.list({ limit: 1000, state: ['waiting'] });
  expect(items).toEqual([]);
});
