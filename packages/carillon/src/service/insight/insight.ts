/** Everything a page reads besides schedules and runs themselves. Nothing here changes anything. */
import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/error.ts';
import { given } from '../../base/given.ts';
import type { Instant } from '../../base/time.ts';
import { addTime, day, minute } from '../../base/time.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Silences } from '../../runtime/silences.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { Verdict } from '../../scheduler/verdict.ts';
import { encodeCursor } from '../../store/cursor.ts';
import type { Filter, Page, Store, Writes } from '../../store/store.ts';
import type { BulkAnswer } from '../api.ts';
import type { BulkRequest } from '../bulk-change.ts';
import { bulkChange } from '../bulk-change.ts';
import { asksComing, isMatch, mayNotMatch, storedPart } from '../coming-time.ts';
import { largestPageBytes } from '../limits.ts';
import type { ScheduleName } from '../schedule-reads.ts';
import { keyOf } from '../schedule-reads.ts';
import type { Caller, ScheduleService } from '../schedule-service.ts';
import type { ScheduleSnapshot } from '../schedule-snapshot.ts';
import { definitionSize } from '../snapshot-cache.ts';
import { SlicedWork, timesBetween } from '../spec-search.ts';
import type { SummaryJson } from '../wire.ts';
import { summaryJson, timeJson } from '../wire.ts';
import type { Attention } from './attention.ts';
import { attentionOf, nothingKnown } from './attention.ts';
import type { SlotBins } from './bins.ts';
import { readBins } from './bins.ts';
import type { ClockChanges } from './clock-changes.ts';
import { readClockChanges } from './clock-changes.ts';
import type { Effects, RangePreview } from './effects.ts';
import { effectsOf, writtenDefinition } from './effects.ts';
import { FleetIndex } from './fleet-index.ts';
import type { IndexQuery, ScheduleCounts, ScheduleSort, SortedEntry } from './fleet-list.ts';
import { countEntries, sortedPage } from './fleet-list.ts';
import type { FleetSpecs } from './fleet-specs.ts';
import { readFleetSpecs } from './fleet-specs.ts';
import type { HistoryOf, Span } from './history-material.ts';
import { currentOf, readHistoryOf } from './history-material.ts';
import { KeptAnswers } from './kept-answers.ts';
import type { Load, LoadQuery } from './load.ts';
import { readLoad } from './load.ts';
import type { Series } from './series.ts';
import { readSeries } from './series.ts';
import type { Story } from './story.ts';
import { readStories } from './story.ts';
import type { Stretches } from './stretches.ts';
import { readStretches } from './stretches.ts';
import type { Strip } from './strip.ts';
import { readStrip } from './strip.ts';
import type { Tally } from './tally.ts';
import type { Timeline, TimelineQuery } from './timeline.ts';
import { readTimeline } from './timeline.ts';
import { readTrial } from './trial.ts';

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

export interface BulkEffects {
  /** One sentence for each kind of outcome, with how many schedules it is about. */
  readonly text: readonly string[];
  readonly items: readonly {
    readonly id: string;
    readonly ok: boolean;
    readonly reason: string | null;
    readonly message: string | null;
    /** Absent when the change would be refused. */
    readonly effects?: Pick<Effects, 'text' | 'status' | 'starts' | 'verdicts'>;
  }[];
  readonly failed: number;
}

export interface InsightOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly schedules: ScheduleService;
  readonly silences: Pick<Silences, 'list'>;
  readonly tally: Tally;
}

/** Schedules whose strips are read at the same time. */
const stripsAtOnce = 25;
/** Namespaces whose index is kept; a further one takes the place of the oldest. */
const mostIndexes = 20;
/** Slots of a backfill's range that are counted, and that are shown. */
const mostInRange = 10_000;
const shownInRange = 200;

/** The days on which a changed definition is tried. */
const trialLength = 7 * day;

export interface EffectsOptions {
  /** The range of a backfill, which is shown slot by slot. */
  readonly range?: Span;
  /** Whether to try the changed definition on the past week. */
  readonly withTrial?: boolean;
}

export class Insight {
  readonly #options: InsightOptions;
  readonly #indexes = new Map<string, FleetIndex>();
  readonly #specs: KeptAnswers<string, FleetSpecs>;
  readonly #load: KeptAnswers<LoadQuery, Load>;
  readonly #clockChanges: KeptAnswers<Span & { readonly namespace: string }, ClockChanges>;

  constructor(options: InsightOptions) {
    this.#options = options;
    const { store, clock } = options;
    this.#specs = new KeptAnswers(clock, (namespace: string) => readFleetSpecs(store, namespace));
    this.#load = new KeptAnswers(clock, async (query: LoadQuery) => {
      return await readLoad(await this.#specs.get(query.namespace), query, this.#now());
    });
    this.#clockChanges = new KeptAnswers(
      clock,
      async ({ namespace, from, to }: Span & { namespace: string }) => {
        return await readClockChanges(await this.#specs.get(namespace), { from, to });
      },
    );
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

