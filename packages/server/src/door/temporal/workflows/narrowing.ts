/**
 * Where to look for what a query describes: the runs of some schedules, some workflow ids, some run ids; else all runs of
 * the namespace. Only what the whole query demands narrows it; every row is still held against the whole filter.
 */
import type { Filter, RunOutcome, RunState } from 'carillon/internal/store';
import type { WorkflowStatus } from './status.ts';
import { outcomesOf } from './status.ts';

export interface Narrowing {
  readonly runIds?: readonly string[];
  readonly workflowIds?: readonly string[];
  readonly scheduleIds?: readonly string[];
  readonly name?: string;
  readonly queue?: string;
  readonly states?: readonly RunState[];
  readonly outcomes?: readonly RunOutcome[];
  /** No run can ever match. */
  readonly isEmpty?: true;
}

const open: readonly RunState[] = ['waiting', 'leased'];

export function narrow(filter: Filter | undefined): Narrowing {
  const demanded = filter === undefined ? new Map<string, readonly string[]>() : demandedTexts(filter);
  const [name, ...otherNames] = demanded.get('WorkflowType') ?? [];
  const [queue, ...otherQueues] = demanded.get('TaskQueue') ?? [];
  const runIds = demanded.get('RunId');
  const workflowIds = demanded.get('WorkflowId');
  const scheduleIds = demanded.get('TemporalScheduledById');
  return {
    ...(runIds === undefined ? {} : { runIds }),
    ...(workflowIds === undefined ? {} : { workflowIds }),
    ...(scheduleIds === undefined ? {} : { scheduleIds }),
    ...(name === undefined || otherNames.length > 0 ? {} : { name }),
    ...(queue === undefined || otherQueues.length > 0 ? {} : { queue }),
    ...statusNarrowing(demanded.get('ExecutionStatus') as readonly WorkflowStatus[] | undefined),
  };
}

function statusNarrowing(statuses: readonly WorkflowStatus[] | undefined): Narrowing {
  if (statuses === undefined) return {};
  const outcomes = statuses.flatMap(outcomesOf);
  if (!statuses.includes('Running')) return outcomes.length === 0 ? { isEmpty: true } : { outcomes };
  return outcomes.length === 0 ? { states: open } : {};
}

/** Fields that must have one of these texts for the filter to hold. */
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

/** The names a filter mentions. */
export function fieldsIn(filter: Filter): ReadonlySet<string> {
  if ('all' in filter) return new Set(filter.all.flatMap((part) => [...fieldsIn(part)]));
  if ('any' in filter) return new Set(filter.any.flatMap((part) => [...fieldsIn(part)]));
  if ('not' in filter) return fieldsIn(filter.not);
  return new Set([filter.field]);
}
