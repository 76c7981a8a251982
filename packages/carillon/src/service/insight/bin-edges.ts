/**
 * The edges of bins over a range of time. Bins of hours begin at local midnight and bins of days at local midnights, so that a
 * bin is what people of that zone call 'the morning' or 'the week', also around clock changes.
 */
import { ServiceError } from '../../base/error.ts';
import type { Instant } from '../../base/time.ts';
import { day, hour, minute } from '../../base/time.ts';
import type { Zone } from '../../spec/index.ts';
import type { Span } from './history-material.ts';

/** The sizes that a request may ask for, in ms. */
export const binSizes: Readonly<Record<string, number>> = {
  '1m': minute,
  '5m': 5 * minute,
  '15m': 15 * minute,
  '1h': hour,
  '2h': 2 * hour,
  '3h': 3 * hour,
  '6h': 6 * hour,
  '12h': 12 * hour,
  '1d': day,
  '2d': 2 * day,
  '7d': 7 * day,
  '14d': 14 * day,
};
export const binNames = Object.keys(binSizes) as [string, ...string[]];

/** The most bins of one answer. */
export const mostBins = 2000;

/** The edges, from the last one before the range to the first one after it: bin n is [edges[n], edges[n + 1]). */
export function binEdges({ from, to }: Span, bin: string, zone: Zone | undefined): readonly Instant[] {
  const size = binSizes[bin] as number;
  if ((to - from) / size > mostBins) throw tooMany(bin);
  const edges: Instant[] = [];
  let edge = edgeBefore(from, size, zone);
  while (edge <= to) {
    edges.push(edge);
    edge = nextEdge(edge, size, zone);
  }
  edges.push(edge);
  return edges;
}

export function offsetAt(at: number, zone: Zone | undefined): number {
  return (zone?.offsetAt(Math.floor(at / 1000)) ?? 0) * 1000;
}

/** The midnight that begins the local day of an instant, as if it were UTC. */
export function localDay(at: number, zone: Zone | undefined): number {
  return Math.floor((at + offsetAt(at, zone)) / day) * day;
}

/** The instant of a local time; a time that the clock skips is the end of the gap. */
export function instantOf(local: number, zone: Zone | undefined): number {
  const guess = local - offsetAt(local, zone);
  return local - offsetAt(guess, zone);
}

/** Days are counted from Monday 1970-01-05, so that weeks begin on Mondays. */
const monday = 4 * day;

function edgeBefore(at: Instant, size: number, zone: Zone | undefined): Instant {
  const local = at + offsetAt(at, zone);
  const origin = size >= day ? monday : 0;
  const period = Math.max(size, day);
  const start = Math.floor((local - origin) / period) * period + origin;
  if (size >= day) return instantOf(start, zone) as Instant;
  const midnight = instantOf(start, zone);
  return (midnight + Math.floor((at - midnight) / size) * size) as Instant;
}

function nextEdge(edge: Instant, size: number, zone: Zone | undefined): Instant {
  const local = edge + offsetAt(edge, zone);
  if (size >= day) return instantOf(local + size, zone) as Instant;
  // A bin never reaches over midnight, also on a day that is longer or shorter than others.
  const midnight = instantOf((Math.floor(local / day) + 1) * day, zone);
  return Math.min(edge + size, midnight > edge ? midnight : edge + size) as Instant;
}

/** The index of the bin that contains the instant; -1 for none. */
export function binOf(edges: readonly Instant[], at: number): number {
  let low = 0;
  let high = edges.length - 1;
  if (at < (edges[0] as number) || at >= (edges[high] as number)) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((edges[middle] as number) <= at) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Divides a count evenly over the bins that a span touches. Each bin is named by its first instant; the shares add up
 * to the part of the count that lies in the bins.
 */
export function spreadEvenly(
  {
    edges,
    span: { from, to },
    count,
  }: { readonly edges: readonly Instant[]; readonly span: Span; readonly count: number },
  tell: (bin: Instant, share: number) => void,
): void {
  const upTo = (time: number) =>
    Math.round((count * (Math.min(Math.max(time, from), to) - from)) / Math.max(1, to - from));
  for (const [index, edge] of edges.slice(0, -1).entries()) {
    const share = upTo(edges[index + 1] as Instant) - upTo(edge);
    if (share > 0) tell(edge, share);
  }
}

function tooMany(bin: string): ServiceError {
  return ServiceError.invalid([
    {
      path: 'bin',
      reason: 'TOO_MANY_BINS',
      message: `the range has more than ${mostBins} bins of ${bin}`,
      fix: 'ask for a shorter range or for larger bins',
    },
  ]);
}
