/** How many slots of the paused schedules of a namespace have passed without a row in the ledger, by bins. */
import type { Instant } from '../../base/time.ts';
import { addTime, second } from '../../base/time.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import { SlicedWork, timesBetween } from '../spec-search.ts';
import { binOf, spreadEvenly } from './bin-edges.ts';
import type { EvenInterval } from './even-interval.ts';
import { countEven, evenInterval } from './even-interval.ts';
import { openWindow, rateOf } from './open-slots.ts';
import type { PausedGroup } from './paused-fleet.ts';

/**
 * Times of one spec that are counted one by one: two weeks of every minute. The rest of the range is taken to have as many.
 */
const mostCounted = 20_000;
/** Units of work of one answer: a quarter of a second, in slices. */
const unitsPerCount = 500_000;

export interface PausedCounts {
  /** Slots in each bin. */
  readonly bins: readonly number[];
  /** Whether the work ended before all were counted. */
  readonly truncated: boolean;
}

/** Counts are given again for this long; a change among the paused schedules makes new ones. */
const keptFor = 10 * second;
const mostKept = 10;
const kept = new WeakMap<readonly PausedGroup[], Map<string, { at: Instant; counts: PausedCounts }>>();

export async function countPaused(
  groups: readonly PausedGroup[],
  edges: readonly Instant[],
  now: Instant,
): Promise<PausedCounts> {
  const answers = kept.get(groups) ?? new Map();
  kept.set(groups, answers);
  const key = `${edges[0]} ${edges.at(-1)} ${edges.length}`;
  const known = answers.get(key);
  if (known !== undefined && now >= known.at && now - known.at < keptFor) return known.counts;
  const counts = await counted(groups, edges, now);
  if (answers.size >= mostKept) answers.clear();
  answers.set(key, { at: now, counts });
  return counts;
}

async function counted(
  groups: readonly PausedGroup[],
  edges: readonly Instant[],
  now: Instant,
): Promise<PausedCounts> {
  const bins = edges.slice(1).map(() => 0);
  const work = new SlicedWork({ units: unitsPerCount });
  const add = (index: number, count: number) => {
    if (index >= 0) bins[index] = (bins[index] as number) + count;
  };
  const range = { from: edges[0] as Instant, to: addTime(edges.at(-1) as Instant, -1) };
  let truncated = false;
  for (const { definition, since } of groups) {
    const window = openWindow({ cursor: since[0] as Instant, now }, range);
    if (window.from >= window.to) continue;
    const even = evenInterval(definition);
    if (even !== undefined) {
      for (const [index, count] of evenCounts(even, since, edges, now).entries()) add(index, count);
      continue;
    }
    const { seed } = definition;
    const found = await timesBetween(compiledOf(definition), { window, limit: mostCounted, seed }, work);
    /** How many of the schedules were paused by then; times come in order, so it only grows. */
    let paused = 0;
    for (const { nominal, actual } of found.times) {
      if (actual > now) break;
      while (paused < since.length && (since[paused] as Instant) < nominal) paused += 1;
      add(binOf(edges, nominal), paused);
    }
    if (!found.truncated) continue;
    truncated = true;
    const rate = rateOf(found.times);
    const last = found.times.at(-1)?.nominal ?? window.from;
    const spread = (from: Instant, schedules: number) => {
      const span = { from, to: window.to };
      const count = Math.round((span.to - span.from) * rate) * schedules;
      spreadEvenly({ edges, span, count }, (bin, share) => add(binOf(edges, bin), share));
    };
    // Those that were paused before the count ended share one span.
    const later = since.filter((begin) => begin > last && begin < window.to);
    spread(addTime(last, 1), since.filter((begin) => begin <= last).length);
    for (const begin of later) spread(begin, 1);
  }
  return { bins, truncated };
}

/** `since` is in order: those that were paused before a bin count together, the others each from their own time on. */
function evenCounts(
  interval: EvenInterval,
  since: readonly Instant[],
  edges: readonly Instant[],
  now: Instant,
): readonly number[] {
  let paused = 0;
  return edges.slice(1).map((edge, index) => {
    const from = edges[index] as Instant;
    const end = Math.min(edge, now + 1);
    while (paused < since.length && (since[paused] as Instant) < from) paused += 1;
    let count = paused * countEven(interval, from, end);
    for (let place = paused; place < since.length && (since[place] as Instant) < end; place += 1) {
      count += countEven(interval, (since[place] as Instant) + 1, end);
    }
    return count;
  });
}
