/**
 * The coming times in the description of a schedule. While it is paused they show what would happen. There are never
 * more than the remaining actions. They stay the same until the first of them has passed, so they are cached.
 */
import type { Instant } from '../base/time.ts';
import { compiledOf } from '../scheduler/compiled-of.ts';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import type { ScheduleView } from '../scheduler/schedule.ts';
import type { Occurrence } from '../spec/index.ts';
import { timeZoneVersion } from '../spec/index.ts';
import { SlicedWork, unitsPerCheck } from './spec-search.ts';

/** The most times that are shown. */
export const futureTimes = 10;

interface Known {
  readonly since: Instant;
  readonly most: number;
  readonly timeZoneVersion: string;
  readonly times: readonly Occurrence[];
}

/**
 * Cached times by definition. Definitions are immutable and shared; every change, including a pause, makes another
 * object.
 */
const known = new WeakMap<ScheduleDefinition, Known>();

export async function futureOf(view: ScheduleView): Promise<readonly Occurrence[]> {
  const definition = view.child('definition').state;
  const { now } = view;
  const { remaining } = view.state;
  const most = Math.min(futureTimes, remaining ?? futureTimes);
  const before = known.get(definition);
  if (before !== undefined && before.most === most && before.since <= now && !isPast(before, now)) {
    return before.times;
  }
  const times = await search(definition, view, most);
  known.set(definition, { since: now, most, timeZoneVersion: timeZoneVersion(), times });
  return times;
}

function isPast(before: Known, now: Instant): boolean {
  const [first] = before.times;
  return before.timeZoneVersion !== timeZoneVersion() || (first !== undefined && first.actual <= now);
}

/** Searches with the same budget as the check at creation. A list that ends earlier is shown as it is. */
async function search(
  definition: ScheduleDefinition,
  view: ScheduleView,
  most: number,
): Promise<readonly Occurrence[]> {
  const times: Occurrence[] = [];
  const { now } = view;
  // For a schedule that is paused or far behind, only slots that may still wait for their jitter are computed again.
  const pending = now - (definition.spec.jitterMs ?? 0) - 1000;
  const { cursor } = view.child('generator').state;
  const after = definition.paused === null ? (Math.max(cursor, pending) as Instant) : now;
  const walk = compiledOf(definition).walk(after, { seed: definition.seed });
  const work = new SlicedWork({ units: unitsPerCheck });
  while (times.length < most) {
    const found = await work.finish((budget) => walk.next(budget));
    if (found.kind !== 'found') break;
    if (found.actual > now) times.push({ nominal: found.nominal, actual: found.actual });
  }
  return times;
}
