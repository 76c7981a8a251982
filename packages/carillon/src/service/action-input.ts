/** What a schedule starts, as people write it: a handler of ours, an HTTP request, a command, or a BullMQ job. */
import { z } from 'zod';
import { actionQueue } from '../action/action.ts';
import type { BullmqInput } from '../action/bullmq-input.ts';
import { bullmqProblems } from '../action/bullmq-input.ts';
import type { CommandInput } from '../action/command-input.ts';
import { commandProblems } from '../action/command-input.ts';
import type { HttpInput } from '../action/http-input.ts';
import { httpProblems } from '../action/http-input.ts';
import { parseDuration } from '../base/duration.ts';
import type { Problem } from '../base/error.ts';
import { ServiceError } from '../base/error.ts';
import type { Priority } from '../runs/run.ts';
import { priorityOf } from '../runs/run.ts';
import type { RunSettings, ScheduleAction } from '../scheduler/definition.ts';

export type { BullmqInput, CommandInput, HttpInput };

/** Where runs go when nobody says otherwise. */
export const defaultQueue = 'default';

const duration = z
  .union([z.string(), z.number().positive()])
  .refine((value) => typeof value === 'number' || parseDuration(value) !== undefined, {
    error: "not a duration; write '30s', '5m' or a number of milliseconds",
  });

const retryInput = z.strictObject({
  attempts: z.int().min(1).max(1_000_000).optional(),
  initial: duration.optional(),
  longest: duration.optional(),
  coefficient: z.number().min(1).max(100).optional(),
});

const handlerName = z.string().min(1).max(1000);
const queueName = z.string().min(1).max(1000).regex(/^[^@]/, "queues beginning with '@' are ours");

/** Always kept for a while: the job that is there is how a repeated request is recognised. */
const keptJobs = z.strictObject({ age: z.int().min(1), count: z.int().min(1).optional() });

export const actionInput = {
  run: z.union([handlerName, z.object({ name: handlerName, queue: queueName })]).optional(),
  http: z
    .strictObject({
      url: z.string(),
      method: z.enum(['POST', 'PUT', 'PATCH', 'GET', 'DELETE']).optional(),
      headers: z.record(z.string(), z.string()).optional(),
      body: z.unknown().optional(),
      timeout: duration.optional(),
      callbackTimeout: duration.optional(),
      secret: z.string().min(1).max(255).optional(),
      allowPrivate: z.boolean().optional(),
    })
    .optional(),
  command: z
    .strictObject({
      argv: z.array(z.string()).min(1),
      cwd: z.string().optional(),
      env: z.record(z.string(), z.string()).optional(),
      passEnv: z.array(z.string()).optional(),
      timeout: duration.optional(),
      shell: z.boolean().optional(),
    })
    .optional(),
  bullmq: z
    .strictObject({
      queue: z.string().min(1).max(255),
      name: z.string().min(1).max(255).optional(),
      data: z.unknown().optional(),
      opts: z
        .strictObject({
          priority: z.int().min(1).max(2_097_152).optional(),
          attempts: z.int().min(1).max(1_000_000).optional(),
          backoff: z
            .union([
              z.int().min(0),
              z.strictObject({ type: z.string().min(1), delay: z.int().min(0).optional() }),
            ])
            .optional(),
          lifo: z.boolean().optional(),
          removeOnComplete: keptJobs.optional(),
          removeOnFail: keptJobs.optional(),
          sizeLimit: z.int().min(1).optional(),
          stackTraceLimit: z.int().min(0).optional(),
        })
        .optional(),
      connection: z.string().min(1).max(255).optional(),
    })
    .optional(),
  input: z.unknown().optional(),
  queue: queueName.optional(),
  priority: z.union([z.enum(['high', 'normal', 'low']), z.int()]).optional(),
  workflowId: z.string().max(900).optional(),
  retry: retryInput.optional(),
  attemptTimeout: duration.optional(),
  timeout: duration.optional(),
};

