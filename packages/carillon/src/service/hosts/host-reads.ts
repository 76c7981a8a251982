/** The queries about workflows on hosts; the changes are in `host-service.ts`. */
import { ServiceError } from '../../base/error.ts';
import { given } from '../../base/given.ts';
import type { Instant } from '../../base/time.ts';
import type { Engine } from '../../engine/engine.ts';
import type { HostView } from '../../host/host.ts';
import { Host, topicOf } from '../../host/host.ts';
import { hostArchetype } from '../../host/library.ts';
import { causeOf } from '../../host/verdict.ts';
import { matchesFilter } from '../../store/filter.ts';
import type { EventState, ExecutionKey, ListedExecution, RunRow } from '../../store/records.ts';
import type { Filter, ListQuery, Page, Store } from '../../store/store.ts';
import { boundedRuns } from '../bounded-runs.ts';
import { largestPage } from '../limits.ts';
import { unreadableBy } from '../unreadable.ts';
import type { HostEventView } from './event-view.ts';
import { viewEvent } from './event-view.ts';
import type { ConsumerSurroundings, HostExplanation } from './host-explain.ts';
import { explainConsumer, explainEvent, explainProducer } from './host-explain.ts';
import type { HostSlotView } from './host-slot-view.ts';
import { viewHostSlots } from './host-slot-view.ts';
import type { HostDescription, HostSummary } from './host-view.ts';
import { describeHost, summarizeHost } from './host-view.ts';

export interface HostName {
  readonly namespace: string;
  readonly id: string;
}

export interface HostQuery {
  readonly namespace: string;
  /** A part of the name of the workflow, a topic, a producer or a consumer. */
  readonly text?: string;
  /** Only workflows that wait for a person. */
  readonly blocked?: boolean;
  readonly after?: string;
  readonly limit?: number;
}

export interface HostEventQuery {
  readonly topic: string;
  readonly states?: readonly EventState[];
  readonly ids?: readonly string[];
  readonly order?: 'ascending' | 'descending';
  readonly after?: string;
  readonly limit?: number;
}

/** What waits in one workflow, for monitoring. */
export interface HostLevels extends HostName {
  readonly blocked: boolean;
  readonly topics: readonly {
    readonly name: string;
    readonly pending: number;
    /** When the oldest pending event was published; null when none is pending. */
    readonly oldestAt: Instant | null;
  }[];
}

interface RunUnderWay {
  readonly run: string;
  /** Since when its work is under way. */
  readonly since: Instant;
}

interface SeenHost {
  readonly summary: HostSummary;
  readonly work: RunUnderWay | null;
}

/** The rows of one piece of a walk. */
const walked = 500;
/** The most rows that one listing walks over where the store cannot filter. */
const mostWalked = 20_000;

export interface HostReadsOptions {
  readonly engine: Engine;
  readonly store: Store;
}

export class HostReads<Options extends HostReadsOptions = HostReadsOptions> {
  protected readonly options: Options;

  constructor(options: Options) {
    this.options = options;
  }

  async list(asked: HostQuery): Promise<Page<HostSummary>> {
    const { namespace, text, blocked, after, limit = 100 } = asked;
    const { store } = this.options;
    const filters = [
      ...(text === undefined ? [] : [{ field: '$text', is: 'contains' as const, value: text.toLowerCase() }]),
      ...(blocked === undefined ? [] : [{ field: '$blocked', is: '=' as const, value: blocked ? 1 : 0 }]),
    ];
    const query = { namespace, archetype: hostArchetype, status: 'open' as const };
    const paging = { limit: Math.min(limit, largestPage), ...given({ after }) };
    const filter: Filter = { all: filters };
    const page =
      filters.length === 0
        ? await store.list({ ...query, ...paging })
        : store.capabilities.filters === 'all'
          ? await store.list({ ...query, ...paging, filter })
          : await this.#walk(query, paging, filter);
    const items = await this.#withWaits(await Promise.all(page.items.map((row) => this.#summary(row))));
    return { items, next: page.next };
  }

