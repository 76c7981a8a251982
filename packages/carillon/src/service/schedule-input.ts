/**
 * A schedule as people write it, and the way from there to what is stored. Everything wrong is reported at once, each
 * problem with its path, its reason and what to write instead.
 */
import { z } from 'zod';
import { parseDuration } from '../base/duration.ts';
import type { Problem } from '../base/error.ts';
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { instant, parseInstant } from '../base/time.ts';
import type { MissedPolicy, OverlapPolicy, ScheduleAction } from '../scheduler/definition.ts';
import { defaultPolicy, missedPolicies, overlapPolicies } from '../scheduler/definition.ts';
import type { CronEntry, ScheduleSpec } from '../spec/index.ts';
import { validateSpec } from '../spec/index.ts';
import type { ActionInput } from './action-input.ts';
import { actionInput, readAction } from './action-input.ts';
import type { DefinitionDraft } from './definition-draft.ts';
import { largestPayload } from './limits.ts';
import { depthProblems } from './payload-depth.ts';
import { problemOf } from './schedule-problem.ts';

const durationInput = z
  .union([z.string(), z.number().nonnegative()])
  .refine((value) => typeof value === 'number' || parseDuration(value) !== undefined, {
    error: "not a duration; write '90s', '15m', '1h30m', '2d' or a number of milliseconds",
  });

const instantInput = z
  .union([z.string(), z.number(), z.date()])
  .refine((value) => typeof value !== 'string' || parseInstant(value) !== undefined, {
    error:
      "not a time; write RFC 3339 with an offset, e.g. '2026-03-01T09:00:00Z', or milliseconds since 1970",
  });

const overlapInput = z.enum(overlapPolicies);
const missedInput = z.enum(missedPolicies);
const dialectInput = z.enum(['unix', 'temporal', 'spring']);
const attributeInput = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** The shape of what people hand in. `spec` is checked by the spec library, which knows better. */
export const scheduleInput = z.strictObject({
  cron: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  dialect: dialectInput.optional(),
  every: durationInput.optional(),
  offset: durationInput.optional(),
  at: z.union([instantInput, z.array(instantInput).min(1)]).optional(),
  rrule: z.string().optional(),
  spec: z.record(z.string(), z.unknown()).optional(),
  zone: z.string().optional(),
  dst: z
    .strictObject({
      gap: z.enum(['skip', 'shift', 'gapEnd']).optional(),
      fold: z.enum(['first', 'last', 'both']).optional(),
    })
    .optional(),
  startAt: instantInput.optional(),
  endAt: instantInput.optional(),
  jitter: durationInput.optional(),
  excludeDates: z.array(z.string()).optional(),
  ...actionInput,
  overlap: overlapInput.optional(),
  limit: z.int().min(1).max(10_000).optional(),
  catchup: durationInput.optional(),
  missed: missedInput.optional(),
  missedLimit: z.int().min(1).max(1000).optional(),
  pauseAfterFailures: z.int().min(0).max(1_000_000).optional(),
  remaining: z.int().min(0).nullable().optional(),
  keepOriginalId: z.boolean().optional(),
  idleClose: durationInput.optional(),
  paused: z.union([z.boolean(), z.string()]).optional(),
  note: z.string().max(1000).optional(),
  description: z.string().max(10_000).optional(),
  owner: z.string().max(255).optional(),
  tags: z.array(z.string().min(1).max(255)).max(100).optional(),
  memo: z.record(z.string(), z.unknown()).optional(),
  attributes: z
    .record(z.string().regex(/^[^$]/, "names beginning with '$' are ours"), attributeInput)
    .optional(),
});

export type DurationInput = string | number;
export type InstantInput = string | number | Date;

/**
 * A schedule as people write it. When: exactly one or more of `cron`, `every`, `at`, `rrule`, `spec` (their union), or
 * none for a schedule that only runs when triggered. What: one of `run`, `http`, `command`, `bullmq`.
 */
