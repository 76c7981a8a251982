import { describe, expect, test } from 'vitest';
import { isTooLate } from '../../packages/carillon/src/ledger/era.ts';
import type { OverlapPolicy } from '../../packages/carillon/src/scheduler/definition.ts';
import { backfillCapacity, generatorReserve } from '../../packages/carillon/src/scheduler/policy/capacity.ts';
import { effectiveWindow } from '../../packages/carillon/src/scheduler/policy/catchup.ts';
import { resolveOverlap } from '../../packages/carillon/src/scheduler/policy/overlap.ts';
import vectors from '../vectors/temporal-spec-vectors.json' with { type: 'json' };

const policyOf: Readonly<Record<string, OverlapPolicy>> = {
  SKIP: 'skip',
  BUFFER_ONE: 'bufferOne',
  BUFFER_ALL: 'bufferAll',
  CANCEL_OTHER: 'cancelOther',
  TERMINATE_OTHER: 'terminateOther',
  ALLOW_ALL: 'allowAll',
};

interface OverlapCase {
  readonly name: string;
  readonly buffer: readonly { readonly id: number; readonly overlapPolicy: string }[];
  readonly running: boolean;
  readonly unspecifiedResolvesTo?: string;
  readonly expect: {
    readonly overlappingStarts: readonly number[];
    readonly nonOverlappingStart: number | null;
    readonly newBuffer: readonly number[];
    readonly needCancel: boolean;
    readonly needTerminate: boolean;
    readonly overlapSkipped?: number;
  };
}

describe("Temporal's overlap vectors", () => {
  test.each(vectors.overlap as readonly OverlapCase[])('$name', (vector) => {
    const waiting = vector.buffer.map(({ id, overlapPolicy }) => {
      const name = overlapPolicy === 'UNSPECIFIED' ? vector.unspecifiedResolvesTo : overlapPolicy;
      return { id, overlap: policyOf[name as string] as OverlapPolicy };
    });
    const decision = resolveOverlap({ waiting, running: vector.running ? 1 : 0, limit: 1 });
    const wanted = vector.expect;
    const ids = (starts: readonly { readonly id: number }[]) => starts.map(({ id }) => id);
    const one = wanted.nonOverlappingStart === null ? [] : [wanted.nonOverlappingStart];
    expect(ids(decision.start)).toEqual([...wanted.overlappingStarts, ...one]);
    expect(ids(decision.keep)).toEqual(wanted.newBuffer);
    const stop = wanted.needTerminate ? 'terminate' : wanted.needCancel ? 'cancel' : 'no';
    expect(decision.stopRunning).toBe(stop);
    if (wanted.overlapSkipped !== undefined) expect(decision.skip).toHaveLength(wanted.overlapSkipped);
    const named = [...decision.start, ...decision.keep, ...decision.skip, ...decision.replaced];
    expect(new Set(named)).toEqual(new Set(waiting));
    expect(named).toHaveLength(waiting.length);
  });
});

describe('beyond the vectors', () => {
  const waitingFor = (...policies: OverlapPolicy[]) => policies.map((overlap, id) => ({ id, overlap }));

  test('a limit of three lets three go and keeps the rest by their policy', () => {
    const waiting = waitingFor('bufferAll', 'bufferAll', 'bufferAll', 'bufferAll');
    const decision = resolveOverlap({ waiting, running: 1, limit: 3 });
    expect(decision.start.map(({ id }) => id)).toEqual([0, 1]);
    expect(decision.keep.map(({ id }) => id)).toEqual([2, 3]);
  });

  test('an allowAll start goes although another one wants the running gone', () => {
    const decision = resolveOverlap({
      waiting: waitingFor('terminateOther', 'allowAll'),
      running: 1,
      limit: 1,
    });
    expect(decision.start.map(({ id }) => id)).toEqual([1]);
    expect(decision.stopRunning).toBe('terminate');
  });

  test('terminate wins over cancel', () => {
    const waiting = waitingFor('terminateOther', 'cancelOther');
    expect(resolveOverlap({ waiting, running: 1, limit: 1 }).stopRunning).toBe('terminate');
    expect(resolveOverlap({ waiting: [...waiting].reverse(), running: 1, limit: 1 }).stopRunning).toBe(
      'terminate',
    );
  });

  test('a replaced start is named, so that it gets a verdict', () => {
    const decision = resolveOverlap({
      waiting: waitingFor('cancelOther', 'cancelOther'),
      running: 0,
      limit: 1,
    });
    expect(decision.replaced.map(({ id }) => id)).toEqual([0]);
    expect(decision.start.map(({ id }) => id)).toEqual([1]);
  });
});

describe("Temporal's backfiller capacity vectors", () => {
  test.each(vectors.backfillerCapacity.cases)('$name', (vector) => {
    const room = backfillCapacity({
      bufferSize: vector.maxBufferSize,
      generatorReserve: vector.generatorReserve,
      // Temporal's buffer also remembers finished actions, which take no room; ours holds only what waits.
      buffered: Math.max(0, vector.bufferedCount - vector.retainedActionCount),
      backfills: vector.backfillerCount,
    });
    expect(room).toBe(vector.want);
  });

  test('a hundred backfills at once still have room each', () => {
    const share = { bufferSize: 1000, generatorReserve, buffered: 0 };
    expect(backfillCapacity({ ...share, backfills: 10 })).toBe(45);
    expect(backfillCapacity({ ...share, backfills: 100 })).toBe(4);
  });
});

describe('catch-up window', () => {
  test('is what was set, and never shorter than the second that counts as on time', () => {
    const windows = [0, 1000, 1001, 10_000].map((catchupWindowMs) => effectiveWindow({ catchupWindowMs }));
    expect(windows).toEqual([1000, 1000, 1001, 10_000]);
  });

  test.each([
    { lateByMs: 60_000, missed: 'all', expected: false },
    { lateByMs: 60_001, missed: 'all', expected: true },
    { lateByMs: 60_001, missed: 'latest', expected: true },
    { lateByMs: 10_000, missed: 'skip', expected: false },
    { lateByMs: 10_001, missed: 'skip', expected: true },
  ] as const)('of a minute: $lateByMs ms late with missed $missed is too late: $expected', (given) => {
    expect(isTooLate({ windowMs: 60_000, ...given })).toBe(given.expected);
  });
});
