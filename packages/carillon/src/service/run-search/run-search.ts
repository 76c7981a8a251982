/**
 * Finds runs by a filter. A page examines a bounded number of runs and has a cursor, so that a filter with rare
 * matches does not make a request slow. So a page may be short or empty and still not be the last.
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
import type { RunBatch, SearchPosition } from './walk.ts';
import { walk } from './walk.ts';

/** The attributes that a door can search by, besides `runKeys`. */
export interface CustomAttributes {
  /** Whether this field is read from the definition, which then has to be loaded. */
  needsDefinition(name: string): boolean;
  /**
   * The attributes of a run. `definition` is that under which the run was started; undefined when it is deleted or
   * was not needed.
   */
  of(found: SearchedRun, definition: ScheduleDefinition | undefined): Attributes;
}

export interface SearchRequest {
  readonly namespace: string;
  /** The filter; undefined for all runs. */
  readonly filter: Filter | undefined;
  readonly custom?: CustomAttributes;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

export interface PageRequest extends SearchRequest {
  readonly limit: number;
  readonly from?: SearchPosition;
}

export interface FoundRuns {
  readonly items: readonly SearchedRun[];
  /** The position of the next page; null at the end. */
  readonly next: SearchPosition | null;
}

/** Limits on the cost of one search. */
export interface SearchTuning {
  /** The most runs examined for one page. */
  readonly examinedPerPage: number;
  /**
   * The most runs examined for one count. A count has no pages, so beyond this number it is refused rather than
   * wrong.
   */
  readonly examinedPerCount: number;
}

export const defaultSearchTuning: SearchTuning = { examinedPerPage: 10_000, examinedPerCount: 200_000 };

export interface RunSearchOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly tuning?: Partial<SearchTuning>;
}

/** The most runs of one workflow id that are examined, newest slots first, to find the one that was started last. */
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

  /** Finds runs, newest first. */
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

  /** Gets a run by its id, or by a workflow id alone the run that was started last under it. */
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

  /** The definition under which each run was started, by run id, where it is still stored. */
  async definitionsOf(runs: readonly RunRow[]): Promise<ReadonlyMap<string, ScheduleDefinition>> {
    return await definitionsOf(this.#store, runs);
  }

  /**
   * Waits for ends of runs. `leaving` aborts when the server stops: every wait then returns the run in its present
   * state.
   */
  watch({ leaving }: { readonly leaving?: AbortSignal } = {}): RunWatch {
    return new RunWatch({
      store: this.#store,
      clock: this.#clock,
      ...(leaving === undefined ? {} : { leaving }),
    });
  }

  async *#walk(
    { namespace, filter, signal }: SearchRequest,
    from?: SearchPosition,
  ): AsyncGenerator<RunBatch> {
    const store = this.#store;
    const sources = await sourcesOf(store, namespace, narrow(filter));
    yield* walk({ store, sources, signal, ...(from === undefined ? {} : { from }) });
  }

  /** Definitions are read only when the filter names an attribute that they hold. */
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
    message: `more than ${most} runs would have to be examined: narrow the query, for example by schedule, by type or by status`,
  });
}