export interface ScheduleInput extends ActionInput {
  /** Five fields, or six with seconds first. */
  readonly cron?: string | readonly string[];
  /** Default `unix`. */
  readonly dialect?: CronEntry['dialect'];
  /** An interval counted from the Unix epoch: `'15m'`. */
  readonly every?: DurationInput;
  /** Shifts the interval: `every: '1h', offset: '5m'` is five past each hour (UTC). */
  readonly offset?: DurationInput;
  /** Single points in time. */
  readonly at?: InstantInput | readonly InstantInput[];
  /** RFC 5545. */
  readonly rrule?: string;
  /** The full form, see `carillon/spec`; what stands beside it is added. */
  readonly spec?: ScheduleSpec;
  /** IANA name; default UTC. */
  readonly zone?: string;
  readonly dst?: NonNullable<ScheduleSpec['dst']>;
  readonly startAt?: InstantInput;
  readonly endAt?: InstantInput;
  readonly jitter?: DurationInput;
  /** Whole local days on which nothing runs: `'2026-12-25'`. */
  readonly excludeDates?: readonly string[];
  /** Default `skip`. */
  readonly overlap?: OverlapPolicy;
  /** Runs that may go on at once before one counts as in the way. Default 1. */
  readonly limit?: number;
  /** How late a slot may still start. Default one hour. */
  readonly catchup?: DurationInput;
  /** Default `all`. */
  readonly missed?: MissedPolicy;
  /** With `missed: 'all'`: of several that are due at once, only the newest so many run, oldest first. */
  readonly missedLimit?: number;
  /** Pause after this many failures in a row. Default 0: never. */
  readonly pauseAfterFailures?: number;
  /** How many times it may still act; null or absent: without limit. */
  readonly remaining?: number | null;
  readonly keepOriginalId?: boolean;
  /** How long a finished schedule stays. Default seven days; 0: for ever. */
  readonly idleClose?: DurationInput;
  /** Created paused, with a note. On update, absent keeps the present state. */
  readonly paused?: boolean | string;
  readonly note?: string;
  readonly description?: string;
  readonly owner?: string;
  readonly tags?: readonly string[];
  readonly memo?: Readonly<Record<string, unknown>>;
  readonly attributes?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

export function readDuration(input: DurationInput): number {
  return typeof input === 'number' ? input : (parseDuration(input) as number);
}

/** `path` names the field in the error. */
export function readInstant(input: InstantInput, path = ''): Instant {
  if (typeof input === 'string') {
    const at = parseInstant(input);
    if (at === undefined)
      throw ServiceError.invalid([
        {
          path,
          reason: 'NOT_A_TIME',
          message: `'${input}' is not a time`,
          fix: 'write RFC 3339 with an offset, e.g. 2026-03-01T09:00:00Z',
        },
      ]);
    return at;
  }
  return instant(typeof input === 'number' ? input : input.getTime());
}

/** Throws an `invalidArgument` that names every problem. */
export function readScheduleInput(input: unknown): DefinitionDraft {
  const tooDeep = depthProblems(input);
  if (tooDeep.length > 0) throw ServiceError.invalid(tooDeep);
  const parsed = scheduleInput.safeParse(input);
  if (!parsed.success) throw ServiceError.invalid(parsed.error.issues.map(problemOf));
  const given = input as ScheduleInput;
  const problems: Problem[] = [];
  const spec = readSpec(given, problems);
  const action = readAction(given, problems);
  const size = sizeOf(given, problems);
  if (size > largestPayload) {
    problems.push({
      path: 'input',
      reason: 'TOO_LARGE',
      message: `input and memo take ${size} bytes, ${largestPayload} are allowed`,
      fix: 'store large data elsewhere and pass a reference to it',
    });
  }
  if (problems.length > 0 || spec === undefined || action === undefined) throw ServiceError.invalid(problems);
  return draftOf(given, spec, action);
}

/** Bytes of what is stored as it is; what JSON cannot hold is a problem, not an accident. */
function sizeOf({ input, memo, http, command, bullmq }: ScheduleInput, problems: Problem[]): number {
  let size = 0;
  for (const [path, value] of Object.entries({ input, memo, http, command, bullmq })) {
    try {
      size += JSON.stringify(value)?.length ?? 0;
    } catch (error) {
      const message = `not JSON: ${ServiceError.from(error).message}`;
      problems.push({
        path,
        reason: 'NOT_JSON',
        message,
        fix: 'give plain data: text, numbers, lists, objects',
      });
    }
  }
  return size;
}

function draftOf(given: ScheduleInput, spec: ScheduleSpec, action: ScheduleAction): DefinitionDraft {
  const { paused, remaining, note, description, owner, tags, memo, attributes } = given;
  return {
    spec,
    action,
    policy: {
      overlap: given.overlap ?? defaultPolicy.overlap,
      limit: given.limit ?? defaultPolicy.limit,
      catchupWindowMs:
        given.catchup === undefined ? defaultPolicy.catchupWindowMs : readDuration(given.catchup),
      missed: given.missed ?? defaultPolicy.missed,
      ...(given.missedLimit === undefined ? {} : { missedLimit: given.missedLimit }),
      pauseAfterFailures: given.pauseAfterFailures ?? defaultPolicy.pauseAfterFailures,
      idleCloseMs: given.idleClose === undefined ? defaultPolicy.idleCloseMs : readDuration(given.idleClose),
      keepOriginalId: given.keepOriginalId ?? defaultPolicy.keepOriginalId,
    },
    ...(paused === undefined
      ? {}
      : { paused: paused === false ? null : { note: paused === true ? '' : paused } }),
    ...(remaining === undefined ? {} : { remaining }),
    note: note ?? '',
    description: description ?? '',
    owner: owner ?? '',
    tags: tags ?? [],
    memo: memo ?? {},
    attributes: attributes ?? {},
  };
}

function readSpec(given: ScheduleInput, problems: Problem[]): ScheduleSpec | undefined {
  const { cron, dialect, every, offset, at, rrule, zone, dst, startAt, endAt, jitter, excludeDates } = given;
  const base = given.spec ?? {};
  const list = <T>(value: T | readonly T[] | undefined): readonly T[] =>
    value === undefined ? [] : Array.isArray(value) ? (value as readonly T[]) : [value as T];
  if (offset !== undefined && every === undefined) {
    problems.push({
      path: 'offset',
      reason: 'WITHOUT_EVERY',
      message: 'offset shifts an interval, and there is none',
      fix: "add every, e.g. every: '1h'",
    });
  }
  for (const [path, value] of [
    ['every', every],
    ['offset', offset],
  ] as const) {
    if (value === undefined || readDuration(value) % 1000 === 0) continue;
    problems.push({
      path,
      reason: 'FRACTION_OF_SECOND',
      message: `${JSON.stringify(value)} is not a whole number of seconds`,
      fix: 'slots are whole seconds; for more, let one run do several rounds',
    });
  }
  if (startAt !== undefined && endAt !== undefined && readInstant(startAt) > readInstant(endAt)) {
    problems.push({
      path: 'endAt',
      reason: 'BEFORE_START',
      message: 'the schedule would end before it starts',
      fix: 'give an endAt after startAt',
    });
  }
  const joined = {
    ...base,
    ...join(
      'cron',
      base.cron,
      list(cron).map((text) => (dialect === undefined ? { text } : { text, dialect })),
    ),
    ...join(
      'intervals',
      base.intervals,
      every === undefined
        ? []
        : [
            {
              everyMs: readDuration(every),
              ...(offset === undefined ? {} : { phaseMs: readDuration(offset) }),
            },
          ],
    ),
    ...join(
      'times',
      base.times,
      list(at).map((each) => readInstant(each, 'at')),
    ),
    ...join('rrules', base.rrules, rrule === undefined ? [] : [{ text: rrule }]),
    ...(zone === undefined ? {} : { zone }),
    ...(dst === undefined ? {} : { dst }),
    ...(startAt === undefined ? {} : { startAt: readInstant(startAt) }),
    ...(endAt === undefined ? {} : { endAt: readInstant(endAt) }),
    ...(jitter === undefined ? {} : { jitterMs: readDuration(jitter) }),
    ...(excludeDates === undefined
      ? {}
      : { exclude: { ...base.exclude, dates: [...(base.exclude?.dates ?? []), ...excludeDates] } }),
  };
  const checked = validateSpec(joined);
  if (checked.ok) return checked.spec;
  // Name the field the user wrote, not the one it was turned into.
  for (const problem of checked.problems)
    problems.push({
      ...problem,
      path: given.spec === undefined ? writtenPath(problem.path, given) : `spec.${problem.path}`,
    });
  return undefined;
}

function join<T>(name: string, before: readonly T[] | undefined, more: readonly T[]): object {
  return more.length === 0 ? {} : { [name]: [...(before ?? []), ...more] };
}

function writtenPath(path: string, given: ScheduleInput): string {
  return path
    .replace(/^cron\[(\d+)\]\.text/, Array.isArray(given.cron) ? 'cron[$1]' : 'cron')
    .replace(/^cron\[\d+\]\.dialect/, 'dialect')
    .replace(/^intervals\[0\]\.everyMs/, 'every')
    .replace(/^intervals\[0\]\.phaseMs/, 'offset')
    .replace(/^times\[(\d+)\]/, Array.isArray(given.at) ? 'at[$1]' : 'at')
    .replace(/^rrules\[0\]\.text/, 'rrule')
    .replace(/^jitterMs/, 'jitter')
    .replace(/^exclude\.dates/, 'excludeDates');
}
