/** Rules about the times themselves: whether there are any, how close together, and at which minute. */
import { formatDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/time.ts';
import { addTime, day, formatInstant, second } from '../../base/time.ts';
import { dstReport } from '../../spec/dst-report.ts';
import type { Budget, CompiledSpec } from '../../spec/index.ts';
import { budgetExceeded, compileSpec, findZone, parseCron } from '../../spec/index.ts';
import { cronFields, isOpen } from '../cron-fields.ts';
import type { LintSubject, Remark } from './finding.ts';
import { impossibleDate } from './text-rules.ts';

/** The times examined to find the shortest gap: a week of quarter hours. */
const sample = 700;

/** How far ahead clock changes are searched. */
const dstYears = 2;

export interface TimeStatistics {
  readonly times: readonly Instant[];
  /** The shortest gap between two neighbours; undefined with fewer than two times. */
  readonly shortestMs: number | undefined;
  readonly longestMs: number | undefined;
}

export function timeStatisticsOf({ spec, seed }: LintSubject, now: Instant, budget: Budget): TimeStatistics {
  const times = timesOf(compileSpec(spec, seed === undefined ? {} : { seed }), now, budget);
  let shortestMs: number | undefined;
  let longestMs: number | undefined;
  for (let index = 1; index < times.length; index += 1) {
    const gap = (times[index] as number) - (times[index - 1] as number);
    shortestMs = Math.min(shortestMs ?? gap, gap);
    longestMs = Math.max(longestMs ?? gap, gap);
  }
  return { times, shortestMs, longestMs };
}

function timesOf(compiled: CompiledSpec, now: Instant, budget: Budget): readonly Instant[] {
  const times: Instant[] = [];
  const walk = compiled.walk(now);
  while (times.length < sample) {
    const found = walk.next(budget);
    if (found.kind === 'unfinished') throw budgetExceeded(found.reached);
    if (found.kind === 'none') break;
    times.push(found.nominal);
  }
  return times;
}

export interface TimeRules {
  readonly statistics: TimeStatistics;
  readonly now: Instant;
  readonly budget: Budget;
}

export function timeRemarks(subject: LintSubject, { statistics, now, budget }: TimeRules): readonly Remark[] {
  const { spec } = subject;
  const { cron, calendars, structuredCalendars, intervals, rrules, times } = spec;
  const lists = [cron, calendars, structuredCalendars, intervals, rrules];
  const sources = lists.reduce((total, list) => total + (list?.length ?? 0), 0);
  if (sources + (times?.length ?? 0) === 0) return [];
  const [first, next] = statistics.times;
  if (first === undefined) return [neverFires(subject, now)];
  const remarks: Remark[] = [];
  if (next === undefined && sources > 0) {
    const message = `runs once more, at ${formatInstant(first)}, and never again`;
    remarks.push({ code: 'fires-once', message, fix: 'for a single run say at: with that time' });
  }
  if (statistics.shortestMs !== undefined && statistics.shortestMs < 10 * second) {
    const message = `runs ${formatDuration(statistics.shortestMs)} apart`;
    const fix = 'let one run do several rounds, or check the first of six fields: it is the second';
    remarks.push({ code: 'too-frequent', message, fix });
  }
  if (
    spec.jitterMs !== undefined &&
    statistics.shortestMs !== undefined &&
    spec.jitterMs >= statistics.shortestMs
  ) {
    const message = `a jitter of ${formatDuration(spec.jitterMs)} is cut to the ${formatDuration(statistics.shortestMs)} between two runs`;
    remarks.push({ code: 'jitter-clipped', message, fix: 'give a jitter well below the interval' });
  }
  return [
    ...remarks,
    ...zoneRemarks(subject),
    ...hourRemarks(subject, statistics),
    ...dstRemarks(subject, now, budget),
  ];
}

function neverFires({ spec }: LintSubject, now: Instant): Remark {
  if (spec.endAt !== undefined && spec.endAt <= now) {
    const message = `ended at ${formatInstant(spec.endAt)}`;
    return { code: 'never-fires', message, fix: 'move endAt, or remove the schedule' };
  }
  const onlyTimes = spec.times !== undefined && spec.cron === undefined && spec.intervals === undefined;
  if (onlyTimes) return { code: 'never-fires', message: 'all its times have passed' };
  const date = (spec.cron ?? []).map(({ text, dialect }) => impossibleDate(text, dialect)).find(Boolean);
  if (date !== undefined) {
    const fix = 'for the last day of the month write L as the day';
    return { code: 'never-fires', message: `never runs: there is no ${date}`, fix };
  }
  const message = 'never runs: no time matches all of its fields, or its exclusions leave nothing';
  return {
    code: 'never-fires',
    message,
    fix: 'remove its parts one by one; carillon next shows the result',
  };
}

/** Only a spec that names hours needs a zone: every ten minutes is the same everywhere. */
function zoneRemarks({ spec }: LintSubject): readonly Remark[] {
  if (spec.zone !== undefined || spec.zoneData !== undefined) return [];
  const named = (spec.cron ?? []).find(({ text, dialect, zone }) => {
    const fields = cronFields(text, dialect);
    const parsed = parseCron(text, dialect ?? 'unix');
    const hasZone = zone !== undefined || (parsed.ok && parsed.value.zone !== undefined);
    return fields !== undefined && !hasZone && !isOpen(fields.hour);
  });
  const what = named === undefined ? calendarHour(spec.calendars ?? []) : `'${named.text}'`;
  if (what === undefined) return [];
  const message = `${what} names hours, and no zone: they are hours of UTC`;
  return [{ code: 'zone-missing', message, fix: 'say zone: Europe/Berlin, or zone: UTC if that is meant' }];
}

function calendarHour(calendars: readonly { readonly hour?: string }[]): string | undefined {
  return calendars.some(({ hour }) => hour !== undefined && hour !== '*') ? 'a calendar' : undefined;
}

function hourRemarks({ spec }: LintSubject, { times, shortestMs }: TimeStatistics): readonly Remark[] {
  if ((spec.jitterMs ?? 0) > 0 || (shortestMs ?? day) < 3_600_000) return [];
  const offsetOf = (at: Instant) => (findZone(spec.zone ?? 'UTC')?.offsetAt(at / 1000) ?? 0) * 1000;
  const wall = times.slice(0, 50).map((at) => (((at + offsetOf(at)) % day) + day) % day);
  if (wall.length < 2 || wall.some((at) => at % 3_600_000 !== 0)) return [];
  const where = wall.every((at) => at === 0) ? 'at midnight' : 'at the full hour';
  const message = `runs ${where}, when most other schedules do`;
  return [{ code: 'top-of-hour', message, fix: 'take another minute, H as the minute, or a jitter' }];
}

function dstRemarks({ spec, seed }: LintSubject, now: Instant, budget: Budget): readonly Remark[] {
  const to = addTime(now, dstYears * 366 * day);
  const rows = dstReport(spec, { from: now, to, budget, ...(seed === undefined ? {} : { seed }) });
  const remarks: Remark[] = [];
  const first = (...effects: readonly string[]) => rows.find(({ effect }) => effects.includes(effect));
  const skipped = first('skipped');
  if (skipped !== undefined) {
    const message = `${skipped.local} in ${skipped.zone} does not exist: the clock jumps over it, and nothing runs`;
    remarks.push({ code: 'dst-skip', message, fix: 'say dst: { gap: shift }, or take another hour' });
  }
  const doubled = first('doubled');
  if (doubled !== undefined) {
    const message = `${doubled.local} in ${doubled.zone} comes twice, and it runs both times`;
    remarks.push({ code: 'dst-double', message, fix: 'say dst: { fold: first }, or take another hour' });
  }
  const moved = first('shifted', 'merged');
  if (moved !== undefined) {
    const [to = 'later'] = moved.runsAtLocal;
    const message = `${moved.local} in ${moved.zone} does not exist: it runs at ${to} instead`;
    remarks.push({
      code: 'dst-shift',
      message,
      fix: 'fine if that suits you; carillon dst shows all of them',
    });
  }
  const once = first('first', 'second');
  if (once !== undefined) {
    const message = `${once.local} in ${once.zone} comes twice: it runs in the ${once.effect} copy`;
    remarks.push({
      code: 'dst-fold',
      message,
      fix: 'fine if that suits you; carillon dst shows all of them',
    });
  }
  return remarks;
}
