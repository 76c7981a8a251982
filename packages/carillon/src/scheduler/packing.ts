/**
 * How the hot components of a schedule are written: lists instead of named fields, without defaults. Every fire writes
 * them, so this halves its bytes. The forms are persisted; golden files keep them readable.
 */
import type { Instant } from '../base/time.ts';
import type { Packing } from '../engine/component.ts';
import type { GeneratorState } from './generator.ts';
import type { InvokerState, StopRequest } from './invoker.ts';
import type { ScheduleState } from './schedule.ts';

type PackedSchedule = readonly [
  token: number,
  updatedAt: Instant,
  lastEventAt: Instant,
  remaining: number | null,
  failures: number,
  causes: number,
  closed: ScheduleState['closed'],
  actions: number,
  overlapSkipped: number,
  missedCatchupWindow: number,
  bufferDropped: number,
  replacedAt?: Instant | null,
  skips?: number,
];

function packSchedule(state: ScheduleState): PackedSchedule {
  const { token, updatedAt, lastEventAt, remaining, failures, causes, closed, counters, replacedAt, skips } =
    state;
  const { actions, overlapSkipped, missedCatchupWindow, bufferDropped } = counters;
  const counted = [actions, overlapSkipped, missedCatchupWindow, bufferDropped] as const;
  const packed = [token, updatedAt, lastEventAt, remaining, failures, causes, closed, ...counted] as const;
  if (skips !== undefined) return [...packed, replacedAt ?? null, skips];
  return replacedAt === undefined ? packed : [...packed, replacedAt];
}

export const schedulePacking: Packing<ScheduleState> = {
  pack: packSchedule,
  unpack: (packed) => {
    const stored = packed as PackedSchedule;
    const replacedAt = stored[11] ?? undefined;
    const skips = stored[12];
    return {
      token: stored[0],
      updatedAt: stored[1],
      ...(replacedAt === undefined ? {} : { replacedAt }),
      closed: stored[6],
      remaining: stored[3],
      failures: stored[4],
      lastEventAt: stored[2],
      causes: stored[5],
      counters: {
        actions: stored[7],
        overlapSkipped: stored[8],
        missedCatchupWindow: stored[9],
        bufferDropped: stored[10],
      },
      ...(skips === undefined ? {} : { skips }),
    };
  },
};

type PackedGenerator = readonly [
  cursor: Instant,
  next: Instant | null,
  stretch?: GeneratorState['stretch'],
  eras?: GeneratorState['eras'],
  pass?: readonly [reached: Instant, spent: number, ranAs: Instant | null],
];

function packGenerator({ cursor, next, stretch, eras, pass }: GeneratorState): PackedGenerator {
  if (pass !== null) return [cursor, next, stretch, eras, [pass.reached, pass.spent, pass.ranAs]];
  if (eras.length > 0) return [cursor, next, stretch, eras];
  return stretch === null ? [cursor, next] : [cursor, next, stretch];
}

export const generatorPacking: Packing<GeneratorState> = {
  pack: packGenerator,
  unpack: (packed) => {
    const [cursor, next, stretch = null, eras = [], pass] = packed as PackedGenerator;
    if (pass === undefined) return { cursor, next, eras, stretch, pass: null };
    const [reached, spent, ranAs] = pass;
    return { cursor, next, eras, stretch, pass: { reached, spent, ranAs } };
  },
};

/** Drops trailing values that are 0, empty or null. */
type PackedInvoker = readonly [
  starts?: number,
  open?: number,
  newest?: readonly (readonly [runId: string, workflowId: string])[],
  waiting?: InvokerState['waiting'],
  stopping?: StopRequest | null,
  lastStart?: Instant | null,
  lastEnd?: Instant,
];

function packInvoker(state: InvokerState): PackedInvoker {
  const { starts, open, newest, waiting, stopping, lastStart, lastEnd } = state;
  if (starts === 0 && waiting.length === 0) return [];
  const runs = newest.map(({ runId, workflowId }) => [runId, workflowId] as const);
  if (lastEnd !== undefined) return [starts, open, runs, waiting, stopping, lastStart ?? null, lastEnd];
  if (lastStart !== undefined) return [starts, open, runs, waiting, stopping, lastStart];
  if (stopping !== null) return [starts, open, runs, waiting, stopping];
  if (waiting.length > 0) return [starts, open, runs, waiting];
  return open === 0 ? [starts] : [starts, open, runs];
}

export const invokerPacking: Packing<InvokerState> = {
  pack: packInvoker,
  unpack: (packed) => {
    const [starts = 0, open = 0, runs = [], waiting = [], stopping = null, lastStart = null, lastEnd] =
      packed as PackedInvoker;
    const newest = runs.map(([runId, workflowId]) => ({ runId, workflowId }));
    const state = { waiting, open, newest, starts, stopping };
    return {
      ...state,
      ...(lastStart === null ? {} : { lastStart }),
      ...(lastEnd === undefined ? {} : { lastEnd }),
    };
  },
};
