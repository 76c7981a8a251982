/**
 * The handler of the demo day. How long a run takes follows from its slot, so it is the same in every process; a run that is
 * taken over by another process goes on where it was, because its end is part of its progress.
 */
import type { Carillon, RunContext } from 'carillon';
import type { Instant } from 'carillon/internal/base';
import { doings, otherwise } from './day-schedules.ts';

/** What a scene of the day makes of a run. */
export interface Scene {
  /** How long the run takes, in ms. */
  readonly takes?: number;
  /** Why this attempt fails; absent: it completes. */
  readonly fails?: string;
}

export interface DayWork {
  readonly now: () => Instant;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The scene of a run; undefined: an ordinary one. */
  readonly sceneOf?: (run: Pick<RunContext, 'schedule' | 'scheduledAt' | 'attempt'>) => Scene | undefined;
  /** Whether another process may have to go on with a run that lasts until then; default: with every run that is long enough. */
  readonly isKept?: (until: number) => boolean;
}

export const workName = 'demo.work';

/** Shorter runs begin anew when another process takes them over. */
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
      // The next attempt begins anew.
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
