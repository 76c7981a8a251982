/** Lists of runs: the words of callers become a query of the store. */
import { given } from '../base/given.ts';
import { againAlias } from '../runs/again.ts';
import type { RunOrder, RunRow } from '../store/records.ts';
import type { Page, RunQuery, Store } from '../store/store.ts';
import type { RunFilters } from './api.ts';
import { boundedRuns } from './bounded-runs.ts';
import type { Included } from './run-view.ts';

export interface RunListQuery
  extends Pick<RunQuery, 'states' | 'outcomes' | 'queue' | 'name' | 'after' | 'limit'> {
  /** Default `start`. */
  readonly by?: RunOrder;
  readonly include?: Included;
  /** Only those that repeat this run. */
  readonly againOf?: string;
}

const defaultPage = 100;

export function runListQuery(
  filters: {
    readonly [Field in keyof RunFilters]: RunFilters[Field] | undefined;
  },
): RunListQuery {
  const { state, outcome, queue, name, againOf, by, include, after, limit = defaultPage } = filters;
  return { limit, ...given({ states: state, outcomes: outcome, queue, name, againOf, by, include, after }) };
}

/** The runs of a namespace or an owner, newest first. A page may be short and still have a `next`: it is also bounded by bytes. */
export async function listRuns(
  store: Store,
  of: { readonly namespace: string } | { readonly owner: string },
  { limit, after, include, againOf, by = 'start', ...conditions }: RunListQuery,
): Promise<Page<RunRow>> {
  const payloads = include === 'payloads';
  const alias = againOf === undefined ? undefined : againAlias(againOf);
  return await boundedRuns({ limit, ...given({ after }) }, (paging) =>
    store.runs({ ...conditions, ...given({ alias }), ...of, by, ...paging, payloads }),
  );
}
