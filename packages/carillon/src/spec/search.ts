/** The search over a union of sources minus exclusions within bounds. */
import { type Instant, instant } from '../base/time.ts';
import { type Budget, budgetOf, defaultUnits, unfinished } from './budget.ts';
import { lastSecond } from './civil.ts';
import type {
  CompiledSpec,
  Occurrence,
  SearchOptions,
  SearchResult,
  Times,
  Walk,
  Window,
} from './compiled.ts';
import { budgetExceeded } from './compiled.ts';
import type { CombinedExclusions } from './exclusion.ts';
import { jitterOffset } from './jitter.ts';
import { maxTimes } from './limits.ts';
import type { Source } from './model.ts';
import { none } from './model.ts';
import { SourceUnion } from './source-union.ts';

export interface SpecParts {
  readonly sources: readonly Source[];
  /** Undefined when nothing is excluded. */
  readonly exclusions: CombinedExclusions | undefined;
  readonly startAt: number | undefined;
  readonly endAt: number | undefined;
  readonly jitterMs: number;
  readonly timeZoneVersion: string;
}

/** Returns the nearest time of any source strictly beyond a second, in one direction. */
type Ask = (from: number, budget: Budget) => number;

const nothing: Source = { next: () => none, previous: () => none, matches: () => false };

/** The query function of a walk. A single source is used directly, so that the common spec has no overhead. */
function asker(sources: readonly Source[], direction: 1 | -1): () => Ask {
  const [first = nothing, ...others] = sources;
  if (others.length > 0) {
    return () => {
      const union = new SourceUnion(sources, direction);
      return (from, budget) => union.beyond(from, budget);
    };
  }
  const ask: Ask = (from, budget) => {
    if (budget.left < 1) {
      budget.reached = from;
      return unfinished;
    }
    budget.left -= 1;
    return direction === 1 ? first.next(from, budget) : first.previous(from, budget);
  };
  return () => ask;
}

