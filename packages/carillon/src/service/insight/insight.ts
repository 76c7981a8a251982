/** Everything a page reads besides schedules and runs themselves. Nothing here changes anything. */
import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/error.ts';
import { given } from '../../base/given.ts';
import type { Instant } from '../../base/time.ts';
import { minute } from '../../base/time.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Silences } from '../../runtime/silences.ts';
import { encodeCursor } from '../../store/cursor.ts';
import type { ListedExecution } from '../../store/records.ts';
import type { Filter, Page, Store } from '../../store/store.ts';
import type { BulkRequest } from '../bulk-change.ts';
import { asksComing, isMatch, mayNotMatch, storedPart } from '../coming-time.ts';
import { largestPageBytes } from '../limits.ts';
import type { ScheduleName } from '../schedule-reads.ts';
import { keyOf } from '../schedule-reads.ts';
import type { Caller, ScheduleService } from '../schedule-service.ts';
import type { ScheduleSnapshot } from '../schedule-snapshot.ts';
import { definitionSize } from '../snapshot-cache.ts';
import { SlicedWork } from '../spec-search.ts';
import type { SummaryJson } from '../wire.ts';
import { summaryJson, timeJson } from '../wire.ts';
import type { Attention } from './attention.ts';
import { attentionOf, nothingKnown } from './attention.ts';
import type { SlotBins } from './bins.ts';
import { readBins } from './bins.ts';
import type { BulkEffects } from './change-effects.ts';
import { ChangeEffects } from './change-effects.ts';
import type { ClockChanges } from './clock-changes.ts';
import { readClockChanges } from './clock-changes.ts';
import type { Days, DaysQuery } from './days.ts';
import { readDays } from './days.ts';
import type { Effects } from './effects.ts';
import { FleetIndex } from './fleet-index.ts';
import type { IndexQuery, ScheduleCounts, ScheduleSort, SortedEntry } from './fleet-list.ts';
import { countEntries, matchingIds, sortedPage } from './fleet-list.ts';
import type { FleetSpecs } from './fleet-specs.ts';
import { fleetOf, readFleetSpecs } from './fleet-specs.ts';
import type { FullExplanation } from './full-explanation.ts';
import { readFullExplanations } from './full-explanation.ts';
import type { HistoryOf, Span } from './history-material.ts';
import { readHistoryOf } from './history-material.ts';
import { KeptAnswers } from './kept-answers.ts';
import type { Load, LoadQuery } from './load.ts';
import { readLoad } from './load.ts';
import type { NeedGroup } from './needs.ts';
import { groupNeeds, needBounds } from './needs.ts';
import { mayHaveOpenSlots, newestOpenSlots, readOpenState } from './open-slots.ts';
import { PastChanges } from './past-changes.ts';
import { PausedFleet } from './paused-fleet.ts';
import type { Series } from './series.ts';
import { readSeries } from './series.ts';
import type { SlotTally } from './slot-tally.ts';
import type { Stretches } from './stretches.ts';
import { readStretches } from './stretches.ts';
import type { Strip } from './strip.ts';
import { readStrip, stripSlots } from './strip.ts';
import type { Timeline, TimelineQuery } from './timeline.ts';
import { readTimeline } from './timeline.ts';

export interface NewestQuery {
  readonly namespace: string;
  readonly filter?: Filter;
  readonly after?: string;
  readonly limit: number;
}

/** A schedule in a list for people: with the reason why it needs one, and its last slots if asked for. */
export type ListedSchedule = SummaryJson & {
  readonly attention: Attention;
  readonly strip?: Strip;
};

export interface FleetQuery extends IndexQuery {
  readonly namespace: string;
  readonly sort: ScheduleSort;
  /** Whether to read the last slots of each schedule. */
  readonly strip: boolean;
  readonly after?: string;
  readonly limit: number;
}

/** What needs a person, grouped by what the schedules probably have in common. */
export interface AttentionNeeds {
  readonly at: string;
  /** The worst first, at most seven; up to seven of paused schedules come after them. */
  readonly groups: readonly (NeedGroup & {
    /** The worst of them, at most three, each with its last slots. */
    readonly schedules: readonly ListedSchedule[];
  })[];
  /** What the groups that were left out have, pauses not counted. */
  readonly rest: { readonly groups: number; readonly schedules: number };
}

export interface InsightOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly schedules: ScheduleService;
  readonly silences: Pick<Silences, 'list'>;
  readonly tally: SlotTally;
  /** How long retention keeps rows of the audit, in ms. */
  readonly auditKeptMs: number;
}

/** Schedules whose strips are read at the same time. */
const stripsAtOnce = 25;
/** Units of work for the newest slots of a paused schedule: some milliseconds at the most. */
const unitsPerStrip = 20_000;
/** Namespaces whose index is kept; a further one takes the place of the oldest. */
const mostIndexes = 20;
/** The schedules of a namespace, or those of them that match. */
interface FleetPart {
  readonly namespace: string;
  readonly filter?: Filter;
}

