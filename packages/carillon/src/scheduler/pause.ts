/** Pausing and resuming. Slots of a pause get their verdict when it ends, however it ends. */
import type { Instant } from '../base/time.ts';
import type { MissedPolicy, Pause } from './definition.ts';
import { generate } from './generate.ts';
import type { ScheduleNode } from './schedule.ts';
import { endPause } from './schedule.ts';
import { processBuffer } from './start.ts';

export interface PauseRequest {
  readonly by: string;
  readonly note: string;
  readonly until?: Instant;
}

export function pause(schedule: ScheduleNode, { by, note, until }: PauseRequest): void {
  const definition = schedule.child('definition');
  // Slots that were due before the pause do not belong to it.
  generate(schedule);
  const before = definition.state.paused;
  const paused: Pause = {
    at: before?.at ?? schedule.now,
    by,
    note,
    ...(until === undefined ? {} : { until }),
  };
  definition.set({ ...definition.state, paused, note });
  if (until !== undefined) schedule.schedule(endPause, null, until);
  generate(schedule);
  // Waiting starts of the schedule's own cause are dropped now, with the pause as their reason.
  processBuffer(schedule);
}

export interface ResumeRequest {
  readonly by: string;
  readonly note: string;
  /** What happens to the slots of the pause. */
  readonly missed: MissedPolicy;
}

export function resume(schedule: ScheduleNode, { note, missed }: ResumeRequest): void {
  const definition = schedule.child('definition');
  const { paused } = definition.state;
  definition.set({ ...definition.state, paused: null, note });
  // The person who resumes has seen the failures; only later failures count towards the next pause.
  if (schedule.state.failures > 0) schedule.set({ ...schedule.state, failures: 0 });
  if (paused !== null) {
    const generator = schedule.child('generator');
    const rule = missed === 'skip' ? 'paused' : missed;
    const era = { until: schedule.now, rule, by: paused.by, note: paused.note, since: paused.at } as const;
    generator.set({ ...generator.state, eras: [...generator.state.eras, era] });
  }
  generate(schedule);
  processBuffer(schedule);
}
