/** Verdicts, lateness and results of a whole namespace over time. */
import type { Instant } from '../../base/time.ts';
import { timeJson } from '../wire.ts';
import { binEdges, binOf, binSizes } from './bin-edges.ts';
import type { Span } from './history-material.ts';
import type { BinCounts, Tally } from './tally.ts';
import { latenessOf, sum, tallyBin } from './tally.ts';

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
}

/** Bins that series may have: not finer than what is counted. */
export const seriesBins = Object.keys(binSizes).filter((name) => (binSizes[name] as number) >= tallyBin) as [
  string,
  ...string[],
];

const nothing: BinCounts = { verdicts: {}, outcomes: {}, lateness: {} };

export async function readSeries(
  tally: Tally,
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
  return {
    from: timeJson(from),
    to: timeJson(to),
    now: timeJson(now),
    bin,
    bins: bins.map((counts, index) => ({ from: timeJson(edges[index] as Instant), ...shown(counts) })),
    total: shown(total),
  };
}

function joined(a: BinCounts, b: BinCounts): BinCounts {
  return {
    verdicts: sum(a.verdicts, b.verdicts),
    outcomes: sum(a.outcomes, b.outcomes),
    lateness: sum(a.lateness, b.lateness),
  };
}

function shown({ verdicts, outcomes, lateness }: BinCounts): Omit<SeriesBin, 'from'> {
  return {
    verdicts,
    outcomes,
    latenessP50Ms: latenessQuantile(lateness, 0.5),
    latenessP99Ms: latenessQuantile(lateness, 0.99),
  };
}

/** The upper end of the bucket in which this share of the starts is reached. */
function latenessQuantile(lateness: BinCounts['lateness'], share: number): number | null {
  const buckets = Object.entries(lateness)
    .map(([bucket, count]) => [Number(bucket), count] as const)
    .sort(([a], [b]) => a - b);
  const all = buckets.reduce((total, [, count]) => total + count, 0);
  let reached = 0;
  for (const [bucket, count] of buckets) {
    reached += count;
    if (reached >= all * share) return latenessOf(bucket);
  }
  return null;
}
