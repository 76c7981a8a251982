/**
 * The times that a spec would name without its exclusions, its bounds and the clock changes, and that it does not name:
 * each with the part that rules it out. They have no row in the ledger; they are computed from the stored spec.
 */
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import { ruledOutBy, variantsOf } from '../../scheduler/explain.ts';
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
  { from, to }: Span,
  limit: number,
  work: SlicedWork,
): Promise<RuledOutTimes> {
  const { spec } = definition;
  // Nothing can be ruled out of a spec that has neither bounds nor exclusions nor a wall clock.
  if (!canRuleOut(definition)) return { times: [], truncated: false };
  const real = compiledOf(definition);
  const walk = compiledOf({ ...definition, spec: variantsOf(spec).every }).walk(addTime(from, -1), {
    last: to,
  });
  const times: RuledOut[] = [];
  let before: string | null = null;
  for (;;) {
    const found = await work.finish((budget) => walk.next(budget));
    if (found.kind === 'none') return { times, truncated: false };
    if (found.kind === 'unfinished') return { times, truncated: true };
    const { nominal } = found;
    const verdict = await work.answer((budget) =>
      real.matches(nominal, budget) ? null : ruledOutBy(definition, nominal, budget).answer,
    );
    const continues = verdict === before;
    before = verdict;
    if (verdict === null || !answers.has(verdict)) continue;
    if (times.length >= limit) return { times, truncated: true };
    times.push({ at: nominal, verdict: verdict as RuledOutAnswer, continues });
  }
}

function canRuleOut({ spec }: ScheduleDefinition): boolean {
  const { exclude, startAt, endAt, cron, calendars, structuredCalendars, rrules } = spec;
  return [exclude, startAt, endAt, cron, calendars, structuredCalendars, rrules].some(
    (each) => each !== undefined,
  );
}
