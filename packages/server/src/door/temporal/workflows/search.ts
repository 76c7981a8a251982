/**
 * Finds workflows. A page looks at a bounded number of runs and says where to go on, so that no query, however rare its
 * matches, holds a request for long; a page may therefore be short, or empty, and still not be the last.
 */
import { ServiceError } from 'carillon/internal/base';
import type { Filter, RunRow, Store } from 'carillon/internal/store';
import { matchesFilter } from 'carillon/internal/store';
import type { WorkflowStart } from '../protocol.ts';
import type { AttributeTypes } from '../search-attributes/attribute-type.ts';
import { fieldsIn, narrow } from './narrowing.ts';
import { searchable } from './searchable.ts';
import { sourcesOf } from './sources.ts';
import { startsOf } from './starts.ts';
import type { WorkflowTuning } from './tuning.ts';
import type { Place } from './walk.ts';
import { walk } from './walk.ts';
import type { Workflow } from './workflow.ts';
import { workflowOf } from './workflow.ts';

export interface Search {
  readonly store: Store;
  readonly namespace: string;
  /** Undefined: all. */
  readonly filter: Filter | undefined;
  readonly types: AttributeTypes;
  readonly tuning: WorkflowTuning;
  readonly signal: AbortSignal;
}

export interface Found {
  readonly workflows: readonly Workflow[];
  /** Where the next page begins; null at the end. */
  readonly next: Place | null;
}

export async function findWorkflows(
  search: Search & { readonly limit: number; readonly from?: Place },
): Promise<Found> {
  const workflows: Workflow[] = [];
  let examined = 0;
  for await (const { runs, placeOf } of walk({ ...search, sources: await sources(search) })) {
    const matches = await matcher(search, runs);
    for (const run of runs) {
      const workflow = matches(run);
      if (workflow !== undefined) workflows.push(workflow);
      if (workflows.length >= search.limit) return { workflows, next: placeOf(run) };
    }
    examined += runs.length;
    const last = runs.at(-1);
    if (examined >= search.tuning.examinedPerPage && last !== undefined)
      return { workflows, next: placeOf(last) };
  }
  return { workflows, next: null };
}

/** Calls `each` for every one that matches. */
export async function countWorkflows(search: Search, each: (workflow: Workflow) => void): Promise<void> {
  const { examinedPerCount } = search.tuning;
  let examined = 0;
  for await (const { runs } of walk({ ...search, sources: await sources(search) })) {
    examined += runs.length;
    if (examined > examinedPerCount) throw tooMany(examinedPerCount);
    const matches = await matcher(search, runs);
    for (const run of runs) {
      const workflow = matches(run);
      if (workflow !== undefined) each(workflow);
    }
  }
}

async function sources({ store, namespace, filter }: Search) {
  return await sourcesOf(store, namespace, narrow(filter));
}

/** Custom attributes are read from the schedules' definitions, and only when the query names one. */
async function matcher(
  { store, namespace, filter, types }: Search,
  runs: readonly RunRow[],
): Promise<(run: RunRow) => Workflow | undefined> {
  const names = filter === undefined ? new Set<string>() : fieldsIn(filter);
  const isCustom = [...names].some((name) => types.has(name));
  const starts = isCustom ? await startsOf(store, runs) : new Map<string, WorkflowStart>();
  return (run) => {
    const workflow = run.namespace === namespace ? workflowOf(run) : undefined;
    if (workflow === undefined || filter === undefined) return workflow;
    const attributes = searchable(workflow, starts.get(run.id), types);
    return matchesFilter(filter, { key: { id: run.id }, attributes, signals: {} }) ? workflow : undefined;
  };
}

function tooMany(most: number): ServiceError {
  return new ServiceError({
    code: 'failedPrecondition',
    reason: 'TOO_MANY_TO_COUNT',
    message: `more than ${most} runs would have to be looked at: narrow the query, for example by TemporalScheduledById, WorkflowType or ExecutionStatus`,
  });
}
