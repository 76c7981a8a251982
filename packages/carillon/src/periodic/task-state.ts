/**
 * The state of a task, read from its schedule, its ledger and its runs; there are no separate counters. Totals that
 * the schedule keeps are exact since its creation. Totals from the runs and the ledger reach back as far as retention
 * keeps them; `countedSince` says how far.
 */
import type { Instant } from '../base/time.ts';
import type { Carillon } from '../embed/carillon.ts';
import { internalsOf } from '../embed/internals.ts';
import type { Failure } from '../runs/failure.ts';
import type { SlotView } from '../service/journal-view.ts';
import type { RunView } from '../service/run-view.ts';
import { viewRun } from '../service/run-view.ts';
import type { ScheduleDescription } from '../service/schedule-view.ts';

/** The part of the state that needs only a few rows: cheap enough to read after every job. */
export interface TaskBrief {
  readonly id: string;
  readonly status: ScheduleDescription['status'];
  /** False while the task is paused, by code or by a person. */
  readonly enabled: boolean;
  /** The occurrence of the latest job. */
  readonly lastRun: Instant | null;
  /** When the latest job was made. */
  readonly lastRunAt: Instant | null;
  readonly nextRun: Instant | null;
  /** When the newest successful job ended. */
  readonly lastSuccess: Instant | null;
  /** The error of the latest job or of its latest attempt; null after a success. */
  readonly lastError: string | null;
}

export interface TaskState extends TaskBrief {
  /** How late the latest automatic job was made, in ms. */
  readonly lateness: number | null;
  readonly counts: TaskCounts;
}

export interface TaskCounts {
  /** The number of jobs since the task was first seen. */
  readonly runs: number;
  /** The number of occurrences skipped because an earlier job was unfinished, since the task was first seen. */
  readonly skipped: number;
  /** The number of occurrences missed because no process was running in time. */
  readonly missed: number;
  readonly successes: number;
  readonly failures: number;
  /** The time from which `missed`, `successes` and `failures` are counted; null when they are complete. */
  readonly countedSince: Instant | null;
}

/** The most rows read of each kind; retention keeps the same number of runs per schedule. */
const mostRead = 1000;

/** The most unfinished jobs that are checked for the error of an attempt. */
const mostUnfinished = 20;

export const missedVerdicts = ['missedWindow', 'coalesced'] as const;

export async function readTaskBrief(carillon: Carillon, id: string): Promise<TaskBrief & Totals> {
  const { store } = internalsOf(carillon).runtime;
  const schedule = await carillon.schedules.describe(id);
  const { incarnation: owner, status, paused, next, counters, createdAt } = schedule;
  const [newest, success, unfinished] = await Promise.all([
    store.runs({ owner, limit: 1 }),
    store.runs({ owner, outcomes: ['completed'], limit: 1 }),
    store.runs({ owner, states: ['waiting', 'leased'], limit: mostUnfinished }),
  ]);
  const last = newest.items.map(viewRun)[0];
  return {
    id,
    status,
    enabled: paused === null,
    lastRun: last?.scheduledAt ?? null,
    lastRunAt: last?.createdAt ?? null,
    nextRun: next,
    lastSuccess: success.items[0]?.finishedAt ?? null,
    lastError: lastErrorOf(schedule, unfinished.items.map(viewRun)),
    runs: counters.actions,
    skipped: counters.overlapSkipped,
    createdAt,
  };
}

/** The totals that the schedule itself has counted since its creation. */
interface Totals {
  readonly runs: number;
  readonly skipped: number;
  readonly createdAt: Instant;
}

export async function readTaskState(carillon: Carillon, id: string): Promise<TaskState> {
  const { schedules } = carillon;
  const [{ runs: made, skipped, createdAt, ...brief }, { items: runs }, { items: missed }] =
    await Promise.all([
      readTaskBrief(carillon, id),
      schedules.runs(id, { limit: mostRead }),
      schedules.slots(id, { verdict: missedVerdicts, limit: mostRead }),
    ]);
  const automatic = runs.find(({ cause }) => cause === 'auto');
  // The counts are complete as long as every job is still stored.
  const isWhole = runs.length >= made && missed.length < mostRead;
  return {
    ...brief,
    lateness: automatic === undefined ? null : await latenessOf(carillon, id, automatic),
    counts: {
      runs: made,
      skipped,
      missed: total(missed),
      successes: runs.filter(({ outcome }) => outcome === 'completed').length,
      failures: runs.filter(isFailure).length,
      countedSince: isWhole ? null : (runs.at(-1)?.createdAt ?? createdAt),
    },
  };
}

export function isFailure({ outcome }: Pick<RunView, 'outcome'>): boolean {
  return outcome === 'failed' || outcome === 'timedOut';
}

/** The latest error, including that of a failed attempt that will be retried. */
function lastErrorOf(schedule: ScheduleDescription, unfinished: readonly RunView[]): string | null {
  const retried = unfinished.find(({ failure }) => failure !== null);
  const failure = retried?.failure ?? (schedule.lastFailure as Failure | null);
  return failure?.message ?? null;
}

/** The ledger knows when an occurrence with jitter was due. */
async function latenessOf(carillon: Carillon, id: string, run: RunView): Promise<number | null> {
  if (run.scheduledAt === null) return null;
  const { items } = await carillon.schedules.slots(id, {
    from: run.scheduledAt,
    to: run.scheduledAt,
    limit: 10,
  });
  const detail = items.find(({ runId }) => runId === run.id)?.detail ?? null;
  const { actual } = (detail ?? {}) as { readonly actual?: Instant };
  return Math.max(0, run.createdAt - (actual ?? run.scheduledAt));
}

function total(rows: readonly SlotView[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}
