/** A change of some fields of a schedule, as JSON merge patch (RFC 7396) on the first level. */
import { kindNames } from '../action/kind.ts';
import { given } from '../base/given.ts';
import type { ScheduleAction, ScheduleDefinition } from '../scheduler/definition.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import { sourceNames } from '../spec/index.ts';
import type { DefinitionDraft } from './definition-draft.ts';
import { type boundFields, sourceDetails, sourceFields } from './schedule-fields.ts';
import type { ScheduleInput } from './schedule-input.ts';
import { readScheduleInput, writeScheduleInput } from './schedule-input.ts';
import { keepOtherWords } from './write-back.ts';

export type FieldPatch = Readonly<Record<string, unknown>>;

/** The fields that define when a schedule runs. */
const sources = new Set([...Object.keys(sourceFields), ...Object.keys(sourceDetails)]);

/** Bounds under the names that they have in a spec; `excludeDates` is a part of `exclude`. */
const boundsOfSpec: Readonly<Record<Exclude<keyof typeof boundFields, 'excludeDates'>, keyof ScheduleSpec>> =
  { zone: 'zone', dst: 'dst', startAt: 'startAt', endAt: 'endAt', jitter: 'jitterMs' };

/** Fields that belong to the replaced action. */
const workOfKinds = ['queue', 'input', 'retry'] as const;

/**
 * Replaces the given fields, resets those that are null, and keeps the rest, including what only another door can
 * express. A patch with a source of times replaces all sources but keeps zone, bounds and jitter; a patch with a kind
 * of work replaces the action. Pure: it may run inside a transaction.
 */
export function patchDefinition(before: ScheduleDefinition, patch: FieldPatch): DefinitionDraft {
  const draft = readScheduleInput(patchInput(writeScheduleInput(before), patch));
  const action = namesWork(patch) ? draft.action : withUnsaid(draft.action, before.action);
  return keepOtherWords(before, { ...draft, action });
}

function namesWork(patch: FieldPatch): boolean {
  return kindNames.some((name) => (patch[name] ?? null) !== null);
}

/** An unchanged action keeps the parts that the fields of a schedule cannot express. */
function withUnsaid(action: ScheduleAction, before: ScheduleAction): ScheduleAction {
  const { findable, settings } = before;
  return {
    ...action,
    ...given({ findable }),
    settings: {
      ...action.settings,
      ...given({ leaseMs: settings.leaseMs, memo: settings.memo, sent: settings.sent }),
    },
  };
}

/** The unchecked fields of the schedule after the patch. */
export function patchInput(before: ScheduleInput, patch: FieldPatch): FieldPatch {
  const spec: Record<string, unknown> = { ...before.spec };
  const merged: Record<string, unknown> = { ...before, spec };
  const named = Object.keys(patch);
  if (named.some((name) => sources.has(name))) for (const field of sourceNames) delete spec[field];
  if (namesWork(patch)) {
    for (const name of [...kindNames, ...workOfKinds]) delete merged[name];
  }
  for (const [name, field] of Object.entries(boundsOfSpec)) if (named.includes(name)) delete spec[field];
  if (named.includes('excludeDates') && before.spec?.exclude !== undefined) {
    const { dates: _, ...exclude } = before.spec.exclude;
    spec.exclude = exclude;
  }
  for (const [name, value] of Object.entries(patch)) {
    // For `remaining`, null means no limit; for all other fields it means the default.
    if (value === null && name !== 'remaining') delete merged[name];
    else merged[name] = value;
  }
  return merged;
}
