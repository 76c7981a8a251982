/**
 * What applying a manifest would do, as a value: what is declared against what is there.
 *
 * Fields have owners. The file owns what a schedule does; whoever pauses it or lets it run out owns that: a declared
 * `paused` or `remaining` counts when the schedule is made, and later only if the declared number itself was changed.
 */
import { formatDuration } from '../base/duration.ts';
import { formatInstant } from '../base/time.ts';
import { defaultPolicy } from '../scheduler/definition.ts';
import type { DefinitionDraft } from '../service/definition-draft.ts';
import type { ScheduleInput } from '../service/schedule-input.ts';
import type { Interval, ScheduleSpec } from '../spec/index.ts';
import { describeSpec } from '../spec/index.ts';
import type { ManifestEntry } from './manifest.ts';

export interface FieldChange {
  readonly path: string;
  /** Undefined: was not there. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface PlannedChange {
  readonly id: string;
  readonly kind: 'create' | 'update' | 'unchanged' | 'foreign' | 'prune';
  readonly fields: readonly FieldChange[];
  /** When it runs, in words, after the change. */
  readonly words: string;
  /** What is left as it is, although somebody might expect otherwise. */
  readonly notes: readonly string[];
  /** The token that was read; a change since then is a conflict. */
  readonly token?: number;
  /** What is to be sent. */
  readonly input?: ScheduleInput;
  readonly line?: number;
}

/** A schedule as it is, as far as a plan cares. */
export interface LiveSchedule
  extends Pick<
    DefinitionDraft,
    'spec' | 'action' | 'policy' | 'description' | 'owner' | 'tags' | 'memo' | 'attributes' | 'note'
  > {
  readonly id: string;
  readonly token: number;
  readonly words: string;
  readonly paused: { readonly by: string; readonly note: string } | null;
  /** Actions left. */
  readonly remaining: number | null;
  /** The number that was asked for when that was last said; undefined: not looked up. */
  readonly askedRemaining?: number | null;
}

export interface PlanInput {
  readonly owner: string;
  readonly entries: readonly ManifestEntry[];
  /** Those among the declared that exist. */
  readonly live: ReadonlyMap<string, LiveSchedule>;
  /** All of this owner. */
  readonly owned: readonly Pick<LiveSchedule, 'id' | 'token' | 'words'>[];
  readonly takeOver: boolean;
}

export function planChanges({ owner, entries, live, owned, takeOver }: PlanInput): readonly PlannedChange[] {
  const declared = new Set(entries.map(({ id }) => id));
  return [
    ...entries.map((entry) => planEntry(entry, live.get(entry.id), { owner, takeOver })),
    ...owned
      .filter(({ id }) => !declared.has(id))
      .map(({ id, token, words }) => ({ id, kind: 'prune' as const, fields: [], words, notes: [], token })),
  ];
}

function planEntry(
  { id, line, input, draft }: ManifestEntry,
  live: LiveSchedule | undefined,
  { owner, takeOver }: { readonly owner: string; readonly takeOver: boolean },
): PlannedChange {
  const words = describeSpec(draft.spec);
  if (live === undefined) {
    return { id, kind: 'create', fields: differences({}, created(draft)), words, notes: [], input, line };
  }
  const { token } = live;
  if (live.owner !== owner && !takeOver) {
    const whose = live.owner === '' ? 'nobody' : `'${live.owner}'`;
    const notes = [`belongs to ${whose}; --take-over makes it yours`];
    return { id, kind: 'foreign', fields: [], words: live.words, notes, token, line };
  }
  const { paused: _, remaining, note = live.note, ...rest } = input;
  const isNewLimit = remaining !== undefined && remaining !== live.askedRemaining;
  const fields = [
    ...differences(comparable(live), comparable({ ...draft, note })),
    ...(isNewLimit ? [{ path: 'remaining', before: live.remaining, after: remaining }] : []),
  ];
  const notes = keptNotes(input, live, isNewLimit);
  if (fields.length === 0) return { id, kind: 'unchanged', fields, words, notes, token, line };
  const sent = { ...rest, note, ...(isNewLimit ? { remaining } : {}) };
  return { id, kind: 'update', fields, words, notes, token, input: sent, line };
}

