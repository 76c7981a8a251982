/** Rows and views as JSON for HTTP clients: times in RFC 3339, stored JSON parsed, internal fields left out. */

import type { Instant } from '../base/time.ts';
import { formatInstant } from '../base/time.ts';
import type { BufferedStart } from '../scheduler/buffered-start.ts';
import type { Pause } from '../scheduler/definition.ts';
import type { Explanation } from '../scheduler/explain.ts';
import type { Occurrence } from '../spec/index.ts';
import type { AuditRow, RunRow, SlotRow } from '../store/records.ts';
import type { Page } from '../store/store.ts';
import { viewAudit, viewSlot } from './journal-view.ts';
import type { AttemptView } from './run-attempts.ts';
import type { LogLineView } from './run-log.ts';
import type { Included, RunView } from './run-view.ts';
import { runViewer, viewRun } from './run-view.ts';
import type { ScheduleHistory } from './schedule-history.ts';
import type { ScheduleDescription, ScheduleSummary } from './schedule-view.ts';

export function timeJson(at: Instant): string;
export function timeJson(at: Instant | null): string | null;
export function timeJson(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}

export function pageJson<T, J>(page: Page<T>, json: (item: T) => J) {
  return { items: page.items.map(json), next: page.next };
}

export function summaryJson(schedule: ScheduleSummary) {
  return { ...schedule, ...scheduleTimes(schedule) };
}

export function scheduleJson(schedule: ScheduleDescription) {
  const { future, waiting, running, recent, backfills } = schedule;
  return {
    ...schedule,
    ...scheduleTimes(schedule),
    future: future.map(occurrenceJson),
    waiting: waiting.map(startJson),
    running: running.map(startJson),
    recent: recent.map(startJson),
    backfills: backfills.map((backfill) => ({
      ...backfill,
      from: timeJson(backfill.from),
      to: timeJson(backfill.to),
      createdAt: timeJson(backfill.createdAt),
    })),
  };
}

function scheduleTimes(schedule: ScheduleSummary | ScheduleDescription) {
  const { paused, createdAt, updatedAt, closedAt, closesAt, next } = schedule;
  return {
    paused: paused === null ? null : pauseJson(paused),
    createdAt: timeJson(createdAt),
    updatedAt: timeJson(updatedAt),
    closedAt: timeJson(closedAt),
    closesAt: timeJson(closesAt),
    next: timeJson(next),
  };
}

function pauseJson({ at, by, note, until }: Pause) {
  return { at: timeJson(at), by, note, until: until === undefined ? null : timeJson(until) };
}

export function occurrenceJson({ nominal, actual }: Occurrence) {
  return { nominal: timeJson(nominal), actual: timeJson(actual) };
}

function startJson(start: BufferedStart) {
  const { nominal, actual, cause, manual, state } = start;
  return {
    nominal: timeJson(nominal),
    actual: timeJson(actual),
    cause,
    manual,
    state,
    runId: 'runId' in start ? start.runId : null,
    attempt: 'attempt' in start ? start.attempt : null,
    startedAt: 'startedAt' in start ? timeJson(start.startedAt) : null,
    finishedAt: 'finishedAt' in start ? timeJson(start.finishedAt) : null,
    outcome: 'outcome' in start ? start.outcome : null,
  };
}

export function runJson(run: RunRow | RunView) {
  const view = 'leaseToken' in run ? viewRun(run) : run;
  return {
    ...view,
    scheduledAt: timeJson(view.scheduledAt),
    dueAt: timeJson(view.dueAt),
    createdAt: timeJson(view.createdAt),
    availableAt: timeJson(view.availableAt),
    startedAt: timeJson(view.startedAt),
    finishedAt: timeJson(view.finishedAt),
    freedAt: timeJson(view.freedAt),
  };
}

export function attemptJson({ startedAt, finishedAt, ...attempt }: AttemptView) {
  return { ...attempt, startedAt: timeJson(startedAt), finishedAt: timeJson(finishedAt) };
}

export type AttemptJson = ReturnType<typeof attemptJson>;

/** A page of runs, with their payloads if included. */
export function runPageJson(page: Page<RunRow>, include: Included | undefined) {
  const view = runViewer(include);
  return pageJson(page, (run) => runJson(view(run)));
}

export function logLineJson({ at, ...line }: LogLineView) {
  return { ...line, at: timeJson(at) };
}

export function slotJson(row: SlotRow) {
  const slot = viewSlot(row);
  return {
    ...slot,
    nominal: timeJson(slot.nominal),
    until: timeJson(slot.until),
    at: timeJson(slot.at),
  };
}

export function explanationJson(explanation: Explanation) {
  const { at, decidedAt, run, previous, next } = explanation;
  return {
    ...explanation,
    at: timeJson(at),
    decidedAt: timeJson(decidedAt),
    run: run === null ? null : runJson(run),
    previous: timeJson(previous),
    next: timeJson(next),
  };
}

export function historyJson({
  now,
  createdAt,
  closedAt,
  cursor,
  waiting,
  versions,
  ...rest
}: ScheduleHistory) {
  return {
    ...rest,
    now: timeJson(now),
    createdAt: timeJson(createdAt),
    closedAt: timeJson(closedAt),
    cursor: timeJson(cursor),
    waiting: waiting.map(({ nominal, cause }) => ({ nominal: timeJson(nominal), cause })),
    versions: versions.map(({ at, paused, ...version }) => ({
      ...version,
      at: timeJson(at),
      paused: paused === null ? null : pauseJson(paused),
    })),
  };
}

export function auditJson(row: AuditRow) {
  const entry = viewAudit(row);
  return { ...entry, at: timeJson(entry.at) };
}

export type SummaryJson = ReturnType<typeof summaryJson>;
export type ScheduleJson = ReturnType<typeof scheduleJson>;
export type OccurrenceJson = ReturnType<typeof occurrenceJson>;
export type RunJson = ReturnType<typeof runJson>;
export type LogLineJson = ReturnType<typeof logLineJson>;
export type SlotJson = ReturnType<typeof slotJson>;
export type ExplanationJson = ReturnType<typeof explanationJson>;
export type HistoryJson = ReturnType<typeof historyJson>;
export type AuditJson = ReturnType<typeof auditJson>;

/** The types of the answers over HTTP; times are RFC 3339 texts. */
export interface JsonViews {
  readonly schedule: ScheduleJson;
  readonly summary: SummaryJson;
  readonly occurrence: OccurrenceJson;
  readonly explanation: ExplanationJson;
  readonly history: HistoryJson;
  readonly slot: SlotJson;
  readonly run: RunJson;
  readonly line: LogLineJson;
  readonly audit: AuditJson;
}
