/**
 * What is needed to work out again what a schedule should have done: every stored version of when, how far it has come,
 * and what still waits. One snapshot: the ledger, read afterwards, can only know more.
 */
import type { Instant } from '../base/time.ts';
import type { Engine } from '../engine/engine.ts';
import { readStamp } from '../engine/history.ts';
import type { Pause, SchedulePolicy } from '../scheduler/definition.ts';
import { Definition } from '../scheduler/definition.ts';
import { Schedule } from '../scheduler/schedule.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import type { ListedExecution } from '../store/records.ts';
import type { Store } from '../store/store.ts';

export interface SpecVersion {
  /** The version of the schedule's row that wrote it. */
  readonly stamp: number;
  /** From when it was in force. */
  readonly at: Instant;
  readonly spec: ScheduleSpec;
  readonly policy: SchedulePolicy;
  readonly paused: Pause | null;
  /** The number of actions that was asked for, not what is left of it. */
  readonly remaining: number | null;
  /** What jitter and `H` are derived from. */
  readonly seed: string;
  readonly timeZoneVersion: string;
}

export interface ScheduleHistory {
  readonly incarnation: string;
  /** Everything that was decided by then is in this snapshot. */
  readonly now: Instant;
  readonly createdAt: Instant;
  readonly closedAt: Instant | null;
  readonly incident: string | null;
  /** Every slot up to here has its verdict. */
  readonly cursor: Instant;
  /** Starts whose verdict is `buffered`. */
  readonly waiting: readonly { readonly nominal: Instant; readonly cause: string }[];
  /** Oldest first. */
  readonly versions: readonly SpecVersion[];
}

export interface HistoryMaterial {
  readonly store: Store;
  readonly engine: Engine;
  readonly row: ListedExecution;
  /** Taken before the row was read. */
  readonly now: Instant;
}

export async function readHistory({ store, engine, row, now }: HistoryMaterial): Promise<ScheduleHistory> {
  const { incarnation, createdAt, closedAt, incident } = row;
  const state = await engine.view(Schedule, row, row.key, (view) => ({
    cursor: view.child('generator').state.cursor,
    waiting: view.child('invoker').state.waiting.map(({ nominal, cause }) => ({ nominal, cause })),
  }));
  const parts = await store.parts({ incarnation, name: Definition.name });
  const versions = parts.map(({ stamp, at, data }) => {
    const { spec, policy, paused, remaining, seed, timeZoneVersion } = readStamp(Definition, data);
    return { stamp, at, spec, policy, paused, remaining, seed, timeZoneVersion };
  });
  return { incarnation, now, createdAt, closedAt, incident, ...state, versions };
}
