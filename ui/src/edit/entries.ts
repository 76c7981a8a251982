/** The entries of a spec that name times, and those that take times out, one by one. Pure. */
import type { Draft, SpecDraft } from './draft.ts';
import { valueAt, withValue } from './typed.ts';

/** The kinds of entries that the form makes, each with the list that holds it. */
const lists = {
  every: 'intervals',
  calendar: 'calendars',
  cron: 'cron',
  rrule: 'rrules',
  once: 'times',
} as const;

export type Kind = keyof typeof lists;
/** `manual`: the schedule runs only when it is triggered. */
export type Source = Kind | 'manual' | 'several';

export interface Entry {
  /** `structured`: a calendar of numbers, as Temporal sends them. */
  readonly kind: Kind | 'structured';
  /** Its list in the definition, such as `spec.exclude.cron`. */
  readonly list: string;
  readonly index: number;
  /** The beginning of the paths of its problems. */
  readonly problemPath: string;
}

const hourMs = 3_600_000;
const allLists = [...Object.entries(lists), ['structured', 'structuredCalendars'] as const] as const;

function entriesIn(of: object, path: string): readonly Entry[] {
  const from = of as Readonly<Record<string, unknown>>;
  return allLists.flatMap(([kind, name]) => {
    const items = from[name];
    return Array.isArray(items)
      ? items.map((_, index) => ({
          kind: kind as Kind,
          list: `${path}.${name}`,
          index,
          problemPath: `${path.replace(/^spec\.?/, '')}${path === 'spec' ? '' : '.'}${name}[${index}]`,
        }))
      : [];
  });
}

export function entriesOf(spec: SpecDraft): readonly Entry[] {
  return entriesIn(spec, 'spec');
}

/** The exclusions, except whole days. */
export function exclusionsOf({ exclude = {} }: SpecDraft): readonly Entry[] {
  return entriesIn(exclude, 'spec.exclude');
}

export function sourceOf(spec: SpecDraft): Source {
  const [first, ...others] = entriesOf(spec);
  if (first === undefined) return 'manual';
  return others.length > 0 || first.kind === 'structured' ? 'several' : first.kind;
}

function begun(kind: Kind, now: number): unknown {
  switch (kind) {
    case 'cron':
      return { text: '0 9 * * 1-5' };
    case 'every':
      return { everyMs: hourMs };
    case 'calendar':
      return { hour: '9', dayOfWeek: 'mon-fri' };
    case 'rrule':
      return { text: 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0;BYSECOND=0' };
    case 'once':
      return Math.ceil(now / hourMs) * hourMs + hourMs;
  }
}

/** The lists of times alone. */
export function timesOf(spec: SpecDraft): SpecDraft {
  const names: readonly string[] = allLists.map(([, name]) => name);
  return Object.fromEntries(Object.entries(spec).filter(([name]) => names.includes(name)));
}

/** Other times take the place of all present ones; zone, rules and bounds stay. */
export function withTimes(spec: SpecDraft, times: SpecDraft): SpecDraft {
  const rest: Record<string, unknown> = { ...spec };
  for (const [, name] of allLists) delete rest[name];
  return { ...rest, ...times };
}

/** What a source begins with. */
export function begunTimes(source: Kind | 'manual', now: number): SpecDraft {
  return source === 'manual' ? {} : { [lists[source]]: [begun(source, now)] };
}

/** Adds an entry after those of its kind; `path` is `spec` or `spec.exclude`. */
export function withEntry(draft: Draft, path: string, kind: Kind, now: number): Draft {
  const list = `${path}.${lists[kind]}`;
  const before = valueAt(draft, list);
  return withValue(draft, list, [...(Array.isArray(before) ? before : []), begun(kind, now)]);
}

export function withoutEntry(draft: Draft, { list, index }: Entry): Draft {
  const before = valueAt(draft, list) as readonly unknown[];
  const left = before.filter((_, place) => place !== index);
  return withValue(draft, list, left.length === 0 ? undefined : left);
}
