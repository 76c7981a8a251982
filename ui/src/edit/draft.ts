/** The definition that is being edited: the same object that the API takes, changed field by field. Pure. */
export type Draft = Readonly<Record<string, unknown>>;

export interface CronDraft {
  readonly text: string;
  readonly dialect?: string;
  readonly zone?: string;
}

export interface SpecDraft {
  readonly cron?: readonly CronDraft[];
  readonly intervals?: readonly { readonly everyMs: number; readonly phaseMs?: number }[];
  readonly rrules?: readonly { readonly text: string }[];
  readonly times?: readonly number[];
  readonly calendars?: readonly object[];
  readonly structuredCalendars?: readonly object[];
  readonly zone?: string;
  readonly zoneData?: string;
  readonly dst?: { readonly gap?: string; readonly fold?: string };
  readonly exclude?: ExcludeDraft;
  readonly startAt?: number;
  readonly endAt?: number;
  readonly jitterMs?: number;
}

export interface ExcludeDraft {
  readonly cron?: readonly CronDraft[];
  readonly calendars?: readonly object[];
  readonly structuredCalendars?: readonly object[];
  readonly dates?: readonly string[];
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

export interface BothChanged {
  readonly path: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

export interface Conflict {
  /** Fields that both changed, to different values. */
  readonly both: readonly BothChanged[];
  /** Theirs with our changes, also of the fields that both changed. */
  readonly merged: Draft;
  /** The paths of the fields that they changed. */
  readonly theirs: readonly string[];
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const isFields = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Three versions of one definition: what was read, what another person saved meanwhile, and what is being edited. */
export function mergeDrafts(base: Draft, theirs: Draft, ours: Draft): Conflict {
  const both: BothChanged[] = [];
  const changed: string[] = [];
  const merge = (before: Draft, other: Draft, own: Draft, within: string): Draft => {
    const merged: Record<string, unknown> = { ...other };
    for (const name of new Set([...Object.keys(before), ...Object.keys(other), ...Object.keys(own)])) {
      const [was, their, our] = [before[name], other[name], own[name]];
      const path = `${within}${name}`;
      // Inside of an object both may have changed fields that do not touch; a list is one value.
      if (isFields(was ?? {}) && isFields(their) && isFields(our)) {
        merged[name] = merge((was ?? {}) as Draft, their, our, `${path}.`);
        continue;
      }
      if (!same(was, their)) changed.push(path);
      if (same(was, our)) continue;
      if (!same(was, their) && !same(their, our)) both.push({ path, theirs: their, ours: our });
      if (our === undefined) delete merged[name];
      else merged[name] = our;
    }
    return merged;
  };
  const merged = merge(base, theirs, ours, '');
  const work = workOf(ours);
  // A definition names one kind of work.
  const whole = work === undefined ? merged : withWork(merged, work, merged[work]);
  return { both, merged: whole, theirs: changed };
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
