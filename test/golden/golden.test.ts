/** What was ever stored of schedules stays readable. */
import { expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { Played } from './exercise-golden.ts';
import { exerciseGolden } from './exercise-golden.ts';
import { currentForm, GoldenFolder } from './golden-file.ts';
import type { History } from './histories.ts';
import { histories } from './histories.ts';
import type { Deeds, StoredRows } from './theatre.ts';
import { deedsOf, putIn, Theatre, takeOut } from './theatre.ts';

const golden = new GoldenFolder<Deeds>('./');
const begin = instant(Date.UTC(2026, 0, 1));

async function play(history: History): Promise<Played<Deeds>> {
  await using theatre = new Theatre(begin);
  await theatre.world.start();
  await history(theatre);
  return { at: theatre.world.now, rows: await takeOut(theatre.world.store) };
}

async function goOn({ at, rows }: Played<Deeds>): Promise<Deeds> {
  await using theatre = new Theatre(at);
  await theatre.world.store.migrate();
  await putIn(theatre.world.store, rows);
  await theatre.world.start();
  await theatre.world.advance('1h');
  return await deedsOf(theatre);
}

await exerciseGolden({ golden, histories, play, goOn });

test('what is written today covers every form of every component', async () => {
  const states = Object.keys(histories).map((name) => golden.read(currentForm, name).rows);
  const nodes = states.flatMap(({ execution }) => {
    const { c } = JSON.parse(execution.state) as {
      readonly c: Readonly<Record<string, readonly unknown[]>>;
    };
    return Object.entries(c).map(([path, [state]]) => [path, state] as const);
  });
  const of = (path: string) => nodes.filter(([at]) => at === path).map(([, state]) => state as unknown[]);
  expect(new Set(of('generator').map((state) => state.length))).toEqual(new Set([2, 3, 4]));
  expect(of('generator').some(([, , stretch]) => stretch !== null && stretch !== undefined)).toBe(true);
  expect(new Set(of('invoker').map((state) => state.length))).toEqual(new Set([0, 1, 3, 4, 5]));
  expect(nodes.some(([path]) => path.startsWith('backfills:'))).toBe(true);
  expect(partNames(states)).toEqual(['#requests', 'definition', 'lastCompletion']);
});

function partNames(rows: readonly StoredRows[]): readonly string[] {
  return [...new Set(rows.flatMap(({ parts }) => parts.map((part) => part.name)))].sort();
}
