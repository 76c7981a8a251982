/** Verdicts, lateness and results of a whole namespace over time. */
import type { Instant } from '../../base/time.ts';
import { timeJson } from '../wire.ts';
import { binEdges, binOf, binSizes } from './bin-edges.ts';
import type { Span } from './history-material.ts';
import { countPaused } from './paused-counts.ts';
import type { PausedGroup } from './paused-fleet.ts';
import type { BinCounts, SlotTally } from './slot-tally.ts';
import { joined, latenessOf, tallyBin } from './slot-tally.ts';

export interface SeriesBin {
  readonly from: string;
  /** Slots by verdict; a verdict without slots is absent. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** Ended runs by outcome, at the time of their slots. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** How late the starts were, to within two fifths; null when there were none. */
  readonly latenessP50Ms: number | null;
  readonly latenessP99Ms: number | null;
}

export interface Series {
  readonly from: string;
  readonly to: string;
  readonly now: string;
  readonly bin: string;
  readonly bins: readonly SeriesBin[];
  /** The whole range together. */
  readonly total: Omit<SeriesBin, 'from'>;
  /** Whether slots of pauses that go on were left out, or spread evenly, because there are too many. */
  readonly truncated: boolean;
}

/** Bins that series may have: not finer than what is counted. */
export const seriesBins = Object.keys(binSizes).filter((name) => (binSizes[name] as number) >= tallyBin) as [
  string,
  ...string[],
];

const nothing: BinCounts = { verdicts: {}, outcomes: {}, lateness: {} };

export interface SeriesMaterial {
  readonly tally: Pick<SlotTally, 'read'>;
  readonly paused: readonly PausedGroup[];
}

/** What was decided is counted already; the slots of pauses that go on are added to it. */
export async function readSeries(
  { tally, paused }: SeriesMaterial,
  { namespace, from, to, bin, now }: Span & { namespace: string; bin: string; now: Instant },
): Promise<Series> {
  const edges = binEdges({ from, to }, bin, undefined);
  const bins = edges.slice(1).map(() => nothing);
  let total = nothing;
  for (const [at, counts] of await tally.read(namespace, edges[0] as Instant, edges.at(-1) as Instant)) {
    const index = binOf(edges, at);
    if (index < 0) continue;
    bins[index] = joined(bins[index] as BinCounts, counts);
    total = joined(total, counts);
  }
  const open = await countPaused(paused, edges, now);
  for (const [index, count] of open.bins.entries()) {
    if (count === 0) continue;
    const counts = { ...nothing, verdicts: { paused: count } };
    bins[index] = joined(bins[index] as BinCounts, counts);
    total = joined(total, counts);
  }
  return {
    from: timeJson(from),
    to: timeJson(to),
    now: timeJson(now),
    bin,
    bins: bins.map((counts, index) => ({ from: timeJson(edges[index] as Instant), ...shown(counts) })),
    total: shown(total),
    truncated: open.truncated,
  };
}

function shown({ verdicts, outcomes, lateness, latest }: BinCounts): Omit<SeriesBin, 'from'> {
  return {
    verdicts,
    outcomes,
    latenessP50Ms: latenessQuantile(lateness, 0.5, latest),
    latenessP99Ms: latenessQuantile(lateness, 0.99, latest),
  };
}

/** The upper end of the bucket in which this share of the starts is reached, and never more than the latest start. */
function latenessQuantile(
  lateness: BinCounts['lateness'],
  share: number,
  latest = Number.POSITIVE_INFINITY,
): number | null {
  const buckets = Object.entries(lateness)
    .map(([bucket, count]) => [Number(bucket), count] as const)
    .sort(([a], [b]) => a - b);
  const all = buckets.reduce((total, [, count]) => total + count, 0);
  let reached = 0;
  for (const [bucket, count] of buckets) {
    reached += count;
    if (reached >= all * share) return Math.min(latenessOf(bucket), latest);
  }
  return null;
}
