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

export function futureOf(definition: ScheduleDefinition, view: ScheduleView): readonly Occurrence[] {
  const { now } = view;
  const { remaining } = view.state;
  const most = Math.min(futureTimes, remaining ?? futureTimes);
  const before = known.get(definition);
  if (before !== undefined && before.most === most && before.since <= now && !isPast(before, now)) {
    return before.times;
  }
  const times = search(definition, view, most);
  known.set(definition, { since: now, most, timeZoneVersion: timeZoneVersion(), times });
  return times;
}

function isPast(before: Known, now: Instant): boolean {
  const [first] = before.times;
  return before.timeZoneVersion !== timeZoneVersion() || (first !== undefined && first.actual <= now);
}

function search(definition: ScheduleDefinition, view: ScheduleView, most: number): readonly Occurrence[] {
  const compiled = compiledOf(definition);
  const times: Occurrence[] = [];
  // Behind by a year or paused: only what may still be waiting out its jitter is looked at again.
  const pending = view.now - (definition.spec.jitterMs ?? 0) - 1000;
  const { cursor } = view.child('generator').state;
  let after = definition.paused === null ? (Math.max(cursor, pending) as Instant) : view.now;
  while (times.length < most) {
    const found = compiled.search(after, { seed: definition.seed });
    if (found.kind !== 'found') break;
    after = found.nominal;
    if (found.actual > view.now) times.push({ nominal: found.nominal, actual: found.actual });
  }
  return times;
}
