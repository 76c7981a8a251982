/** A stored schedule in the words it could have been created with, so that it can be read, changed a little and sent back. */
import { ServiceError } from 'carillon/internal/base';
import type { ScheduleAction, ScheduleDescription, ScheduleInput } from 'carillon/internal/service';
import type { ScheduleSpec } from 'carillon/spec';

/** The state of a pause and the actions left are not part of it: sending it back keeps both. */
export function definitionOf(schedule: ScheduleDescription): ScheduleInput {
  const { spec, action, policy, note, description, owner, tags, memo, attributes } = schedule;
  return {
    spec,
    ...actionOf(action),
    overlap: policy.overlap,
    limit: policy.limit,
    catchup: policy.catchupWindowMs,
    missed: policy.missed,
    ...(policy.missedLimit === undefined ? {} : { missedLimit: policy.missedLimit }),
    pauseAfterFailures: policy.pauseAfterFailures,
    idleClose: policy.idleCloseMs,
    keepOriginalId: policy.keepOriginalId,
    note,
    description,
    owner,
    tags,
    memo,
    attributes,
  };
}

function actionOf(action: ScheduleAction): Partial<ScheduleInput> {
  const { kind, name, queue, input, priority, workflowId, settings } = action;
  const { retry, attemptTimeoutMs, executionTimeoutMs } = settings;
  const common = {
    priority,
    workflowId,
    ...(retry === undefined
      ? {}
      : {
          retry: {
            ...(retry.attempts === undefined ? {} : { attempts: retry.attempts }),
            ...(retry.initialMs === undefined ? {} : { initial: retry.initialMs }),
            ...(retry.maxMs === undefined ? {} : { longest: retry.maxMs }),
            ...(retry.coefficient === undefined ? {} : { coefficient: retry.coefficient }),
          },
        }),
    ...(attemptTimeoutMs === undefined ? {} : { attemptTimeout: attemptTimeoutMs }),
    ...(executionTimeoutMs === undefined ? {} : { timeout: executionTimeoutMs }),
  };
  if (kind === 'run') return { ...common, run: name, queue, input };
  if (kind === 'http' || kind === 'command' || kind === 'bullmq') {
    // Stored as one object: the target, and beside it the input it is called with.
    const { input: given, ...target } = input as { readonly input?: unknown };
    return { ...common, [kind]: target, ...(given === undefined ? {} : { input: given }) };
  }
  throw new ServiceError({
    code: 'failedPrecondition',
    reason: 'OTHER_DOOR',
    message: `this schedule starts work of the kind '${kind}', which has no words here; change it through the door it came by`,
  });
}

/** Fields of which any says anew when it runs, and what they stand for in a spec. */
const sources = ['cron', 'every', 'offset', 'at', 'rrule', 'spec', 'dialect'];
const sourceFields = ['cron', 'calendars', 'structuredCalendars', 'intervals', 'times', 'rrules'];

/** Fields beside them that live in the spec. */
const specFields: Readonly<Record<string, string>> = {
  zone: 'zone',
  dst: 'dst',
  startAt: 'startAt',
  endAt: 'endAt',
  jitter: 'jitterMs',
};

const actions = ['run', 'http', 'command', 'bullmq'];

/**
 * JSON merge patch (RFC 7396) on the first level: what is named is replaced, null takes it away, the rest stays. A patch
 * that says when replaces every source of times but keeps zone, bounds and jitter; one that says what replaces the action.
 */
export function patchDefinition(
  before: ScheduleInput,
  patch: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const spec: Record<string, unknown> = { ...before.spec };
  const merged: Record<string, unknown> = { ...before };
  const named = Object.keys(patch);
  if (named.some((name) => sources.includes(name))) for (const field of sourceFields) delete spec[field];
  if (named.some((name) => actions.includes(name) && patch[name] !== null)) {
    for (const name of [...actions, 'queue', 'input', 'retry']) delete merged[name];
  }
  for (const name of named) {
    const field = specFields[name];
    if (field !== undefined) delete spec[field];
  }
  if (named.includes('excludeDates') && spec.exclude !== undefined) {
    const { dates: _, ...exclude } = spec.exclude as NonNullable<ScheduleSpec['exclude']>;
    spec.exclude = exclude;
  }
  merged.spec = spec;
  for (const [name, value] of Object.entries(patch)) {
    // No limit is something one can wish for; everything else goes back to its default.
    if (value === null && name !== 'remaining') delete merged[name];
    else merged[name] = value;
  }
  return merged;
}
