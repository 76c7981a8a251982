/** The form works on the spec. A definition as people write it names its times by plain fields, which are put into the spec. Pure. */
import type { Draft, SpecDraft } from './draft.ts';
import { specOf } from './draft.ts';
import { lengthMs } from './read-field.ts';

type Given = Readonly<Record<string, unknown>>;

const listed = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
const instantOf = (value: unknown) => (typeof value === 'number' ? value : Date.parse(String(value)));

/** A definition with a plain field that cannot be read stays as it is: the server says what is wrong with it. */
export function withPlainTimes(draft: Draft): Draft {
  const {
    cron,
    dialect,
    every,
    offset,
    at,
    rrule,
    zone,
    dst,
    startAt,
    endAt,
    jitter,
    excludeDates,
    ...rest
  } = draft;
  const spec = specOf(draft);
  const everyMs = every === undefined ? undefined : lengthMs(every);
  const phaseMs = offset === undefined ? undefined : lengthMs(offset);
  const jitterMs = jitter === undefined ? undefined : lengthMs(jitter);
  const moments = [...listed(at), ...listed(startAt), ...listed(endAt)].map(instantOf);
  const isReadable =
    listed(cron).every((text) => typeof text === 'string') &&
    moments.every((moment) => !Number.isNaN(moment)) &&
    (every === undefined) === (everyMs === undefined) &&
    (offset === undefined) === (phaseMs === undefined) &&
    (jitter === undefined) === (jitterMs === undefined) &&
    (offset === undefined || every !== undefined) &&
    (excludeDates === undefined || Array.isArray(excludeDates));
  if (!isReadable) return draft;
  const given: Given = {
    cron: joined(
      spec.cron,
      listed(cron).map((text) => ({ text, ...(dialect === undefined ? {} : { dialect }) })),
    ),
    intervals: joined(
      spec.intervals,
      everyMs === undefined ? [] : [{ everyMs, ...(phaseMs === undefined ? {} : { phaseMs }) }],
    ),
    times: joined(spec.times, listed(at).map(instantOf)),
    rrules: joined(spec.rrules, rrule === undefined ? [] : [{ text: rrule }]),
    zone: zone ?? spec.zone,
    dst: dst ?? spec.dst,
    startAt: startAt === undefined ? spec.startAt : instantOf(startAt),
    endAt: endAt === undefined ? spec.endAt : instantOf(endAt),
    jitterMs: jitterMs ?? spec.jitterMs,
    exclude:
      excludeDates === undefined
        ? spec.exclude
        : { ...spec.exclude, dates: joined(spec.exclude?.dates, excludeDates as readonly unknown[]) },
  };
  const next = { ...spec, ...given };
  const present = Object.entries(next).filter(([, value]) => value !== undefined);
  return { ...rest, spec: Object.fromEntries(present) as SpecDraft };
}

function joined(
  before: readonly unknown[] | undefined,
  more: readonly unknown[],
): readonly unknown[] | undefined {
  return more.length === 0 ? before : [...(before ?? []), ...more];
}
