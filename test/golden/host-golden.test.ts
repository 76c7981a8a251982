/** What was ever stored of workflows on hosts stays readable. See `golden.test.ts` for how the files are written. */
import { describe, expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { GoldenFile } from './golden-file.ts';
import { advice, comparable, currentForm, GoldenFolder } from './golden-file.ts';
import type { HostHistory } from './host-histories.ts';
import { hostHistories } from './host-histories.ts';
import type { HostDeeds } from './host-theatre.ts';
import { deedsOfHost, HostTheatre, takeOutHost } from './host-theatre.ts';
import { putIn } from './theatre.ts';

const golden = new GoldenFolder<HostDeeds>('./hosts/');
const begin = instant(Date.UTC(2026, 0, 1));

type Played = Pick<GoldenFile<HostDeeds>, 'at' | 'rows'>;

async function play(history: HostHistory): Promise<Played> {
  await using theatre = new HostTheatre(begin);
  await theatre.world.start();
  await history(theatre);
  return { at: theatre.world.now, rows: await takeOutHost(theatre.world.store) };
}

/** Wakes stored rows up in a world that has never seen them, and lets an hour pass. */
async function goOn({ at, rows }: Played): Promise<HostDeeds> {
  await using theatre = new HostTheatre(at);
  await theatre.world.store.migrate();
  await putIn(theatre.world.store, rows);
  await theatre.world.start();
  await theatre.world.advance('1h');
  return await deedsOfHost(theatre);
}

if (process.env.CARILLON_GOLDEN === 'write') {
  for (const [name, history] of Object.entries(hostHistories)) {
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
  test.each(Object.entries(hostHistories))(
    '%s: has the current form to the letter',
    async (name, history) => {
      expect(golden.has(name), `no golden file for the history '${name}': see step 3.${advice}`).toBe(true);
      const file = golden.read(currentForm, name);
      const { at, rows } = await play(history);
      expect(at).toBe(file.at);
      expect(comparable(rows), advice).toEqual(comparable(file.rows));
    },
  );
});
