/**
 * What is to come of a spec that a caller wants to store. A spec that can never have a time, or whose times are all over, is a
 * mistake; a spec without any source of times is a manual schedule, which deserves a hint.
 *
 * A declaration that is repeated with every deploy may outlive its last time: refusing it would keep a program from starting
 * a week after its one-off job. It gets a warning instead.
 */
import type { Problem } from '../base/error.ts';
import { isServiceError, ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { addTime, formatInstant } from '../base/time.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import { compileSpec, isManual } from '../spec/index.ts';
import { SlicedWork, unitsPerCheck } from './spec-search.ts';

export interface OutlookOptions {
  readonly seed: string;
  readonly now: Instant;
  /** Whether the caller declares a state that it repeats, as a deploy does. */
  readonly isDeclared: boolean;
}

const reasons = { over: 'OVER', never: 'NEVER', manual: 'MANUAL' } as const;

/** Refuses a spec without a time to come. Returns warnings about the spec. */
export async function checkOutlook(spec: ScheduleSpec, options: OutlookOptions): Promise<readonly Problem[]> {
  const { seed, now, isDeclared } = options;
  if (isManual(spec)) return [manual];
  const compiled = compileSpec(spec, { seed });
  const work = new SlicedWork({ units: unitsPerCheck });
  const coming = compiled.walk(addTime(now, -1), { seed });
  const next = await work.finish((budget) => coming.next(budget));
  if (next.kind !== 'none') return [];
  const gone = compiled.walk(0 as Instant, { seed, last: now });
  const hadTimes =
    (spec.times ?? []).length > 0 || (await work.finish((budget) => gone.next(budget))).kind === 'found';
  const problem = hadTimes ? overProblem(spec, now) : neverProblem(spec);
  if (hadTimes && isDeclared) return [problem];
  throw ServiceError.invalid([problem]);
}

/** Whether a spec was refused because nothing is to come of it. */
export function isWithoutTimes(error: unknown): boolean {
  const ours: readonly string[] = [reasons.over, reasons.never];
  return isServiceError(error) && error.problems.some(({ reason }) => ours.includes(reason));
}

const manual: Problem = {
  path: 'cron',
  reason: reasons.manual,
  message: 'the schedule has no times, so it runs only when it is triggered',
  fix: 'add cron, every, at or rrule, unless that is what you want',
};

function overProblem({ times = [], endAt }: ScheduleSpec, now: Instant): Problem {
  if (endAt !== undefined && endAt < now) {
    return {
      path: 'endAt',
      reason: reasons.over,
      message: `the schedule ended at ${formatInstant(endAt)}, which is in the past`,
      fix: 'write a later time, or leave it out',
    };
  }
  const [only] = times;
  const past =
    times.length === 1 && only !== undefined ? `${formatInstant(only)} is` : 'all times of the schedule are';
  return {
    path: times.length > 0 ? 'at' : 'spec',
    reason: reasons.over,
    message: `${past} in the past, so it would never run`,
    fix: 'write a time that is to come; to run something now, enqueue a run or trigger a schedule',
  };
}

const fields = [
  ['cron', 'cron'],
  ['rrules', 'rrule'],
  ['times', 'at'],
  ['intervals', 'every'],
] as const;

function neverProblem(spec: ScheduleSpec): Problem {
  const [, path = 'spec'] = fields.find(([name]) => (spec[name] ?? []).length > 0) ?? [];
  const isExcluded = spec.exclude !== undefined && Object.keys(spec.exclude).length > 0;
  return {
    path,
    reason: reasons.never,
    message: isExcluded
      ? 'no time is left beside what the schedule excludes, so it would never run'
      : 'no date matches, so the schedule would never run',
    fix: isExcluded
      ? 'exclude less'
      : 'check days against months (there is no 30 February), and the times against startAt and endAt',
  };
}
