/** How many starts the coming time brings, over all schedules of a namespace, by bins of time, and when most come at once. */
import type { Instant } from '../../base/time.ts';
import { addTime, day, hour, minute, second } from '../../base/time.ts';
import { findZone } from '../../spec/index.ts';
import type { Filter } from '../../store/store.ts';
import { SlicedWork } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import { binEdges, binOf } from './bin-edges.ts';
import { mostDelays, visitStarts } from './due-starts.ts';
import { countEven, evenInterval } from './even-interval.ts';
import type { FleetSpecs, SpecGroup } from './fleet-specs.ts';
import type { Span } from './history-material.ts';
import { Moments } from './moments.ts';
import type { Spread } from './spread.ts';
import { spreadFleet } from './spread.ts';

export interface LoadBin {
  readonly from: string;
  /** Starts of all schedules. */
  readonly starts: number;
  /** The most starts at one moment of it. */
  readonly most: number;
}

/** Schedules that start at the same moment, once or again and again. */
export interface LoadPeak {
  /** The first of these moments. */
  readonly at: string;
  readonly starts: number;
  /** Some of the schedules that start then. */
  readonly schedules: readonly string[];
  /** The moments at which the same schedules start; at most 200 of them. */
  readonly times: readonly string[];
  /** How many such moments there are. */
  readonly count: number;
}

export interface Load {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly bin: string;
  readonly bins: readonly LoadBin[];
  /** What one moment is: a second, in ranges longer than eight days a minute, then an hour or a day. */
  readonly moment: MomentName;
  /** What starts together, the most first. */
  readonly peaks: readonly LoadPeak[];
  /** The schedules that were counted, and how many there are: fewer when the work would have cost too much. */
  readonly counted: number;
  readonly schedules: number;
  /** The schedules that were counted as if they had the jitter that was asked about. */
  readonly spread?: readonly string[];
  readonly computedAt: string;
}

export type MomentName = (typeof momentNames)[number];

export interface LoadQuery extends Span {
  readonly namespace: string;
  readonly bin: string;
  readonly zone: string;
  /** Only schedules that match. */
  readonly filter?: Filter;
  /** Counts as if the schedules of one moment had a jitter. */
  readonly spread?: Spread;
}

/** Units of work of one answer: a few seconds in slices of ten milliseconds. */
const unitsPerLoad = 8_000_000;
const mostPeaks = 10;
const mostTimes = 200;
const namedSchedules = 5;
export const momentNames = ['1s', '1m', '1h', '1d'] as const;
const momentSizes = { '1s': second, '1m': minute, '1h': hour, '1d': day } as const satisfies Record<
  MomentName,
  number
>;
/** The moments that are counted: those of eight days by the second, about five megabytes. */
const mostMoments = (8 * day) / second;
/** Even intervals that are counted between two turns of the event loop: a few milliseconds of work. */
const countsPerTurn = 1_000_000;

export async function readLoad(
  whole: FleetSpecs,
  { from, to, bin, zone, spread }: LoadQuery,
  now: Instant,
): Promise<Load> {
  const edges = binEdges({ from, to }, bin, findZone(zone));
  const starts = edges.slice(1).map(() => 0);
  const moment = momentNames.find((name) => (to - from) / momentSizes[name] <= mostMoments) ?? '1d';
  const grain = momentSizes[moment];
  const moments = new Moments({ from, to, grain });
  const work = new SlicedWork({ units: unitsPerLoad });
  const acting = { ...whole, groups: [...whole.groups, ...whole.resuming] };
  const { fleet, ids: spreadIds } =
    spread === undefined ? { fleet: acting, ids: undefined } : await spreadFleet(acting, spread, work);
  /** Starts of one schedule of each group. */
  const ofGroup = fleet.groups.map(() => 0);
  let counted = 0;
  let untilTurn = countsPerTurn;
  const delays = { left: mostDelays };
  for (const [place, group] of fleet.groups.entries()) {
    const { definition, ids, remaining } = group;
    const isEven = remaining === null && group.from === undefined;
    const interval = isEven ? evenInterval(definition) : undefined;
    if (interval !== undefined) {
      for (let index = 0; index < starts.length; index += 1) {
        const first = Math.max(edges[index] as Instant, from);
        const end = Math.min(edges[index + 1] as Instant, to + 1);
        starts[index] = (starts[index] as number) + ids.length * countEven(interval, first, end);
      }
      const even = moments.addEven(interval, ids.length, place);
      ofGroup[place] = even;
      untilTurn -= even;
      if (untilTurn < 0) {
        untilTurn = countsPerTurn;
        await work.yield();
      }
      counted += ids.length;
      continue;
    }
    // Actions that are left are used up from now on.
    const span = remaining === null ? { from, to } : { from: addTime(now, 1), to };
    const takesOne = actionsOf(group);
    const isDone = await visitStarts(group, span, { work, delays }, (at, member) => {
      if (!takesOne(member) || at < from) return;
      const count = member === undefined ? ids.length : 1;
      const index = binOf(edges, at);
      if (index >= 0) starts[index] = (starts[index] as number) + count;
      moments.add(at, count, place);
      ofGroup[place] = (ofGroup[place] as number) + 1;
    });
    if (!isDone) break;
    counted += ids.length;
  }
  await work.yield();
  const most = moments.mostBetween(edges);
  const peaks: LoadPeak[] = [];
  // What always starts makes no peak: those that start seldom are named first.
  const seldomFirst = [...fleet.groups.entries()]
    .sort(
      ([a, one], [b, other]) =>
        (ofGroup[a] as number) - (ofGroup[b] as number) || other.ids.length - one.ids.length,
    )
    .map(([, group]) => group);
  for (const { times, starts: together } of moments.together(mostPeaks)) {
    const at = times[0] as Instant;
    peaks.push({
      at: timeJson(at),
      starts: together,
      schedules: await startingAt(
        seldomFirst,
        { from: at, to: addTime(at, grain - 1) },
        work,
        namedSchedules,
      ),
      times: times.slice(0, mostTimes).map((time) => timeJson(time)),
      count: times.length,
    });
  }
  return {
    from: timeJson(from),
    to: timeJson(to),
    zone,
    bin,
    bins: starts.map((count, index) => ({
      from: timeJson(edges[index] as Instant),
      starts: count,
      most: most[index] as number,
    })),
    moment,
    peaks,
    counted,
    schedules: fleet.schedules,
    ...(spreadIds === undefined ? {} : { spread: spreadIds }),
    computedAt: timeJson(now),
  };
}

/** Called with each start in order of time: whether the schedule has an action left for it. */
function actionsOf({ remaining }: Pick<SpecGroup, 'remaining'>): (member: number | undefined) => boolean {
  if (remaining === null) return () => true;
  const taken = new Map<number | undefined, number>();
  return (member) => {
    const used = taken.get(member) ?? 0;
    taken.set(member, used + 1);
    return used < remaining;
  };
}

/** Some of the schedules that start within the span, in the order of the groups. */
async function startingAt(
  groups: readonly SpecGroup[],
  { from, to }: Span,
  work: SlicedWork,
  named: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const group of groups) {
    const { ids } = group;
    const due = new Set<string>();
    const isDone = await visitStarts(
      group,
      { from, to },
      { work, delays: { left: mostDelays } },
      (_, member) => {
        for (const id of member === undefined ? ids.slice(0, named) : [ids[member] as string]) due.add(id);
      },
    );
    found.push(...[...due].slice(0, named - found.length));
    if (!isDone || found.length >= named) break;
  }
  return found;
}
