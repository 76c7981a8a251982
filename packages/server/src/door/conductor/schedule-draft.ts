/** A saved schedule, applied to the stored one. Parts that the client sends back as this door showed them stay unchanged. */
import { isDeepStrictEqual } from 'node:util';
import { given, ServiceError } from 'carillon/internal/base';
import type {
  DefinitionDraft,
  Injected,
  Origin,
  ScheduleAction,
  ScheduleDefinition,
  SchedulePolicy,
} from 'carillon/internal/service';
import { aboutOf, defaultPolicy, runKind, unlimitedWindow, writtenBack } from 'carillon/internal/service';
import type { ScheduleSpec } from 'carillon/spec';
import { inlineQueue } from '../../flow/inline-definition.ts';
import { Reading } from '../../flow/read-fields.ts';
import { handlerQueue } from '../../flow/scheduled-flow.ts';
import { nativeRequest, nativeWhen, type Shown } from './native-schedule.ts';
import type { AboutFields } from './origin.ts';
import { keptFields, originDoor } from './origin.ts';
import type { SentSchedule } from './schedule-body.ts';
import type { SchedulerSettings } from './settings.ts';
import type { StartRequest } from './start-request.ts';
import { tagOf, withTags } from './tag.ts';
import type { When } from './when.ts';
import { checkWhen, specOf } from './when.ts';

export interface DraftOptions {
  readonly settings: SchedulerSettings;
  /** The note of a pause that holds all schedules; absent when they are not held. */
  readonly held?: string;
}

/** The time between two missed slots of a schedule that catches up. */
const catchupPaceMs = 100;

export function shownWhen(definition: ScheduleDefinition): Shown<When> {
  const kept = keptFields<When>(definition, 'spec');
  return kept === undefined ? nativeWhen(definition.spec) : { value: kept, inexpressible: [] };
}

export function shownRequest(definition: ScheduleDefinition): Shown<StartRequest> {
  const kept = keptFields<StartRequest>(definition, 'action');
  return kept === undefined ? nativeRequest(definition.action) : { value: kept, inexpressible: [] };
}

export function isCatchingUp({ policy }: ScheduleDefinition): boolean {
  return policy.missed === 'all';
}

interface Kept<T> {
  readonly value: T;
  /** The fields that a client of this door sent; undefined when the stored value came through another door. */
  readonly words: string | undefined;
}

/** Returns a function of the definition that the draft replaces. It is pure, because a transaction may call it again. */
export function draftOf(
  sent: SentSchedule,
  options: DraftOptions,
): (before?: ScheduleDefinition) => DefinitionDraft {
  return (before) => {
    const spec = specOver(sent, options, before);
    const action = actionOver(sent, before);
    const words = {
      ...(spec.words === undefined ? {} : { spec: spec.words }),
      ...(action.words === undefined ? {} : { action: action.words }),
      ...given({ about: aboutFields(sent) }),
    };
    const origin: Origin = { [originDoor]: words };
    return {
      ...aboutOf(before ?? {}),
      spec: spec.value,
      action: action.value,
      policy: policyOver(sent, before),
      paused: pauseOver(sent, options, before),
      description: sent.description ?? '',
      tags: tagsOver(sent, before),
      ...(Object.keys(words).length === 0 ? {} : { origin }),
    };
  };
}

/** The texts that clients see again although the definition does not hold them. */
function aboutFields({ description, paused, pausedReason }: SentSchedule): string | undefined {
  const words: AboutFields = {
    ...(description === '' ? { description } : {}),
    ...(pausedReason === undefined || (paused && pausedReason !== '') ? {} : { pausedReason }),
  };
  return Object.keys(words).length === 0 ? undefined : JSON.stringify(words);
}

function specOver(
  sent: SentSchedule,
  { settings }: DraftOptions,
  before?: ScheduleDefinition,
): Kept<ScheduleSpec> {
  const replacement = (): Kept<ScheduleSpec> => {
    const reading = new Reading();
    checkWhen(sent.when, reading);
    if (reading.problems.length > 0) throw ServiceError.invalid(reading.problems);
    const { dst, jitterMs = settings.jitterMaxMs } = before?.spec ?? {};
    const spec = specOf(sent.when, settings.schedulerTimeZone);
    return {
      // Conductor has no word for the rule of clock changes, so the schedule keeps its own.
      value: { ...spec, ...(dst === undefined ? {} : { dst }), ...(jitterMs === 0 ? {} : { jitterMs }) },
      words: JSON.stringify(sent.when),
    };
  };
  if (before === undefined) return replacement();
  const shown = shownWhen(before);
  return writtenBack<Kept<ScheduleSpec>>({
    name: 'spec',
    stored: { value: before.spec, words: before.origin?.[originDoor]?.spec },
    isUnchanged: isDeepStrictEqual(sent.when, shown.value),
    inexpressible: shown.inexpressible,
    replacement,
  });
}

