/**
 * Translates the filters of a schedule list to a condition that every store understands. Built-in fields begin with a
 * dollar sign.
 */
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import { lateAfter } from '../scheduler/definition.ts';
import type { Filter } from '../store/store.ts';

/** The values of `status` in a description. */
export const scheduleStatuses = ['running', 'paused', 'ended', 'quarantined', 'closed'] as const;
export type ScheduleStatus = (typeof scheduleStatuses)[number];

/** The filters of a list; a schedule must match all of them. */
export interface ParsedScheduleFilters {
  readonly state?: ScheduleStatus | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly owner?: string | undefined;
  readonly queue?: string | undefined;
  /** The name of the handler. */
  readonly name?: string | undefined;
  /** Whether the last run failed. */
  readonly failing?: boolean | undefined;
  /** Whether a run is running or waiting. */
  readonly busy?: boolean | undefined;
  /** Whether the schedule is overdue. */
  readonly late?: boolean | undefined;
  /** A part of the id, handler, description, note or tags; case does not matter. */
  readonly text?: string | undefined;
  /** Only these. */
  readonly id?: readonly string[] | undefined;
  /** The beginning of the id. */
  readonly prefix?: string | undefined;
  readonly nextFrom?: Instant | undefined;
  readonly nextTo?: Instant | undefined;
  /** Custom attributes, each as name=value. */
  readonly attribute?: readonly string[] | undefined;
  readonly includeClosed?: boolean | undefined;
}

export interface FilteredQuery {
  readonly filter?: Filter;
  readonly includeClosed?: boolean;
  readonly onlyClosed?: boolean;
  readonly quarantined?: boolean;
}

const isGoing: Filter = { field: '$paused', is: '=', value: false };
const hasEnded: Filter = { field: '$ended', is: 'present' };

/** The conditions on attributes for each state; `stateQuery` adds the rest. */
const stateFilters: Readonly<Record<ScheduleStatus, readonly Filter[]>> = {
  running: [isGoing, { not: hasEnded }],
  paused: [{ not: isGoing }],
  ended: [isGoing, hasEnded],
  quarantined: [],
  closed: [],
};

/** The part of a query that `ScheduleService.list` and `count` take. */
export function filteredQuery(filters: ParsedScheduleFilters, now: Instant): FilteredQuery {
  const filter = filterOf(filters, now);
  return { ...(filter === undefined ? {} : { filter }), ...stateQuery(filters) };
}

/** The state `quarantined` takes precedence over `paused` and `ended`, and `closed` over all, as in `status`. */
function stateQuery({ state, includeClosed }: ParsedScheduleFilters): Omit<FilteredQuery, 'filter'> {
  if (state === 'closed') return { onlyClosed: true };
  if (state !== undefined) return { quarantined: state === 'quarantined' };
  return includeClosed === undefined ? {} : { includeClosed };
}

function filterOf(query: ParsedScheduleFilters, now: Instant): Filter | undefined {
  const all: Filter[] = [];
  const equal = (field: string, value: string | boolean) => all.push({ field, is: '=', value });
  const holds = (wanted: boolean, filter: Filter) => all.push(wanted ? filter : { not: filter });
  if (query.state !== undefined) all.push(...stateFilters[query.state]);
  for (const tag of query.tag ?? []) equal('$tags', tag);
  if (query.owner !== undefined) equal('$owner', query.owner);
  if (query.queue !== undefined) equal('$queue', query.queue);
  if (query.name !== undefined) equal('$name', query.name);
  if (query.failing !== undefined) holds(query.failing, { field: '$failures', is: '>', value: 0 });
  if (query.busy !== undefined) {
    const any: Filter[] = ['$running', '$buffered'].map((field) => ({ field, is: '>', value: 0 }));
    holds(query.busy, { any });
  }
  if (query.late !== undefined) {
    const due: Filter = { field: '$next', is: '<', value: addTime(now, -lateAfter) };
    holds(query.late, { all: [due, isGoing, { not: hasEnded }] });
  }
  if (query.text !== undefined) all.push({ field: '$text', is: 'contains', value: query.text.toLowerCase() });
  if (query.id !== undefined) all.push({ field: 'id', is: 'in', values: query.id });
  if (query.prefix !== undefined) all.push({ field: 'id', is: 'startsWith', value: query.prefix });
  if (query.nextFrom !== undefined) all.push({ field: '$next', is: '>=', value: query.nextFrom });
  if (query.nextTo !== undefined) all.push({ field: '$next', is: '<=', value: query.nextTo });
  for (const pair of query.attribute ?? []) all.push(attribute(pair));
  return all.length === 0 ? undefined : { all };
}

/** The value in a URL is always a text, so a number or a boolean is matched in both forms. */
function attribute(pair: string): Filter {
  const split = pair.indexOf('=');
  const field = pair.slice(0, split);
  const text = pair.slice(split + 1);
  const values: (string | number | boolean)[] = [text];
  if (text === 'true' || text === 'false') values.push(text === 'true');
  if (text !== '' && Number.isFinite(Number(text))) values.push(Number(text));
  return { field, is: 'in', values };
}
