/** Validates a task. Messages are those of the original registry where it had one. */
import { withArticle } from '../base/article.ts';
import type { Problem } from '../base/error.ts';
import { isServiceError, ServiceError } from '../base/error.ts';
import { instant } from '../base/time.ts';
import { readScheduleInput } from '../service/schedule-input.ts';
import { budgetOf, compileSpec, findZone, unitsPerTurn, zoneFix } from '../spec/index.ts';
import type { PeriodicTask, RegisteredTask, TaskMissed } from './task.ts';
import { taskFields } from './task.ts';
import { scheduleOf } from './translate.ts';

/** The most characters of an id, which becomes part of job ids, keys and labels. */
export const longestTaskId = 200;

const idPattern = /^[A-Za-z0-9_-]+$/;
const priorities: readonly unknown[] = ['high', 'normal', 'low'];
const overlapWords: readonly unknown[] = ['skip', 'queueOne', 'queueAll', 'allow'];
const missedWords: readonly unknown[] = ['once', 'skip', 'all'];
const mostCaughtUp = 1000;

/**
 * Fields that this file checks, with the original's messages; problems of the schedule's own check about them are
 * dropped.
 */
const judgedHere = new Set(['cron', 'zone', 'priority', 'run']);

/** Returns the problems of a task; empty when it is valid. */
export function checkTask(task: RegisteredTask): readonly Problem[] {
  const problems = [
    ...idProblems(task),
    ...timeProblems(task),
    ...jobProblems(task),
    ...zoneProblems(task),
    ...wordProblems(task),
    ...strangeFields(task),
  ];
  // The schedule's own check covers the rest. It needs a task whose basic fields are valid.
  return problems.length > 0 ? problems : scheduleProblems(task);
}

/** An error that carries every problem. With a single problem its message is the original's. */
export function invalidTask(problems: readonly Problem[]): ServiceError {
  const message = `invalid schedule: ${problems.map((problem) => problem.message).join('; ')}`;
  return new ServiceError({ code: 'invalidArgument', reason: 'INVALID', message, problems });
}

function idProblems({ id }: RegisteredTask): readonly Problem[] {
  if (typeof id !== 'string' || id === '') {
    return [
      problem('id', 'EMPTY', 'schedule ID cannot be empty', 'write a short name such as nightly_report'),
    ];
  }
  if (!idPattern.test(id)) {
    const message = 'schedule ID must contain only alphanumeric characters, underscores, and hyphens';
    return [problem('id', 'BAD_ID', message, `write ${JSON.stringify(id.replace(/[^A-Za-z0-9_-]+/g, '_'))}`)];
  }
  if (id.length <= longestTaskId) return [];
  return [
    problem('id', 'TOO_LONG', `schedule ID must have at most ${longestTaskId} characters, not ${id.length}`),
  ];
}

function timeProblems({ cron, every }: RegisteredTask): readonly Problem[] {
  const texts = cron === undefined ? [] : typeof cron === 'string' ? [cron] : [...cron];
  const isEmpty = cron === undefined ? every === undefined : texts.length === 0 || texts.includes('');
  if (isEmpty) {
    const fix = "write e.g. '0 * * * *', or every: '1h'";
    return [problem('cron', 'EMPTY', 'cron expression cannot be empty', fix)];
  }
  return texts.flatMap((text) => cronProblems(text));
}

function cronProblems(text: unknown): readonly Problem[] {
  const bad = (why: string, reason: string, fix?: string) => [
    problem('cron', reason, `invalid cron expression ${JSON.stringify(text)}: ${why}`, fix),
  ];
  if (typeof text !== 'string') return bad('it is not a text', 'NOT_TEXT');
  if (/^\s*(CRON_)?TZ=/i.test(text)) {
    // A zone in both fields would be ambiguous.
    return bad('the time zone belongs in timezone', 'ZONE_IN_CRON', "write timezone: 'Europe/Berlin'");
  }
  try {
    const compiled = compileSpec({ cron: [{ text }] });
    if (compiled.search(instant(0), { budget: budgetOf(unitsPerTurn) }).kind === 'found') return [];
    return bad('it never matches', 'NEVER_MATCHES', 'write a day that exists, such as 28 2');
  } catch (error) {
    const { problems, message } = ServiceError.from(error);
    const [first] = problems;
    return bad(first?.message ?? message, first?.reason ?? 'BAD_CRON', first?.fix);
  }
}

