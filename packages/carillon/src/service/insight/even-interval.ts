/** Specs that are one even interval and nothing else: their times are counted, not walked over, however many they are. */
import type { ScheduleDefinition } from '../../scheduler/definition.ts';

export interface EvenInterval {
  readonly every: number;
  readonly phase: number;
}

export function evenInterval({ spec }: Pick<ScheduleDefinition, 'spec'>): EvenInterval | undefined {
  const { intervals = [], zone: _, ...rest } = spec;
  const [interval] = intervals;
  const hasMore = Object.values(rest).some((value) => value !== undefined);
  if (interval === undefined || intervals.length > 1 || hasMore) return undefined;
  const whole = (ms: number) => Math.trunc(ms / 1000) * 1000;
  return { every: whole(interval.everyMs), phase: whole(interval.phaseMs ?? 0) };
}

/** The times from `from` up to, and without, `to`. */
export function countEven({ every, phase }: EvenInterval, from: number, to: number): number {
  return Math.max(0, Math.ceil((to - phase) / every) - Math.ceil((from - phase) / every));
}
