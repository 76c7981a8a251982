/** What was ever stored of workflows on hosts stays readable. */
import { instant } from '../../packages/carillon/src/base/time.ts';
import type { Played } from './exercise-golden.ts';
import { exerciseGolden } from './exercise-golden.ts';
import { GoldenFolder } from './golden-file.ts';
import type { HostHistory } from './host-histories.ts';
import { hostHistories } from './host-histories.ts';
import type { HostDeeds } from './host-theatre.ts';
import { deedsOfHost, HostTheatre, takeOutHost } from './host-theatre.ts';
import { putIn } from './theatre.ts';

const golden = new GoldenFolder<HostDeeds>('./hosts/');
const begin = instant(Date.UTC(2026, 0, 1));

async function play(history: HostHistory): Promise<Played<HostDeeds>> {
  await using theatre = new HostTheatre(begin);
  await theatre.world.start();
  await history(theatre);
  return { at: theatre.world.now, rows: await takeOutHost(theatre.world.store) };
}

async function goOn({ at, rows }: Played<HostDeeds>): Promise<HostDeeds> {
  await using theatre = new HostTheatre(at);
  await theatre.world.store.migrate();
  await putIn(theatre.world.store, rows);
  await theatre.world.start();
  await theatre.world.advance('1h');
  return await deedsOfHost(theatre);
}

await exerciseGolden({ golden, histories: hostHistories, play, goOn });
