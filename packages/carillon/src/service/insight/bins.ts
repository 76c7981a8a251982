/** The slots of a schedule counted by bins of time: what ran, what did not and why, and how long runs took. */
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { durationOf } from '../../runs/fact.ts';
import { optionsOf } from '../../runs/run.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import { versionAt } from '../../scheduler/explain.ts';
import { findZone } from '../../spec/index.ts';
import type { RunOutcome, RunRow, SlotRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { SlicedWork, timesBetween } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import { binEdges, binOf } from './bin-edges.ts';
import { quantile } from './durations.ts';
import type { HistoryOf, Span } from './history-material.ts';
import { currentOf } from './history-material.ts';

export interface SlotBin {
  readonly from: string;
  readonly to: string;
  /** Slots by verdict; a verdict without slots is absent. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** Ended runs by outcome; an outcome without runs is absent. */
  readonly outcomes: Readonly<Partial<Record<RunOutcome, number>>>;
  /** Coming slots. */
  readonly projected: number;
  /** The median and the longest duration of its completed runs; absent when there are none. */
  readonly medianMs?: number;
  readonly longestMs?: number;
}

export interface SlotBins {
  readonly from: string;
  readonly to: string;
  readonly now: string;
  readonly zone: string;
  readonly bin: string;
  readonly bins: readonly SlotBin[];
  /** Whether something was left out because there is too much of it. */
  readonly truncated: boolean;
}

/** Rows read for one answer; the ledger of one schedule keeps 10,000 by default. */
const mostRows = 20_000;
const rowsAtOnce = 1000;
/** Projected slots of one answer. */
const mostProjected = 20_000;

interface Counted {
  readonly verdicts: Record<string, number>;
  readonly outcomes: Partial<Record<RunOutcome, number>>;
  readonly lengths: number[];
  projected: number;
}

export async function readBins(
  store: Store,
  history: HistoryOf,
  { from, to, bin }: Span & { readonly bin: string },
): Promise<SlotBins> {
  const zone = currentOf(history).definition.spec.zone ?? 'UTC';
  const edges = binEdges({ from, to }, bin, findZone(zone));
  const counted = edges
    .slice(1)
    .map((): Counted => ({ verdicts: {}, outcomes: {}, lengths: [], projected: 0 }));
  const at = (time: number): Counted | undefined => counted[binOf(edges, time)];
  const range = { from: edges[0] as Instant, to: addTime(edges.at(-1) as Instant, -1) };
  const work = new SlicedWork();
  const slots = await countSlots(store, { history, edges, range, work }, at);
  const runs = await countRuns(store, history, range, at);
  const projected = await countProjected(history, range, work, at);
  return {
    from: timeJson(from),
    to: timeJson(to),
    now: timeJson(history.now),
    zone,
    bin,
    bins: counted.map((each, index) => ({
      from: timeJson(edges[index] as Instant),
      to: timeJson(edges[index + 1] as Instant),
      verdicts: each.verdicts,
      outcomes: each.outcomes,
      projected: each.projected,
      ...durationsIn(each.lengths),
    })),
    truncated: slots || runs || projected,
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
async function countSlots(store: Store, counted: CountedRange, at: BinAt): Promise<boolean> {
  const { history, range } = counted;
  let after: string | null | undefined;
  for (let rows = 0; rows < mostRows && after !== null; ) {
    const page = await store.slots({
      incarnation: history.row.incarnation,
      ...range,
      limit: rowsAtOnce,
      ...(after === undefined ? {} : { after }),
    });
    for (const row of page.items) await countRow(row, counted, at);
    rows += page.items.length;
    after = page.next;
  }
  return after !== null;
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

/** Runs come newest first by start, so reading ends at the first that began before the range. */
async function countRuns(store: Store, history: HistoryOf, range: Span, at: BinAt): Promise<boolean> {
  let after: string | null | undefined;
  for (let rows = 0; rows < mostRows && after !== null; ) {
    const page = await store.runs({
      owner: history.row.incarnation,
      states: ['done'],
      payloads: false,
      limit: rowsAtOnce,
      ...(after === undefined ? {} : { after }),
    });
    for (const run of page.items) countRun(run, at);
    rows += page.items.length;
    after = page.items.some(({ createdAt }) => createdAt < range.from) ? null : page.next;
  }
  return after !== null;
}

function countRun(run: RunRow, at: BinAt): void {
  const { nominal = run.createdAt } = optionsOf(run);
  const bin = at(nominal);
  if (bin === undefined || run.outcome === null) return;
  add(bin.outcomes as Record<string, number>, run.outcome, 1);
  const length = durationOf(run);
  if (run.outcome === 'completed' && length !== null) bin.lengths.push(length);
}

async function countProjected(
  history: HistoryOf,
  range: Span,
  work: SlicedWork,
  at: BinAt,
): Promise<boolean> {
  const { now, remaining, row } = history;
  if (range.to <= now || row.status === 'closed' || remaining === 0) return false;
  const { definition } = currentOf(history);
  const window = { from: Math.max(addTime(range.from, -1), now) as Instant, to: range.to };
  const limit = Math.min(mostProjected, remaining ?? mostProjected);
  const { seed } = definition;
  const found = await timesBetween(compiledOf(definition), { window, limit, seed }, work);
  for (const { nominal } of found.times) {
    const bin = at(nominal);
    if (bin !== undefined) bin.projected += 1;
  }
  return found.truncated && limit === mostProjected;
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
