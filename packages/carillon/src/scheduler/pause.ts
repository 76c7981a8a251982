/** Pausing and resuming. Slots that fall into a pause are accounted for when it ends, however it ends. */
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
  // What was due before the pause is not the pause's to swallow.
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
  // Starts of the schedule's own that were waiting give way now, with the pause as their reason.
  processBuffer(schedule);
}

export interface ResumeRequest {
  readonly by: string;
  readonly note: string;
  /** What to do with the slots of the pause. */
  readonly missed: MissedPolicy;
}

export function resume(schedule: ScheduleNode, { note, missed }: ResumeRequest): void {
  const definition = schedule.child('definition');
  const { paused } = definition.state;
  definition.set({ ...definition.state, paused: null, note });
  // Whoever resumes has seen the failures; only those that follow count towards the next pause.
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
