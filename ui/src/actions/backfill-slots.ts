/** Which slots of a range a backfill means, and how long their runs will take. Pure. */
import type { Effects } from 'carillon/client';
import { lookOfSlot } from '../strip/strip.ts';
import type { Look } from '../verdict/verdict.ts';
import { isLook, wordOf, wordOfRun } from '../verdict/verdict.ts';

export type Which = 'notRun' | 'failedToo' | 'all';

export type RangeSlot = NonNullable<Effects['range']>['items'][number];

export const whichSlots: readonly { readonly value: Which; readonly text: string }[] = [
  { value: 'notRun', text: 'Did not run' },
  { value: 'failedToo', text: 'Failed too' },
  { value: 'all', text: 'All' },
];

/** What became of the slot; undefined when the ledger says nothing about it. */
export function becameOf({
  verdict,
  run,
}: RangeSlot): { readonly look: Look; readonly word: string } | undefined {
  if (verdict === null || !isLook(verdict)) return undefined;
  if (run === undefined) return { look: verdict, word: wordOf(verdict) };
  const { state, outcome } = run;
  const look = lookOfSlot({ verdict, run: { id: '', state, ...(outcome === null ? {} : { outcome }) } });
  return { look, word: wordOfRun(run) };
}

/** Looks of slots whose run is under way or waits: these slots did not fail to run. */
const going: ReadonlySet<Look> = new Set(['running', 'buffered', 'started', 'startedLate']);
const inVain: ReadonlySet<Look> = new Set(['failed', 'timedOut', 'runStopped']);

export function isMeant(which: Which, slot: RangeSlot): boolean {
  const look = becameOf(slot)?.look;
  if (which === 'all' || look === undefined) return true;
  if (inVain.has(look)) return which === 'failedToo';
  return !going.has(look);
}

/** Whether the list shows the slot: one that ran is shown where all are asked for. */
export function isListed(which: Which, slot: RangeSlot): boolean {
  return which === 'all' || isMeant('failedToo', slot);
}

interface Chosen {
  readonly items: readonly RangeSlot[];
  readonly which: Which;
  /** Slots that were ticked or left out by hand, against the choice. */
  readonly byHand: ReadonlyMap<string, boolean>;
}

export function isTicked({ which, byHand }: Omit<Chosen, 'items'>, slot: RangeSlot): boolean {
  return byHand.get(slot.at) ?? isMeant(which, slot);
}

interface Asked {
  /** The slots of the range that are left out. */
  readonly except: readonly string[];
  /** The last slot of the range that is asked for; absent: all of the range. */
  readonly to?: string;
  readonly count: number;
}

/**
 * What is asked of the server. Of a long range only the first slots are known; unless all are wanted, the range ends with
 * the last known one, so that no slot runs again that the person has not seen.
 */
export function askedOf({ items, ...chosen }: Chosen, total: number): Asked {
  const except = items.filter((slot) => !isTicked(chosen, slot)).map(({ at }) => at);
  const last = items.at(-1)?.at;
  if (chosen.which === 'all' || last === undefined || total <= items.length)
    return { except, count: total - except.length };
  return { except, to: last, count: items.length - except.length };
}

/** When the first, second, … of the runs starts, one at a time, if each takes as long as runs usually do. */
export function expectedStart(place: number, now: number, usualMs: number): number {
  return now + place * usualMs;
}

/** How long all of them take together. */
export function expectedLength(count: number, usualMs: number, isOneByOne: boolean): number {
  return isOneByOne ? count * usualMs : usualMs;
}
