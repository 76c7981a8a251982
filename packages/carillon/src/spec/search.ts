/** The search over a union of sources minus exclusions within bounds. */
import { type Instant, instant } from '../base/time.ts';
import { lastSecond } from './civil.ts';
import type { CompiledSpec, Occurrence, SearchOptions, SearchResult, Times, Window } from './compiled.ts';
import { budgetExceeded } from './compiled.ts';
import { jitterOffset } from './jitter.ts';
import { maxIterations, maxTimes, warnIterations } from './limits.ts';
import type { Source } from './model.ts';
import { none } from './model.ts';

export interface SpecParts {
  readonly sources: readonly Source[];
  /** Whether a nominal second is excluded; undefined when nothing is. */
  readonly excluded: ((second: number) => boolean) | undefined;
  readonly startAt: number | undefined;
  readonly endAt: number | undefined;
  readonly jitterMs: number;
  readonly timeZoneVersion: string;
}

const nothing: Source = { next: () => none, previous: () => none, matches: () => false };

/** One source stays itself, so the common spec pays nothing for the general one. */
export function unionOf(sources: readonly Source[]): Source {
  const [first = nothing, ...others] = sources;
  if (others.length === 0) return first;
  return {
    next: (after) => {
      let best = none;
      for (const source of sources) {
        const found = source.next(after);
        // The comparison is written so that NaN, which compares false, gives way.
        if (!(best <= found) && !Number.isNaN(found)) best = found;
      }
      return best;
    },
    previous: (before) => {
      let best = none;
      for (const source of sources) {
        const found = source.previous(before);
        if (!(best >= found) && !Number.isNaN(found)) best = found;
      }
      return best;
    },
    matches: (second) => sources.some((source) => source.matches(second)),
  };
}

export function createSearch(parts: SpecParts): CompiledSpec {
  const { excluded, jitterMs } = parts;
  const source = unionOf(parts.sources);
  // A fraction of a second is rounded inwards on both sides: bounds are inclusive, never leaky.
  const lower = Math.max(0, parts.startAt === undefined ? 0 : Math.ceil(parts.startAt / 1000));
  const upper = Math.min(lastSecond, parts.endAt === undefined ? lastSecond : Math.floor(parts.endAt / 1000));
  /** Candidates excluded by the last search; read right after it. */
  let examined = 0;
  /** The last excluded candidate of a search that gave up. */
  let reached = none;

  /** First time after `after` and not after `last`. NaN: none. Infinity: gave up. */
  const seek = (after: number, limit: number, last: number): number => {
    let from = after < lower ? lower - 1 : after;
    examined = 0;
    for (;;) {
      const found = source.next(from);
      if (!(found <= last)) return none;
      if (excluded === undefined || !excluded(found)) return found;
      from = found;
      reached = found;
      if (++examined >= limit) return Number.POSITIVE_INFINITY;
    }
  };

  const seekBack = (before: number): number => {
    let from = before > upper ? upper + 1 : before;
    examined = 0;
    for (;;) {
      const found = source.previous(from);
      if (!(found >= lower)) return none;
      if (excluded === undefined || !excluded(found)) return found;
      from = found;
      if (++examined >= maxIterations) throw budgetExceeded(examined);
    }
  };

  const delay = (second: number, seed: string): number => {
    if (jitterMs <= 0) return 0;
    const following = source.next(second);
    const room = Number.isNaN(following) ? Number.POSITIVE_INFINITY : (following - second) * 1000;
    return jitterOffset(second, seed, Math.min(jitterMs, room));
  };

  const occurrence = (second: number, seed: string): Occurrence => {
    const nominal = (second * 1000) as Instant;
    return { nominal, actual: jitterMs > 0 ? ((nominal + delay(second, seed)) as Instant) : nominal };
  };

  const nextSecond = (after: number): number => {
    const found = seek(after, maxIterations, upper);
    if (found === Number.POSITIVE_INFINITY) throw budgetExceeded(examined);
    return found;
  };

  const search = (after: Instant, options: SearchOptions = {}): SearchResult => {
    const { seed = '', warnAfter = warnIterations, giveUpAfter = maxIterations } = options;
    const limit = giveUpAfter > 0 ? giveUpAfter : Number.POSITIVE_INFINITY;
    const found = seek(Math.floor(after / 1000), limit, upper);
    if (found === Number.POSITIVE_INFINITY) {
      return { kind: 'budgetExceeded', examined, reached: instant(reached * 1000), warn: true };
    }
    const warn = examined >= (warnAfter > 0 ? warnAfter : warnIterations);
    if (Number.isNaN(found)) return { kind: 'none', warn };
    const { nominal, actual } = occurrence(found, seed);
    return { kind: 'found', nominal, actual, warn };
  };

  const between = (window: Window, limit: number, seed = ''): Times => {
    const times: Occurrence[] = [];
    const most = Math.min(limit, maxTimes);
    let after = Math.floor(window.from / 1000);
    const end = Math.min(upper, Math.floor(window.to / 1000));
    for (;;) {
      const found = seek(after, maxIterations, end);
      if (found === Number.POSITIVE_INFINITY) {
        return { times, truncated: true, gaveUpAt: instant(reached * 1000) };
      }
      if (Number.isNaN(found)) return { times, truncated: false };
      if (times.length >= most) return { times, truncated: true };
      times.push(occurrence(found, seed));
      after = found;
    }
  };

  return {
    next: (after, seed = '') => {
      const found = nextSecond(Math.floor(after / 1000));
      return Number.isNaN(found) ? undefined : occurrence(found, seed);
    },
    previous: (before, seed = '') => {
      const found = seekBack(Math.ceil(before / 1000));
      return Number.isNaN(found) ? undefined : occurrence(found, seed);
    },
    between,
    matches: (at) => {
      const second = at / 1000;
      if (!Number.isInteger(second) || second < lower || second > upper) return false;
      return source.matches(second) && !(excluded?.(second) ?? false);
    },
    search,
    nextSecond,
    jitterOf: (nominal, seed) => delay(Math.floor(nominal / 1000), seed),
    nextRawSecond: (after) => source.next(after),
    timeZoneVersion: parts.timeZoneVersion,
  };
}
