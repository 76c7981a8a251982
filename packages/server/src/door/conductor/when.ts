/** The times of a schedule in Conductor's format, and the spec with the same meaning. */

import type { Instant } from 'carillon/internal/base';
import { given, instant } from 'carillon/internal/base';
import type { CronEntry, ScheduleSpec } from 'carillon/spec';
import { maxEntries, maxTextLength, maxYear, parseSpringCron, zoneFix } from 'carillon/spec';
import { isFields, type Reading } from '../../flow/read-fields.ts';
import { withoutAbsent } from './start-request.ts';
import { isZoneId } from './zone-id.ts';

export interface CronSchedule {
  readonly cronExpression?: string;
  readonly zoneId?: string;
}

/** The fields as answers show them. A zone that was given as null is absent, and means the scheduler's own zone. */
export interface When {
  readonly cronExpression?: string;
  readonly zoneId?: string;
  readonly cronSchedules: readonly CronSchedule[];
  readonly scheduleStartTime?: number;
  readonly scheduleEndTime?: number;
}

/** Reads the fields without checking the times; `zone` is the default zone. */
export function readWhen(given: Readonly<Record<string, unknown>>, zone: string, reading: Reading): When {
  const listed = reading.list(given.cronSchedules, 'cronSchedules') ?? [];
  if (listed.length > maxEntries)
    reading.problem('cronSchedules', `at most ${maxEntries} entries are allowed`);
  const entries = listed.slice(0, maxEntries);
  return {
    ...withoutAbsent({
      cronExpression: reading.text(given.cronExpression, 'cronExpression'),
      zoneId: readZone(given.zoneId, 'zoneId', zone, reading),
      scheduleStartTime: readBound(given.scheduleStartTime, 'scheduleStartTime', reading),
      scheduleEndTime: readBound(given.scheduleEndTime, 'scheduleEndTime', reading),
    }),
    cronSchedules: entries.map((entry, index): CronSchedule => {
      const at = `cronSchedules[${index}]`;
      if (!isFields(entry)) {
        reading.problem(at, 'must be an object with a cronExpression');
        return {};
      }
      return withoutAbsent({
        cronExpression: reading.text(entry.cronExpression, `${at}.cronExpression`),
        zoneId: readZone(entry.zoneId, `${at}.zoneId`, zone, reading),
      });
    }),
  };
}

function readZone(given: unknown, path: string, zone: string, reading: Reading): string | undefined {
  return given === undefined ? zone : reading.text(given, path);
}

/** Zero means that there is no bound. */
function readBound(given: unknown, path: string, reading: Reading): number | undefined {
  return reading.whole(given, path) || undefined;
}

/** Reports the problems of the times of a schedule that is to be stored. */
export function checkWhen(when: When, reading: Reading): void {
  const { cronSchedules, cronExpression, zoneId, scheduleStartTime, scheduleEndTime } = when;
  if (zoneId !== undefined && !isZoneId(zoneId)) badZone(zoneId, 'zoneId', reading);
  if (cronSchedules.length === 0) checkCron(cronExpression, 'cronExpression', reading);
  for (const [index, entry] of cronSchedules.entries()) {
    const at = `cronSchedules[${index}]`;
    checkCron(entry.cronExpression, `${at}.cronExpression`, reading);
    if (entry.zoneId !== undefined && !isZoneId(entry.zoneId)) badZone(entry.zoneId, `${at}.zoneId`, reading);
  }
  // Bounds are inclusive, so a window of one instant is allowed.
  if (
    scheduleStartTime !== undefined &&
    scheduleEndTime !== undefined &&
    scheduleEndTime < scheduleStartTime
  ) {
    reading.problem('scheduleEndTime', 'scheduleEndTime must be after scheduleStartTime');
  }
}

function checkCron(text: string | undefined, path: string, reading: Reading): void {
  if (text === undefined || text.trim() === '') {
    reading.problem(
      path,
      'Cron expression is required',
      'write six fields, seconds first: 0 0 9 * * MON-FRI',
    );
    return;
  }
  if (text.length > maxTextLength) {
    reading.problem(path, `Invalid cron expression: at most ${maxTextLength} characters are allowed`);
    return;
  }
  const parsed = parseSpringCron(text);
  if (parsed.ok) return;
  const reasons = parsed.problems.map(({ message }) => message).join('; ');
  reading.problem(path, `Invalid cron expression '${text}': ${reasons}`);
}

function badZone(zone: string, path: string, reading: Reading): void {
  reading.problem(
    path,
    `Invalid zoneId '${zone.slice(0, 100)}': it is not a time zone`,
    zoneFix(
      zone,
      'write an IANA name in its own spelling, such as Europe/Berlin, or an offset such as +02:00',
    ),
  );
}

/** The clock rules of Spring: a skipped time does not fire, a repeated one fires twice. */
export const springDst = { gap: 'skip', fold: 'both' } as const;

/** The spec of checked fields; `zone` is the default zone. */
export function specOf(when: When, zone: string): ScheduleSpec {
  const { cronExpression = '', zoneId = zone, cronSchedules, scheduleStartTime, scheduleEndTime } = when;
  const cron: readonly CronEntry[] =
    cronSchedules.length === 0
      ? [{ text: cronExpression, dialect: 'spring', zone: zoneId }]
      : cronSchedules.map((entry) => ({
          text: entry.cronExpression ?? '',
          dialect: 'spring',
          zone: entry.zoneId ?? zone,
        }));
  const startAt = boundOf(scheduleStartTime);
  const endAt = boundOf(scheduleEndTime);
  return {
    cron,
    ...given({ startAt, endAt }),
    dst: springDst,
  };
}

const lastInstant = Date.UTC(maxYear, 11, 31, 23, 59, 59);

/** Nominal times lie between 1970 and the last year of the spec library; bounds beyond these are the same as these. */
function boundOf(time: number | undefined): Instant | undefined {
  return time === undefined ? undefined : instant(Math.min(Math.max(time, 0), lastInstant));
}
