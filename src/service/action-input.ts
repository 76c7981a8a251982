/** What a schedule starts, as people write it: a handler of ours, an HTTP request, or a command. */
import { z } from 'zod';
import { parseDuration } from '../base/duration.ts';
import type { Problem } from '../base/error.ts';
import { ServiceError } from '../base/error.ts';
import type { Priority } from '../runs/run.ts';
import { priorityOf } from '../runs/run.ts';
import type { RunSettings, ScheduleAction } from '../scheduler/definition.ts';

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

export const actionInput = {
  run: z.union([z.string().min(1).max(1000), z.object({ name: z.string() })]).optional(),
  http: z
    .strictObject({
      url: z.string(),
      method: z.enum(['POST', 'PUT', 'PATCH', 'GET', 'DELETE']).optional(),
      headers: z.record(z.string(), z.string()).optional(),
      body: z.unknown().optional(),
      timeout: duration.optional(),
      secret: z.string().optional(),
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
  input: z.unknown().optional(),
  queue: z.string().min(1).max(1000).regex(/^[^@]/, "queues beginning with '@' are ours").optional(),
  priority: z.union([z.enum(['high', 'normal', 'low']), z.int()]).optional(),
  workflowId: z.string().max(900).optional(),
  retry: retryInput.optional(),
  attemptTimeout: duration.optional(),
  timeout: duration.optional(),
};

export interface HttpInput {
  readonly url: string;
  /** Default POST. */
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'GET' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: a JSON envelope with schedule, slot, run and `input`. */
  readonly body?: unknown;
  /** Of one request; default 30 s. */
  readonly timeout?: string | number;
  /** Name of the environment variable that holds the signing secret. */
  readonly secret?: string;
  /** Allow loopback and private addresses; refused by default. */
  readonly allowPrivate?: boolean;
}

export interface CommandInput {
  /** Program and arguments; no shell reads them. */
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Variables of our own environment that the command may see. */
  readonly passEnv?: readonly string[];
  readonly timeout?: string | number;
  /** Run the joined words through the shell instead. */
  readonly shell?: boolean;
}

/** A handler by name, or as `handle` returned it, which types the input. */
export type HandlerName<Input = unknown> = string | { readonly name: string; readonly inputType?: Input };

export interface ActionInput {
  readonly run?: HandlerName;
  readonly http?: HttpInput;
  readonly command?: CommandInput;
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
  const kinds = (['run', 'http', 'command'] as const).filter((kind) => given[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    problems.push({
      path: kinds[1] ?? 'run',
      reason: kind === undefined ? 'ACTION_MISSING' : 'ACTION_AMBIGUOUS',
      message: kind === undefined ? 'nothing to start' : `${kinds.join(' and ')} were given`,
      fix: 'give exactly one of run, http, command',
    });
    return undefined;
  }
  const common = {
    workflowId: given.workflowId ?? '',
    settings: settingsOf(given, kind),
    priority: readPriority(given, problems),
  };
  if (kind === 'run') {
    const name = typeof given.run === 'string' ? given.run : (given.run as { name: string }).name;
    return { ...common, kind, name, queue: given.queue ?? defaultQueue, input: given.input ?? null };
  }
  if (kind === 'http') checkUrl(given.http as HttpInput, problems);
  const target = { ...given[kind], ...(given.input === undefined ? {} : { input: given.input }) };
  return { ...common, kind, name: kind, queue: actionQueue(kind), input: target };
}

/** Work elsewhere is asked for by workers of ours, on queues of their own. */
export function actionQueue(kind: string): string {
  return `@${kind}`;
}

function readPriority({ priority }: ActionInput, problems: Problem[]): number {
  try {
    return priorityOf(priority);
  } catch (error) {
    problems.push(...ServiceError.from(error).problems);
    return 0;
  }
}

function checkUrl({ url }: HttpInput, problems: Problem[]): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return;
  problems.push({
    path: 'http.url',
    reason: 'BAD_URL',
    message: `'${url}' is no http(s) address`,
    fix: 'write e.g. https://example.com/hook',
  });
}

/** Starting something elsewhere is tried ten times before the slot is given up. */
const attemptsElsewhere = 10;

function settingsOf(given: ActionInput, kind: string): RunSettings {
  const { retry, attemptTimeout, timeout } = given;
  const ms = (value: string | number) =>
    typeof value === 'number' ? value : (parseDuration(value) as number);
  const attempts = retry?.attempts ?? (kind === 'http' ? attemptsElsewhere : undefined);
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
