/**
 * All queries of schedules: what they are, what they did, what they will do, and why. Nothing here changes a
 * schedule.
 */
import type { Clock } from '../base/clock.ts';
import { ServiceError } from '../base/error.ts';
import { given } from '../base/given.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { Engine } from '../engine/engine.ts';
import type { Roster } from '../runtime/roster.ts';
import type { Silences } from '../runtime/silences.ts';
import { auditTarget } from '../scheduler/audit.ts';
import type { BackfillRequest } from '../scheduler/changes.ts';
import { compiledOf } from '../scheduler/compiled-of.ts';
import type { Explanation } from '../scheduler/explain.ts';
import { scheduleArchetype } from '../scheduler/library.ts';
import type { ScheduleView } from '../scheduler/schedule.ts';
import { Schedule } from '../scheduler/schedule.ts';
import type { Occurrence, Times } from '../spec/index.ts';
import type {
  AuditRow,
  ExecutionKey,
  ExecutionStatus,
  ListedExecution,
  RunRow,
  SlotRow,
} from '../store/records.ts';
import type { Filter, Page, SlotQuery, Store } from '../store/store.ts';
import { auditBytes } from './audit-service.ts';
import { shownAudit } from './audit-view.ts';
import type { Paging, Sized } from './bounded-page.ts';
import { boundedPage } from './bounded-page.ts';
import { asksComing, isMatch, mayNotMatch, storedPart } from './coming-time.ts';
import { explainTime } from './explain-time.ts';
import { largestPage } from './limits.ts';
import type { RunListQuery } from './run-list.ts';
import { listRuns } from './run-list.ts';
import type { Included } from './run-view.ts';
import { checkRange } from './schedule-checks.ts';
import type { ScheduleHistory } from './schedule-history.ts';
import { readHistory } from './schedule-history.ts';
import type { NamedSchedule, ScheduleOutline } from './schedule-outline.ts';
import { ScheduleRows } from './schedule-rows.ts';
import type { ScheduleSnapshot } from './schedule-snapshot.ts';
import type { ScheduleDescription, ScheduleSummary } from './schedule-view.ts';
import { withoutPayloads } from './schedule-view.ts';
import { definitionSize } from './snapshot-cache.ts';
import { SlicedWork, timesAfter, timesBetween } from './spec-search.ts';
import type { Unreadable } from './unreadable.ts';
import { unreadableBy, unreadableError } from './unreadable.ts';

export interface ScheduleName {
  readonly namespace: string;
  readonly id: string;
}

export interface ScheduleListQuery {
  readonly namespace: string;
  readonly filter?: Filter;
  readonly includeClosed?: boolean;
  /** Whether to list only closed schedules. It overrules `includeClosed`. */
  readonly onlyClosed?: boolean;
  /** Whether to list only quarantined schedules (true) or only the others (false). */
  readonly quarantined?: boolean;
  /** Whether to include the inputs of actions and the data that other doors keep with a schedule. */
  readonly include?: Included;
  readonly after?: string;
  readonly limit?: number;
}

export interface ScheduleReadsOptions {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  /** The spans of time in which no node was alive; absent when unknown. */
  readonly silences?: Pick<Silences, 'list'>;
  /** The living workers and the names that they know; absent when unknown. */
  readonly roster?: () => Promise<Roster>;
}

/** The keys of one read. */
const keysAtOnce = 500;

/** The schedules of a page that are read concurrently. */
const rowsAtOnce = 50;

export class ScheduleReads {
  protected readonly engine: Engine;
  protected readonly store: Store;
  protected readonly clock: Clock;
  readonly #rows: ScheduleRows;
  readonly #silences: Pick<Silences, 'list'> | undefined;
  protected readonly roster: (() => Promise<Roster>) | undefined;

  constructor(options: ScheduleReadsOptions) {
    this.#silences = options.silences;
    this.roster = options.roster;
    this.engine = options.engine;
    this.store = options.store;
    this.clock = options.clock;
    this.#rows = new ScheduleRows(options);
  }