/** A handler as `handle` returned it: it knows its queue and the type of its input. */
export interface HandlerRef<Input = unknown> {
  readonly name: string;
  readonly queue: string;
  readonly inputType?: Input;
}

export interface ActionInput {
  /** Name of a handler. */
  readonly run?: string;
  readonly http?: HttpInput;
  readonly command?: CommandInput;
  readonly bullmq?: BullmqInput;
  /** JSON handed to the run. */
  readonly input?: unknown;
  /** Default `default`. */
  readonly queue?: string;
  readonly priority?: Priority;
  /** Base of the ids of started runs; default the schedule's id. */
  readonly workflowId?: string;
  /** Attempts of one run. Default: one, or ten for work elsewhere. */
  readonly retry?: {
    readonly attempts?: number;
    readonly initial?: string | number;
    readonly longest?: string | number;
    readonly coefficient?: number;
  };
  /** Of one attempt. */
  readonly attemptTimeout?: string | number;
  /** Of the whole run, waiting and retries included. */
  readonly timeout?: string | number;
}

export function readAction(given: ActionInput, problems: Problem[]): ScheduleAction | undefined {
  const kinds = (['run', 'http', 'command', 'bullmq'] as const).filter((kind) => given[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    problems.push({
      path: kinds[1] ?? 'run',
      reason: kind === undefined ? 'ACTION_MISSING' : 'ACTION_AMBIGUOUS',
      message: kind === undefined ? 'nothing to start' : `${kinds.join(' and ')} were given`,
      fix: 'give exactly one of run, http, command, bullmq',
    });
    return undefined;
  }
  const common = {
    workflowId: given.workflowId ?? '',
    settings: settingsOf(given, kind),
    priority: readPriority(given, problems),
  };
  if (kind === 'run') {
    const handler = given.run as string | HandlerRef;
    const { name, queue } = typeof handler === 'string' ? { name: handler, queue: defaultQueue } : handler;
    return { ...common, kind, name, queue: given.queue ?? queue, input: given.input ?? null };
  }
  if (given.http !== undefined) problems.push(...httpProblems(given.http));
  if (given.command !== undefined) problems.push(...commandProblems(given.command));
  if (given.bullmq !== undefined) problems.push(...bullmqProblems(given.bullmq));
  const target = { ...given[kind], ...(given.input === undefined ? {} : { input: given.input }) };
  return { ...common, kind, name: kind, queue: actionQueue(kind), input: target };
}

function readPriority({ priority }: ActionInput, problems: Problem[]): number {
  try {
    return priorityOf(priority);
  } catch (error) {
    problems.push(...ServiceError.from(error).problems);
    return 0;
  }
}

/** Starting something elsewhere is tried ten times before the slot is given up. */
const attemptsElsewhere = 10;

function settingsOf(given: ActionInput, kind: string): RunSettings {
  const { retry, attemptTimeout, timeout } = given;
  const ms = (value: string | number) =>
    typeof value === 'number' ? value : (parseDuration(value) as number);
  const attempts = retry?.attempts ?? (kind === 'http' || kind === 'bullmq' ? attemptsElsewhere : undefined);
  return {
    ...(retry === undefined && attempts === undefined
      ? {}
      : {
          retry: {
            ...(attempts === undefined ? {} : { attempts }),
            ...(retry?.initial === undefined ? {} : { initialMs: ms(retry.initial) }),
            ...(retry?.longest === undefined ? {} : { maxMs: ms(retry.longest) }),
            ...(retry?.coefficient === undefined ? {} : { coefficient: retry.coefficient }),
          },
        }),
    ...(attemptTimeout === undefined ? {} : { attemptTimeoutMs: ms(attemptTimeout) }),
    ...(timeout === undefined ? {} : { executionTimeoutMs: ms(timeout) }),
  };
}
