/** Finds the nearest slot that did not run, beyond the loaded slots. The bins of the map show where to look. */
import type { QueryClient } from '@tanstack/react-query';
import type { Scope } from '../data/api.ts';
import { binsOf, slotsOf } from '../timeline/from-answers.ts';
import { miniBin, miniRange } from '../timeline/mini.ts';
import type { Stop } from '../timeline/walk.ts';
import { hasTrouble, nextStop } from '../timeline/walk.ts';
import { binsQuery, timelineQuery } from './queries.ts';

/** The most bins whose slots are read. */
const mostRead = 4;

export interface FarTrouble {
  readonly id: string;
  readonly createdAt: number;
  readonly now: number;
  readonly here: number;
  readonly isLater: boolean;
}

export async function farTrouble(
  client: QueryClient,
  scope: Scope,
  { id, createdAt, now, here, isLater }: FarTrouble,
): Promise<Stop | undefined> {
  const range = miniRange(now, createdAt);
  const answer = await client.fetchQuery(binsQuery(scope, id, range, miniBin(range)));
  const beyond = binsOf(answer).filter(
    (bin) => bin.from <= now && hasTrouble(bin) && (isLater ? bin.to > here : bin.from < here),
  );
  const nearest = isLater ? beyond : beyond.toReversed();
  for (const { from, to } of nearest.slice(0, mostRead)) {
    const slots = slotsOf(await client.fetchQuery(timelineQuery(scope, id, { from, to })));
    const stop = nextStop({ slots, bins: null }, { here, isLater, troubleUntil: now });
    if (stop !== undefined) return stop;
  }
  return undefined;
}
