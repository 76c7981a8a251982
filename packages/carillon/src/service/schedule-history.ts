/**
 * The data to recompute what a schedule should have done: every stored version of its spec, how far it has come, and
 * the waiting starts. It is one snapshot; a ledger that is read afterwards can only be newer.
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
  /** The version of the schedule's row that wrote this spec. */
  readonly stamp: number;
  /** The time from which the version was in force. */
  readonly at: Instant;
  readonly spec: ScheduleSpec;
  readonly policy: SchedulePolicy;
  readonly paused: Pause | null;
  /** The requested number of actions, not the remaining one. */
  readonly remaining: number | null;
  /** The seed of jitter and `H`. */
  readonly seed: string;
  readonly timeZoneVersion: string;
}

export interface ScheduleHistory {
  readonly incarnation: string;
  /** The time of the snapshot; it contains everything decided before. */
  readonly now: Instant;
  readonly createdAt: Instant;
  readonly closedAt: Instant | null;
  readonly incident: string | null;
  /** Every slot up to this time has its verdict. */
  readonly cursor: Instant;
  /** The starts whose verdict is `buffered`. */
  readonly waiting: readonly { readonly nominal: Instant; readonly cause: string }[];
  /** The versions, oldest first. */
  readonly versions: readonly SpecVersion[];
}

export interface HistoryMaterial {
  readonly store: Store;
  readonly engine: Engine;
  readonly row: ListedExecution;
  /** The time just before the row was read. */
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
