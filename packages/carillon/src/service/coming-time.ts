/**
 * Searches by the next time of a schedule, paused or not (`$coming`). A paused schedule sleeps, so its row cannot have
 * a time that moves with the clock. The store therefore finds the paused schedules that may match, and each of them
 * is judged by the time that its description shows.
 */
import { matchesFilter } from '../store/filter.ts';
import type { ListedExecution } from '../store/records.ts';
import type { Filter } from '../store/store.ts';
import { fieldsIn } from './run-search/narrowing.ts';
import type { ScheduleSnapshot } from './schedule-snapshot.ts';

export const comingField = '$coming';

const isPaused: Filter = { field: '$paused', is: '=', value: true };
const everything: Filter = { all: [] };
const nothing: Filter = { any: [] };

export function asksComing(filter: Filter | undefined): filter is Filter {
  return filter !== undefined && fieldsIn(filter).has(comingField);
}

/** The part of the filter that a store can judge. Every match is among its rows; paused ones need `isMatch` as well. */
export function storedPart(filter: Filter): Filter {
  return {
    any: [
      { all: [{ not: isPaused }, mapped(filter, (each) => ({ ...each, field: '$next' }))] },
      { all: [isPaused, mapped(filter, (_, isNegated) => (isNegated ? nothing : everything))] },
    ],
  };
}

export function mayNotMatch({ attributes }: ListedExecution): boolean {
  return attributes.$paused === true;
}

export function isMatch(filter: Filter, row: ListedExecution, { future }: ScheduleSnapshot): boolean {
  const [first] = future;
  const attributes = {
    ...row.attributes,
    ...(first === undefined ? {} : { [comingField]: first.actual }),
  };
  return matchesFilter(filter, { ...row, attributes });
}

type Condition = Extract<Filter, { readonly field: string }>;

function mapped(
  filter: Filter,
  change: (condition: Condition, isNegated: boolean) => Filter,
  isNegated = false,
): Filter {
  if ('all' in filter) return { all: filter.all.map((each) => mapped(each, change, isNegated)) };
  if ('any' in filter) return { any: filter.any.map((each) => mapped(each, change, isNegated)) };
  if ('not' in filter) return { not: mapped(filter.not, change, !isNegated) };
  return filter.field === comingField ? change(filter, isNegated) : filter;
}
