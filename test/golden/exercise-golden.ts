/** The same proof for every kind of execution: what was ever stored stays readable, and today's form is known to the letter. */
import { describe, expect, test } from 'vitest';
import type { GoldenFile, GoldenFolder } from './golden-file.ts';
import { advice, comparable, currentForm } from './golden-file.ts';

export type Played<Deeds> = Pick<GoldenFile<Deeds>, 'at' | 'rows'>;

export interface GoldenOptions<Deeds, History> {
  readonly golden: GoldenFolder<Deeds>;
  readonly histories: Readonly<Record<string, History>>;
  /** Lets a history happen, and takes its rows out of the store. */
  readonly play: (history: History) => Promise<Played<Deeds>>;
  /** Wakes stored rows up in a world that has never seen them, and lets an hour pass. */
  readonly goOn: (played: Played<Deeds>) => Promise<Deeds>;
}

/** `CARILLON_GOLDEN=write` writes the files that are missing in the folder of the current form; nothing overwrites one. */
export async function exerciseGolden<Deeds, History>(options: GoldenOptions<Deeds, History>): Promise<void> {
  const { golden, histories, play, goOn } = options;
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

  test.each(Object.entries(histories))(
    '%s: is written in the current form to the letter',
    async (name, history) => {
      expect(golden.has(name), `no golden file for the history '${name}': see step 3.${advice}`).toBe(true);
      const file = golden.read(currentForm, name);
      const { at, rows } = await play(history);
      expect(at).toBe(file.at);
      expect(comparable(rows), advice).toEqual(comparable(file.rows));
    },
  );
}
