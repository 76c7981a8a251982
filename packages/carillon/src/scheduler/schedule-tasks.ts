/** The tasks that wake a schedule. Each task only calls the verb whose time has come. */
import type { Duration } from '../base/time.ts';
import { minute, second } from '../base/time.ts';
import { pureTask, sideEffectTask } from '../engine/task.ts';
import type { RunControl } from '../runs/run-control.ts';
import { auditChange, ownDoor } from './audit.ts';
import { advanceBackfill } from './backfill.ts';
import { advance } from './backfill-verbs.ts';
import { checkSearch, generate } from './generate.ts';
import { generateSlots } from './generator.ts';
import { closeIdle, idleDeadline, planIdle } from './idle.ts';
import { expireWaiting, stopRuns } from './invoker.ts';
import { resume } from './pause.ts';
import { endPause, idleClose, Schedule } from './schedule.ts';
import { processBuffer } from './start.ts';

const generateTask = pureTask({
  ...generateSlots,
  // One per schedule: a change of the next time replaces it.
  singleton: 'replace',
  // A paused schedule has no wake time. Running early or twice is harmless: the cursor decides what is new.
  validate: (generator) => generator.ancestor(Schedule).child('definition').state.paused === null,
  execute: (generator) => {
    const schedule = generator.ancestor(Schedule);
    generate(schedule);
    checkSearch(schedule);
    planIdle(schedule);
  },
});

const expireTask = pureTask({
  ...expireWaiting,
  singleton: 'replace',
  validate: (invoker) => invoker.state.waiting.length > 0,
  execute: (invoker) => {
    const schedule = invoker.ancestor(Schedule);
    processBuffer(schedule);
    planIdle(schedule);
  },
});

const backfillTask = pureTask({
  ...advanceBackfill,
  singleton: 'replace',
  validate: () => true,
  execute: (backfill) => {
    const schedule = backfill.ancestor(Schedule);
    advance(schedule, backfill);
    planIdle(schedule);
  },
});

const idleTask = pureTask({
  ...idleClose,
  singleton: 'replace',
  validate: (schedule, _, due) => idleDeadline(schedule) === due,
  execute: (schedule) => {
    closeIdle(schedule);
  },
});

const endPauseTask = pureTask({
  ...endPause,
  singleton: 'replace',
  validate: (schedule, _, due) => schedule.child('definition').state.paused?.until === due,
  execute: (schedule) => {
    const before = schedule.child('definition').state;
    const note = 'the pause was set to end now';
    resume(schedule, { by: 'timer', note, missed: 'skip' });
    auditChange(schedule, { actor: 'timer', door: ownDoor, note }, 'resume', before);
    planIdle(schedule);
  },
});

/**
 * Asks the run queue to cancel or terminate unfinished runs, again and again until it is acknowledged. Their ends
 * are reported as their completions, never as the result of this task.
 */
const stopRunsTask = (control: RunControl) =>
  sideEffectTask({
    ...stopRuns,
    singleton: 'replace',
    lease: (30 * second) as Duration,
    retry: { attempts: Number.MAX_SAFE_INTEGER, initial: second, longest: minute },
    validate: ({ state: { stopping } }, { how, upTo }) => stopping?.how === how && stopping.upTo === upTo,
    prepare: (invoker) => invoker.ancestor(Schedule).incarnation,
    execute: async ({ payload: { how, upTo }, prepared: incarnation }) => {
      // Temporal's words, which reach its clients.
      const reason = `${how === 'cancel' ? 'cancelled' : 'terminated'} by schedule overlap policy`;
      await control.stopOwned({ incarnation, how, upTo, reason });
    },
    complete: () => undefined,
    exhausted: () => undefined,
  });

export function scheduleTasks(control: RunControl) {
  return [generateTask, expireTask, backfillTask, idleTask, endPauseTask, stopRunsTask(control)];
}
