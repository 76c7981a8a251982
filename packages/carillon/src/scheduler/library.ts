/** The library of the schedule archetype. */

import { given } from '../base/given.ts';
import type { Library } from '../engine/library.ts';
import { defineLibrary } from '../engine/library.ts';
import type { Settings } from '../engine/setting.ts';
import type { RunControl } from '../runs/run-control.ts';
import type { Attributes } from '../store/records.ts';
import { runFinished } from './completion.ts';
import { Definition } from './definition.ts';
import { idleDeadline, isEnded } from './idle.ts';
import type { ScheduleView } from './schedule.ts';
import { Schedule, skipCount } from './schedule.ts';
import { scheduleTasks } from './schedule-tasks.ts';

export const scheduleArchetype = 'schedule';

export function scheduleLibrary(control: RunControl, settings?: Settings): Library<typeof Schedule> {
  return defineLibrary({
    name: scheduleArchetype,
    root: Schedule,
    tasks: scheduleTasks(control),
    runFinished,
    visibility: { attributes, sources: [Definition], signals },
    ...given({ settings }),
  });
}

/** Custom attributes have their own names; ours begin with a dollar sign, so they cannot collide. */
function attributes(schedule: ScheduleView): Attributes {
  const {
    action,
    owner,
    tags,
    paused,
    attributes: custom,
    description,
    note,
    spec,
  } = schedule.child('definition').state;
  const crons = (spec.cron ?? []).map(({ text }) => text);
  const words = [schedule.key.id, action.name, owner, description, note, ...tags, ...crons, spec.zone ?? ''];
  return {
    ...custom,
    $name: action.name,
    $queue: action.queue,
    $kind: action.kind,
    $owner: owner,
    $tags: tags,
    $paused: paused !== null,
    $text: words.join(' ').toLowerCase(),
  };
}

function signals(schedule: ScheduleView): Readonly<Record<string, number>> {
  const { waiting, open: $running } = schedule.child('invoker').state;
  const { next } = schedule.child('generator').state;
  const { failures, remaining } = schedule.state;
  const $buffered = waiting.length;
  const skips = skipCount(schedule.state);
  // Set only where there is one: nearly all schedules never skip.
  const skipping = skips === 0 ? {} : { $skips: skips };
  if (next !== null && remaining !== 0)
    return { $next: next, $running, $buffered, $failures: failures, ...skipping };
  const closes = idleDeadline(schedule);
  return {
    $running,
    $buffered,
    $failures: failures,
    ...skipping,
    // Set only for schedules that end: others would repeat the same value with every fire.
    ...(isEnded(schedule) ? { $ended: 1 } : {}),
    ...(closes === undefined ? {} : { $closes: closes }),
  };
}