function keptNotes(input: ScheduleInput, live: LiveSchedule, isNewLimit: boolean): readonly string[] {
  const notes: string[] = [];
  if (live.paused !== null) {
    const { by, note } = live.paused;
    notes.push(`stays paused (by ${by === '' ? 'somebody' : by}${note === '' ? '' : `: ${note}`})`);
  } else if (input.paused !== undefined && input.paused !== false) {
    notes.push('stays running: paused in the file counts when the schedule is made');
  }
  if (input.remaining !== undefined && !isNewLimit && live.remaining !== input.remaining)
    notes.push(`keeps its ${live.remaining ?? 'unlimited'} actions left`);
  return notes;
}

type Comparable = Pick<
  LiveSchedule,
  'spec' | 'action' | 'policy' | 'description' | 'owner' | 'tags' | 'memo' | 'attributes' | 'note'
>;

function comparable(from: Comparable): object {
  const { spec, action, policy, description, owner, tags, memo, attributes, note } = from;
  return {
    ...readable(spec),
    action,
    ...readablePolicy(policy),
    description,
    owner,
    tags,
    memo,
    attributes,
    note,
  };
}

function readablePolicy({ catchupWindowMs, idleCloseMs, ...plain }: LiveSchedule['policy']): object {
  return { ...plain, catchup: formatDuration(catchupWindowMs), idleClose: formatDuration(idleCloseMs) };
}

/** Lengths and times as people write them. */
function readable({ intervals, times, startAt, endAt, jitterMs, ...spec }: ScheduleSpec): object {
  return {
    ...spec,
    ...(intervals === undefined ? {} : { intervals: intervals.map(intervalText) }),
    ...(times === undefined ? {} : { at: times.map(formatInstant) }),
    ...(startAt === undefined ? {} : { startAt: formatInstant(startAt) }),
    ...(endAt === undefined ? {} : { endAt: formatInstant(endAt) }),
    ...(jitterMs === undefined ? {} : { jitter: formatDuration(jitterMs) }),
  };
}

function intervalText({ everyMs, phaseMs }: Interval): string {
  const phase = phaseMs === undefined || phaseMs === 0 ? '' : ` offset ${formatDuration(phaseMs)}`;
  return `every ${formatDuration(everyMs)}${phase}`;
}

/** Under the names by which they are given. */
function readableSettings({
  executionTimeoutMs,
  attemptTimeoutMs,
  ...settings
}: DefinitionDraft['action']['settings']): object {
  return {
    ...settings,
    ...(attemptTimeoutMs === undefined ? {} : { attemptTimeout: formatDuration(attemptTimeoutMs) }),
    ...(executionTimeoutMs === undefined ? {} : { timeout: formatDuration(executionTimeoutMs) }),
  };
}

/** Of a new schedule only what says something. */
function created(draft: DefinitionDraft): object {
  const { spec, action, policy, paused, remaining, description, owner, note, tags, memo, attributes } = draft;
  const { kind, name, queue, input, settings, priority } = action;
  const what =
    kind === 'run' ? { run: name, queue, ...(input === null ? {} : { input }) } : { [kind]: input };
  const usual = readablePolicy(defaultPolicy) as Readonly<Record<string, unknown>>;
  const chosen = Object.entries(readablePolicy(policy)).filter(([field, value]) => value !== usual[field]);
  const told = Object.entries({ description, note, tags, memo, attributes }).filter(
    ([, value]) => Object.keys(value).length > 0,
  );
  return {
    ...readable(spec),
    ...what,
    ...readableSettings(settings),
    ...(priority === 0 ? {} : { priority }),
    ...Object.fromEntries(chosen),
    ...(paused === undefined || paused === null ? {} : { paused: paused.note === '' ? true : paused.note }),
    ...(remaining === undefined || remaining === null ? {} : { remaining }),
    ...Object.fromEntries(told),
    owner,
  };
}

/** Leaves that differ, by path. Lists of plain values are leaves: people read them as one. */
export function differences(before: object, after: object, under = ''): readonly FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): readonly FieldChange[] => {
    const a = (before as Record<string, unknown>)[name];
    const b = (after as Record<string, unknown>)[name];
    const path = Array.isArray(after) || Array.isArray(before) ? `${under}[${name}]` : joinPath(under, name);
    if (isSame(a, b)) return [];
    if (isTree(a) && isTree(b)) return differences(a, b, path);
    if (isTree(b) && a === undefined) return differences(Array.isArray(b) ? [] : {}, b, path);
    return [{ path, before: a, after: b }];
  });
}

function joinPath(under: string, name: string): string {
  return under === '' ? name : `${under}.${name}`;
}

function isTree(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.some(isTree) : Object.keys(value).length > 0;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
}

/** The order in which fields were written says nothing. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, each]) => [name, inOrder(each)]));
}
