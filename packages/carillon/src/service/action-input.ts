/** The input fields of a schedule's action: one of the kinds of `action/kind.ts`, and the fields that all kinds share. */
import { z } from 'zod';
import type { Targets } from '../action/kind.ts';
import { findKind, kindNames, targetShapes } from '../action/kind.ts';
import type { HandlerRef } from '../action/run-kind.ts';
import { defaultQueue, queueFix, queueShape } from '../action/run-kind.ts';
import { readDuration } from '../base/duration.ts';
import type { Problem } from '../base/error.ts';
import { ServiceError } from '../base/error.ts';
import { durationFix, durationShape, field, type InputOf, timeoutShape } from '../base/fields.ts';
import { given } from '../base/given.ts';
import { priorityOf } from '../runs/run.ts';
import type { RunSettings, ScheduleAction } from '../scheduler/definition.ts';
import { injectable } from '../scheduler/definition.ts';

export type { HandlerRef };
export { defaultQueue };

const retryFields = {
  attempts: field(z.int().min(1).max(1_000_000), 'write a whole number of at least 1'),
  initial: field(timeoutShape, durationFix),
  longest: field(timeoutShape, durationFix),
  coefficient: field(z.number().min(1).max(100), 'write a number from 1 to 100'),
  /** The pauses one by one, instead of `initial`, `coefficient` and `longest`; the last one repeats. */
  delays: field(
    z.array(durationShape).min(1).max(100),
    "write a list of 1 to 100 durations, e.g. ['1s', '10s', '1m']",
  ),
  /** The part of its length by which each pause may be shortened at random: 0 never, 1 to any length. Default 0. */
  jitter: field(z.number().min(0).max(1), 'write a number from 0 to 1'),
  /** Names of errors after which no attempt follows. */
  nonRetryableTypes: field(z.array(z.string().max(200)).max(100), "write names of errors, e.g. ['BadInput']"),
};

/** The fields that all kinds of work share. */
export const workFields = {
  /** The input of the run, as JSON. */
  input: field(z.unknown(), 'write plain data'),
  /** The queue of the run. Default `default`. */
  queue: field(queueShape, queueFix),
  /** Runs of a higher priority are claimed first: `high`, `normal`, `low` or a number. Default `normal`. */
  priority: field(
    z.union([z.enum(['high', 'normal', 'low']), z.int()]),
    'write high, normal, low or a whole number',
  ),
  /** The base of the ids of started runs; default the schedule's id. */
  workflowId: field(z.string().max(900), 'write at most 900 characters'),
  /** Keys that each start adds to the input, such as `{ slot: 'scheduledAt' }`; the input must be an object or absent. */
  inject: field(
    z.record(z.string().min(1).max(255), z.enum(injectable)),
    `write names of keys, each with one of ${injectable.join(', ')}`,
  ),
  /** The attempts of one run. Default: one, one more than there are `delays`, or ten for work outside the program's handlers. */
  retry: field(
    z.strictObject(retryFields),
    "write e.g. { attempts: 3, initial: '1s', longest: '1m', coefficient: 2 }",
  ),
  /** The longest duration of one attempt. */
  attemptTimeout: field(timeoutShape, durationFix),
  /** The longest duration of the whole run, including waits and retries. */
  timeout: field(timeoutShape, durationFix),
  /** How long a run may wait while no living worker knows its handler. Default one hour; `0s`: for ever. */
  unclaimedTimeout: field(durationShape, durationFix),
};

export const actionInput = { ...targetShapes, ...workFields };

const { workflowId: _, inject: __, ...queuedFields } = workFields;
/** The fields of work that is enqueued without a schedule: a handler, and all shared fields that need no schedule. */
export const queuedWork = { run: targetShapes.run, ...queuedFields };

export interface ActionInput extends Targets, InputOf<typeof workFields> {}

export function readAction(input: ActionInput, problems: Problem[]): ScheduleAction | undefined {
  const [kind, ...others] = kindNames.filter((name) => input[name] !== undefined);
  const row = kind === undefined ? undefined : findKind(kind);
  if (row === undefined || others.length > 0) {
    problems.push({
      path: others[0] ?? 'run',
      reason: row === undefined ? 'ACTION_MISSING' : 'ACTION_AMBIGUOUS',
      message:
        row === undefined ? 'the schedule has no action' : `${[kind, ...others].join(' and ')} were given`,
      fix: `give exactly one of ${kindNames.join(', ')}`,
    });
    return undefined;
  }
  const target = input[row.kind];
  problems.push(...row.problems(target));
  return {
    workflowId: input.workflowId ?? '',
    settings: { ...readSettings(input, row.attempts, problems), ...given({ outlasts: row.outlasts }) },
    priority: readPriority(input, problems),
    ...given({ inject: input.inject }),
    kind: row.kind,
    ...row.store(target, given({ input: input.input, queue: input.queue })),
  };
}

/** The inverse of `readAction`: the fields from which this action was stored. */
export function writeAction(action: ScheduleAction): ActionInput {
  const row = findKind(action.kind);
  if (row === undefined) {
    throw new ServiceError({
      code: 'failedPrecondition',
      reason: 'OTHER_DOOR',
      message: `this schedule starts work of the kind '${action.kind}', which cannot be written here; change it through the API that created it`,
    });
  }
  const { priority, workflowId, inject, settings } = action;
  return { ...row.write(action), priority, workflowId, ...given({ inject }), ...writeSettings(settings) };
}

function readPriority({ priority }: ActionInput, problems: Problem[]): number {
  try {
    return priorityOf(priority);
  } catch (error) {
    problems.push(...ServiceError.from(error).problems);
    return 0;
  }
}

function readSettings(
  { retry, attemptTimeout, timeout, unclaimedTimeout }: ActionInput,
  usualAttempts: number | undefined,
  problems: Problem[],
): RunSettings {
  const { initial, longest, coefficient, delays, jitter, nonRetryableTypes } = retry ?? {};
  const { attempts = delays === undefined ? usualAttempts : delays.length + 1 } = retry ?? {};
  if (delays !== undefined && (initial ?? longest ?? coefficient) !== undefined) {
    problems.push({
      path: 'retry.delays',
      reason: 'AMBIGUOUS',
      message: 'delays says every pause, so initial, longest and coefficient have no meaning beside it',
      fix: 'give either delays or the others',
    });
  }
  const hasRetry = retry !== undefined || attempts !== undefined;
  return given({
    retry: hasRetry
      ? given({
          attempts,
          initialMs: lengthOf(initial),
          maxMs: lengthOf(longest),
          coefficient,
          delaysMs: delays?.map((delay) => readDuration(delay)),
          jitter,
          nonRetryableTypes,
        })
      : undefined,
    attemptTimeoutMs: lengthOf(attemptTimeout),
    executionTimeoutMs: lengthOf(timeout),
    unclaimedMs: lengthOf(unclaimedTimeout),
  });
}

function writeSettings({ retry, attemptTimeoutMs, executionTimeoutMs, unclaimedMs }: RunSettings) {
  return given({
    retry:
      retry === undefined
        ? undefined
        : given({
            attempts: retry.attempts,
            initial: retry.initialMs,
            longest: retry.maxMs,
            coefficient: retry.coefficient,
            delays: retry.delaysMs,
            jitter: retry.jitter,
            nonRetryableTypes: retry.nonRetryableTypes,
          }),
    attemptTimeout: attemptTimeoutMs,
    timeout: executionTimeoutMs,
    unclaimedTimeout: unclaimedMs,
  });
}

function lengthOf(value: string | number | undefined): number | undefined {
  return value === undefined ? undefined : readDuration(value);
}