function jobProblems({ job, run, payload }: RegisteredTask): readonly Problem[] {
  const problems: Problem[] = [];
  if (typeof job !== 'string' || job === '') {
    problems.push(problem('job', 'EMPTY', 'job name cannot be empty', 'name a job, or give run'));
  }
  if (run !== undefined && typeof run !== 'function') {
    problems.push(
      problem('run', 'NOT_A_FUNCTION', 'run is not a function', 'give the code, or name it with job'),
    );
  }
  const why = whyNotJson(payload);
  if (why !== undefined) {
    const fix = 'give plain data: text, numbers, lists, objects';
    problems.push(problem('payload', 'NOT_JSON', `payload is not JSON: ${why}`, fix));
  }
  return problems;
}

/**
 * Returns undefined when JSON can hold the value without loss. A value that JSON silently changes would fail at every
 * run.
 */
function whyNotJson(value: unknown, depth = 0): string | undefined {
  if (depth > 100) return 'it is nested too deeply, or within itself';
  switch (typeof value) {
    case 'undefined':
      return depth === 0 ? undefined : 'undefined has no JSON';
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${value} has no JSON`;
    case 'object': {
      if (value === null) return undefined;
      const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
      if (!isPlain) return `${withArticle(value.constructor?.name ?? 'strange object')} has no JSON`;
      for (const each of Object.values(value)) {
        const why = each === undefined && !Array.isArray(value) ? undefined : whyNotJson(each, depth + 1);
        if (why !== undefined) return why;
      }
      return undefined;
    }
    default:
      return `a ${typeof value} has no JSON`;
  }
}

function zoneProblems({ timezone }: RegisteredTask): readonly Problem[] {
  if (typeof timezone === 'string' && findZone(timezone) !== undefined) return [];
  const message = `invalid timezone ${JSON.stringify(timezone)}: unknown time zone ${String(timezone)}`;
  return [problem('timezone', 'UNKNOWN_ZONE', message, zoneFix(String(timezone)))];
}

function wordProblems({ priority, enabled, overlap, missed, maxRuns }: RegisteredTask): readonly Problem[] {
  const problems: Problem[] = [];
  if (!priorities.includes(priority)) {
    const message = `invalid priority ${JSON.stringify(priority)}`;
    problems.push(problem('priority', 'UNKNOWN_VALUE', message, 'write high, normal or low'));
  }
  if (typeof enabled !== 'boolean') {
    problems.push(
      problem('enabled', 'NOT_A_BOOLEAN', `enabled must be true or false, not ${String(enabled)}`),
    );
  }
  if (!overlapWords.includes(overlap)) {
    const message = `invalid overlap ${JSON.stringify(overlap)}`;
    problems.push(problem('overlap', 'UNKNOWN_VALUE', message, `write one of ${overlapWords.join(', ')}`));
  }
  if (!isMissed(missed)) {
    const message = `invalid missed ${JSON.stringify(missed)}`;
    const fix = `write one of ${missedWords.join(', ')}, or { catchUp: 3 }`;
    problems.push(problem('missed', 'UNKNOWN_VALUE', message, fix));
  }
  if (maxRuns !== undefined && !(Number.isSafeInteger(maxRuns) && maxRuns >= 1)) {
    problems.push(problem('maxRuns', 'TOO_SMALL', 'maxRuns must be a whole number of at least one'));
  }
  return problems;
}

/** Refuses unknown fields, because a misspelt field would have no effect. */
function strangeFields(task: RegisteredTask): readonly Problem[] {
  const known: readonly string[] = taskFields;
  return Object.keys(task)
    .filter((field) => !known.includes(field))
    .map((field) =>
      problem(field, 'UNKNOWN_FIELD', `a schedule has no field ${field}`, 'remove it, or mend its name'),
    );
}

function isMissed(missed: TaskMissed): boolean {
  if (typeof missed === 'string') return missedWords.includes(missed);
  const { catchUp } = missed ?? {};
  return Number.isSafeInteger(catchUp) && catchUp >= 1 && catchUp <= mostCaughtUp;
}

const writtenAs: Readonly<Record<string, keyof PeriodicTask>> = {
  input: 'payload',
  catchup: 'misfireWindow',
  zone: 'timezone',
  missedLimit: 'missed',
};

function scheduleProblems(task: RegisteredTask): readonly Problem[] {
  try {
    readScheduleInput(scheduleOf(task));
    return [];
  } catch (error) {
    if (!isServiceError(error) || error.problems.length === 0) throw error;
    return error.problems
      .filter(({ path }) => !judgedHere.has(path))
      .map(({ path, reason, message, fix }) => {
        const field = writtenAs[path] ?? path;
        return problem(field, reason, `${field}: ${message}`, fix);
      });
  }
}

function problem(path: string, reason: string, message: string, fix?: string): Problem {
  return { path, reason, message, ...(fix === undefined ? {} : { fix }) };
}
