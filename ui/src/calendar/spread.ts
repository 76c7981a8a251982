/** What spreading the starts of one moment over the following minutes would do. Pure. */
export interface Spreading {
  /** Starts by the minute, from a few minutes before the moment. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly mostBefore: number;
  readonly mostAfter: number;
  /** The starts that would move, and by how many minutes at most. */
  readonly moved: number;
  readonly minutes: number;
}

/** The longest spread that is offered, in minutes. */
const longest = 15;

/**
 * `minutes` are the starts of each minute, `place` the one of the moment, `starts` those of its very second. They are spread
 * evenly; the shortest spread after which the minute is no longer the busiest one is taken.
 */
export function spreadOf(minutes: readonly number[], place: number, starts: number): Spreading {
  const rest = minutes.map((count, index) => (index === place ? Math.max(0, count - starts) : count));
  let best = spread(rest, place, starts, 1);
  for (let length = 2; length <= longest; length += 1) {
    const next = spread(rest, place, starts, length);
    if (Math.max(...next) < Math.max(...best)) best = next;
  }
  const last = best.reduce((found, count, index) => (count !== rest[index] ? index : found), place);
  const kept = (best[place] ?? 0) - (rest[place] ?? 0);
  return {
    before: minutes,
    after: best,
    mostBefore: minutes[place] ?? 0,
    mostAfter: Math.max(...best.slice(place, last + 1)),
    moved: starts - kept,
    minutes: last - place,
  };
}

function spread(rest: readonly number[], place: number, starts: number, length: number): readonly number[] {
  return rest.map((count, index) => {
    const step = index - place;
    if (step < 0 || step >= length) return count;
    return count + Math.floor((starts * (step + 1)) / length) - Math.floor((starts * step) / length);
  });
}
