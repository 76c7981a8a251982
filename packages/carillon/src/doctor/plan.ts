/**
 * The plan of a manifest: the steps of its declaration, with changed fields under the names of the file. A declared
 * `paused` or `remaining` counts when the schedule is created, and later only if the declared value itself changed.
 */
import { findKind } from '../action/kind.ts';
import { formatDuration, readDuration } from '../base/duration.ts';
import { given } from '../base/given.ts';
import { isSameJson } from '../base/same-json.ts';
import { formatInstant } from '../base/time.ts';
import { defaultPolicy } from '../scheduler/definition.ts';
import { writeAction } from '../service/action-input.ts';
import type { DeclarationChange, DeclarationStep, Declarer, Present } from '../service/declaration.ts';
import { belonging, planPrune, planStep } from '../service/declaration.ts';
import type { DefinitionDraft } from '../service/definition-draft.ts';
import type { FieldChange } from '../service/insight/field-diff.ts';
import { aboutOf, isLength, writePolicy } from '../service/schedule-fields.ts';
import type { Sayable, ScheduleInput } from '../service/schedule-input.ts';
import type { Interval, ScheduleSpec } from '../spec/index.ts';
import { describeSpec } from '../spec/index.ts';
import type { ManifestEntry } from './manifest.ts';

export interface PlannedChange {
  readonly id: string;
  readonly kind: DeclarationStep['kind'];
  readonly fields: readonly FieldChange[];
  /** The description of the spec after the change. */
  readonly words: string;
  /** Notes about fields that stay unchanged although a reader of the file might expect a change. */
  readonly notes: readonly string[];
  /** The step to carry out. */
  readonly step: DeclarationStep<SentChange>;
  readonly line?: number;
}

/** A change that can also be sent to a server, which reads the input itself. */
export interface SentChange extends DeclarationChange {
  readonly input: ScheduleInput;
}

/** An existing schedule, with the fields that a plan needs. */
export interface LiveSchedule extends Present {
  readonly words: string;
  readonly paused: { readonly by: string; readonly note: string } | null;
  /** The remaining actions. */
  readonly remaining: number | null;
  /** The last requested number of actions; undefined when it was not read. */
  readonly askedRemaining?: number | null;
}

/** A schedule of the owner, of any declaration. */
export type OwnedSchedule = Pick<LiveSchedule, 'id' | 'token' | 'words' | 'owner' | 'declaredBy'>;

export interface PlanInput extends Declarer {
  readonly entries: readonly ManifestEntry[];
  /** The existing schedules among the declared ones. */
  readonly live: ReadonlyMap<string, LiveSchedule>;
  /** All schedules of this owner. */
  readonly owned: readonly OwnedSchedule[];
  readonly takeOver: boolean;
}

export function planChanges(input: PlanInput): readonly PlannedChange[] {
  const { entries, live, owned } = input;
  const words = new Map(owned.map((each) => [each.id, each.words]));
  const declared = new Set(entries.map(({ id }) => id));
  return [
    ...entries.map((entry) => planEntry(entry, live.get(entry.id), input)),
    ...planPrune(input, declared, owned).map((step) => ({
      id: step.id,
      kind: step.kind,
      fields: [],
      words: words.get(step.id) ?? '',
      notes: [],
      step,
    })),
  ];
}

function planEntry(entry: ManifestEntry, live: LiveSchedule | undefined, options: PlanInput): PlannedChange {
  const { id, line, input, draft } = entry;
  const change = { input, draft };
  const declared = { id, create: change, update: (now: LiveSchedule) => updateOf(change, now) };
  const step = planStep(options, declared, live, options);
  const planned = { id, kind: step.kind, fields: [], words: describeSpec(draft.spec), notes: [], step, line };
  if (live === undefined) return { ...planned, fields: differences({}, created(draft)) };
  if (step.kind === 'foreign') {
    const notes = [`${belonging(step)}; --take-over makes it part of this one`];
    return { ...planned, words: live.words, notes };
  }
  const notes = keptNotes(input, live);
  if (step.kind !== 'update') return { ...planned, notes };
  const { draft: after } = step.change;
  const limit = after.remaining === undefined ? {} : { remaining: after.remaining };
  const before = after.remaining === undefined ? {} : { remaining: live.remaining };
  const fields = differences({ ...comparable(live), ...before }, { ...comparable(after), ...limit });
  return { ...planned, fields, notes };
}

