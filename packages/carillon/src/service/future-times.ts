/**
 * The coming times shown with a schedule. Also while it is paused: they show what would happen. Never more than the
 * actions left. They stay the same until the first of them has come, so that asking again costs nothing.
 */
import type { Instant } from '../base/time.ts';
import { compiledOf } from '../scheduler/compiled-of.ts';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import type { ScheduleView } from '../scheduler/schedule.ts';
import type { Occurrence } from '../spec/index.ts';
import { timeZoneVersion } from '../spec/index.ts';
import { SlicedWork, unitsPerCheck } from './spec-search.ts';

/** How many are shown at most. */
export const futureTimes = 10;

interface Known {
  readonly since: Instant;
  readonly most: number;
  readonly timeZoneVersion: string;
  readonly times: readonly Occurrence[];
}

/** Definitions are immutable and shared; a change, a pause included, is another object. */
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

/** What is found with the work that the spec was accepted with; a list that ends earlier is shown as it is. */
async function search(
  definition: ScheduleDefinition,
  view: ScheduleView,
  most: number,
): Promise<readonly Occurrence[]> {
  const times: Occurrence[] = [];
  const { now } = view;
  // Behind by a year or paused: only what may still be waiting out its jitter is looked at again.
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
