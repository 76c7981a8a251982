/** How many starts the coming time brings, over all schedules of a namespace, by bins of time. */
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import { findZone } from '../../spec/index.ts';
import { SlicedWork } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import { binEdges, binOf } from './bin-edges.ts';
import type { FleetSpecs } from './fleet-specs.ts';
import type { Span } from './history-material.ts';

export interface LoadBin {
  readonly from: string;
  /** Starts of all schedules. */
  readonly starts: number;
}

export interface LoadPeak {
  /** The second with the most starts. */
  readonly at: string;
  readonly starts: number;
  /** Some of the schedules that start then. */
  readonly schedules: readonly string[];
}

export interface Load {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly bin: string;
  readonly bins: readonly LoadBin[];
  /** The moments with the most starts, the worst first. */
  readonly peaks: readonly LoadPeak[];
  /** The schedules that were counted, and how many there are: fewer when the work would have cost too much. */
  readonly counted: number;
  readonly schedules: number;
  readonly computedAt: string;
}

export interface LoadQuery extends Span {
  readonly namespace: string;
  readonly bin: string;
  readonly zone: string;
}

/** Units of work of one answer: a few seconds in slices of ten milliseconds. */
const unitsPerLoad = 8_000_000;
const mostPeaks = 10;
const namedSchedules = 5;

export async function readLoad(
  fleet: FleetSpecs,
  { from, to, bin, zone }: LoadQuery,
  now: Instant,
): Promise<Load> {
  const edges = binEdges({ from, to }, bin, findZone(zone));
  const starts = edges.slice(1).map(() => 0);
  const work = new SlicedWork({ units: unitsPerLoad });
  const seconds = new Map<number, { starts: number; readonly ids: string[] }>();
  let counted = 0;
  const even: EvenGroup[] = [];
  for (const { definition, ids } of fleet.groups) {
    const interval = evenInterval(definition);
    if (interval !== undefined) {
      even.push({ ...interval, ids });
      for (let index = 0; index < starts.length; index += 1) {
        const [first, end] = [edges[index] as Instant, Math.min(edges[index + 1] as Instant, to + 1)];
        starts[index] = (starts[index] as number) + ids.length * countEven(interval, first, end);
      }
      counted += ids.length;
      continue;
    }
    const walk = compiledOf(definition).walk(addTime(from, -1), { last: to, seed: definition.seed });
    let isDone = false;
    while (!isDone) {
      const found = await work.finish((budget) => walk.next(budget));
      if (found.kind === 'unfinished') break;
      isDone = found.kind === 'none';
      if (found.kind !== 'found') continue;
      const index = binOf(edges, found.nominal);
      if (index >= 0) starts[index] = (starts[index] as number) + ids.length;
      notePeak(seconds, found.nominal, ids);
    }
    if (!isDone) break;
    counted += ids.length;
  }
  return {
    from: timeJson(from),
    to: timeJson(to),
    zone,
    bin,
    bins: starts.map((count, index) => ({ from: timeJson(edges[index] as Instant), starts: count })),
    peaks: peaksOf(withEven(seconds, even)),
    counted,
    schedules: fleet.schedules,
    computedAt: timeJson(now),
  };
}

interface EvenInterval {
  readonly every: number;
  readonly phase: number;
}

interface EvenGroup extends EvenInterval {
  readonly ids: readonly string[];
}

/** Specs that are one even interval and nothing else: their starts are counted, not walked over, however many they are. */
function evenInterval({ spec }: FleetSpecs['groups'][number]['definition']): EvenInterval | undefined {
  const { intervals = [], zone: _, ...rest } = spec;
  const [interval] = intervals;
  const hasMore = Object.values(rest).some((value) => value !== undefined);
  if (interval === undefined || intervals.length > 1 || hasMore) return undefined;
  const whole = (ms: number) => Math.trunc(ms / 1000) * 1000;
  return { every: whole(interval.everyMs), phase: whole(interval.phaseMs ?? 0) };
}

/** The starts from `from` up to, and without, `to`. */
function countEven({ every, phase }: EvenInterval, from: number, to: number): number {
  return Math.max(0, Math.ceil((to - phase) / every) - Math.ceil((from - phase) / every));
}

/** Even intervals start at a moment beside those that were walked over. */
function withEven(
  seconds: ReadonlyMap<number, { starts: number; readonly ids: string[] }>,
  even: readonly EvenGroup[],
): typeof seconds {
  for (const [at, moment] of seconds) {
    for (const { every, phase, ids } of even) {
      if ((at - phase) % every !== 0) continue;
      moment.starts += ids.length;
      moment.ids.push(...ids.slice(0, Math.max(0, namedSchedules - moment.ids.length)));
    }
  }
  return seconds;
}

function notePeak(
  seconds: Map<number, { starts: number; readonly ids: string[] }>,
  at: Instant,
  ids: readonly string[],
): void {
  const known = seconds.get(at);
  if (known === undefined) {
    if (seconds.size < mostSeconds)
      seconds.set(at, { starts: ids.length, ids: ids.slice(0, namedSchedules) });
    return;
  }
  known.starts += ids.length;
  if (known.ids.length < namedSchedules) known.ids.push(...ids.slice(0, namedSchedules - known.ids.length));
}

/** The moments that peaks are looked for among; more would cost memory. */
const mostSeconds = 200_000;

function peaksOf(
  seconds: ReadonlyMap<number, { starts: number; readonly ids: readonly string[] }>,
): readonly LoadPeak[] {
  return [...seconds]
    .filter(([, { starts }]) => starts > 1)
    .sort(([a, one], [b, other]) => other.starts - one.starts || a - b)
    .slice(0, mostPeaks)
    .map(([at, { starts, ids }]) => ({ at: timeJson(at as Instant), starts, schedules: ids }));
}
