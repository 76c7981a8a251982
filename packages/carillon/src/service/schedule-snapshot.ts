/** A schedule at one moment, in its stored parts. It is made without copying, because every description needs one. */
import type { Instant } from '../base/time.ts';
import { optionsOf } from '../runs/run.ts';
import type { ChosenStart } from '../scheduler/buffered-start.ts';
import { slotOfRun } from '../scheduler/buffered-start.ts';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import type { ScheduleState, ScheduleView } from '../scheduler/schedule.ts';
import type { Occurrence } from '../spec/index.ts';
import type { ListedExecution, RunRow } from '../store/records.ts';
import type { RecentRun } from './recent-runs.ts';

export interface ScheduleSnapshot {
  readonly namespace: string;
  readonly id: string;
  readonly incarnation: string;
  readonly isClosed: boolean;
  readonly createdAt: Instant;
  readonly incident: string | null;
  /** The definition; the same object until the schedule is changed. */
  readonly definition: ScheduleDefinition;
  readonly state: ScheduleState;
  /** The number of starts that wait for earlier runs to end. */
  readonly waiting: number;
  /** The newest unfinished runs, the oldest of them first. */
  readonly running: readonly ChosenStart[];
  /** The newest finished runs, newest first. */
  readonly recent: readonly RecentRun[];
  readonly future: readonly Occurrence[];
  /** The bytes of the row that every fire rewrites. */
  readonly stateBytes: number;
}

export function snapshotOf(
  view: ScheduleView,
  row: ListedExecution,
  runs: { readonly recent: readonly RecentRun[]; readonly running: readonly RunRow[] },
  future: readonly Occurrence[],
): ScheduleSnapshot {
  const definition = view.child('definition').state;
  const { waiting } = view.child('invoker').state;
  return {
    namespace: row.key.namespace,
    id: row.key.id,
    incarnation: row.incarnation,
    isClosed: row.status === 'closed',
    createdAt: row.createdAt,
    incident: row.incident,
    definition,
    state: view.state,
    waiting: waiting.length,
    running: runs.running.map((run) => slotOfRun(run, optionsOf(run))),
    recent: runs.recent,
    future,
    stateBytes: row.state.length,
  };
}
