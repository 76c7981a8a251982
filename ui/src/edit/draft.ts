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

/** The fields without which a kind of work cannot be done. */
const neededFields: Readonly<Record<Exclude<WorkKind, 'run'>, readonly string[]>> = {
  http: ['url'],
  command: ['argv'],
  bullmq: ['queue'],
  conductor: ['workflow'],
  temporal: ['workflowType', 'taskQueue'],
};

/** Whether the draft says what runs. */
export function hasWork(draft: Draft): boolean {
  const kind = workOf(draft);
  if (kind === undefined || kind === 'run') return !isEmpty(draft.run);
  const target = draft[kind];
  return isFields(target) && neededFields[kind].every((name) => !isEmpty(target[name]));
}

/** Replaces the work. */
export function withWork(draft: Draft, kind: WorkKind, target: unknown): Draft {
  const rest: Record<string, unknown> = { ...draft };
  for (const each of workKinds) delete rest[each];
  return { ...rest, [kind]: target };
}

export function specOf(draft: Draft): SpecDraft {
  return (draft.spec ?? {}) as SpecDraft;
}

/** Sets a field; an empty value removes it. */
export function withField(draft: Draft, name: string, value: unknown): Draft {
  const { [name]: _, ...rest } = draft;
  return isEmpty(value) ? rest : { ...draft, [name]: value };
}

/** Whether both mean the same. The order */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b || (isEmpty(a) && isEmpty(b))) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => isSame(each, b[index]));
  if (!isFields(a) || !isFields(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(a[name], b[name]));
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
  /** Their version with our changes, also in the fields that both changed. */
  readonly merged: Draft;
  /** The paths of the fields that they changed. */
  readonly theirs: readonly string[];
}

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
      // Objects are compared field by field, because both may have changed different fields; a list is one value.
      if (isFields(was ?? {}) && isFields(their) && isFields(our)) {
        merged[name] = merge((was ?? {}) as Draft, their, our, `${path}.`);
        continue;
      }
      if (!isSame(was, their)) changed.push(path);
      if (isSame(was, our)) continue;
      if (!isSame(was, their) && !isSame(their, our)) both.push({ path, theirs: their, ours: our });
      if (our === undefined) delete merged[name];
      else merged[name] = our;
    }
    return merged;
  };
  const merged = merge(base, theirs, ours, '');
  // A definition names one kind of work: ours, if it is another or says something else than before.
  const own = workOf(ours);
  const isOwn = own !== undefined && !isSame(base[own], ours[own]);
  const work = isOwn ? own : (workOf(theirs) ?? own);
  const whole = work === undefined ? merged : withWork(merged, work, merged[work]);
  return { both, merged: whole, theirs: changed };
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** A length as a person types it, such as `1h`; the server returns milliseconds. */
export function shortLength(value: unknown): string {
  if (typeof value !== 'number') return value === undefined ? '' : String(value);
  const [name, size] = units.find(([, each]) => value >= each && value % each === 0) ?? ['ms', 1];
  return `${value / size}${name}`;
}
