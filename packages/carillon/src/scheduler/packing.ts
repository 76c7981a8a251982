/**
 * How the hot components of a schedule are written: lists instead of named fields, defaults left away. Every fire writes
 * them, so this halves its bytes. The forms are persisted; golden files keep them readable.
 */
import type { Instant } from '../base/time.ts';
import type { Packing } from '../engine/component.ts';
import type { ChosenStart } from './buffered-start.ts';
import type { GeneratorState } from './generator.ts';
import type { InvokerState } from './invoker.ts';
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
];

export const schedulePacking: Packing<ScheduleState> = {
  pack: ({
    token,
    updatedAt,
    lastEventAt,
    remaining,
    failures,
    causes,
    closed,
    counters,
  }): PackedSchedule => [
    token,
    updatedAt,
    lastEventAt,
    remaining,
    failures,
    causes,
    closed,
    counters.actions,
    counters.overlapSkipped,
    counters.missedCatchupWindow,
    counters.bufferDropped,
  ],
  unpack: (packed) => {
    const stored = packed as PackedSchedule;
    return {
      token: stored[0],
      updatedAt: stored[1],
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

/** The due time and the stop request are written only when they say something. */
type PackedStart = readonly [
  runId: string,
  nominal: Instant,
  cause: string,
  manual: 0 | 1,
  workflowId: string,
  startedAt: Instant,
  jitter?: number,
  stop?: ChosenStart['stop'],
];

function packStart(start: ChosenStart): PackedStart {
  const { runId, nominal, actual, cause, manual, workflowId, startedAt, stop } = start;
  const common = [runId, nominal, cause, manual ? 1 : 0, workflowId, startedAt] as const;
  if (stop !== 'no') return [...common, actual - nominal, stop];
  return actual === nominal ? common : [...common, actual - nominal];
}

function unpackStart(packed: PackedStart): ChosenStart {
  const [runId, nominal, cause, manual, workflowId, startedAt, jitter = 0, stop = 'no'] = packed;
  const actual = (nominal + jitter) as Instant;
  return { nominal, actual, cause, manual: manual === 1, runId, workflowId, startedAt, stop };
}

type PackedInvoker = readonly [running?: readonly PackedStart[], waiting?: InvokerState['waiting']];

function packInvoker({ running, waiting }: InvokerState): PackedInvoker {
  if (waiting.length > 0) return [running.map(packStart), waiting];
  return running.length > 0 ? [running.map(packStart)] : [];
}

export const invokerPacking: Packing<InvokerState> = {
  pack: packInvoker,
  unpack: (packed) => {
    const [running = [], waiting = []] = packed as PackedInvoker;
    return { waiting, running: running.map(unpackStart) };
  },
};
