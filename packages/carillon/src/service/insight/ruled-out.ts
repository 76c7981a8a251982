/**
 * The times that a spec would name without its exclusions, its bounds and the clock changes, and that it does not name:
 * each with the part that rules it out. They have no row in the ledger; they are computed from the stored spec.
 */
import type { Instant } from '../../base/time.ts';
import { addTime, hour } from '../../base/time.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import { ruledOutBy } from '../../scheduler/explain.ts';
import { variantsOf } from '../../scheduler/spec-variants.ts';
import { clockZones } from '../../spec/dst-report.ts';
import type { ScheduleSpec } from '../../spec/index.ts';
import type { SlicedWork } from '../spec-search.ts';
import type { Span } from './history-material.ts';

export type RuledOutAnswer = 'excluded' | 'outOfBounds' | 'dstGap' | 'dstFold';

export interface RuledOut {
  readonly at: Instant;
  readonly verdict: RuledOutAnswer;
  /** Whether the time before it in the spec was ruled out for the same reason. */
  readonly continues: boolean;
}

export interface RuledOutTimes {
  readonly times: readonly RuledOut[];
  /** Whether there are more than these, or more than could be searched. */
  readonly truncated: boolean;
}

const answers: ReadonlySet<string> = new Set(['excluded', 'outOfBounds', 'dstGap', 'dstFold']);

/** Times in [from, to]. */
export async function ruledOutIn(
  definition: ScheduleDefinition,
  span: Span,
  limit: number,
  work: SlicedWork,
): Promise<RuledOutTimes> {
  const times: RuledOut[] = [];
  for (const window of windowsOf(definition.spec, span)) {
    const isWhole = await searchIn(definition, window, { times, limit, work });
    if (!isWhole) return { times, truncated: true };
  }
  return { times, truncated: false };
}

/** Returns false when there is more than was found. */
async function searchIn(
  definition: ScheduleDefinition,
  { from, to }: Span,
  { times, limit, work }: { readonly times: RuledOut[]; readonly limit: number; readonly work: SlicedWork },
): Promise<boolean> {
  const real = compiledOf(definition);
  const { every } = variantsOf(definition.spec);
  const walk = compiledOf({ ...definition, spec: every }).walk(addTime(from, -1), { last: to });
  let before: string | null = null;
  for (;;) {
    const found = await work.finish((budget) => walk.next(budget));
    if (found.kind === 'none') return true;
    if (found.kind === 'unfinished') return false;
    const { nominal } = found;
    const verdict = await work.answer((budget) =>
      real.matches(nominal, budget) ? null : ruledOutBy(definition, nominal, budget),
    );
    const continues = verdict === before;
    before = verdict;
    if (verdict === null || !answers.has(verdict)) continue;
    if (times.length >= limit) return false;
    times.push({ at: nominal, verdict: verdict as RuledOutAnswer, continues });
  }
}

/**
 * Where something can be ruled out: everywhere with bounds or exclusions, otherwise only around the clock changes of the
 * zones. So a schedule of every second costs no search over its whole range.
 */
function windowsOf(spec: ScheduleSpec, span: Span): readonly Span[] {
  const { exclude, startAt, endAt } = spec;
  if (exclude !== undefined || startAt !== undefined || endAt !== undefined) return [span];
  const windows: Span[] = [];
  for (const zone of clockZones(spec)) {
    let at = zone.nextTransition(Math.floor((span.from - longestChange) / 1000));
    for (; at * 1000 <= span.to + longestChange; at = zone.nextTransition(at)) {
      const size = Math.abs(zone.offsetAt(at) - zone.offsetAt(at - 1)) * 1000 + hour;
      const from = Math.max(span.from, at * 1000 - size) as Instant;
      const to = Math.min(span.to, at * 1000 + size) as Instant;
      if (from <= to) windows.push({ from, to });
    }
  }
  return windows.sort((a, b) => a.from - b.from);
}

/** Clocks have been set by a whole day, at the date line. */
const longestChange = 25 * hour;