  async #shown(query: FleetQuery, sorted: readonly SortedEntry[]): Promise<readonly ListedSchedule[]> {
    const { store, schedules } = this.#options;
    const keys = sorted.map(({ entry }) => keyOf({ namespace: query.namespace, id: entry.id }));
    const rows = keys.length === 0 ? [] : await store.read({ keys });
    const summaries = await schedules.summaries(rows);
    const attention = new Map(sorted.map((each) => [each.entry.id, each.attention]));
    const now = this.#now();
    const items: ListedSchedule[] = [];
    for (let from = 0; from < rows.length; from += stripsAtOnce) {
      const some = rows.slice(from, from + stripsAtOnce);
      const strips = query.strip
        ? await Promise.all(some.map(({ incarnation }) => readStrip(store, incarnation)))
        : [];
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
    return await countEntries(await this.#index(namespace).entries(), query, this.#now());
  }

  async strip(name: ScheduleName): Promise<Strip> {
    const { store, schedules } = this.#options;
    return await readStrip(store, (await schedules.row(name)).incarnation);
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
  async explain(name: ScheduleName, at: Instant): Promise<readonly Story[]> {
    const { store, schedules, silences } = this.#options;
    const explanations = await schedules.explain(name, at);
    const history = await this.#history(name);
    return await readStories(explanations, { store, history, silences: await silences.list() });
  }

  async series(query: Span & { readonly namespace: string; readonly bin: string }): Promise<Series> {
    checkSpan(query);
    return await readSeries(this.#options.tally, { ...query, now: this.#now() });
  }

  async load(query: LoadQuery): Promise<Load> {
    checkSpan(query);
    return await this.#load.get({ ...query, ...wholeMinutes(query) });
  }

  async clockChanges(namespace: string, span: Span): Promise<ClockChanges> {
    checkSpan(span);
    return await this.#clockChanges.get({ namespace, ...wholeMinutes(span) });
  }

  /**
   * What a change of one schedule would do: `change` is called with a caller under whose name nothing is written. For a
   * backfill, `range` is shown slot by slot.
   */
  async effects(
    name: ScheduleName,
    by: Caller,
    change: (by: Caller) => Promise<unknown>,
    { range, withTrial = false }: EffectsOptions = {},
  ): Promise<Effects> {
    const { store } = this.#options;
    const [before] = await store.read({ keys: [keyOf(name)] });
    const open = before?.status === 'open' ? before : undefined;
    const definition = open === undefined ? undefined : currentOf(await this.#historyOf(open)).definition;
    let writes: Writes = {};
    await change({
      ...by,
      rehearsed: (rehearsed) => {
        writes = rehearsed;
      },
    });
    const preview =
      range === undefined || open === undefined
        ? null
        : await this.#range(open.incarnation, definition, range);
    const now = this.#now();
    const effects = await effectsOf({ now, before: open, definition, writes }, preview);
    if (!withTrial || open === undefined || definition === undefined) return effects;
    const after = writtenDefinition(writes) ?? definition;
    const from = Math.max(addTime(now, -trialLength), open.createdAt) as Instant;
    const { incarnation } = open;
    const trial = await readTrial(store, { from, to: now, before: definition, after, incarnation });
    return { ...effects, trial };
  }

  /** What a change of many schedules would do to each. */
  async bulkEffects(request: BulkRequest, by: Caller): Promise<BulkEffects> {
    const { schedules } = this.#options;
    const effects = new Map<string, Effects>();
    // Each schedule is rehearsed by itself, exactly as the change would take it.
    const rehearsing = {
      pause: (name: ScheduleName, caller: Caller) =>
        this.#each(effects, name, caller, (c) => schedules.pause(name, c)),
      resume: (name: ScheduleName, caller: Caller & Parameters<ScheduleService['resume']>[1]) =>
        this.#each(effects, name, caller, (c) => schedules.resume(name, { ...caller, ...c })),
      trigger: (name: ScheduleName, asked: Parameters<ScheduleService['trigger']>[1], caller: Caller) =>
        this.#each(effects, name, caller, (c) => schedules.trigger(name, asked, c)),
      delete: (name: ScheduleName, caller: Caller) =>
        this.#each(effects, name, caller, (c) => schedules.delete(name, c)),
    };
    const answer: BulkAnswer = await bulkChange(rehearsing, request, by);
    const items = answer.items.map((item) => {
      const found = effects.get(item.id);
      if (found === undefined) return item;
      const { text, status, starts, verdicts } = found;
      return { ...item, effects: { text, status, starts, verdicts } };
    });
    return { text: outcomes(items), items, failed: answer.failed };
  }

  async #each(
    effects: Map<string, Effects>,
    name: ScheduleName,
    by: Caller,
    change: (by: Caller) => Promise<unknown>,
  ): Promise<void> {
    effects.set(name.id, await this.effects(name, by, change));
  }

  async #range(
    incarnation: string,
    definition: HistoryOf['versions'][number]['definition'] | undefined,
    { from, to }: Span,
  ): Promise<RangePreview | null> {
    if (definition === undefined) return null;
    const window = { from: addTime(from, -1), to };
    const { seed } = definition;
    const compiled = compiledOf(definition);
    const found = await timesBetween(compiled, { window, limit: mostInRange, seed }, new SlicedWork());
    const ledger = await this.#options.store.slots({ incarnation, from, to, limit: 2 * shownInRange });
    const items = found.times.slice(0, shownInRange).map(({ nominal }) => {
      const slot = ledger.items.find((row) => row.nominal <= nominal && nominal <= row.until);
      return {
        at: timeJson(nominal),
        verdict: (slot?.verdict ?? null) as Verdict | null,
        runId: slot?.runId ?? null,
      };
    });
    return { count: found.times.length, isExact: !found.truncated, items };
  }

  async #history(name: ScheduleName): Promise<HistoryOf> {
    return await this.#historyOf(await this.#options.schedules.row(name));
  }

  async #historyOf(row: Parameters<typeof readHistoryOf>[1]): Promise<HistoryOf> {
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
    to: (Math.ceil(to / minute) * minute) as Instant,
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

/** Schedules with the same effects are told together. */
function outcomes(items: BulkEffects['items']): readonly string[] {
  const counts = new Map<string, number>();
  for (const { ok, message, effects } of items) {
    // The first sentence is the outcome; what follows differs from schedule to schedule.
    const text = ok ? (effects?.text[0] ?? '') : (message ?? '');
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([text, count]) => `${count}: ${text}`);
}