  /** The exact slots that a backfill would run. */
  async previewBackfill(
    name: ScheduleName,
    request: BackfillRequest,
    limit = 1000,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Times> {
    checkRange(request);
    const definition = await this.#read(name, (view) => view.child('definition').state);
    const window = { from: addTime(request.from, -1), to: request.to };
    const { seed } = definition;
    return await timesBetween(compiledOf(definition), { window, limit, seed }, new SlicedWork(options));
  }

  /** Describes a schedule. The answer shares stored objects: callers must not change it. */
  async describe(name: ScheduleName): Promise<ScheduleDescription> {
    return await this.#rows.describe(await this.#row(name));
  }

  /** A snapshot for doors with their own answer format. It shares stored objects: callers must not change it. */
  async snapshot(name: ScheduleName): Promise<ScheduleSnapshot> {
    return await this.#rows.snapshot(await this.#row(name));
  }

  async snapshots(query: ScheduleListQuery): Promise<Page<ScheduleSnapshot>> {
    return await this.#page(query, async (row) => {
      const item = await this.#rows.snapshot(row);
      return { item, bytes: definitionSize(item.definition) };
    });
  }

  /** The open schedules of these names, in the order of the names; a name without one is left out. */
  async outlines(namespace: string, ids: readonly string[]): Promise<readonly ScheduleOutline[]> {
    const rows = await this.#openRows(namespace, ids);
    const found: ScheduleOutline[] = [];
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const some = rows.slice(from, from + rowsAtOnce);
      found.push(...(await Promise.all(some.map((row) => this.#rows.outline(row)))));
    }
    return found;
  }

  /** The names of schedules, by id. */
  async names(query: ScheduleListQuery): Promise<Page<NamedSchedule>> {
    const { after, limit = largestPage } = query;
    const page = await this.store.list({ ...listQuery(query), limit, ...given({ after }) });
    return {
      items: page.items.map(({ key, incarnation }) => ({ id: key.id, incarnation })),
      next: page.next,
    };
  }

  /** The open schedules of these names; a name without one is left out. */
  async named(namespace: string, ids: readonly string[]): Promise<readonly NamedSchedule[]> {
    const rows = await this.#openRows(namespace, ids);
    return rows.map(({ key, incarnation }) => ({ id: key.id, incarnation }));
  }

  /** The newest runs of a schedule, without their payloads. */
  async newestRuns({ incarnation: owner }: NamedSchedule, limit: number): Promise<readonly RunRow[]> {
    return (await this.store.runs({ owner, limit, payloads: false })).items;
  }

  async #openRows(namespace: string, ids: readonly string[]): Promise<readonly ListedExecution[]> {
    const keys = [...new Set(ids)].map((id) => keyOf({ namespace, id }));
    const byId = new Map<string, ListedExecution>();
    for (let from = 0; from < keys.length; from += keysAtOnce) {
      const rows = await this.store.read({ keys: keys.slice(from, from + keysAtOnce) });
      for (const row of rows) if (row.status === 'open') byId.set(row.key.id, row);
    }
    return keys.flatMap(({ id }) => byId.get(id) ?? []);
  }

  /** The snapshot of a row that was read just now. */
  async snapshotOf(row: ListedExecution): Promise<ScheduleSnapshot> {
    return await this.#rows.snapshot(row);
  }

  async list(query: ScheduleListQuery): Promise<Page<ScheduleSummary>> {
    return await this.#page(query, async (row) => {
      const { definition, ...summary } = await this.#rows.summary(row);
      const shown = query.include === 'payloads' ? summary : withoutPayloads(summary);
      return { item: structuredClone(shown), bytes: definitionSize(definition) };
    });
  }

  async count(query: ScheduleListQuery): Promise<number> {
    if (!asksComing(query.filter)) return await this.store.count(listQuery(query));
    let count = 0;
    let after: string | null = null;
    do {
      const page = await this.#listed(query, { limit: largestPage, ...given({ after: after ?? undefined }) });
      count += page.items.length;
      after = page.next;
    } while (after !== null);
    return count;
  }

  /** A page of rows. It may be shorter than its limit and still not be the last. */
  async #listed(query: ScheduleListQuery, paging: Paging): Promise<Page<ListedExecution>> {
    const { filter } = query;
    if (!asksComing(filter)) return await this.store.list({ ...listQuery(query), ...paging });
    const page = await this.store.list({ ...listQuery({ ...query, filter: storedPart(filter) }), ...paging });
    const items: ListedExecution[] = [];
    for (const row of page.items) {
      if (!mayNotMatch(row) || isMatch(filter, row, await this.#rows.snapshot(row))) items.push(row);
    }
    return { items, next: page.next };
  }

  /** The coming times after `after`, by the schedule's own spec. */
  async next(name: ScheduleName, after: Instant, limit: number): Promise<readonly Occurrence[]> {
    const definition = await this.#read(name, (view) => view.child('definition').state);
    const { seed } = definition;
    const most = Math.min(limit, largestPage);
    return await timesAfter(compiledOf(definition), { after, limit: most, seed }, new SlicedWork());
  }

  /** Why the schedule did, or did not, run at that time. */
  async explain(name: ScheduleName, asked: Instant): Promise<readonly Explanation[]> {
    const { store, engine, clock, roster } = this;
    return await this.reading(name, async () => {
      const row = await this.#row(name);
      return await explainTime({ store, engine, clock, row, roster, silences: this.#silences }, asked);
    });
  }

  /** Every stored version of the spec, and how far the schedule has come. */
  async history(name: ScheduleName): Promise<ScheduleHistory> {
    const { store, engine } = this;
    const now = this.clock.now();
    return await this.reading(name, async () => {
      return await readHistory({ store, engine, row: await this.#row(name), now });
    });
  }

  /** The ledger of a schedule. */
  async slots(name: ScheduleName, query: Omit<SlotQuery, 'incarnation'>): Promise<Page<SlotRow>> {
    const { incarnation } = await this.#row(name);
    return await this.store.slots({ ...query, incarnation });
  }

  /** The runs of a schedule, newest first, without their payloads unless those are included. */
  async runs(name: ScheduleName, query: RunListQuery): Promise<Page<RunRow>> {
    const { incarnation } = await this.#row(name);
    return await listRuns(this.store, { owner: incarnation }, query);
  }

  async audit(
    name: ScheduleName,
    query: { readonly after?: string; readonly limit: number },
  ): Promise<Page<AuditRow>> {
    const { namespace } = name;
    return await boundedPage(query, async (paging) => {
      const target = auditTarget(name.id);
      const { items, next } = await this.store.audit({ ...paging, namespace, target });
      return { items: items.map((item) => ({ item: shownAudit(item), bytes: auditBytes(item) })), next };
    });
  }

  /** Why the row cannot be read; undefined when it can. */
  protected async unreadable(name: ScheduleName): Promise<Unreadable | undefined> {
    // This read is outside the `try`: an error here is an error of the store, not of the row.
    const row = await this.#row(name);
    try {
      await this.#rows.view(row);
      return undefined;
    } catch (error) {
      return unreadableBy(error);
    }
  }

  /** Runs `work` and replaces its error by an explanation when the schedule's row cannot be read. */
  protected async reading<T>(name: ScheduleName, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const unreadable = unreadableBy(error) === undefined ? undefined : await this.unreadable(name);
      throw unreadable === undefined ? error : unreadableError(name.id, unreadable);
    }
  }

  /** A page of rows converted by `show`, also bounded by the bytes of their definitions. */
  async #page<T>(
    query: ScheduleListQuery,
    show: (row: ListedExecution) => Promise<Sized<T>>,
  ): Promise<Page<T>> {
    const { after, limit = 100 } = query;
    const first = { limit: Math.min(limit, largestPage), ...given({ after }) };
    return await boundedPage(first, async (paging) => {
      const page = await this.#listed(query, paging);
      const items: Sized<T>[] = [];
      // Concurrent, but not the whole page at once, to leave room for other callers of the store.
      for (let from = 0; from < page.items.length; from += rowsAtOnce) {
        items.push(...(await Promise.all(page.items.slice(from, from + rowsAtOnce).map(show))));
      }
      return { items, next: page.next };
    });
  }

  /** The stored row of a schedule; throws `NOT_FOUND` when there is none. */
  async row(name: ScheduleName): Promise<ListedExecution> {
    return await this.#row(name);
  }

  /** The summaries of rows that were read already, in their order. */
  async summaries(rows: readonly ListedExecution[]): Promise<readonly ScheduleSummary[]> {
    return await Promise.all(
      rows.map(async (row) => {
        const { definition: _, ...summary } = await this.#rows.summary(row);
        return structuredClone(withoutPayloads(summary));
      }),
    );
  }

  async #row(name: ScheduleName): Promise<ListedExecution> {
    const [row] = await this.store.read({ keys: [keyOf(name)] });
    if (row === undefined) throw notFound(name);
    return row;
  }

  async #read<T>(name: ScheduleName, view: (schedule: ScheduleView) => T): Promise<T> {
    return await this.reading(name, () => this.engine.read(Schedule, keyOf(name), view));
  }
}

export function keyOf({ namespace, id }: ScheduleName): ExecutionKey {
  return { namespace, archetype: scheduleArchetype, id };
}

function listQuery({ namespace, filter, includeClosed, onlyClosed, quarantined }: ScheduleListQuery) {
  const status: ExecutionStatus | undefined =
    onlyClosed === true ? 'closed' : includeClosed === true ? undefined : 'open';
  return {
    namespace,
    archetype: scheduleArchetype,
    ...given({ status, quarantined, filter }),
  };
}

function notFound({ namespace, id }: ScheduleName): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `there is no schedule '${id}' in the namespace '${namespace}'`,
  });
}
