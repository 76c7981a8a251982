/**
 * Finds runs by a filter. A page looks at a bounded number of runs and says where to go on, so that no filter, however
 * rare its matches, holds a request for long; a page may therefore be short, or empty, and still not be the last.
 */
import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/error.ts';
import type { ScheduleDefinition } from '../../scheduler/definition.ts';
import { matchesFilter } from '../../store/filter.ts';
import type { Attributes, RunRow } from '../../store/records.ts';
import type { Filter, Store } from '../../store/store.ts';
import { RunWatch } from '../run-watch.ts';
import { definitionsOf } from './definitions.ts';
import { fieldsIn, narrow } from './narrowing.ts';
import type { SearchedRun } from './searched-run.ts';
import { searchedRun, searchKeysOf } from './searched-run.ts';
import { sourcesOf } from './sources.ts';
import type { Batch, SearchPosition } from './walk.ts';
import { walk } from './walk.ts';

/** What a door lets its callers search by, besides `runKeys`. */
export interface CustomAttributes {
  /** Whether this name of a filter is read from the definition, which then has to be loaded. */
  needsDefinition(name: string): boolean;
  /** `definition`: the one the run was started under; undefined where it is gone, or was not needed. */
  of(found: SearchedRun, definition: ScheduleDefinition | undefined): Attributes;
}

export interface SearchRequest {
  readonly namespace: string;
  /** Undefined: all. */
  readonly filter: Filter | undefined;
  readonly custom?: CustomAttributes;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

export interface PageRequest extends SearchRequest {
  readonly limit: number;
  readonly from?: SearchPosition;
}

export interface FoundRuns {
  readonly items: readonly SearchedRun[];
  /** Where the next page begins; null at the end. */
  readonly next: SearchPosition | null;
}

/** Bounds on what one search may cost. */
export interface SearchTuning {
  /** Runs looked at for one page of a list; then it says where to go on. */
  readonly examinedPerPage: number;
  /** Runs looked at for one count, which has no pages: beyond it, a count is refused rather than wrong. */
  readonly examinedPerCount: number;
}

export const defaultSearchTuning: SearchTuning = { examinedPerPage: 10_000, examinedPerCount: 200_000 };

export interface RunSearchOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly tuning?: Partial<SearchTuning>;
}

/** Runs that share a workflow id are looked at, newest slots first, for the one that was started last. */
const sharing = 100;

export class RunSearch {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #tuning: SearchTuning;

  constructor({ store, clock, tuning }: RunSearchOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#tuning = { ...defaultSearchTuning, ...tuning };
  }

  /** Newest first. */
  async find(request: PageRequest): Promise<FoundRuns> {
    const items: SearchedRun[] = [];
    let examined = 0;
    for await (const { runs, positionAfter } of this.#walk(request, request.from)) {
      const match = await this.#matcher(request, runs);
      for (const run of runs) {
        const found = match(run);
        if (found !== undefined) items.push(found);
        if (items.length >= request.limit) return { items, next: positionAfter(run) };
      }
      examined += runs.length;
      const last = runs.at(-1);
      if (examined >= this.#tuning.examinedPerPage && last !== undefined) {
        return { items, next: positionAfter(last) };
      }
    }
    return { items, next: null };
  }

  /** Calls `each` for every run that matches. */
  async forEach(request: SearchRequest, each: (found: SearchedRun) => void): Promise<void> {
    const { examinedPerCount } = this.#tuning;
    let examined = 0;
    for await (const { runs } of this.#walk(request)) {
      examined += runs.length;
      if (examined > examinedPerCount) throw tooMany(examinedPerCount);
      const match = await this.#matcher(request, runs);
      for (const run of runs) {
        const found = match(run);
        if (found !== undefined) each(found);
      }
    }
  }

  /** A run id names one run; a workflow id alone means the run that was started last under it. */
  async get(
    namespace: string,
    { workflowId, runId }: { readonly workflowId: string; readonly runId?: string },
  ): Promise<SearchedRun | undefined> {
    const { items } =
      runId === undefined
        ? await this.#store.runs({ namespace, alias: workflowId, limit: sharing })
        : await this.#store.runs({ ids: [runId], limit: 1 });
    const run = items
      .filter((each) => each.namespace === namespace)
      .reduce<RunRow | undefined>(
        (last, each) => (last && last.createdAt >= each.createdAt ? last : each),
        undefined,
      );
    const found = run === undefined ? undefined : searchedRun(run);
    return found?.workflowId === workflowId ? found : undefined;
  }

  /** The definition under which each run was started, by run id, as far as it is still stored. */
  async definitionsOf(runs: readonly RunRow[]): Promise<ReadonlyMap<string, ScheduleDefinition>> {
    return await definitionsOf(this.#store, runs);
  }

  /** `leaving` aborts when the server stops: every wait then ends with the run as it is. */
  watch({ leaving }: { readonly leaving?: AbortSignal } = {}): RunWatch {
    return new RunWatch({
      store: this.#store,
      clock: this.#clock,
      ...(leaving === undefined ? {} : { leaving }),
    });
  }

  async *#walk({ namespace, filter, signal }: SearchRequest, from?: SearchPosition): AsyncGenerator<Batch> {
    const store = this.#store;
    const sources = await sourcesOf(store, namespace, narrow(filter));
    yield* walk({ store, sources, signal, ...(from === undefined ? {} : { from }) });
  }

  /** Definitions are read only when the filter names an attribute that is kept in them. */
  async #matcher(
    { namespace, filter, custom }: SearchRequest,
    runs: readonly RunRow[],
  ): Promise<(run: RunRow) => SearchedRun | undefined> {
    const names = filter === undefined ? [] : [...fieldsIn(filter)];
    const needsDefinition = names.some((name) => custom?.needsDefinition(name) === true);
    const definitions = needsDefinition
      ? await this.definitionsOf(runs)
      : new Map<string, ScheduleDefinition>();
    return (run) => {
      const found = run.namespace === namespace ? searchedRun(run) : undefined;
      if (found === undefined || filter === undefined) return found;
      const attributes = { ...custom?.of(found, definitions.get(run.id)), ...searchKeysOf(found) };
      return matchesFilter(filter, { key: { id: run.id }, attributes, signals: {} }) ? found : undefined;
    };
  }
}

function tooMany(most: number): ServiceError {
  return new ServiceError({
    code: 'failedPrecondition',
    reason: 'TOO_MANY_TO_COUNT',
    message: `more than ${most} runs would have to be looked at: narrow the query, for example by schedule, by type or by status`,
  });
}
