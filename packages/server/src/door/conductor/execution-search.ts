/** Searches the execution records of the schedules of a namespace. */
import type { NamedSchedule, Services } from 'carillon/internal/service';
import { readExecutionQuery, recordOrder } from './execution-query.ts';
import type { FoundRecord } from './execution-record.ts';
import { recordAnswer, recordsOf } from './execution-record.ts';
import { keptFields } from './origin.ts';
import type { QueryParameters } from './query-parameter.ts';
import { pagingOf, refused, textOf } from './query-parameter.ts';
import { shownRequest } from './schedule-draft.ts';
import type { SchedulerSettings } from './settings.ts';
import type { When } from './when.ts';

export interface SearchOptions {
  readonly services: Services;
  readonly namespace: string;
  readonly settings: SchedulerSettings;
}

/** The schedules that one search reads; a search over more must name some. */
const mostSchedules = 20_000;

/** Schedules whose runs are read concurrently. */
const atOnce = 32;

export async function searchExecutions(query: QueryParameters, options: SearchOptions): Promise<object> {
  const { schedules, matches } = readExecutionQuery(textOf(query, 'query'));
  const { start, size } = pagingOf(query);
  const found = await recordsOfAll(await namedOf(schedules, options), options);
  const records = found.filter(matches).sort(recordOrder(textOf(query, 'sort')));
  const results = await answersOf(records.slice(start, start + size), options);
  return { totalHits: records.length, results };
}

/** The records of one schedule, newest first. */
export async function executionsOf(
  name: string,
  limit: number,
  options: SearchOptions,
): Promise<readonly object[]> {
  const named = await options.services.schedules.named(options.namespace, [name]);
  const records = [...(await recordsOfAll(named, options))].sort(recordOrder(undefined));
  return await answersOf(records.slice(0, limit), options);
}

/** The records that wait for a worker. */
export async function polledRecords(options: SearchOptions): Promise<readonly FoundRecord[]> {
  const found = await recordsOfAll(await namedOf(undefined, options), options);
  return found.filter(({ state }) => state === 'POLLED').sort(recordOrder(undefined));
}

async function namedOf(
  schedules: readonly string[] | undefined,
  { services, namespace }: SearchOptions,
): Promise<readonly NamedSchedule[]> {
  if (schedules !== undefined) return await services.schedules.named(namespace, schedules);
  const named: NamedSchedule[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await services.schedules.names({ namespace, ...(after === undefined ? {} : { after }) });
    named.push(...page.items);
    if (named.length > mostSchedules) {
      throw refused(
        'query',
        `there are more than ${mostSchedules} schedules: name some, as in scheduleName IN (a,b)`,
      );
    }
    after = page.next;
  }
  return named;
}

async function recordsOfAll(
  named: readonly NamedSchedule[],
  { services, settings }: SearchOptions,
): Promise<readonly FoundRecord[]> {
  const most = Math.max(1, settings.archivalMaxRecordThreshold);
  const found: FoundRecord[] = [];
  for (let from = 0; from < named.length; from += atOnce) {
    const some = named.slice(from, from + atOnce);
    const runs = await Promise.all(some.map((schedule) => services.schedules.newestRuns(schedule, most)));
    for (const [index, { id }] of some.entries()) found.push(...recordsOf(id, runs[index] ?? [], settings));
  }
  return found;
}

/** The records as answers. Request and zone come from the definition that was in force at the start. */
async function answersOf(
  records: readonly FoundRecord[],
  { services }: SearchOptions,
): Promise<readonly object[]> {
  const definitions = await services.runSearch.definitionsOf(records.map(({ run }) => run));
  return records.map((record) => {
    const definition = definitions.get(record.run.id);
    if (definition === undefined) return recordAnswer(record, undefined, 'UTC');
    const { zoneId = 'UTC' } = keptFields<When>(definition, 'spec') ?? {};
    return recordAnswer(record, shownRequest(definition).value, zoneId);
  });
}
