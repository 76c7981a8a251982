/** Reads workflows: one by its id, or many by a filter. */
import type { Filter, ListedExecution, RunRow, Runtime } from 'carillon/internal/archetype';
import { matchesFilter } from 'carillon/internal/archetype';
import { addTime, pause, ServiceError } from 'carillon/internal/base';
import type { Flow } from './flow.ts';
import { mostFlowTasks } from './flow.ts';
import type { FlowView } from './flow-tree.ts';
import { FlowRoot, flowArchetype, flowKey, loadFlow } from './flow-tree.ts';

/** A workflow with the unfinished runs of its tasks, by task. */
export interface SeenFlow {
  readonly flow: Flow;
  readonly runs: ReadonlyMap<string, RunRow>;
}

export interface FlowQuery {
  readonly filter?: Filter;
  readonly isOpen?: boolean;
  /** The order, by start. Default descending. */
  readonly order?: 'ascending' | 'descending';
  readonly start: number;
  readonly size: number;
}

export interface FoundFlows {
  readonly total: number;
  readonly flows: readonly Flow[];
}

/** The most rows that one search reads; later rows are not found. */
const mostSearched = 10_000;
const pageSize = 500;
/** The interval of looking for a workflow that starts, because no event announces its start. */
const startPollMs = 10;

export class FlowReads {
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  async find(namespace: string, id: string): Promise<SeenFlow | undefined> {
    const { store } = this.#runtime;
    const [row] = await store.read({ keys: [flowKey(namespace, id)] });
    return row === undefined ? undefined : await this.#seen(row);
  }

  async get(namespace: string, id: string): Promise<SeenFlow> {
    const found = await this.find(namespace, id);
    if (found === undefined) throw noSuchFlow(id);
    return found;
  }

  /** Waits until `isReached` holds for the workflow, the time is over, or a signal aborts. */
  async wait(
    namespace: string,
    id: string,
    isReached: (flow: Flow) => boolean,
    { forMs, signals }: { readonly forMs: number; readonly signals: readonly AbortSignal[] },
  ): Promise<SeenFlow & { readonly isTimedOut: boolean }> {
    const { engine, clock } = this.#runtime;
    const over = new AbortController();
    const cancelTimer = clock.wakeAt(addTime(clock.now(), forMs), () => over.abort());
    let isTimedOut = false;
    try {
      const view = (root: FlowView) => (isReached(loadFlow(root)) ? true : undefined);
      const signal = AbortSignal.any([over.signal, ...signals]);
      await engine.poll(FlowRoot, flowKey(namespace, id), view, { signal });
    } catch (error) {
      if (!over.signal.aborted && !signals.some(({ aborted }) => aborted)) throw error;
      isTimedOut = true;
    } finally {
      cancelTimer();
    }
    return { ...(await this.get(namespace, id)), isTimedOut };
  }

  /** Waits until a workflow exists: a sub-workflow starts a moment after the task that waits for it. */
  async waitForStart(namespace: string, id: string, { forMs }: { readonly forMs: number }): Promise<boolean> {
    const { clock } = this.#runtime;
    const end = addTime(clock.now(), forMs);
    while ((await this.find(namespace, id)) === undefined) {
      if (clock.now() >= end) return false;
      await pause(clock, startPollMs);
    }
    return true;
  }

  /** The workflows that own these runs, by incarnation. */
  async owning(runs: readonly RunRow[]): Promise<ReadonlyMap<string, Flow>> {
    const { engine, store } = this.#runtime;
    const incarnations = [...new Set(runs.flatMap(({ owner }) => owner ?? []))];
    const rows = incarnations.length === 0 ? [] : await store.read({ incarnations });
    const found = new Map<string, Flow>();
    for (const row of rows) found.set(row.incarnation, await engine.view(FlowRoot, row, row.key, loadFlow));
    return found;
  }

  /** Workflows in order of their start. The whole list is sorted before a page is taken from it, so that pages do not overlap. */
  async search(namespace: string, query: FlowQuery): Promise<FoundFlows> {
    const rows = await this.#rows(namespace, query);
    const sign = query.order === 'ascending' ? 1 : -1;
    rows.sort((a, b) => sign * (startOf(a) - startOf(b)) || sign * (a.key.id < b.key.id ? -1 : 1));
    const flows: Flow[] = [];
    for (const row of rows.slice(query.start, query.start + query.size))
      flows.push(await this.#runtime.engine.view(FlowRoot, row, row.key, loadFlow));
    return { total: rows.length, flows };
  }

  /** The ids of workflows, in order of their start. */
  async ids(namespace: string, query: Pick<FlowQuery, 'filter' | 'isOpen'>): Promise<readonly string[]> {
    const rows = await this.#rows(namespace, query);
    return rows.sort((a, b) => startOf(a) - startOf(b)).map(({ key }) => key.id);
  }

  async #rows(
    namespace: string,
    { filter, isOpen }: Pick<FlowQuery, 'filter' | 'isOpen'>,
  ): Promise<ListedExecution[]> {
    const { store } = this.#runtime;
    const rows: ListedExecution[] = [];
    let searched = 0;
    let after: string | null = null;
    const isFiltered = filter !== undefined && store.capabilities.filters === 'all';
    do {
      const page: { readonly items: readonly ListedExecution[]; readonly next: string | null } =
        await store.list({
          namespace,
          archetype: flowArchetype,
          limit: pageSize,
          ...(isOpen === undefined ? {} : { status: isOpen ? ('open' as const) : ('closed' as const) }),
          ...(isFiltered ? { filter } : {}),
          ...(after === null ? {} : { after }),
        });
      for (const row of page.items) if (filter === undefined || matchesFilter(filter, row)) rows.push(row);
      searched += page.items.length;
      after = page.next;
    } while (after !== null && searched < mostSearched);
    return rows;
  }

  async #seen(row: ListedExecution): Promise<SeenFlow> {
    const { engine, store } = this.#runtime;
    const flow = await engine.view(FlowRoot, row, row.key, loadFlow);
    const runs = new Map<string, RunRow>();
    if (flow.tasks.some(({ run }) => run !== null)) {
      const { items } = await store.runs({
        owner: row.incarnation,
        states: ['waiting', 'leased'],
        payloads: false,
        limit: mostFlowTasks,
      });
      for (const run of items) if (run.alias !== null) runs.set(run.alias, run);
    }
    return { flow, runs };
  }
}

function startOf({ attributes }: ListedExecution): number {
  return Number(attributes.$startTime ?? 0);
}

export function noSuchFlow(id: string): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `No such workflow found by id: ${id}`,
  });
}
