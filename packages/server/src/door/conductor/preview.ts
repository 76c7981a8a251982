/**
 * The coming times of a cron text (`nextFewSchedules`). The original looks from half a second before its start bound, and
 * gives the first time after a start that lies ahead even when it is past the end; clients may rely on both.
 */
import { addTime, type Instant, instant, ServiceError } from 'carillon/internal/base';
import { SlicedWork } from 'carillon/internal/service';
import { compileSpec } from 'carillon/spec';
import { Reading } from '../../flow/read-fields.ts';
import type { QueryParameters } from './query-parameter.ts';
import { intOf, numberOf, refused, textOf } from './query-parameter.ts';
import { checkWhen, specOf } from './when.ts';

const most = 5;
const lead = 500;

export interface PreviewOptions {
  readonly now: Instant;
  /** The zone of a request that names none. */
  readonly zone: string;
}

export async function preview(
  query: QueryParameters,
  { now, zone }: PreviewOptions,
): Promise<readonly number[]> {
  if (query.cronExpression === undefined) throw refused('cronExpression', 'Cron expression is required');
  const when = {
    cronExpression: textOf(query, 'cronExpression') ?? '',
    zoneId: textOf(query, 'zoneId') ?? zone,
    cronSchedules: [],
  };
  const reading = new Reading();
  checkWhen(when, reading);
  if (reading.problems.length > 0) throw ServiceError.invalid(reading.problems);
  const start = numberOf(query, 'scheduleStartTime') || undefined;
  const end = numberOf(query, 'scheduleEndTime') || Number.POSITIVE_INFINITY;
  const limit = Math.min(most, intOf(query, 'limit') ?? most);
  const isAhead = start !== undefined && now < start - lead;
  const walk = compileSpec(specOf(when, zone)).walk(isAhead ? addTime(clipped(start), -lead) : now);
  const work = new SlicedWork();
  const times: number[] = [];
  while (times.length < limit) {
    const found = await work.finish((budget) => walk.next(budget));
    if (found.kind !== 'found') break;
    const isFirst = isAhead && times.length === 0;
    if (found.nominal > end && !isFirst) break;
    times.push(found.nominal);
  }
  return times;
}

const lastInstant = Date.UTC(2200, 0, 1);

function clipped(time: number): Instant {
  return instant(Math.min(time, lastInstant));
}
