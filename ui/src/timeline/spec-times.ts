import { compileSpec, type Instant, type ScheduleSpec } from 'carillon/spec';
import type { TimesOf } from './from-answers.ts';

/** The nominal times of a spec within a stretch; undefined when their number differs, because the spec was another one then. */
export function specTimes(spec: object): TimesOf {
  const compiled = compileSpec(spec as ScheduleSpec);
  return (from, to, count) => {
    const window = { from: (from - 1) as Instant, to: to as Instant };
    const { times } = compiled.between(window, count + 1);
    return times.length === count ? times.map(({ nominal }) => nominal) : undefined;
  };
}
