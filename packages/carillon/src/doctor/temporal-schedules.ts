/** Converts schedules that a Temporal server describes to our own, and compares their times with those of that server. */
import type { PayloadMessage } from '../action/temporal-payload.ts';
import { payloadValue } from '../action/temporal-payload.ts';
import { given } from '../base/given.ts';
import type { Instant } from '../base/time.ts';
import { addTime, day, formatInstant, instant } from '../base/time.ts';
import { overlapPolicies } from '../scheduler/definition.ts';
import type { ScheduleInput } from '../service/schedule-input.ts';
import { clockZones } from '../spec/dst-report.ts';
import type { ScheduleSpec, Window } from '../spec/index.ts';
import { canonicalizeTemporalSpec, compileSpec, toScheduleSpec, validateSpec } from '../spec/index.ts';
import type { DescriptionMessage, StartMessage } from './temporal-messages.ts';
import { lengthOf, numberOf, specOf } from './temporal-messages.ts';

export interface TemporalRemark {
  readonly name: string;
  readonly level: 'error' | 'warning' | 'info';
  readonly message: string;
}

export interface TemporalSchedule {
  readonly id: string;
  readonly spec: ScheduleSpec;
  readonly input: ScheduleInput;
}

export interface TemporalReading {
  /** Undefined when it has no counterpart; the remarks say why. */
  readonly schedule: TemporalSchedule | undefined;
  readonly remarks: readonly TemporalRemark[];
}

/** `here`: handlers and activity workers of ours do the work. `there`: workflows are started on the cluster, as before. */
export type WorkPlace = 'here' | 'there';

export function readTemporalSchedule(
  id: string,
  description: DescriptionMessage,
  work: WorkPlace,
): TemporalReading {
  const remarks: TemporalRemark[] = [];
  const say = (level: TemporalRemark['level'], message: string) =>
    void remarks.push({ name: id, level, message });
  const { schedule, info } = description;
  const spec = readSpec(schedule?.spec ?? {}, say);
  const start = schedule?.action?.startWorkflow;
  if (start === null || start === undefined)
    say('error', 'its action is not a start of a workflow; left out');
  if (spec === undefined || start === null || start === undefined) return { schedule: undefined, remarks };
  const open = info?.runningWorkflows?.length ?? 0;
  const waiting = numberOf(info?.bufferSize);
  if (open > 0) say('warning', `${open} of its workflows are open there; they do not count as running here`);
  if (waiting > 0) say('warning', `${waiting} of its starts wait there and are not imported`);
  if (spec.jitterMs !== undefined) {
    say('info', 'its jitter is drawn anew here: the same slots, other milliseconds within the jitter');
  }
  const action = work === 'here' ? runFields(start, say) : temporalFields(start, say);
  const input = { spec, ...action, ...policyFields(schedule?.policies), ...aboutFields(description, say) };
  return { schedule: { id, spec, input }, remarks };
}

type Say = (level: TemporalRemark['level'], message: string) => void;

function readSpec(message: Parameters<typeof specOf>[0], say: Say): ScheduleSpec | undefined {
  if ((message.cronString ?? []).length > 0) {
    say('error', 'its rule has no words in this message (it was made through another door); left out');
    return undefined;
  }
  const canonical = canonicalizeTemporalSpec(specOf(message));
  const read = canonical.ok ? toScheduleSpec(canonical.value) : canonical;
  const checked = read.ok ? validateSpec(read.value) : read;
  if (read.ok && checked.ok) return read.value;
  const problems = checked.ok ? [] : checked.problems;
  say('error', `its spec cannot be read: ${problems.map(({ message: text }) => text).join('; ')}; left out`);
  return undefined;
}