  /** The summaries, with what the rows of the runs under way add; these rows are read together. */
  async #withWaits(seen: readonly SeenHost[]): Promise<readonly HostSummary[]> {
    const waiting = await this.#waitingRuns(seen.flatMap(({ work }) => (work === null ? [] : [work.run])));
    return seen.map(({ summary, work }) =>
      work !== null && waiting.has(work.run) ? { ...summary, waitsForNodeSince: work.since } : summary,
    );
  }

  /** The runs among these that no node has taken. */
  async #waitingRuns(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const { items } = await this.options.store.runs({ ids, limit: ids.length, payloads: false });
    return new Set(items.filter(({ state }) => state === 'waiting').map(({ id }) => id));
  }

  /** What waits in the open workflows of all namespaces. The rows have the numbers; no event is read. */
  async *levels(): AsyncGenerator<HostLevels> {
    const { store, engine } = this.options;
    for (let after: string | null | undefined; after !== null; ) {
      const page: Page<ListedExecution> = await store.list({
        archetype: hostArchetype,
        status: 'open',
        limit: walked,
        ...given({ after }),
      });
      for (const row of page.items) {
        try {
          yield await engine.view(Host, row, row.key, levelsOf);
        } catch (error) {
          // A row that this node cannot read must not hide the others; it is in the list of quarantined ones.
          if (unreadableBy(error) === undefined) throw error;
        }
      }
      after = page.next;
    }
  }

  /** The names of workflows, by id. */
  async names(query: {
    readonly namespace: string;
    readonly limit: number;
    readonly filter?: Filter;
  }): Promise<{ readonly items: readonly { readonly id: string }[] }> {
    const { items } = await this.options.store.list({ ...query, archetype: hostArchetype, status: 'open' });
    return { items: items.map(({ key }) => ({ id: key.id })) };
  }

  /** For stores that filter by id only: reads the rows, a bounded number of them, and filters here. */
  async #walk(
    query: Pick<ListQuery, 'namespace' | 'archetype' | 'status'>,
    { limit, after }: { readonly limit: number; readonly after?: string },
    filter: Filter,
  ): Promise<Page<ListedExecution>> {
    const items: ListedExecution[] = [];
    let next = after ?? null;
    for (let seen = 0; seen < mostWalked && items.length < limit; seen += walked) {
      // Pieces as small as what is still wanted: a cursor stands at the end of a piece.
      const piece = Math.min(walked, Math.max(1, limit - items.length));
      const page = await this.options.store.list({
        ...query,
        limit: piece,
        ...(next === null ? {} : { after: next }),
      });
      for (const row of page.items) {
        const { key, attributes, signals } = row;
        if (matchesFilter(filter, { key, attributes, signals })) items.push(row);
      }
      next = page.next;
      if (next === null) break;
    }
    return { items, next };
  }

  async #summary(row: ListedExecution): Promise<SeenHost> {
    try {
      return await this.options.engine.view(Host, row, row.key, (host) => ({
        summary: summarizeHost(host, row, { waitsForNode: false }),
        work: runUnderWay(host),
      }));
    } catch (error) {
      const unreadable = unreadableBy(error);
      if (unreadable === undefined) throw error;
      const summary: HostSummary = {
        namespace: row.key.namespace,
        id: row.key.id,
        status: 'quarantined',
        attention: unreadable.reason,
        pending: row.signals.$pending ?? 0,
        reserved: 0,
        oldestAt: null,
        stale: false,
        next: null,
        lastRunAt: null,
        lastOutcome: null,
        waitsForNodeSince: null,
        version: 0,
        deployedAt: row.createdAt,
      };
      return { summary, work: null };
    }
  }

  async describe(name: HostName): Promise<HostDescription> {
    const row = await this.row(name);
    const around = await this.#surroundings(row);
    return await this.options.engine.view(Host, row, row.key, (host) => describeHost(host, row, around));
  }

  async #surroundings(row: ListedExecution): Promise<ConsumerSurroundings> {
    const work = await this.options.engine.view(Host, row, row.key, runUnderWay);
    return { waitsForNode: work !== null && (await this.#waitingRuns([work.run])).has(work.run) };
  }

  async events(name: HostName, query: HostEventQuery): Promise<Page<HostEventView>> {
    const { incarnation } = await this.row(name);
    const { limit = 100, ...rest } = query;
    const page = await this.options.store.events({
      owner: incarnation,
      limit: Math.min(limit, largestPage),
      ...rest,
    });
    return { items: page.items.map(viewEvent), next: page.next };
  }

  /** The runs of a workflow, newest first. */
  async runs(
    name: HostName,
    options: { readonly limit?: number; readonly after?: string } = {},
  ): Promise<Page<RunRow>> {
    const { incarnation } = await this.row(name);
    const { limit = 100, after } = options;
    return await boundedRuns({ limit: Math.min(limit, largestPage), ...given({ after }) }, (paging) =>
      this.options.store.runs({ owner: incarnation, ...paging }),
    );
  }

  /** All attempts of the work that a run belongs to, oldest first. */
  async attempts(name: HostName, runId: string): Promise<readonly RunRow[]> {
    const { incarnation } = await this.row(name);
    const { store } = this.options;
    const { items } = await store.runs({ ids: [runId], limit: 1 });
    const [run] = items;
    if (run === undefined || run.owner !== incarnation)
      throw new ServiceError({
        code: 'notFound',
        reason: 'NOT_FOUND',
        message: `the workflow '${name.id}' has no run '${runId}'`,
      });
    const chain = await store.runs({
      namespace: name.namespace,
      alias: run.alias ?? run.id,
      order: 'ascending',
      limit: largestPage,
    });
    return [...chain.items].sort((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0));
  }

  /** The verdicts over a producer's due times, newest first, each with what became of the work that it started. */
  async slots(
    name: HostName,
    producer: string,
    options: {
      readonly limit?: number;
      readonly after?: string;
      readonly from?: Instant;
      readonly to?: Instant;
    } = {},
  ): Promise<Page<HostSlotView>> {
    const { incarnation } = await this.row(name);
    const { limit = 100, ...rest } = options;
    const { store, engine } = this.options;
    const page = await store.slots({
      incarnation,
      cause: causeOf(producer),
      order: 'descending',
      limit: Math.min(limit, largestPage),
      ...rest,
    });
    return { items: await viewHostSlots(store, page.items, engine.clock.now()), next: page.next };
  }

  /** Why a producer did or did not run at a time, why a consumer is as it is, or why an event was not taken. */
  async explain(
    name: HostName,
    about:
      | { readonly producer: string; readonly at: Instant }
      | { readonly consumer: string }
      | { readonly topic: string; readonly event: string },
  ): Promise<HostExplanation> {
    const row = await this.row(name);
    const { engine, store } = this.options;
    const view = <T>(look: (host: HostView) => T) => engine.view(Host, row, row.key, look);
    if ('producer' in about) {
      const { producer, at } = about;
      const { items } = await store.slots({
        incarnation: row.incarnation,
        cause: causeOf(producer),
        from: at,
        to: at,
        limit: 1,
      });
      const found = await view((host) => explainProducer(host, { name: producer, at, slot: items[0] }));
      if (found === undefined) throw notThere(name, 'producer', producer);
      return found;
    }
    if ('consumer' in about) {
      const around = await this.#surroundings(row);
      const found = await view((host) => explainConsumer(host, about.consumer, around));
      if (found === undefined) throw notThere(name, 'consumer', about.consumer);
      return found;
    }
    const { items } = await store.events({
      owner: row.incarnation,
      topic: about.topic,
      ids: [about.event],
      limit: 1,
    });
    const [event] = items;
    if (event === undefined) throw notThere(name, `event of the topic '${about.topic}'`, about.event);
    const around = await this.#surroundings(row);
    return await view((host) => explainEvent(host, event, around));
  }

  /** The row of an open workflow. */
  protected async row(name: HostName): Promise<ListedExecution> {
    const [row] = await this.options.store.read({ keys: [keyOf(name)] });
    if (row === undefined || row.status === 'closed') throw notFound(name);
    return row;
  }
}

function runUnderWay({ state: { work } }: HostView): RunUnderWay | null {
  return work === null || work.run === null ? null : { run: work.run, since: work.since };
}

function levelsOf({ state, key }: HostView): HostLevels {
  const topics = Object.keys(state.topics).map((name) => {
    const { pending, oldestAt } = topicOf(state, name);
    return { name, pending, oldestAt: pending === 0 ? null : oldestAt };
  });
  return { namespace: key.namespace, id: key.id, blocked: state.block !== null, topics };
}

export function keyOf({ namespace, id }: HostName): ExecutionKey {
  return { namespace, archetype: hostArchetype, id };
}

export function notFound({ namespace, id }: HostName): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `there is no workflow '${id}' on a host in the namespace '${namespace}'`,
  });
}

function notThere({ id }: HostName, kind: string, name: string): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `the workflow '${id}' has no ${kind} '${name}'`,
  });
}
