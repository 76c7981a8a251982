/** How busy the other schedules are over a day, and a quiet time near the schedule's own. Pure. */
import { compileSpec, type Instant, validateSpec } from 'carillon/spec';

export interface Busy {
  readonly at: number;
  readonly starts: number;
}

/** A time is quiet beside another when it has at most half of its starts. */
const quietShare = 0.5;

/** The quietest bin nearest to a time; undefined when no bin is much quieter than that of the time. */
export function quietest<B extends Busy>(bins: readonly B[], time: number): B | undefined {
  const least = Math.min(...bins.map(({ starts }) => starts));
  const own = bins.findLast(({ at }) => at <= time);
  if (own === undefined || own.starts === 0 || least > own.starts * quietShare) return undefined;
  return bins
    .filter(({ starts }) => starts === least)
    .reduce<B | undefined>(
      (best, bin) => (best === undefined || Math.abs(bin.at - time) < Math.abs(best.at - time) ? bin : best),
      undefined,
    );
}

/** The most starts of one schedule that are taken away; one with more starts everywhere, and changes no comparison. */
const mostOwn = 5000;

/** The bins without the starts of the schedule itself, as `spec` names them. */
export function withoutOwn<B extends Busy>(bins: readonly B[], spec: object, end: number): readonly B[] {
  const checked = validateSpec(spec);
  const [first] = bins;
  if (!checked.ok || first === undefined) return bins;
  const compiled = compileSpec(checked.spec);
  const own = bins.map(() => 0);
  let bin = 0;
  let at = first.at - 1;
  for (let count = 0; count < mostOwn; count++) {
    const found = compiled.next(at as Instant);
    if (found === undefined || found.nominal >= end) {
      return bins.map((each, index) => ({ ...each, starts: Math.max(0, each.starts - (own[index] ?? 0)) }));
    }
    at = found.nominal;
    while (at >= (bins[bin + 1]?.at ?? Number.POSITIVE_INFINITY)) bin++;
    own[bin] = (own[bin] ?? 0) + 1;
  }
  return bins;
}

/** The spec with another hour and minute, where one cron text names both as numbers. */
export function movedTo<
  S extends { readonly cron?: readonly { readonly text: string; readonly dialect?: string }[] },
>(spec: S, { hour, minute }: { readonly hour: number; readonly minute: number }): S | undefined {
  const [cron, ...others] = spec.cron ?? [];
  if (cron === undefined || others.length > 0) return undefined;
  const found = /^(\s*(?:(?:CRON_)?TZ=\S+\s+)?)(.*)$/s.exec(cron.text);
  const fields = (found?.[2] ?? '').trim().split(/\s+/);
  const first = cron.dialect === 'spring' || (fields.length === 6 && cron.dialect !== 'temporal') ? 1 : 0;
  if (
    fields.length < 5 + first ||
    ![fields[first], fields[first + 1]].every((each) => /^\d+$/.test(each ?? ''))
  ) {
    return undefined;
  }
  const moved = fields.with(first, String(minute)).with(first + 1, String(hour));
  return { ...spec, cron: [{ ...cron, text: `${found?.[1] ?? ''}${moved.join(' ')}` }] };
}