function actionOver(sent: SentSchedule, before?: ScheduleDefinition): Kept<ScheduleAction> {
  const replacement = (): Kept<ScheduleAction> => {
    const { name, input = {}, priority = 0, workflowDef } = sent.request;
    const { queue: stored = handlerQueue, workflowId = '', settings = {} } = before?.action ?? {};
    const ofNames = stored === inlineQueue ? handlerQueue : stored;
    const queue = workflowDef === undefined ? ofNames : inlineQueue;
    const inject = injected(input);
    return {
      value: {
        kind: runKind.kind,
        queue,
        name,
        input,
        priority,
        workflowId,
        inject,
        settings: withRequest(settings, sent.request),
      },
      words: JSON.stringify(sent.request),
    };
  };
  if (before === undefined) return replacement();
  const shown = shownRequest(before);
  return writtenBack<Kept<ScheduleAction>>({
    name: 'action',
    stored: { value: before.action, words: before.origin?.[originDoor]?.action },
    isUnchanged: isDeepStrictEqual(sent.request, shown.value),
    inexpressible: shown.inexpressible,
    replacement,
  });
}

/** Adds the fields that a workflow needs besides name and input to each run. They also mark a run that may be a workflow. */
function withRequest(
  settings: ScheduleAction['settings'],
  request: StartRequest,
): ScheduleAction['settings'] {
  const { version, correlationId, taskToDomain, workflowDef } = request;
  const asked = given({ version, correlationId, taskToDomain, workflowDef });
  const { unclaimedMs } = settings;
  const isOwn = unclaimedMs === undefined || Object.values(patienceMs).includes(unclaimedMs);
  return {
    ...settings,
    memo: { [originDoor]: asked },
    unclaimedMs: isOwn ? patience(request) : unclaimedMs,
  };
}

/**
 * How long a start may be POLLED while no living process knows its name; then it is FAILED. A name with a version belongs to a
 * registered workflow, which every process knows at once. A name without a version may belong to a handler in a process that
 * is just being deployed.
 */
const patienceMs = { workflow: 2000, handler: 300_000 };

function patience({ version = 0 }: StartRequest): number {
  return version === 0 ? patienceMs.handler : patienceMs.workflow;
}

/** The fields that every start adds to the input. The user's own plain keys are kept; keys with an underscore are overwritten. */
function injected(input: Readonly<Record<string, unknown>>): Readonly<Record<string, Injected>> {
  return {
    ...(Object.hasOwn(input, 'scheduledTime') ? {} : { scheduledTime: 'scheduledAt' as const }),
    ...(Object.hasOwn(input, 'executionTime') ? {} : { executionTime: 'startedAt' as const }),
    _startedByScheduler: 'schedule',
    _scheduledTime: 'scheduledAt',
    _executedTime: 'startedAt',
    _executionId: 'runId',
    _schedulerCron: 'cron',
  };
}

/** Runs may overlap, and a schedule that has ended stays. */
const conductorPolicy: SchedulePolicy = {
  ...defaultPolicy,
  overlap: 'allowAll',
  catchupWindowMs: unlimitedWindow,
  missed: 'oldest',
  idleCloseMs: 0,
};

function policyOver(
  { runCatchupScheduleInstances: all }: SentSchedule,
  before?: ScheduleDefinition,
): SchedulePolicy {
  if (before !== undefined && isCatchingUp(before) === all) return before.policy;
  const { catchupPaceMs: _, ...policy } = before?.policy ?? conductorPolicy;
  const { catchupWindowMs } = conductorPolicy;
  return all
    ? { ...policy, catchupWindowMs, missed: 'all', catchupPaceMs }
    : { ...policy, catchupWindowMs, missed: 'oldest' };
}

function pauseOver(
  { paused, pausedReason = '' }: SentSchedule,
  { held }: DraftOptions,
  before?: ScheduleDefinition,
): NonNullable<DefinitionDraft['paused']> | null {
  const note = paused ? pausedReason : held;
  if (note === undefined) return null;
  const isNewNote = before !== undefined && before.paused !== null && before.paused.note !== note;
  return isNewNote ? { note, renews: true } : { note };
}

function tagsOver({ tags }: SentSchedule, before?: ScheduleDefinition): readonly string[] {
  const stored = before?.tags ?? [];
  if (tags === undefined || isDeepStrictEqual(tags, stored.map(tagOf))) return stored;
  return withTags([], tags);
}