/** The update keeps the pause, the remaining actions and a note that the file does not set. */
function updateOf({ input, draft }: SentChange, live: LiveSchedule): SentChange {
  const { paused: _, remaining: __, ...said } = input;
  const { paused: ___, remaining: ____, ...rest } = draft;
  const { note = live.note } = input;
  const limit = isNewLimit(input, live) ? given({ remaining: input.remaining }) : {};
  return { input: { ...said, note, ...limit }, draft: { ...rest, note, ...limit } };
}

function isNewLimit({ remaining }: ScheduleInput, live: LiveSchedule): boolean {
  return remaining !== undefined && remaining !== live.askedRemaining;
}

function keptNotes(input: ScheduleInput, live: LiveSchedule): readonly string[] {
  const notes: string[] = [];
  if (live.paused !== null) {
    const { by, note } = live.paused;
    notes.push(`stays paused (by ${by === '' ? 'an unnamed caller' : by}${note === '' ? '' : `: ${note}`})`);
  } else if (input.paused !== undefined && input.paused !== false) {
    notes.push('stays running: paused in the file counts when the schedule is made');
  }
  if (input.remaining !== undefined && !isNewLimit(input, live) && live.remaining !== input.remaining)
    notes.push(`keeps its ${live.remaining ?? 'unlimited'} actions left`);
  return notes;
}

/** The fields under their names in the file. */
function comparable(from: Sayable): object {
  return {
    ...readable(from.spec),
    ...readableAction(from.action),
    ...readablePolicy(from.policy),
    ...aboutOf(from),
  };
}

/** The policy under the field names of the file, with durations as people write them. */
function readablePolicy(policy: LiveSchedule['policy']): Readonly<Record<string, unknown>> {
  const said = Object.entries(writePolicy(policy));
  return Object.fromEntries(
    said.map(([name, value]) => [name, isLength(name) ? formatDuration(Number(value)) : value]),
  );
}

/** The spec with durations and times as people write them. */
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
  // An action of another door has no input fields and is compared in its stored form.
  if (findKind(action.kind) === undefined) return { action };
  const { retry, attemptTimeout, timeout, unclaimedTimeout, ...what } = writeAction(action);
  const { initial, longest, delays, ...counts } = retry ?? {};
  const lengths = {
    initial: lengthText(initial),
    longest: lengthText(longest),
    delays: delays?.map((delay) => lengthText(delay)),
  };
  const inWords = { ...counts, ...given(lengths) };
  return {
    ...what,
    ...(retry === undefined ? {} : { retry: inWords }),
    ...given({
      attemptTimeout: lengthText(attemptTimeout),
      timeout: lengthText(timeout),
      unclaimedTimeout: lengthText(unclaimedTimeout),
    }),
  };
}

function lengthText(length: string | number | undefined): string | undefined {
  return length === undefined ? undefined : formatDuration(readDuration(length));
}

/** The fields of a new schedule that differ from the defaults. */
function created(draft: DefinitionDraft): object {
  const { spec, action, policy, paused, remaining } = draft;
  const usual = { ...readablePolicy(defaultPolicy), priority: 0, workflowId: '', input: null };
  const chosen = Object.entries({ ...readableAction(action), ...readablePolicy(policy) }).filter(
    ([field, value]) => value !== (usual as Readonly<Record<string, unknown>>)[field],
  );
  // The header of the plan already shows the declaration.
  const { declaredBy: _, ...about } = aboutOf(draft);
  const told = Object.entries(about).filter(([, value]) => Object.keys(value).length > 0);
  return {
    ...readable(spec),
    ...Object.fromEntries(chosen),
    ...(paused === undefined || paused === null ? {} : { paused: paused.note === '' ? true : paused.note }),
    ...(remaining === undefined || remaining === null ? {} : { remaining }),
    ...Object.fromEntries(told),
  };
}

/** The differing leaves, by path. A list of plain values is one leaf. */
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
