/** A run as lists show it. Pure. */
import type { RunJson } from 'carillon/client';
import { lengthText } from '../time/text.ts';
import type { Look } from '../verdict/verdict.ts';
import { lookOfRunAt } from '../verdict/verdict.ts';

export interface RunRow {
  readonly look: Look;
  /**
   * Milliseconds between the due time of the run, jitter included, and its start; null when it has not started or has no due time.
   * Runs of a backfill are not late, because a person chose when to run them.
   */
  readonly lateMs: number | null;
  /** The milliseconds that jitter added to the nominal time. */
  readonly jitterMs: number;
  readonly tookMs: number | null;
  readonly byHand: string | null;
}

type Shown = Pick<
  RunJson,
  | 'state'
  | 'outcome'
  | 'scheduledAt'
  | 'dueAt'
  | 'availableAt'
  | 'startedAt'
  | 'finishedAt'
  | 'cause'
  | 'failure'
>;

export function runRowOf(run: Shown, now: number): RunRow {
  const started = run.startedAt === null ? null : Date.parse(run.startedAt);
  const ended = run.finishedAt === null ? now : Date.parse(run.finishedAt);
  const isByHand = run.cause !== null && run.cause !== 'auto';
  const slot = run.scheduledAt === null ? null : Date.parse(run.scheduledAt);
  const due = run.dueAt === null ? slot : Date.parse(run.dueAt);
  return {
    look: lookOfRunAt(run, now),
    lateMs: started === null || due === null || isByHand ? null : Math.max(0, started - due),
    jitterMs: slot === null || due === null || isByHand ? 0 : due - slot,
    tookMs: started === null ? null : Math.max(0, ended - started),
    byHand: isByHand ? causeText(run.cause ?? '') : null,
  };
}

/** A cause in a word or two, without the id in `trigger:…` and `backfill:…`. */
export function causeText(cause: string): string {
  if (cause.startsWith('trigger')) return 'by hand';
  if (cause.startsWith('backfill')) return 'backfill';
  if (cause === 'auto') return "the schedule's own";
  const [part, name] = cause.split('/');
  if ((part === 'producer' || part === 'consumer') && name !== undefined) return `${part} ${name}`;
  return cause;
}

export function lateText({ lateMs, jitterMs }: Pick<RunRow, 'lateMs' | 'jitterMs'>): string {
  if (lateMs === null) return '';
  if (lateMs >= 1000) return `${lengthText(lateMs)} late`;
  return jitterMs === 0 ? 'on time' : `on time, ${lengthText(jitterMs)} of jitter`;
}