/** One argument is the input, several are a list of them, none is null: as the Temporal door gives them to handlers. */
function runFields(start: StartMessage, say: Say): Partial<ScheduleInput> {
  for (const [name, field] of [
    ['workflowTaskTimeout', lengthOf(start.workflowTaskTimeout)],
    ['memo', filled(start.memo?.fields)],
    ['header', filled(start.header?.fields)],
    ['searchAttributes', filled(start.searchAttributes?.indexedFields)],
    ['userMetadata', start.userMetadata?.summary],
    ['versioningOverride', start.versioningOverride],
  ] as const) {
    if (field !== null && field !== undefined)
      say('warning', `${name} of its workflows has no counterpart and is left out`);
  }
  const values = argumentsOf(start, say);
  const retry = retryOf(start);
  const run = lengthOf(start.workflowRunTimeout);
  const execution = lengthOf(start.workflowExecutionTimeout);
  // The run timeout holds for each attempt, so it bounds the whole run only when there is no retry.
  const bounds = [execution, retry === undefined ? run : undefined].filter((each) => each !== undefined);
  return {
    run: start.workflowType?.name ?? '',
    queue: start.taskQueue?.name ?? '',
    input: values.length > 1 ? values : (values[0] ?? null),
    ...(start.workflowId ? { workflowId: start.workflowId } : {}),
    ...given({
      retry,
      attemptTimeout: retry === undefined ? undefined : run,
      timeout: bounds.length === 0 ? undefined : Math.min(...bounds),
      priority: priorityOf(start),
    }),
  };
}

const middlePriority = 3;
const priorityStep = 50;

function priorityOf({ priority }: StartMessage): number | undefined {
  const key = priority?.priorityKey ?? 0;
  return key === 0 ? undefined : (middlePriority - key) * priorityStep;
}

/** From this number on, attempts count as unlimited. */
const unlimitedAttempts = 1_000_000;

function retryOf({ retryPolicy }: StartMessage): ScheduleInput['retry'] {
  if (retryPolicy === null || retryPolicy === undefined) return undefined;
  const { maximumAttempts, backoffCoefficient, nonRetryableErrorTypes } = retryPolicy;
  return {
    attempts: maximumAttempts || unlimitedAttempts,
    ...given({
      initial: lengthOf(retryPolicy.initialInterval),
      longest: lengthOf(retryPolicy.maximumInterval),
      coefficient: backoffCoefficient || undefined,
      nonRetryableTypes: nonRetryableErrorTypes?.length ? nonRetryableErrorTypes : undefined,
    }),
  } as ScheduleInput['retry'];
}

/** The same workflow, started on the cluster by a schedule of ours. */
function temporalFields(start: StartMessage, say: Say): Partial<ScheduleInput> {
  const { retryPolicy, userMetadata, workflowId, priority } = start;
  const versioningOverride = overrideOf(start);
  if (start.versioningOverride && versioningOverride === undefined) {
    say('warning', 'its versioningOverride has no counterpart and is left out');
  }
  return {
    temporal: {
      workflowType: start.workflowType?.name ?? '',
      taskQueue: start.taskQueue?.name ?? '',
      args: argumentsOf(start, say),
      ...given({
        memo: filled(start.memo?.fields),
        headers: filled(start.header?.fields),
        searchAttributes: filled(start.searchAttributes?.indexedFields),
        executionTimeout: lengthOf(start.workflowExecutionTimeout),
        runTimeout: lengthOf(start.workflowRunTimeout),
        taskTimeout: lengthOf(start.workflowTaskTimeout),
        retryPolicy: retryPolicy
          ? given({
              maximumAttempts: retryPolicy.maximumAttempts || undefined,
              initialInterval: lengthOf(retryPolicy.initialInterval),
              maximumInterval: lengthOf(retryPolicy.maximumInterval),
              backoffCoefficient: retryPolicy.backoffCoefficient || undefined,
              nonRetryableErrorTypes: retryPolicy.nonRetryableErrorTypes?.length
                ? [...retryPolicy.nonRetryableErrorTypes]
                : undefined,
            })
          : undefined,
        priorityKey: priority?.priorityKey || undefined,
        fairnessKey: priority?.fairnessKey || undefined,
        fairnessWeight: priority?.fairnessWeight || undefined,
        summary: textOf(userMetadata?.summary),
        details: textOf(userMetadata?.details),
        versioningOverride,
      }),
    },
    ...(workflowId ? { workflowId } : {}),
  };
}

function textOf(payload: PayloadMessage | null | undefined): string | undefined {
  const value = payload ? payloadValue(payload).value : undefined;
  return typeof value === 'string' ? value : undefined;
}

function overrideOf({
  versioningOverride,
}: StartMessage): NonNullable<ScheduleInput['temporal']>['versioningOverride'] {
  const { autoUpgrade, pinned } = versioningOverride ?? {};
  if (autoUpgrade === true) return 'AUTO_UPGRADE';
  const { deploymentName, buildId } = pinned?.version ?? {};
  return deploymentName && buildId ? { pinnedTo: { deploymentName, buildId } } : undefined;
}