export function createSearch(parts: SpecParts): CompiledSpec {
  const { sources, exclusions, jitterMs } = parts;
  const forwards = asker(sources, 1);
  const backwards = asker(sources, -1);
  // Fractions of a second are rounded inwards on both sides, because the bounds are inclusive.
  const lower = Math.max(0, parts.startAt === undefined ? 0 : Math.ceil(parts.startAt / 1000));
  const upper = Math.min(lastSecond, parts.endAt === undefined ? lastSecond : Math.floor(parts.endAt / 1000));
  /** The default budget, refilled for every search that uses it; searches are synchronous. */
  const ample = budgetOf(defaultUnits);
  const refilled = (): Budget => {
    ample.left = defaultUnits;
    return ample;
  };

  /** First time after `after` and not after `last`. */
  const seek = (ask: Ask, after: number, last: number, budget: Budget): number => {
    let from = after < lower ? lower - 1 : after;
    for (;;) {
      const found = ask(from, budget);
      if (found === unfinished) return budget.reached >= last ? none : unfinished;
      if (!(found <= last)) return none;
      if (exclusions === undefined) return found;
      if (budget.left < exclusions.cost) {
        budget.reached = found - 1;
        return unfinished;
      }
      const end = exclusions.lastBeside(found, budget);
      if (Number.isNaN(end)) return found;
      from = end;
    }
  };

  const seekBack = (ask: Ask, before: number, budget: Budget): number => {
    let from = before > upper ? upper + 1 : before;
    for (;;) {
      const found = ask(from, budget);
      if (found === unfinished) return budget.reached <= lower ? none : unfinished;
      if (!(found >= lower)) return none;
      if (exclusions === undefined) return found;
      if (budget.left < exclusions.cost) {
        budget.reached = found + 1;
        return unfinished;
      }
      const begin = exclusions.firstBeside(found, budget);
      if (Number.isNaN(begin)) return found;
      from = begin;
    }
  };

  /** Milliseconds of delay; `unfinished` when the budget ended before the following time was known. */
  const delay = (ask: Ask, second: number, seed: string, budget: Budget): number => {
    if (jitterMs <= 0) return 0;
    const following = ask(second, budget);
    // A following time beyond the longest delay does not matter.
    if (following === unfinished && budget.reached < second + Math.ceil(jitterMs / 1000)) return unfinished;
    const room =
      following < Number.POSITIVE_INFINITY ? (following - second) * 1000 : Number.POSITIVE_INFINITY;
    return jitterOffset(second, seed, Math.min(jitterMs, room));
  };

  /** A found second with its delay. When the budget ends here, a later search finds the second again. */
  const occurrence = (ask: Ask, second: number, seed: string, budget: Budget): Occurrence | undefined => {
    const nominal = (second * 1000) as Instant;
    if (jitterMs <= 0) return { nominal, actual: nominal };
    const late = delay(ask, second, seed, budget);
    return late === unfinished ? undefined : { nominal, actual: (nominal + late) as Instant };
  };

  const openEnd = (reached: number): SearchResult => ({
    kind: 'unfinished',
    reached: instant(reached * 1000),
  });

  const walk = (after: Instant, { seed = '', last }: { seed?: string; last?: Instant } = {}): Walk => {
    const ask = forwards();
    const end = last === undefined ? upper : Math.min(upper, Math.floor(last / 1000));
    let position = Math.floor(after / 1000);
    /** Found, but the budget ended before its delay was known; the union has moved on to the time after it. */
    let pending = none;
    return {
      next: (budget) => {
        const found = Number.isNaN(pending) ? seek(ask, position, end, budget) : pending;
        if (Number.isNaN(found)) return { kind: 'none' };
        if (found === unfinished) {
          position = Math.max(position, budget.reached);
          return openEnd(position);
        }
        const time = occurrence(ask, found, seed, budget);
        pending = time === undefined ? found : none;
        position = time === undefined ? Math.max(position, found - 1) : found;
        return time === undefined ? openEnd(position) : { kind: 'found', ...time };
      },
    };
  };

  const search = (after: Instant, { seed = '', budget = refilled() }: SearchOptions = {}): SearchResult => {
    const ask = forwards();
    const from = Math.floor(after / 1000);
    const found = seek(ask, from, upper, budget);
    if (Number.isNaN(found)) return { kind: 'none' };
    if (found === unfinished) return openEnd(Math.max(from, budget.reached));
    const time = occurrence(ask, found, seed, budget);
    if (time === undefined) return openEnd(Math.max(from, found - 1));
    return { kind: 'found', nominal: time.nominal, actual: time.actual };
  };

  const searchBefore = (
    before: Instant,
    { seed = '', budget = refilled() }: SearchOptions = {},
  ): SearchResult => {
    const from = Math.ceil(before / 1000);
    const found = seekBack(backwards(), from, budget);
    if (Number.isNaN(found)) return { kind: 'none' };
    if (found === unfinished) return openEnd(Math.min(from, budget.reached));
    const time = occurrence(forwards(), found, seed, budget);
    return time === undefined ? openEnd(Math.min(from, found + 1)) : { kind: 'found', ...time };
  };

  const between = (
    window: Window,
    limit: number,
    { seed = '', budget = budgetOf(defaultUnits) }: SearchOptions = {},
  ): Times => {
    const times: Occurrence[] = [];
    const most = Math.min(limit, maxTimes);
    const steps = walk(window.from, { seed, last: window.to });
    for (;;) {
      const found = steps.next(budget);
      if (found.kind === 'unfinished') return { times, truncated: true, gaveUpAt: found.reached };
      if (found.kind === 'none') return { times, truncated: false };
      if (times.length >= most) return { times, truncated: true };
      times.push({ nominal: found.nominal, actual: found.actual });
    }
  };

  const answered = (found: SearchResult): Occurrence | undefined => {
    if (found.kind === 'unfinished') throw budgetExceeded(found.reached);
    return found.kind === 'none' ? undefined : { nominal: found.nominal, actual: found.actual };
  };

  return {
    next: (after, options) => {
      if (options !== undefined || jitterMs > 0) return answered(search(after, options));
      const found = seek(forwards(), Math.floor(after / 1000), upper, refilled());
      if (found === unfinished) throw budgetExceeded(instant(ample.reached * 1000));
      if (Number.isNaN(found)) return undefined;
      const nominal = (found * 1000) as Instant;
      return { nominal, actual: nominal };
    },
    previous: (before, options) => answered(searchBefore(before, options)),
    between,
    matches: (at, budget = refilled()) => {
      const second = at / 1000;
      if (!Number.isInteger(second) || second < lower || second > upper) return false;
      let isNamed = false;
      for (const source of sources) {
        budget.left -= 1;
        isNamed = budget.left >= 0 && source.matches(second, budget);
        if (isNamed || budget.left < 0) break;
      }
      if (budget.left < 0 || (isNamed && budget.left < (exclusions?.cost ?? 0))) {
        budget.left = 0;
        throw budgetExceeded(at);
      }
      return isNamed && Number.isNaN(exclusions?.lastBeside(second, budget) ?? none);
    },
    search,
    searchBefore,
    walk,
    nextSecond: (after) => {
      const found = seek(forwards(), after, upper, refilled());
      if (found === unfinished) throw budgetExceeded(instant(ample.reached * 1000));
      return found;
    },
    jitterOf: (nominal, seed) => {
      const late = delay(forwards(), Math.floor(nominal / 1000), seed, refilled());
      if (late === unfinished) throw budgetExceeded(nominal);
      return late;
    },
    nextRawSecond: (after) => {
      const found = forwards()(after, refilled());
      if (found === unfinished) throw budgetExceeded(instant(ample.reached * 1000));
      return found;
    },
    timeZoneVersion: parts.timeZoneVersion,
  };
}
