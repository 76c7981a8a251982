/** Ends of runs travel in the commit of the next starts, so that a crash repeats at most one step. */
import { describe, expect, test } from 'vitest';
import { defaultTuning } from '../../packages/carillon/src/engine/tuning.ts';
import { StoreError } from '../../packages/carillon/src/store/error.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import type { CarillonWorldOptions } from '../../packages/carillon/src/testing/index.ts';
import { Stage } from '../scheduler/stage.ts';

/** An unlimited number of handlers at once. */
const crowded: CarillonWorldOptions = {
  setup: (carillon) => void carillon.handle('crowd', () => undefined, { concurrency: 10_000 }),
};

/** What each commit wrote of runs. */
interface Commit {
  readonly kind: string;
  readonly started: number;
  readonly ended: number;
}

function watch(store: Store, seen: (commit: Commit) => void): void {
  const transact = store.transact.bind(store);
  store.transact = async (selection, decider) => {
    let commit: Commit | undefined;
    const result = await transact(selection, {
      ...decider,
      decide: (loaded) => {
        const decision = decider.decide(loaded);
        const { newRuns = [], runs = [] } = decision.writes;
        const ended = runs.filter(({ state }) => state === 'done').length;
        commit = { kind: selection.kind, started: newRuns.length, ended };
        return decision;
      },
    });
    if (commit !== undefined) seen(commit);
    return result;
  };
}

describe('a herd', () => {
  test('leaves at most one step of handlers to be run again after a crash, at any moment', async () => {
    await using stage = new Stage(crowded);
    await stage.world.start();
    const count = 2000;
    for (let index = 0; index < count; index += 1) await stage.create({ every: '1m' }, `s-${index}`);
    let ended = 0;
    let unreported = 0;
    let together = 0;
    watch(stage.world.store, (commit) => {
      ended += commit.ended;
      if (commit.started > 0 && commit.ended > 0) together += 1;
      // Just after a commit, before its starts begin: the handlers that have run and whose end is not durable yet.
      unreported = Math.max(unreported, stage.performed.length - ended);
    });
    await stage.advance('61s');
    expect(stage.performed).toHaveLength(count);
    expect(ended).toBe(count);
    expect(unreported).toBeLessThanOrEqual(defaultTuning.largestStep);
    expect(together).toBeGreaterThan(4);
  });

  test('a lone end goes at once, in a step of its own', async () => {
    await using stage = new Stage();
    await stage.world.start();
    await stage.create();
    const commits: Commit[] = [];
    watch(stage.world.store, (commit) => commits.push(commit));
    await stage.advance('1m');
    expect(commits.map(({ kind, started, ended }) => `${kind} ${started} ${ended}`)).toEqual([
      'due 1 0',
      'step 0 1',
    ]);
  });
});

describe('an end', () => {
  test('that the store refuses together with a step goes by itself, and the step without it', async () => {
    await using stage = new Stage();
    await stage.world.start();
    const { store } = stage.world;
    const transact = store.transact.bind(store);
    let refused = 0;
    store.transact = async (selection, decider) => {
      if (selection.kind !== 'step') return await transact(selection, decider);
      refused += 1;
      throw new StoreError('conflict', 'refused on purpose');
    };
    await stage.create();
    await stage.advance('3m');
    expect(refused).toBe(3);
    expect(await stage.verdicts()).toEqual({ started: 3 });
    expect((await stage.runs()).map(({ outcome }) => outcome)).toEqual(Array(3).fill('completed'));
  });

  test('waits for a store that is away, and is acknowledged once', async () => {
    await using stage = new Stage({ tuning: { engine: { longestBackoff: 1000 as never } } });
    await stage.world.start();
    await stage.create();
    await stage.advance('59s');
    const { store } = stage.world;
    const transact = store.transact.bind(store);
    let away = false;
    store.transact = async (selection, decider) => {
      if (away) throw new StoreError('unavailable', 'away on purpose');
      const result = await transact(selection, decider);
      away = selection.kind === 'due' && stage.performed.length === 0;
      return result;
    };
    await stage.advance('5s');
    expect(stage.performed).toHaveLength(1);
    expect((await stage.runs())[0]?.state).toBe('leased');
    store.transact = transact;
    await stage.advance('5s');
    expect((await stage.runs())[0]).toMatchObject({ state: 'done', outcome: 'completed', attempt: 1 });
    expect(stage.performed).toHaveLength(1);
  });
});

test('a backlog of one schedule is handed over in pieces, and others fire in between', async () => {
  await using stage = new Stage(crowded);
  await stage.world.start();
  await stage.create({ every: '1s', overlap: 'allowAll' }, 'greedy');
  let most = 0;
  watch(stage.world.store, ({ started }) => {
    most = Math.max(most, started);
  });
  await stage.down('20m');
  await stage.advance('1s');
  expect(stage.performed.length).toBeGreaterThanOrEqual(1200);
  expect(most).toBeLessThanOrEqual(256);
});
