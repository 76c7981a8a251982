/**
 * Converts the input of a schedule to its stored form, and back. All problems are reported at once, each with its
 * path, its reason and what to write instead.
 */
import { kindNames } from '../action/kind.ts';
import { readDuration } from '../base/duration.ts';
import type { Problem } from '../base/error.ts';
import { ServiceError } from '../base/error.ts';
import { reporting, shapeProblem } from '../base/fields.ts';
import { given } from '../base/given.ts';
import type { Plain } from '../base/plain-data.ts';
import type { Instant } from '../base/time.ts';
import { instant, parseInstant } from '../base/time.ts';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import { isManual, validateSpec } from '../spec/index.ts';
import { readAction, writeAction } from './action-input.ts';
import type { DefinitionDraft } from './definition-draft.ts';
import { largestPayload } from './limits.ts';
import { payloadProblems } from './payload-bounds.ts';
import type { ScheduleAbout, ScheduleInput } from './schedule-fields.ts';
import { aboutOf, readPolicy, scheduleInput, writePolicy } from './schedule-fields.ts';

export type { ScheduleInput };

/** A schedule with an input of plain data. */
export type PlainSchedule<Data> = ScheduleInput & { readonly input?: Plain<Data> };

export type InstantInput = string | number | Date;

/** Reads a time; `path` is the field's name in the error. */
export function readInstant(input: InstantInput, path = ''): Instant {
  const at = typeof input === 'string' ? parseInstant(input) : instant(new Date(input).getTime());
  if (at !== undefined && !Number.isNaN(at)) return at;
  throw ServiceError.invalid([
    {
      path,
      reason: 'NOT_A_TIME',
      message: `'${String(input)}' is not a time`,
      fix: 'write RFC 3339 with an offset, e.g. 2026-03-01T09:00:00Z',
    },
  ]);
}

/** Reads the input of a schedule. Throws an `invalidArgument` error that names every problem. */
export function readScheduleInput(input: unknown): DefinitionDraft {
  const unbounded = payloadProblems(input);
  if (unbounded.length > 0) throw ServiceError.invalid(unbounded);
  const parsed = scheduleInput.safeParse(input, reporting);
  if (!parsed.success)
    throw ServiceError.invalid(parsed.error.issues.map((issue) => shapeProblem(issue, scheduleInput)));
  // The schema accepted the input, which is used as it is.
  const said = input as ScheduleInput;
  const problems: Problem[] = [];
  const spec = readSpec(said, problems);
  const action = readAction(said, problems);
  const size = sizeOf(said, problems);
  if (size > largestPayload) {
    problems.push({
      path: 'input',
      reason: 'TOO_LARGE',
      message: `input and memo take ${size} bytes; at most ${largestPayload} are allowed`,
      fix: 'store large data elsewhere and pass a reference to it',
    });
  }
  if (problems.length > 0 || spec === undefined || action === undefined) throw ServiceError.invalid(problems);
  const { paused, remaining } = said;
  return {
    spec,
    action,
    policy: readPolicy(isManual(spec) ? { idleClose: 0, ...said } : said),
    demandsTimes: true,
    ...given({ paused: paused === undefined ? undefined : readPause(paused), remaining }),
    ...aboutOf(said),
  };
}

/** The part of a definition that a schedule's input can express: everything but the pause and the remaining actions. */
export type Sayable = Pick<ScheduleDefinition, 'spec' | 'action' | 'policy' | keyof ScheduleAbout>;

/**
 * The inverse of `readScheduleInput`: a stored schedule as an input, so that a caller can read it, change it and send
 * it back. The pause and the remaining actions are not part of it, so that sending it back keeps both.
 */
export function writeScheduleInput(definition: Sayable): ScheduleInput {
  const { spec, action, policy } = definition;
  return { spec, ...writeAction(action), ...writePolicy(policy), ...aboutOf(definition) };
}

function readPause(paused: boolean | string): { readonly note: string } | null {
  return paused === false ? null : { note: paused === true ? '' : paused };
}

/** The bytes of free-form data. A value that JSON cannot hold is reported as a problem. */
function sizeOf(said: ScheduleInput, problems: Problem[]): number {
  let size = 0;
  for (const path of ['input', 'memo', ...kindNames] as const) {
    try {
      size += JSON.stringify(said[path])?.length ?? 0;
    } catch (error) {
      const message = `not JSON: ${ServiceError.from(error).message}`;
      const fix = 'give plain data: text, numbers, lists, objects';
      problems.push({ path, reason: 'NOT_JSON', message, fix });
    }
  }
  return size;
}

function readSpec(said: ScheduleInput, problems: Problem[]): ScheduleSpec | undefined {
  const { cron, dialect, every, offset, at, rrule, zone, dst, startAt, endAt, jitter, excludeDates } = said;
  const base = said.spec ?? {};
  const list = <T>(value: T | readonly T[] | undefined): readonly T[] =>
    value === undefined ? [] : Array.isArray(value) ? (value as readonly T[]) : [value as T];
  if (offset !== undefined && every === undefined) {
    problems.push({
      path: 'offset',
      reason: 'WITHOUT_EVERY',
      message: 'offset needs an interval, and every is not given',
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
              ...given({ phaseMs: offset === undefined ? undefined : readDuration(offset) }),
            },
          ],
    ),
    ...join(
      'times',
      base.times,
      list(at).map((each) => readInstant(each, 'at')),
    ),
    ...join('rrules', base.rrules, rrule === undefined ? [] : [{ text: rrule }]),
    ...given({
      zone,
      dst,
      startAt: startAt === undefined ? undefined : readInstant(startAt),
      endAt: endAt === undefined ? undefined : readInstant(endAt),
      jitterMs: jitter === undefined ? undefined : readDuration(jitter),
    }),
    ...(excludeDates === undefined
      ? {}
      : { exclude: { ...base.exclude, dates: [...(base.exclude?.dates ?? []), ...excludeDates] } }),
  };
  const checked = validateSpec(joined);
  if (checked.ok) return checked.spec;
  // Report the field that the user wrote, not the one that it was converted to.
  for (const problem of checked.problems)
    problems.push({
      ...problem,
      path: said.spec === undefined ? writtenPath(problem.path, said) : `spec.${problem.path}`,
    });
  return undefined;
}

function join<T>(name: string, before: readonly T[] | undefined, more: readonly T[]): object {
  return more.length === 0 ? {} : { [name]: [...(before ?? []), ...more] };
}

function writtenPath(path: string, said: ScheduleInput): string {
  return path
    .replace(/^cron\[(\d+)\]\.text/, Array.isArray(said.cron) ? 'cron[$1]' : 'cron')
    .replace(/^cron\[\d+\]\.dialect/, 'dialect')
    .replace(/^intervals\[0\]\.everyMs/, 'every')
    .replace(/^intervals\[0\]\.phaseMs/, 'offset')
    .replace(/^times\[(\d+)\]/, Array.isArray(said.at) ? 'at[$1]' : 'at')
    .replace(/^rrules\[0\]\.text/, 'rrule')
    .replace(/^jitterMs/, 'jitter')
    .replace(/^exclude\.dates/, 'excludeDates');
}
