/** The last twenty slots of a schedule: a run is a bar as high as its duration, a slot that did not run is its mark. */
import type { Look } from '../verdict/verdict.ts';
import { isLook, lookOfRun, ran } from '../verdict/verdict.ts';

export interface StripSlotAnswer {
  readonly at: string;
  readonly verdict: string;
  readonly count?: number;
  readonly cause?: string;
  readonly run?: {
    readonly id: string;
    readonly state: string;
    readonly outcome?: string;
    readonly tookMs?: number;
    readonly untaken?: boolean;
    readonly replaced?: boolean;
  };
  readonly forgotten?: boolean;
}

export interface StripAnswer {
  readonly slots: readonly StripSlotAnswer[];
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

export interface Place {
  readonly look: Look;
  /** 0 to 1: the duration relative to the schedule's 95th percentile. */
  readonly height: number;
}

export const places = 20;

export function lookOfSlot({
  verdict,
  run,
  forgotten,
}: Pick<StripSlotAnswer, 'verdict' | 'run' | 'forgotten'>): Look {
  if (forgotten === true) return 'outcomeForgotten';
  if ((verdict === 'started' || verdict === 'startedLate') && run !== undefined) {
    const look = lookOfRun({ ...run, outcome: run.outcome ?? null });
    return look === 'started' ? verdict : look;
  }
  return isLook(verdict) ? verdict : 'notInSpec';
}

/** The newest is the last. */
export function placesOf({ slots, p95Ms }: StripAnswer): readonly Place[] {
  const all = slots.flatMap((slot): Place[] => {
    const look = lookOfSlot(slot);
    const took = slot.run?.tookMs;
    const height = took === undefined || p95Ms === null || p95Ms === 0 ? 0.45 : Math.min(1, took / p95Ms);
    return Array.from({ length: Math.min(slot.count ?? 1, places) }, () => ({ look, height }));
  });
  return all.slice(-places);
}

/** `17 of 20 ran; latest: skipped` */
export function stripText(shown: readonly Place[], word: (look: Look) => string): string {
  const latest = shown.at(-1);
  if (latest === undefined) return 'No slot yet';
  const count = shown.filter(({ look }) => ran(look)).length;
  return `${count} of ${shown.length} ran; latest: ${word(latest.look).toLowerCase()}`;
}
