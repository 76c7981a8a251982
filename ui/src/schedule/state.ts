/** The state of a schedule beside its name. Pure. */
import type { ScheduleJson } from 'carillon/client';
import type { Look } from '../verdict/verdict.ts';
import { untakenMs } from '../verdict/verdict.ts';

const overdueMs = 15_000;

export function lookOfSchedule(
  {
    status,
    next,
    running,
    waiting,
    failures,
  }: Pick<ScheduleJson, 'status' | 'next' | 'running' | 'waiting' | 'failures'>,
  now: number,
): Look | undefined {
  if (status === 'closed') return 'afterEnd';
  if (status === 'quarantined') return 'quarantined';
  if (status === 'paused') return 'paused';
  if (running.some(({ startedAt, actual }) => startedAt === null && now - Date.parse(actual) > untakenMs)) {
    return 'untaken';
  }
  if (running.length > 0) return 'running';
  if (failures > 0) return 'failed';
  if (next !== null && now - Date.parse(next) > overdueMs) return 'overdue';
  if (waiting.length > 0) return 'buffered';
  return status === 'ended' ? 'afterEnd' : undefined;
}
