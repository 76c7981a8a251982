/** Converts the command line to a validated spec. All problems are reported together. */

import type { Problem } from '../base/error.ts';
import { given } from '../base/given.ts';
import { millisecondsOf, parseGoDuration } from '../spec/go-duration.ts';
import {
  cronSpan,
  type Dialect,
  type FoldRule,
  findZone,
  type GapRule,
  type Interval,
  parseCron,
  type ScheduleSpec,
  validateSpec,
  type Zone,
} from '../spec/index.ts';
import { parseRecurrence } from '../spec/rrule/parse.ts';
import { BadInput, type InputProblem } from './exit.ts';

export interface SpecOptions {
  readonly expression: readonly string[];
  readonly dialect: Dialect;
  readonly zone?: string;
  readonly every?: string;
  readonly rrule?: string;
  readonly jitter?: string;
  readonly gap?: GapRule;
  readonly fold?: FoldRule;
  readonly excludeDate?: readonly string[];
}

export interface ReadInput {
  readonly spec: ScheduleSpec;
  /** The zone in which times are shown: from the option, or from the expression. */
  readonly zone: string;
}

export function readSpecOptions(options: SpecOptions): ReadInput {
  const problems: InputProblem[] = [];
  const [expression, ...more] = options.expression;
  if (more.length > 0) {
    const fix = `put it in quotes: '${options.expression.join(' ')}'`;
    problems.push({
      path: 'expression',
      reason: 'UNQUOTED',
      message: 'the expression was split into several words',
      fix,
    });
  }
  if (expression === undefined && options.every === undefined && options.rrule === undefined) {
    const fix = "write a cron expression such as '0 9 * * 1-5', or --every 15m, or --rrule FREQ=DAILY";
    problems.push({ path: 'expression', reason: 'MISSING', message: 'there is nothing to compute', fix });
  }
  const interval = options.every === undefined ? undefined : readInterval(options.every, problems);
  const jitterMs =
    options.jitter === undefined ? undefined : readLength('--jitter', options.jitter, problems);
  if (problems.length > 0) throw new BadInput(problems);
  const spec: ScheduleSpec = {
    ...(expression === undefined ? {} : { cron: [{ text: expression, dialect: options.dialect }] }),
    ...(interval === undefined ? {} : { intervals: [interval] }),
    ...(options.rrule === undefined ? {} : { rrules: [{ text: options.rrule }] }),
    ...(options.excludeDate === undefined ? {} : { exclude: { dates: options.excludeDate } }),
    ...(jitterMs === undefined ? {} : { jitterMs }),
    ...(options.zone === undefined ? {} : { zone: options.zone }),
    ...dstOf(options),
  };
  const checked = validateSpec(spec);
  if (!checked.ok) throw new BadInput(checked.problems.flatMap((found) => explain(found, options)));
  return { spec, zone: options.zone ?? namedZone(options) ?? 'UTC' };
}

/** Dialects of other systems follow those systems at clock changes, unless the options say otherwise. */
function dstOf({ dialect, expression, gap, fold }: SpecOptions): Pick<ScheduleSpec, 'dst'> {
  const literal = dialect !== 'unix' && expression.length > 0;
  const dst = {
    ...(literal ? { gap: 'skip' as const, fold: 'both' as const } : {}),
    ...given({ gap, fold }),
  };
  return Object.keys(dst).length === 0 ? {} : { dst };
}

function namedZone({ expression, dialect, rrule }: SpecOptions): string | undefined {
  const [text] = expression;
  if (text !== undefined) {
    const parsed = parseCron(text, dialect);
    if (parsed.ok && parsed.value.zone) return parsed.value.zone;
  }
  if (rrule === undefined) return undefined;
  const parsed = parseRecurrence(rrule);
  return parsed.ok ? parsed.rule.zone : undefined;
}

function readInterval(text: string, problems: InputProblem[]): Interval | undefined {
  const [every = '', phase, ...rest] = text.split('/');
  if (rest.length > 0) {
    const message = `"${text}" has more than one slash`;
    problems.push({
      path: '--every',
      reason: 'UNREADABLE',
      message,
      fix: 'write length/phase, such as 1h/5m',
    });
  }
  const everyMs = readLength('--every', every, problems);
  const phaseMs = phase === undefined ? undefined : readLength('--every', phase, problems);
  if (everyMs === undefined) return undefined;
  return phaseMs === undefined ? { everyMs } : { everyMs, phaseMs };
}

function readLength(path: string, text: string, problems: InputProblem[]): number | undefined {
  const parsed = parseGoDuration(text.trim());
  if (parsed.ok) return millisecondsOf(parsed.value);
  const message = `"${text}" is not a length of time`;
  problems.push({
    path,
    reason: 'DURATION',
    message,
    fix: 'write a number with a unit, such as 15m, 1h30m, 90s or 2d',
  });
  return undefined;
}

/** Converts a problem of the spec to a problem of the command line. */
function explain(found: Problem, options: SpecOptions): readonly InputProblem[] {
  const [text = ''] = options.expression;
  if (found.reason === 'UNKNOWN_ZONE') return [{ ...found, path: '--zone' }];
  if (found.path.startsWith('cron[')) {
    const prefix = `${options.dialect} cron: `;
    const message = found.message.startsWith(prefix) ? found.message : `${prefix}${found.message}`;
    const span = cronSpan(text, options.dialect, found.message);
    return [{ ...found, path: '', message, source: text, ...(span === undefined ? {} : { span }) }];
  }
  if (found.path.startsWith('rrules[')) return [{ ...found, path: '--rrule' }];
  if (found.path.startsWith('intervals[')) return [{ ...found, path: '--every' }];
  if (found.path.startsWith('exclude.dates')) return [{ ...found, path: '--exclude-date' }];
  if (found.path === 'jitterMs') return [{ ...found, path: '--jitter' }];
  return [found];
}

/** A zone that is known to exist, because the spec that names it was validated. */
export function knownZone(name: string): Zone {
  const zone = findZone(name);
  if (zone === undefined) throw new Error(`zone ${name} vanished after validation`);
  return zone;
}
