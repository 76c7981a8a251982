/**
 * The handler of the demo day. The duration of a run is derived from its slot, so it is the same in every process. The end of
 * a run is stored as its progress, so another process that takes the run over continues it.
 */
import type { Carillon, RunContext } from 'carillon';
import type { Instant } from 'carillon/internal/base';
import { doings, otherwise } from './day-schedules.ts';

/** A planned event of the demo day: what happens in one attempt of a run. */
export interface Scene {
  /** How long the run takes, in ms. */
  readonly takes?: number;
  /** The error with which the attempt fails. Absent when it completes. */
  readonly fails?: string;
}

export interface DayWork {
  readonly now: () => Instant;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The scene of a run; undefined for an ordinary run. */
  readonly sceneOf?: (run: Pick<RunContext, 'schedule' | 'scheduledAt' | 'attempt'>) => Scene | undefined;
  /** Whether the end of a run is stored, so that another process can continue it. Default: for every long run. */
  readonly isKept?: (until: number) => boolean;
}

export const workName = 'demo.work';

/** Shorter runs start from the beginning when another process takes them over. */
const longEnough = 60_000;

/** Call it before `start`, also without the demo: runs of an earlier demo may still wait for the handler. */
export function handleDay(carillon: Carillon, { now, sleep, sceneOf, isKept }: DayWork): void {
  carillon.handle(workName, async (run) => {
    const { schedule, scheduledAt, attempt, progress, signal, heartbeat } = run;
    const scene = sceneOf?.({ schedule, scheduledAt, attempt });
    const until = endOf(progress) ?? now() + (scene?.takes ?? usualLength(schedule ?? '', scheduledAt));
    if (until - now() > longEnough && (isKept?.(until) ?? true)) heartbeat({ until });
    await sleep(Math.max(0, until - now()), signal);
    if (scene?.fails !== undefined) {
      // The next attempt starts from the beginning.
      heartbeat({});
      throw new Error(scene.fails);
    }
    return { items: 20 + (hashOf(`${schedule} ${scheduledAt}`) % 400) };
  });
}

function endOf(progress: unknown): number | undefined {
  const { until } = (progress ?? {}) as { readonly until?: unknown };
  return typeof until === 'number' ? until : undefined;
}

function usualLength(schedule: string, scheduledAt: Instant): number {
  const { usually, spread } = doings[schedule] ?? otherwise;
  return usually + (hashOf(`${scheduledAt} ${schedule}`) % spread);
}

/** FNV-1a: any hash that spreads well would do. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}
