/**
 * What was ever stored stays readable. `CARILLON_GOLDEN=write` writes the files that are missing in the folder of the
 * current form; nothing overwrites one.
 */
import { describe, expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { GoldenFile } from './golden-file.ts';
import { advice, comparable, currentForm, GoldenFolder } from './golden-file.ts';
import type { History } from './histories.ts';
import { histories } from './histories.ts';
import type { Deeds, StoredRows } from './theatre.ts';
import { deedsOf, putIn, Theatre, takeOut } from './theatre.ts';

const golden = new GoldenFolder<Deeds>('./');
const begin = instant(Date.UTC(2026, 0, 1));

async function play(history: History): Promise<Pick<GoldenFile<Deeds>, 'at' | 'rows'>> {
  await using theatre = new Theatre(begin);
  await theatre.world.start();
  await history(theatre);
  return { at: theatre.world.now, rows: await takeOut(theatre.world.store) };
}

/** Wakes stored rows up in a world that has never seen them, and lets an hour pass. */
async function goOn({ at, rows }: Pick<GoldenFile<Deeds>, 'at' | 'rows'>): Promise<Deeds> {
  await using theatre = new Theatre(at);
  await theatre.world.store.migrate();
  await putIn(theatre.world.store, rows);
  await theatre.world.start();
  await theatre.world.advance('1h');
  return await deedsOf(theatre);
}

if (process.env.CARILLON_GOLDEN === 'write') {
  for (const [name, history] of Object.entries(histories)) {
    if (golden.has(name)) continue;
    const played = await play(history);
    golden.write(name, { ...played, anHourLater: await goOn(played) });
  }
}

describe.each(golden.forms())('rows stored in the form %s', (form) => {
  test.each(golden.names(form))('%s: are read, settle, and go on for an hour as recorded', async (name) => {
    const file = golden.read(form, name);
    expect(await goOn(file)).toEqual(file.anHourLater);
  });
});

describe('what is written today', () => {
  test.each(Object.entries(histories))('%s: has the current form to the letter', async (name, history) => {
    expect(golden.has(name), `no golden file for the history '${name}': see step 3.${advice}`).toBe(true);
    const file = golden.read(currentForm, name);
    const { at, rows } = await play(history);
    expect(at).toBe(file.at);
    expect(comparable(rows), advice).toEqual(comparable(file.rows));
  });

  test('covers every form of every component', async () => {
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
});

function partNames(rows: readonly StoredRows[]): readonly string[] {
  return [...new Set(rows.flatMap(({ parts }) => parts.map((part) => part.name)))].sort();
}
