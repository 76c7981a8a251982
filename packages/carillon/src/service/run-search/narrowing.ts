/**
 * Narrows a search by its filter: to the runs of some schedules, workflow ids or run ids; otherwise to all runs of
 * the namespace. Only conditions that every match must meet narrow the search; each row is still checked against the
 * whole filter.
 */
import { given } from '../../base/given.ts';
import type { RunOutcome, RunState } from '../../store/records.ts';
import type { Filter } from '../../store/store.ts';
import { runKeys } from './searched-run.ts';

export interface Narrowing {
  readonly runIds?: readonly string[];
  readonly workflowIds?: readonly string[];
  readonly scheduleIds?: readonly string[];
  readonly name?: string;
  readonly queue?: string;
  readonly states?: readonly RunState[];
  readonly outcomes?: readonly RunOutcome[];
  /** Set when no run can match. */
  readonly isEmpty?: true;
}

const open: readonly RunState[] = ['waiting', 'leased'];

/** The type requires every outcome: a new one does not compile until it is added here. */
const isOutcome: Readonly<Record<RunOutcome, true>> = {
  completed: true,
  failed: true,
  cancelled: true,
  terminated: true,
  timedOut: true,
};

export function narrow(filter: Filter | undefined): Narrowing {
  const demanded = filter === undefined ? new Map<string, readonly string[]>() : demandedTexts(filter);
  const [name, ...otherNames] = demanded.get(runKeys.name) ?? [];
  const [queue, ...otherQueues] = demanded.get(runKeys.queue) ?? [];
  const runIds = demanded.get(runKeys.id);
  const workflowIds = demanded.get(runKeys.workflow);
  const scheduleIds = demanded.get(runKeys.schedule);
  return {
    ...given({ runIds, workflowIds, scheduleIds }),
    ...(name === undefined || otherNames.length > 0 ? {} : { name }),
    ...(queue === undefined || otherQueues.length > 0 ? {} : { queue }),
    ...statusNarrowing(demanded.get(runKeys.status)),
  };
}

function statusNarrowing(statuses: readonly string[] | undefined): Narrowing {
  if (statuses === undefined) return {};
  const outcomes = statuses.filter((status): status is RunOutcome => Object.hasOwn(isOutcome, status));
  if (!statuses.includes('running')) return outcomes.length === 0 ? { isEmpty: true } : { outcomes };
  return outcomes.length === 0 ? { states: open } : {};
}

/** The fields that must have one of the given texts for the filter to match. */
function demandedTexts(filter: Filter): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const part of conjuncts(filter)) {
    if (!('field' in part)) continue;
    const values = part.is === '=' ? [part.value] : part.is === 'in' ? part.values : undefined;
    if (values === undefined || values.some((value) => typeof value !== 'string')) continue;
    const before = found.get(part.field);
    if (before === undefined || values.length < before.length) {
      found.set(part.field, [...new Set(values as readonly string[])]);
    }
  }
  return found;
}

function conjuncts(filter: Filter): readonly Filter[] {
  return 'all' in filter ? filter.all.flatMap(conjuncts) : [filter];
}

/** The names of fields in a filter. */
export function fieldsIn(filter: Filter): ReadonlySet<string> {
  if ('all' in filter) return new Set(filter.all.flatMap((part) => [...fieldsIn(part)]));
  if ('any' in filter) return new Set(filter.any.flatMap((part) => [...fieldsIn(part)]));
  if ('not' in filter) return fieldsIn(filter.not);
  return new Set([filter.field]);
}
