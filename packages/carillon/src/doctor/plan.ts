/**
 * What applying a manifest would do, as a value: what is declared against what is there.
 *
 * Fields have owners. The file owns what a schedule does; whoever pauses it or lets it run out owns that: a declared
 * `paused` or `remaining` counts when the schedule is made, and later only if the declared number itself was changed.
 */
import { findKind } from '../action/kind.ts';
import { formatDuration, readDuration } from '../base/duration.ts';
import { given } from '../base/given.ts';
import { isSameJson } from '../base/same-json.ts';
import { formatInstant } from '../base/time.ts';
import { defaultPolicy } from '../scheduler/definition.ts';
import { writeAction } from '../service/action-input.ts';
import type { DefinitionDraft } from '../service/definition-draft.ts';
import { aboutOf, isLength, writePolicy } from '../service/schedule-fields.ts';
import type { Sayable, ScheduleInput } from '../service/schedule-input.ts';
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
export interface LiveSchedule extends Sayable {
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

/** Fields under the names by which they are given, so that a plan speaks the language of the file. */
function comparable(from: Sayable): object {
  return {
    ...readable(from.spec),
    ...readableAction(from.action),
    ...readablePolicy(from.policy),
    ...aboutOf(from),
  };
}

/** Under the names by which they are given, lengths as people write them. */
function readablePolicy(policy: LiveSchedule['policy']): Readonly<Record<string, unknown>> {
  const said = Object.entries(writePolicy(policy));
  return Object.fromEntries(
    said.map(([name, value]) => [name, isLength(name) ? formatDuration(Number(value)) : value]),
  );
}

/** Lengths and times as people write them. */
function readable({ intervals, times, startAt, endAt, jitterMs, ...spec }: ScheduleSpec): object {
  return {
    ...spec,
    ...given({
      intervals: intervals?.map(intervalText),
      at: times?.map(formatInstant),
      startAt: startAt === undefined ? undefined : formatInstant(startAt),
      endAt: endAt === undefined ? undefined : formatInstant(endAt),
      jitter: lengthText(jitterMs),
    }),
  };
}

function intervalText({ everyMs, phaseMs }: Interval): string {
  const phase = phaseMs === undefined || phaseMs === 0 ? '' : ` offset ${formatDuration(phaseMs)}`;
  return `every ${formatDuration(everyMs)}${phase}`;
}

function readableAction(action: DefinitionDraft['action']): Readonly<Record<string, unknown>> {
  // Work of another door has no fields here, and is compared as it is stored.
  if (findKind(action.kind) === undefined) return { action };
  const { retry, attemptTimeout, timeout, ...what } = writeAction(action);
  const { initial, longest, ...counts } = retry ?? {};
  const inWords = { ...counts, ...given({ initial: lengthText(initial), longest: lengthText(longest) }) };
  return {
    ...what,
    ...(retry === undefined ? {} : { retry: inWords }),
    ...given({ attemptTimeout: lengthText(attemptTimeout), timeout: lengthText(timeout) }),
  };
}

function lengthText(length: string | number | undefined): string | undefined {
  return length === undefined ? undefined : formatDuration(readDuration(length));
}

/** What of a new schedule says something. */
function created(draft: DefinitionDraft): object {
  const { spec, action, policy, paused, remaining } = draft;
  const usual = { ...readablePolicy(defaultPolicy), priority: 0, workflowId: '', input: null };
  const chosen = Object.entries({ ...readableAction(action), ...readablePolicy(policy) }).filter(
    ([field, value]) => value !== (usual as Readonly<Record<string, unknown>>)[field],
  );
  const told = Object.entries(aboutOf(draft)).filter(([, value]) => Object.keys(value).length > 0);
  return {
    ...readable(spec),
    ...Object.fromEntries(chosen),
    ...(paused === undefined || paused === null ? {} : { paused: paused.note === '' ? true : paused.note }),
    ...(remaining === undefined || remaining === null ? {} : { remaining }),
    ...Object.fromEntries(told),
  };
}

/** Leaves that differ, by path. Lists of plain values are leaves: people read them as one. */
export function differences(before: object, after: object, under = ''): readonly FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): readonly FieldChange[] => {
    const a = (before as Record<string, unknown>)[name];
    const b = (after as Record<string, unknown>)[name];
    const path = Array.isArray(after) || Array.isArray(before) ? `${under}[${name}]` : joinPath(under, name);
    if (isSameJson(a, b)) return [];
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