export class Insight {
  readonly #options: InsightOptions;
  readonly #indexes = new Map<string, FleetIndex>();
  readonly #paused: PausedFleet;
  readonly #changes: ChangeEffects;
  readonly #specs: KeptAnswers<string, FleetSpecs>;
  readonly #load: KeptAnswers<LoadQuery, Load>;
  readonly #days: KeptAnswers<DaysQuery, Days>;
  readonly #clockChanges: KeptAnswers<Span & FleetPart, ClockChanges>;

  constructor(options: InsightOptions) {
    this.#options = options;
    const { store, clock } = options;
    this.#paused = new PausedFleet(store);
    this.#changes = new ChangeEffects(options);
    this.#specs = new KeptAnswers(clock, (namespace: string) => readFleetSpecs(store, namespace));
    this.#load = new KeptAnswers(clock, async (query: LoadQuery) => {
      return await readLoad(await this.#fleet(query), query, this.#now());
    });
    const pastChanges = new PastChanges({ store, auditKeptMs: options.auditKeptMs });
    this.#days = new KeptAnswers(clock, async (query: DaysQuery) => {
      const { namespace, from } = query;
      const ids = await this.#matching(query);
      const past = await pastChanges.since({ namespace, from, now: this.#now() });
      const pauses = past.pauses.filter(({ id }) => ids?.has(id) ?? true);
      return await readDays({ fleet: await this.#fleet(query), past: { ...past, pauses } }, query);
    });
    this.#clockChanges = new KeptAnswers(clock, async (query: Span & FleetPart) => {
      return await readClockChanges(await this.#fleet(query), query);
    });
  }

