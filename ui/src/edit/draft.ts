/** The definition that is being edited: the same object that the API takes, changed field by field. Pure. */
export type Draft = Readonly<Record<string, unknown>>;
export type Source = 'cron' | 'every' | 'rrule' | 'once' | 'other';

export interface SpecDraft {
  readonly cron?: readonly { readonly text: string; readonly dialect?: string }[];
  readonly intervals?: readonly { readonly everyMs: number; readonly phaseMs?: number }[];
  readonly rrules?: readonly { readonly text: string }[];
  readonly times?: readonly number[];
  readonly calendars?: readonly object[];
  readonly structuredCalendars?: readonly object[];
  readonly zone?: string;
  readonly dst?: { readonly gap?: string; readonly fold?: string };
  readonly exclude?: { readonly dates?: readonly string[] };
  readonly startAt?: number;
  readonly endAt?: number;
  readonly jitterMs?: number;
}

export const emptyDraft: Draft = { spec: { cron: [{ text: '0 9 * * 1-5' }] }, run: '' };

export function specOf(draft: Draft): SpecDraft {
  return (draft.spec ?? {}) as SpecDraft;
}

export function sourceOf(spec: SpecDraft): Source {
  const { cron, intervals, rrules, times, calendars, structuredCalendars } = spec;
  const kinds = [
    cron?.length === 1 ? 'cron' : undefined,
    intervals?.length === 1 ? 'every' : undefined,
    rrules?.length === 1 ? 'rrule' : undefined,
    times?.length === 1 ? 'once' : undefined,
  ].filter((kind) => kind !== undefined);
  const lists = [cron, intervals, rrules, times, calendars, structuredCalendars].filter(
    (list) => list !== undefined && list.length > 0,
  );
  return lists.length === 1 && kinds.length === 1 ? (kinds[0] as Source) : 'other';
}

/** Another source takes the place of the present one; zone, rules and bounds stay. */
export function withSource(spec: SpecDraft, source: Source, now: number): SpecDraft {
  const rest = { ...spec };
  for (const name of ['cron', 'intervals', 'rrules', 'times', 'calendars', 'structuredCalendars'] as const)
    delete rest[name];
  switch (source) {
    case 'cron':
      return { ...rest, cron: [{ text: '0 9 * * 1-5' }] };
    case 'every':
      return { ...rest, intervals: [{ everyMs: 3_600_000 }] };
    case 'rrule':
      return { ...rest, rrules: [{ text: 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0;BYSECOND=0' }] };
    case 'once':
      return { ...rest, times: [Math.ceil(now / 3_600_000) * 3_600_000 + 3_600_000] };
    case 'other':
      return spec;
  }
}

/** The days that are left out, as they are typed: dates between commas or spaces; undefined while one is not whole. Other exclusions stay. */
export function withDates(spec: SpecDraft, text: string): SpecDraft | undefined {
  const dates = text.split(/[\s,]+/).filter((date) => date !== '');
  if (!dates.every((date) => /^\d{4}-\d\d-\d\d$/.test(date))) return undefined;
  const { dates: _, ...others } = spec.exclude ?? {};
  const exclude = dates.length === 0 ? others : { ...others, dates };
  const { exclude: __, ...rest } = spec;
  return Object.keys(exclude).length === 0 ? rest : { ...rest, exclude };
}

/** An empty value takes the field away. */
export function withField(draft: Draft, name: string, value: unknown): Draft {
  const { [name]: _, ...rest } = draft;
  const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty ? rest : { ...draft, [name]: value };
}

export interface Part {
  readonly name: string;
  readonly text: string;
}

const names = ['minute', 'hour', 'day', 'month', 'weekday'];

/** The fields of a cron text with their names; empty for macros and texts of another shape. */
export function anatomyOf(text: string): readonly Part[] {
  const parts = text.trim().split(/\s+/);
  if (text.trim().startsWith('@') || parts[0] === '') return [];
  const shown = parts.length === 6 ? ['second', ...names] : names;
  if (parts.length !== shown.length) return [];
  return parts.map((part, index) => ({ name: shown[index] ?? '', text: part }));
}

export interface Conflict {
  /** Fields that both changed. */
  readonly both: readonly string[];
  /** Theirs with our changes of other fields. */
  readonly merged: Draft;
}

/** Three versions of one definition: what was read, what another person saved meanwhile, and what is being edited. */
export function mergeDrafts(base: Draft, theirs: Draft, ours: Draft): Conflict {
  const both: string[] = [];
  const merged: Record<string, unknown> = { ...theirs };
  for (const name of new Set([...Object.keys(base), ...Object.keys(theirs), ...Object.keys(ours)])) {
    const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
    if (same(base[name], ours[name])) continue;
    if (!same(base[name], theirs[name]) && !same(theirs[name], ours[name])) both.push(name);
    if (ours[name] === undefined) delete merged[name];
    else merged[name] = ours[name];
  }
  return { both, merged };
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** Lengths come back from the server in milliseconds and are typed as `1h`. */
export function shortLength(value: unknown): string {
  if (typeof value !== 'number') return value === undefined ? '' : String(value);
  const [name, size] = units.find(([, each]) => value >= each && value % each === 0) ?? ['ms', 1];
  return `${value / size}${name}`;
}
