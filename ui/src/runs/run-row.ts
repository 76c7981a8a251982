/** A run as lists show it. Pure. */
import type { RunJson } from 'carillon/client';
import { lengthText } from '../time/text.ts';
import type { Look } from '../verdict/verdict.ts';
import { lookOfRun } from '../verdict/verdict.ts';

export interface RunRow {
  readonly look: Look;
  /** Milliseconds between its time and its start; null when it has not started, or has no time of its own. */
  readonly lateMs: number | null;
  readonly tookMs: number | null;
  readonly byHand: string | null;
}

type Shown = Pick<RunJson, 'state' | 'outcome' | 'scheduledAt' | 'startedAt' | 'finishedAt' | 'cause'>;

export function runRowOf(run: Shown, now: number): RunRow {
  const started = run.startedAt === null ? null : Date.parse(run.startedAt);
  const ended = run.finishedAt === null ? now : Date.parse(run.finishedAt);
  const isByHand = run.cause !== null && run.cause !== 'auto';
  return {
    look: lookOfRun(run),
    lateMs:
      started === null || run.scheduledAt === null
        ? null
        : Math.max(0, started - Date.parse(run.scheduledAt)),
    tookMs: started === null ? null : Math.max(0, ended - started),
    byHand: isByHand ? causeText(run.cause ?? '') : null,
  };
}

/** `trigger-…` and `backfill-…` are ids; what they are is enough here. */
export function causeText(cause: string): string {
  if (cause.startsWith('trigger')) return 'by hand';
  if (cause.startsWith('backfill')) return 'backfill';
  if (cause === 'auto') return "the schedule's own";
  return cause;
}

export function lateText(lateMs: number | null): string {
  if (lateMs === null) return '';
  return lateMs < 1000 ? 'on time' : `${lengthText(lateMs)} late`;
}