  /** Schedules in the order of the given key. */
  async list(query: FleetQuery): Promise<{ items: readonly ListedSchedule[]; next: string | null }> {
    const now = this.#now();
    const entries = await this.#index(query.namespace).entries();
    const { items, next } = await sortedPage(entries, query, now);
    return { items: await this.#shown(query, items), next };
  }

  /** Snapshots for doors, newest schedule first. A page may be short and still have a `next`. */
  async newest(query: NewestQuery): Promise<Page<ScheduleSnapshot>> {
    const { namespace, filter, ...paging } = query;
    const entries = await this.#index(namespace).entries();
    const stored = asksComing(filter) ? storedPart(filter) : filter;
    const sorted = { ...paging, sort: 'newest', ...given({ filter: stored }) } as const;
    const { items: found, next } = await sortedPage(entries, sorted, this.#now());
    const keys = found.map(({ entry }) => keyOf({ namespace, id: entry.id }));
    const rows = keys.length === 0 ? [] : await this.#options.store.read({ keys });
    const items: ScheduleSnapshot[] = [];
    let bytes = 0;
    for (const row of rows) {
      if (row.status === 'closed') continue;
      const snapshot = await this.#options.schedules.snapshotOf(row);
      if (asksComing(filter) && mayNotMatch(row) && !isMatch(filter, row, snapshot)) continue;
      items.push(snapshot);
      bytes += definitionSize(snapshot.definition);
      if (bytes < largestPageBytes) continue;
      return { items, next: encodeCursor([-row.createdAt, row.key.id]) };
    }
    return { items, next };
  }

  /** What needs a person, by cause. */
  async needs(namespace: string): Promise<AttentionNeeds> {
    const now = this.#now();
    const { groups, rest } = await groupNeeds(await this.#index(namespace).entries(), now, needBounds);
    const shown = await this.#shown(
      { namespace, strip: true },
      groups.flatMap(({ worst }) => worst),
    );
    const byId = new Map(shown.map((schedule) => [schedule.id, schedule]));
    return {
      at: timeJson(now),
      groups: groups
        .map(({ worst, ...group }) => ({
          ...group,
          schedules: worst.flatMap(({ entry }) => byId.get(entry.id) ?? []),
        }))
        // Closed since the index was read.
        .filter(({ schedules }) => schedules.length > 0),
      rest,
    };
  }

  async #shown(
    query: Pick<FleetQuery, 'namespace' | 'strip'>,
    sorted: readonly SortedEntry[],
  ): Promise<readonly ListedSchedule[]> {
    const { store, schedules } = this.#options;
    const keys = sorted.map(({ entry }) => keyOf({ namespace: query.namespace, id: entry.id }));
    const rows = keys.length === 0 ? [] : await store.read({ keys });
    const summaries = await schedules.summaries(rows);
    const attention = new Map(sorted.map((each) => [each.entry.id, each.attention]));
    const now = this.#now();
    const items: ListedSchedule[] = [];
    for (let from = 0; from < rows.length; from += stripsAtOnce) {
      const some = rows.slice(from, from + stripsAtOnce);
      const strips = query.strip ? await Promise.all(some.map((row) => this.#strip(row, now))) : [];
      for (const [index, row] of some.entries()) {
        const summary = summaryJson(summaries[from + index] as Parameters<typeof summaryJson>[0]);
        const known = attention.get(row.key.id) ?? attentionOf(nothingKnown, now);
        items.push({ ...summary, attention: known, ...given({ strip: strips[index] }) });
      }
    }
    return items;
  }

  /** How many schedules there are in each state. */
  async counts(namespace: string, query: IndexQuery): Promise<ScheduleCounts> {
    const index = this.#index(namespace);
    const counts = await countEntries(await index.entries(), query, this.#now());
    return { ...counts, runsNow: index.runsNow };
  }

  async strip(name: ScheduleName): Promise<Strip> {
    return await this.#strip(await this.#options.schedules.row(name), this.#now());
  }

  /** Only a schedule that is paused or late is looked at more closely. */
  async #strip(row: ListedExecution, now: Instant): Promise<Strip> {
    const { store, engine } = this.#options;
    const { incarnation } = row;
    if (!mayHaveOpenSlots(row, now)) return await readStrip(store, { incarnation, open: [], now });
    const state = await readOpenState(engine, row, now);
    const work = new SlicedWork({ units: unitsPerStrip });
    const open = state === undefined ? [] : await newestOpenSlots(state, stripSlots, work);
    return await readStrip(store, { incarnation, open, now });
  }

  async timeline(name: ScheduleName, query: TimelineQuery): Promise<Timeline> {
    checkSpan(query);
    return await readTimeline(this.#options.store, await this.#history(name), query);
  }

  async bins(name: ScheduleName, query: Span & { readonly bin: string }): Promise<SlotBins> {
    checkSpan(query);
    return await readBins(this.#options.store, await this.#history(name), query);
  }

  async stretches(name: ScheduleName, span: Span): Promise<Stretches> {
    checkSpan(span);
    const { store, silences } = this.#options;
    return await readStretches(store, await this.#history(name), span, await silences.list());
  }

  /** One explanation per cause at that time, each with its chain and its alternatives. */
  async explain(name: ScheduleName, at: Instant): Promise<readonly FullExplanation[]> {
    const { store, schedules, silences } = this.#options;
    const explanations = await schedules.explain(name, at);
    const history = await this.#history(name);
    return await readFullExplanations(explanations, { store, history, silences: await silences.list() });
  }

  async series(query: Span & { readonly namespace: string; readonly bin: string }): Promise<Series> {
    checkSpan(query);
    const { namespace } = query;
    const paused = await this.#paused.of(namespace, await this.#index(namespace).entries());
    return await readSeries({ tally: this.#options.tally, paused }, { ...query, now: this.#now() });
  }

  async load(query: LoadQuery): Promise<Load> {
    checkSpan(query);
    return await this.#load.get({ ...query, ...wholeMinutes(query) });
  }

  /** Exclusions and pauses by day. */
  async days(query: DaysQuery): Promise<Days> {
    checkSpan(query);
    return await this.#days.get({ ...query, ...wholeMinutes(query) });
  }

  /** The schedules that will act again, or those of them that match. */
  async #fleet(query: FleetPart): Promise<FleetSpecs> {
    const ids = await this.#matching(query);
    const fleet = await this.#specs.get(query.namespace);
    return ids === undefined ? fleet : fleetOf(fleet, ids);
  }

  /** The open schedules that match; undefined when all are meant. */
  async #matching({ namespace, filter }: FleetPart): Promise<ReadonlySet<string> | undefined> {
    if (filter === undefined) return undefined;
    return await matchingIds(await this.#index(namespace).entries(), filter, this.#now());
  }

  async clockChanges(query: Span & FleetPart): Promise<ClockChanges> {
    checkSpan(query);
    return await this.#clockChanges.get({ ...query, ...wholeMinutes(query) });
  }

  /** What a change of one schedule would do; see `ChangeEffects`. */
  async effects(...change: Parameters<ChangeEffects['ofOne']>): Promise<Effects> {
    return await this.#changes.ofOne(...change);
  }

  /** What a change of many schedules would do to each. */
  async bulkEffects(request: BulkRequest, by: Caller): Promise<BulkEffects> {
    return await this.#changes.ofMany(request, by);
  }

  async #history(name: ScheduleName): Promise<HistoryOf> {
    const row = await this.#options.schedules.row(name);
    return await readHistoryOf(this.#options, row, this.#now());
  }

  #index(namespace: string): FleetIndex {
    const known = this.#indexes.get(namespace);
    if (known !== undefined) return known;
    const { store, clock } = this.#options;
    if (this.#indexes.size >= mostIndexes) {
      const [oldest] = this.#indexes.keys();
      this.#indexes.get(oldest as string)?.close();
      this.#indexes.delete(oldest as string);
    }
    const index = new FleetIndex({ store, clock, namespace });
    this.#indexes.set(namespace, index);
    return index;
  }

  #now(): Instant {
    return this.#options.clock.now();
  }
}

/** Pages ask from now on; callers within the same minute share one answer. */
function wholeMinutes({ from, to }: Span): Span {
  return {
    from: (Math.floor(from / minute) * minute) as Instant,
    // The last moment of a minute stays in it: the next minute may begin another day.
    to: (to % minute === 0 ? to : Math.ceil(to / minute) * minute - 1) as Instant,
  };
}

function checkSpan({ from, to }: Span): void {
  if (from <= to) return;
  throw ServiceError.invalid([
    {
      path: 'to',
      reason: 'BEFORE_FROM',
      message: 'the range ends before it begins',
      fix: 'write a time that is not before from',
    },
  ]);
}
