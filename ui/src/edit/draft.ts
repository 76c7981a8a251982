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
  readonly zoneData?: string;
  readonly dst?: { readonly gap?: string; readonly fold?: string };
  readonly exclude?: { readonly dates?: readonly string[] };
  readonly startAt?: number;
  readonly endAt?: number;
  readonly jitterMs?: number;
}

export const emptyDraft: Draft = { spec: { cron: [{ text: '0 9 * * 1-5' }] }, run: '' };

/** The kinds of work. A definition names exactly one. */
export const workKinds = ['run', 'http', 'command', 'bullmq', 'conductor', 'temporal'] as const;
export type WorkKind = (typeof workKinds)[number];

/** The kind of work that the draft names. */
export function workOf(draft: Draft): WorkKind | undefined {
  return workKinds.find((kind) => draft[kind] !== undefined);
}

/** Other work takes the place of the present one. */
export function withWork(draft: Draft, kind: WorkKind, target: unknown): Draft {
  const rest: Record<string, unknown> = { ...draft };
  for (const each of workKinds) delete rest[each];
  return { ...rest, [kind]: target };
}

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

/** An empty value takes the field away. */
export function withField(draft: Draft, name: string, value: unknown): Draft {
  const { [name]: _, ...rest } = draft;
  return isEmpty(value) ? rest : { ...draft, [name]: value };
}

/** Whether both say the same. The order of fields means nothing, and an empty field is an absent one. */
export function isSameDraft(a: Draft, b: Draft): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => !isEmpty(each));
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]),
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
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
  /** Fields that they changed. */
  readonly theirs: readonly string[];
}

/** Three versions of one definition: what was read, what another person saved meanwhile, and what is being edited. */
export function mergeDrafts(base: Draft, theirs: Draft, ours: Draft): Conflict {
  const both: string[] = [];
  const changed: string[] = [];
  const merged: Record<string, unknown> = { ...theirs };
  for (const name of new Set([...Object.keys(base), ...Object.keys(theirs), ...Object.keys(ours)])) {
    const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
    if (!same(base[name], theirs[name])) changed.push(name);
    if (same(base[name], ours[name])) continue;
    if (!same(base[name], theirs[name]) && !same(theirs[name], ours[name])) both.push(name);
    if (ours[name] === undefined) delete merged[name];
    else merged[name] = ours[name];
  }
  return { both, merged, theirs: changed };
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