function policyFields(
  policies: NonNullable<DescriptionMessage['schedule']>['policies'],
): Partial<ScheduleInput> {
  const { overlapPolicy, catchupWindow, pauseOnFailure, keepOriginalWorkflowId } = policies ?? {};
  return {
    overlap: overlapPolicies[(overlapPolicy || 1) - 1] ?? 'skip',
    // The server answers its default, a year, when none was given.
    ...given({ catchup: lengthOf(catchupWindow) }),
    ...(pauseOnFailure === true ? { pauseAfterFailures: 1 } : {}),
    ...(keepOriginalWorkflowId === true ? { keepOriginalId: true } : {}),
  };
}

function aboutFields(
  { schedule, memo, searchAttributes }: DescriptionMessage,
  say: Say,
): Partial<ScheduleInput> {
  const { notes, paused, limitedActions, remainingActions } = schedule?.state ?? {};
  const attributes = filled(searchAttributes?.indexedFields) as ScheduleInput['attributes'];
  if (attributes !== undefined) {
    say('info', `search attributes are kept as attributes here: ${Object.keys(attributes).join(', ')}`);
  }
  return {
    ...(notes ? { note: notes } : {}),
    ...(paused === true ? { paused: notes ? notes : true } : {}),
    ...(limitedActions === true ? { remaining: Math.max(0, numberOf(remainingActions)) } : {}),
    ...given({ memo: filled(memo?.fields), attributes }),
  } as Partial<ScheduleInput>;
}

function argumentsOf({ input }: StartMessage, say: Say): readonly unknown[] {
  const read = (input?.payloads ?? []).map(payloadValue);
  if (read.some(({ isPlain }) => !isPlain)) {
    say('warning', 'its arguments are encoded by a codec; the encoded payloads are handed on');
  }
  return read.map(({ value }) => value);
}

function filled(
  fields: Readonly<Record<string, PayloadMessage>> | null | undefined,
): Record<string, unknown> | undefined {
  const entries = Object.entries(fields ?? {});
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([name, payload]) => [name, payloadValue(payload).value]));
}

/** The days over which times are compared, and those around each clock change. */
const comparedDays = 366;

/** The coming year. */
export function comparedYear(now: Instant): Window {
  return { from: now, to: addTime(now, comparedDays * day) };
}

/** The days around each clock change of the coming year after `reached`, for specs with more times than are compared. */
export function clockChangeWindows(spec: ScheduleSpec, year: Window, reached: Instant): readonly Window[] {
  const windows: Window[] = [];
  for (const zone of clockZones(spec)) {
    for (
      let at = zone.nextTransition(Math.floor(reached / 1000));
      at <= year.to / 1000;
      at = zone.nextTransition(at)
    ) {
      const change = instant(at * 1000);
      windows.push({ from: addTime(change, -day), to: addTime(change, day) });
    }
  }
  return windows;
}

export interface Comparison {
  readonly times: number;
  /** The first time that differs, in words. */
  readonly difference?: string;
}

/**
 * Compares the times of a window. `theirs` may end early, then only the times up to its last one are compared. The first slots of
 * a window with jitter are left out: a server may decide by the nominal or by the actual time whether they belong to it.
 */
export function compareTimes(
  spec: ScheduleSpec,
  {
    seed,
    window,
    theirs,
    isCut,
  }: {
    readonly seed: string;
    readonly window: Window;
    readonly theirs: readonly Instant[];
    readonly isCut: boolean;
  },
): Comparison {
  const first = addTime(window.from, spec.jitterMs ?? 0);
  const last = isCut ? (theirs.at(-1) ?? window.to) : window.to;
  const isCompared = (at: Instant) => at > first && at <= last;
  const found = compileSpec(spec, { seed }).between({ from: window.from, to: last }, theirs.length + slack, {
    seed,
  });
  const ours = found.times.map(({ actual }) => actual).filter(isCompared);
  const expected = theirs.filter(isCompared);
  const count = Math.max(ours.length, expected.length);
  for (let index = 0; index < count; index += 1) {
    if (ours[index] === expected[index]) continue;
    const said = (at: Instant | undefined) => (at === undefined ? 'nothing more' : formatInstant(at));
    return { times: index, difference: `${said(ours[index])} here, ${said(expected[index])} there` };
  }
  return { times: count };
}

/** The times of ours that are examined beyond the last one of theirs, so that a surplus is seen. */
const slack = 10;
