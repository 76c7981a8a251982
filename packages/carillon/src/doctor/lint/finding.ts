/** The rules of the linter: every code with its severity and description. The codes are part of the public interface. */
import type { SchedulePolicy } from '../../scheduler/definition.ts';
import type { Budget, Dialect, ScheduleSpec } from '../../spec/index.ts';

export type Severity = 'error' | 'warning' | 'info';

export const lintRules = {
  invalid: ['error', 'it cannot be read'],
  'never-fires': ['error', 'no time is left, or ever was'],
  unsearchable: ['error', 'its times are too hard to find; a server refuses it'],
  'fires-once': ['warning', 'one single time is left'],
  'unreachable-date': ['warning', 'a date that does not exist, such as 30 February'],
  'short-months': ['warning', 'a day that many months do not have'],
  'leap-day': ['info', '29 February comes every four years'],
  'day-either': ['warning', 'day of month OR day of week, where many expect AND'],
  'day-both': ['info', 'day of month AND day of week, where cron means OR'],
  'day-star': ['warning', 'a day field that begins with * turns OR into AND'],
  'uneven-step': ['warning', 'a step that does not divide its field, so that the last gap is shorter'],
  'month-step': ['info', 'a step over days begins anew each month'],
  'minute-star': ['warning', 'every minute of an hour, where once was probably meant'],
  'weekday-base': ['warning', 'weekday numbers that mean another day in Quartz'],
  'too-frequent': ['warning', 'more often than every ten seconds'],
  'zone-missing': ['warning', 'an hour of the day without a zone'],
  'dst-skip': ['warning', 'a change of the clock leaves a run out'],
  'dst-double': ['warning', 'a change of the clock runs it twice'],
  'dst-shift': ['info', 'a change of the clock moves a run'],
  'dst-fold': ['info', 'a repeated time that runs once'],
  'top-of-hour': ['info', 'the minute at which most other schedules run'],
  herd: ['warning', 'many schedules in the same second'],
  duplicate: ['warning', 'two schedules that do the same at the same times'],
  'overlap-risk': ['warning', 'runs that take longer than the time between two'],
  'catchup-short': ['info', 'a catch-up window shorter than the time between two runs'],
  'catchup-flood': ['warning', 'a long outage is made up for by very many runs'],
  'no-timeout': ['info', 'a run that hangs keeps all later ones from starting'],
  'jitter-clipped': ['info', 'a jitter that reaches the next run'],
} as const satisfies Readonly<Record<string, readonly [Severity, string]>>;
export type LintCode = keyof typeof lintRules;

/** A line in a file. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
}

export interface LintFinding {
  readonly code: LintCode;
  readonly severity: Severity;
  /** The name of the schedule, or the expression. */
  readonly subject: string;
  readonly message: string;
  readonly fix?: string;
  readonly location?: SourceLocation;
}

/** The work that the rules may spend on one subject, about a second: every search about it shares this. */
export type LintBudgets = (subject: LintSubject) => Budget;

/** The subject of a check: a spec, with as many other fields as are known. */
export interface LintSubject {
  readonly name: string;
  readonly spec: ScheduleSpec;
  readonly policy?: SchedulePolicy;
  readonly action?: LintAction;
  /** The seed of `H`. */
  readonly seed?: string;
  /** The 95th percentile of the run durations, in ms. */
  readonly slowRunMs?: number;
  readonly location?: SourceLocation;
}

export interface LintAction {
  readonly kind: string;
  readonly queue: string;
  readonly name: string;
  readonly input: unknown;
  readonly settings: { readonly attemptTimeoutMs?: number; readonly executionTimeoutMs?: number };
  /** Whether the kind of work has its own timeout. */
  readonly isTimed?: boolean;
}

/** The finding of one rule, without the fields that its code and subject determine. */
export interface Remark {
  readonly code: LintCode;
  readonly message: string;
  readonly fix?: string;
}

export interface CronText {
  readonly text: string;
  readonly dialect: Dialect;
}

export function findingOf(subject: Pick<LintSubject, 'name' | 'location'>, remark: Remark): LintFinding {
  const { name, location } = subject;
  const [severity] = lintRules[remark.code];
  return { ...remark, severity, subject: name, ...(location === undefined ? {} : { location }) };
}
