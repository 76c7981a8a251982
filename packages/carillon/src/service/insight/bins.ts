/** The slots of a schedule counted by bins of time: what ran, what did not and why, and how long runs took. */
import type { Instant } from '../../base/time.ts';
import { addTime, minute } from '../../base/time.ts';
import { durationOf } from '../../runs/fact.ts';
import { optionsOf } from '../../runs/run.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import { versionAt } from '../../scheduler/explain.ts';
import { findZone, zoneOfSpec } from '../../spec/index.ts';
import type { RunOutcome, RunRow, SlotRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { SlicedWork, timesBetween } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import { allRuledOut } from './all-ruled-out.ts';
import { isUntaken } from './attention.ts';
import { binEdges, binOf, spreadEvenly } from './bin-edges.ts';
import { comingSlots } from './coming-slots.ts';
import { quantile } from './durations.ts';
import type { HistoryOf, Span } from './history-material.ts';
import { currentOf } from './history-material.ts';
import { fallsIntoPause, openSlotsIn, openWindow, rateOf } from './open-slots.ts';
import { isReplaced } from './replaced.ts';

export interface SlotBin {
  readonly from: string;
  readonly to: string;
  /**
   * Slots up to now by verdict; a verdict without slots is absent. It counts what the timeline shows: also the slots of a pause
   * that goes on, those that are `due` or `overdue`, and times that the spec rules out.
   */
  readonly verdicts: Readonly<Record<string, number>>;
  /** Ended runs by outcome; an outcome without runs is absent. */
  readonly outcomes: Readonly<Partial<Record<RunOutcome, number>>>;
  /** How many of the ended runs the overlap policy of the schedule stopped for a later one. */
  readonly replaced: number;
  /** Runs of started slots that have not ended; absent names mean none. `untaken` ones wait and no worker takes them. */
  readonly unfinished: Readonly<Partial<Record<Unfinished, number>>>;
  /** Started slots whose run is no longer kept, so that its outcome is not known. */
  readonly forgotten: number;
  /** Coming slots that would start. */
  readonly projected: number;
  /** Coming slots that the present pause will pass over. */
  readonly passedOver: number;
  /** The median and the longest duration of its completed runs; absent when there are none. */
  readonly medianMs?: number;
  readonly longestMs?: number;
}

export type Unfinished = 'running' | 'waiting' | 'untaken';

export interface SlotBins {
  readonly from: string;
  readonly to: string;
  readonly now: string;
  readonly zone: string;
  readonly bin: string;
  readonly bins: readonly SlotBin[];
  /** Whether something was left out, or spread evenly instead of counted, because there is too much of it. */
  readonly truncated: boolean;
}

/** Rows read for one answer; the ledger of one schedule keeps 10,000 by default. */
const mostRows = 20_000;
const rowsAtOnce = 1000;
/** Projected slots of one answer. */
const mostProjected = 20_000;
/**
 * Slots that one search counts one by one: those of every minute over a month. What is beyond is spread evenly, so that a
 * pause of a year over a schedule of every second costs some milliseconds.
 */
const mostCounted = 50_000;
/** Times ruled out by the spec that one answer counts, and the work to find them: a quarter of a second. */
const mostRuledOut = 20_000;
const ruledOutUnits = 500_000;

interface Counted {
  readonly verdicts: Record<string, number>;
  readonly outcomes: Partial<Record<RunOutcome, number>>;
  readonly unfinished: Partial<Record<Unfinished, number>>;
  readonly lengths: number[];
  replaced: number;
  forgotten: number;
  projected: number;
  passedOver: number;
}

function nothingCounted(): Counted {
  return {
    verdicts: {},
    outcomes: {},
    unfinished: {},
    lengths: [],
    replaced: 0,
    forgotten: 0,
    projected: 0,
    passedOver: 0,
  };
}

export async function readBins(
  store: Store,
  history: HistoryOf,
  { from, to, bin }: Span & { readonly bin: string },
): Promise<SlotBins> {
  const zone = zoneOfSpec(currentOf(history).definition.spec);
  const edges = binEdges({ from, to }, bin, findZone(zone));
  const counted = edges.slice(1).map(nothingCounted);
  const at = (time: number): Counted | undefined => counted[binOf(edges, time)];
  const range = { from: edges[0] as Instant, to: addTime(edges.at(-1) as Instant, -1) };
  const work = new SlicedWork();
  const asked = { history, edges, range, work };
  const runs = await countRuns(store, history, range, at);
  const slots = await countSlots(store, { ...asked, isGone: runs.isGone }, at);
  const open = await countOpen({ ...asked, work: new SlicedWork() }, at);
  const ruledOut = await countRuledOut(history, range, at);
  const projected = await countProjected({ history, edges, range, work }, at);
  return {
    from: timeJson(from),
    to: timeJson(to),
    now: timeJson(history.now),
    zone,
    bin,
    bins: counted.map(({ lengths, ...counts }, index) => ({
      from: timeJson(edges[index] as Instant),
      to: timeJson(edges[index + 1] as Instant),
      ...counts,
      ...durationsIn(lengths),
    })),
    truncated: slots || runs.truncated || open || ruledOut || projected,
  };
}

type BinAt = (time: number) => Counted | undefined;

interface CountedRange {
  readonly history: HistoryOf;
  readonly edges: readonly Instant[];
  readonly range: Span;
  readonly work: SlicedWork;
}

/** Returns whether there are more rows than were read. */
async function countSlots(
  store: Store,
  counted: CountedRange & { readonly isGone: (runId: string) => boolean },
  at: BinAt,
): Promise<boolean> {
  const { history, range, isGone } = counted;
  let after: string | null | undefined;
  for (let rows = 0; rows < mostRows && after !== null; ) {
    const page = await store.slots({
      incarnation: history.row.incarnation,
      ...range,
      limit: rowsAtOnce,
      ...(after === undefined ? {} : { after }),
    });
    for (const row of page.items) {
      await countRow(row, counted, at);
      // The run of a slot that was decided while runs were read may not be among them.
      const isSettled = history.now - row.at > minute;
      const isForgotten = row.runId !== null && isStarted(row) && isSettled && isGone(row.runId);
      const bin = isForgotten ? at(row.nominal) : undefined;
      if (bin !== undefined) bin.forgotten += 1;
    }
    rows += page.items.length;
    after = page.next;
  }
  return after !== null;
}

function isStarted({ verdict }: SlotRow): boolean {
  return verdict === 'started' || verdict === 'startedLate';
}

/** A stretch that lies in several bins is counted by the times of its spec. */
async function countRow(
  row: SlotRow,
  { edges, history, range, work }: CountedRange,
  at: BinAt,
): Promise<void> {
  const { nominal, until, count, verdict } = row;
  const isWithin = nominal >= range.from && until <= range.to;
  if (count === 1 || (isWithin && binOf(edges, nominal) === binOf(edges, until))) {
    add(at(nominal)?.verdicts, verdict, count);
    return;
  }
  if (count > mostCounted) {
    spreadEvenly({ edges, span: { from: nominal, to: until }, count }, (bin, share) =>
      add(at(bin)?.verdicts, verdict, share),
    );
    return;
  }
  const definition = versionAt(history.versions, nominal)?.definition;
  if (definition === undefined) return;
  const window = {
    from: addTime(Math.max(nominal, range.from) as Instant, -1),
    to: Math.min(until, range.to) as Instant,
  };
  const { seed } = definition;
  const { times } = await timesBetween(compiledOf(definition), { window, limit: count, seed }, work);
  for (const time of times) add(at(time.nominal)?.verdicts, verdict, 1);
}

/**
 * Counts the slots that have no row yet. After those that are counted one by one, the rest of the time is taken to have
 * them at the same rate.
 */
async function countOpen({ history, edges, range, work }: CountedRange, at: BinAt): Promise<boolean> {
  const { row, cursor, remaining, now } = history;
  if (row.status === 'closed') return false;
  const state = { definition: currentOf(history).definition, cursor, remaining, now };
  const found = await openSlotsIn(state, { ...range, limit: mostCounted }, work);
  for (const { nominal, verdict } of found.slots) add(at(nominal)?.verdicts, verdict, 1);
  const last = found.slots.at(-1);
  if (!found.truncated || last === undefined) return found.truncated;
  const window = openWindow(state, range);
  const rest = { from: addTime(last.nominal, 1), to: window.to };
  const count = Math.round((rest.to - rest.from) * rateOf(found.slots));
  spreadEvenly({ edges, span: rest, count }, (bin, share) => add(at(bin)?.verdicts, last.verdict, share));
  return true;
}

async function countRuledOut(history: HistoryOf, range: Span, at: BinAt): Promise<boolean> {
  const to = Math.min(range.to, history.now) as Instant;
  if (to < range.from) return false;
  const query = { from: range.from, to, limit: mostRuledOut };
  const found = await allRuledOut(history, query, new SlicedWork({ units: ruledOutUnits }));
  for (const time of found.times) add(at(time.at)?.verdicts, time.verdict, 1);
  return found.truncated;
}

interface CountedRuns {
  readonly truncated: boolean;
  /** Whether a run that a slot names has been removed. */
  readonly isGone: (runId: string) => boolean;
}

/** Runs come newest first by start, so reading ends at the first that began before the range. */
async function countRuns(store: Store, history: HistoryOf, range: Span, at: BinAt): Promise<CountedRuns> {
  const known = new Set<string>();
  let after: string | null | undefined;
  for (let rows = 0; rows < mostRows && after !== null; ) {
    const page = await store.runs({
      owner: history.row.incarnation,
      payloads: false,
      limit: rowsAtOnce,
      ...(after === undefined ? {} : { after }),
    });
    for (const run of page.items) {
      known.add(run.id);
      countRun(run, history.now, at);
    }
    rows += page.items.length;
    after = page.items.some(({ createdAt }) => createdAt < range.from) ? null : page.next;
  }
  const truncated = after !== null;
  return { truncated, isGone: (runId) => !truncated && !known.has(runId) };
}

function countRun(run: RunRow, now: Instant, at: BinAt): void {
  const { nominal = run.createdAt } = optionsOf(run);
  const bin = at(nominal);
  if (bin === undefined) return;
  if (run.outcome === null) {
    const state = run.state === 'waiting' ? (isUntaken(run, now) ? 'untaken' : 'waiting') : 'running';
    add(bin.unfinished as Record<string, number>, state, 1);
    return;
  }
  add(bin.outcomes as Record<string, number>, run.outcome, 1);
  if (isReplaced(run)) bin.replaced += 1;
  const length = durationOf(run);
  if (run.outcome === 'completed' && length !== null) bin.lengths.push(length);
}

/**
 * Counts the coming slots. After those that are counted one by one, the rest of the time is taken to have them at the same
 * rate: where a spec names times, no bin of the future is empty.
 */
async function countProjected({ history, edges, range, work }: CountedRange, at: BinAt): Promise<boolean> {
  const found = await comingSlots(history, { ...range, limit: mostProjected }, work);
  const count = (time: number, isPassedOver: boolean, slots: number) => {
    const bin = at(time);
    if (bin === undefined) return;
    if (isPassedOver) bin.passedOver += slots;
    else bin.projected += slots;
  };
  for (const { nominal, isPassedOver } of found.slots) count(nominal, isPassedOver, 1);
  const last = found.slots.at(-1);
  if (!found.truncated || last === undefined) return found.truncated;
  const { spec, paused } = currentOf(history).definition;
  const end = Math.min(range.to, spec.endAt ?? range.to) as Instant;
  const rate = rateOf(found.slots);
  const rest: Span = { from: addTime(last.nominal, 1), to: end };
  const isResumed = paused?.until != null && paused.until > rest.from && paused.until < end;
  const spans = isResumed
    ? [
        { from: rest.from, to: paused.until as Instant },
        { from: addTime(paused.until as Instant, 1), to: end },
      ]
    : [rest];
  let { left } = found;
  for (const span of spans) {
    if (span.to <= span.from) continue;
    const isPassedOver = fallsIntoPause(paused, span.to);
    const expected = Math.round((span.to - span.from) * rate);
    const slots = isPassedOver ? expected : Math.min(expected, left);
    if (!isPassedOver) left -= slots;
    // Actions that end are used up by the earliest slots.
    const to = slots < expected ? addTime(span.from, slots / rate) : span.to;
    spreadEvenly({ edges, span: { from: span.from, to }, count: slots }, (bin, share) =>
      count(bin, isPassedOver, share),
    );
  }
  return true;
}

function durationsIn(lengths: readonly number[]): { medianMs?: number; longestMs?: number } {
  const sorted = [...lengths].sort((a, b) => a - b);
  const medianMs = quantile(sorted, 0.5);
  const longestMs = sorted.at(-1);
  return medianMs === null || longestMs === undefined ? {} : { medianMs, longestMs };
}

function add(counts: Record<string, number> | undefined, name: string, count: number): void {
  if (counts !== undefined) counts[name] = (counts[name] ?? 0) + count;
}
