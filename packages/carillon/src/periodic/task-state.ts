/**
 * What has become of a task, read from the schedule, its ledger and its runs: nothing is counted a second time. Totals that
 * the schedule itself keeps are exact since its creation; those that only its runs and its ledger know reach back as
 * far as retention, which `countedSince` tells.
 */
import type { Instant } from '../base/time.ts';
import type { Carillon } from '../embed/carillon.ts';
import { internalsOf } from '../embed/internals.ts';
import type { Failure } from '../runs/failure.ts';
import type { SlotView } from '../service/journal-view.ts';
import type { RunView } from '../service/run-view.ts';
import { viewRun } from '../service/run-view.ts';
import type { ScheduleDescription } from '../service/schedule-view.ts';

/** What a handful of rows tell: cheap enough to be read after every job. */
export interface TaskBrief {
  readonly id: string;
  readonly status: ScheduleDescription['status'];
  /** False while it is paused, by code or by a person. */
  readonly enabled: boolean;
  /** The occurrence of the latest job, and when that job was made. */
  readonly lastRun: Instant | null;
  readonly lastRunAt: Instant | null;
  readonly nextRun: Instant | null;
  /** When the newest job that succeeded did so. */
  readonly lastSuccess: Instant | null;
  /** Of the latest job, or of its latest attempt; null after a success. */
  readonly lastError: string | null;
}

export interface TaskState extends TaskBrief {
  /** How long after it was due the latest automatic job was made, in ms. */
  readonly lateness: number | null;
  readonly counts: TaskCounts;
}

export interface TaskCounts {
  /** Jobs made since the task was first seen. */
  readonly runs: number;
  /** Occurrences skipped because an earlier job was unfinished, since it was first seen. */
  readonly skipped: number;
  /** Occurrences that nobody was there for, in time. */
  readonly missed: number;
  readonly successes: number;
  readonly failures: number;
  /** Null: `missed`, `successes` and `failures` are complete. Otherwise they count from there. */
  readonly countedSince: Instant | null;
}

/** Rows read of each kind; also what retention keeps of the runs of one schedule. */
const mostRead = 1000;

/** Jobs under way that are looked at for the error of an attempt. */
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

/** What the schedule itself has counted since its creation. */
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
  // Complete, as long as every job that was made is still there to be counted.
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

/** An attempt that failed and will be repeated is news too. */
function lastErrorOf(schedule: ScheduleDescription, unfinished: readonly RunView[]): string | null {
  const retried = unfinished.find(({ failure }) => failure !== null);
  const failure = retried?.failure ?? (schedule.lastFailure as Failure | null);
  return failure?.message ?? null;
}

/** The ledger says when a jittered occurrence was due. */
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
