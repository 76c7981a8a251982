import { describe, expect, test } from 'vitest';
import { InvariantViolation } from '../../packages/carillon/src/base/assert.ts';
import { longestMessage } from '../../packages/carillon/src/base/failure.ts';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { addTime, instant } from '../../packages/carillon/src/base/time.ts';
import { chooseClaims } from '../../packages/carillon/src/runs/claim-choice.ts';
import { conclusionOfResult } from '../../packages/carillon/src/runs/conclusion.ts';
import { failureOf, NonRetryable } from '../../packages/carillon/src/runs/failure.ts';
import type { Conclusion } from '../../packages/carillon/src/runs/lifecycle.ts';
import {
  claim,
  conclude,
  extend,
  lapse,
  requestCancel,
  terminate,
} from '../../packages/carillon/src/runs/lifecycle.ts';
import { longestResult } from '../../packages/carillon/src/runs/limits.ts';
import { defaultOwnLease, type OwnLease } from '../../packages/carillon/src/runs/own-lease.ts';
import { applyReport } from '../../packages/carillon/src/runs/report.ts';
import { backoffMs } from '../../packages/carillon/src/runs/retry.ts';
import type { NewRun, RunOptions } from '../../packages/carillon/src/runs/run.ts';
import { newRun, priorityOf } from '../../packages/carillon/src/runs/run.ts';
import { runId } from '../../packages/carillon/src/runs/run-id.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';

const t0 = instant(1_000_000);
const briefLease: OwnLease = { ms: 1, extendedBy: 'run' };
const later = (ms: number) => addTime(t0, ms);

function aRun(options: RunOptions = {}, fields: Partial<NewRun> = {}): RunRow {
  return newRun({ id: 'r', namespace: 'n', queue: 'q', name: 'work', now: t0, options, ...fields });
}

function aLeased(options: RunOptions = {}, attempt = 1): RunRow {
  const claimed = claim(aRun(options), { worker: 'w', token: 'k', now: t0, lease: defaultOwnLease });
  return { ...claimed, attempt };
}

const failed: Conclusion = { kind: 'failed', failure: { message: 'no' } };
const messageOf = (run: RunRow) => JSON.parse(run.result ?? '{}').message;

describe('a claim', () => {
  test('leases the run and counts the attempt', () => {
    expect(aLeased()).toMatchObject({ state: 'leased', attempt: 1, startedAt: t0, worker: 'w' });
  });

  test('keeps the first start through later attempts', () => {
    const again = conclude(aLeased({ retry: { attempts: 2 } }), failed, later(10));
    const second = claim(again, { worker: 'w2', token: 'k2', now: later(5000), lease: briefLease });
    expect(second).toMatchObject({ attempt: 2, startedAt: t0, worker: 'w2' });
  });

  test.each<[string, RunOptions, number]>([
    ['the lease', {}, 30_000],
    ['its own lease', { leaseMs: 500 }, 500],
    ['the attempt', { attemptTimeoutMs: 700 }, 700],
    ['the execution', { executionTimeoutMs: 600, attemptTimeoutMs: 700 }, 600],
  ])('is looked at when %s ends', (_, options, ms) => {
    expect(aLeased(options).checkAt).toBe(later(ms));
  });

  test('of a run that is not waiting is a bug', () => {
    const again = { worker: 'w', token: 'x', now: t0, lease: briefLease };
    expect(() => claim(aLeased(), again)).toThrow(InvariantViolation);
  });
});

describe('an extension', () => {
  test('moves the check and stores progress, and keeps progress it is not given', () => {
    const run = extend(aLeased(), { now: later(10_000), progress: '5' });
    expect(run).toMatchObject({ checkAt: later(40_000), progress: '5' });
    expect(extend(run, { now: later(11_000) }).progress).toBe('5');
  });

  test('never passes the end of the attempt or of the execution', () => {
    const attempt = extend(aLeased({ attemptTimeoutMs: 35_000 }), { now: later(10_000) });
    expect(attempt.checkAt).toBe(later(35_000));
    const whole = extend(aLeased({ executionTimeoutMs: 31_000 }), { now: later(10_000) });
    expect(whole.checkAt).toBe(later(31_000));
  });
});

describe('a conclusion', () => {
  const retry = { attempts: 3, initialMs: 1000, maxMs: 1500, coefficient: 2 };
  const now = later(50);
  test.each<[string, RunRow, Conclusion, Partial<RunRow>]>([
    [
      'completes',
      aLeased(),
      { kind: 'completed', result: '1' },
      { state: 'done', outcome: 'completed', result: '1' },
    ],
    ['fails without a policy', aLeased(), failed, { state: 'done', outcome: 'failed', attempt: 1 }],
    [
      'waits for the second attempt',
      aLeased({ retry }),
      failed,
      { state: 'waiting', availableAt: later(1050) },
    ],
    ['waits no longer than the bound', aLeased({ retry }, 2), failed, { availableAt: later(1550) }],
    ['fails after the last', aLeased({ retry }, 3), failed, { state: 'done', outcome: 'failed' }],
    ['retries without end', aLeased({ retry: { ...retry, attempts: 0 } }, 99), failed, { state: 'waiting' }],
    [
      'does not retry what cannot help',
      aLeased({ retry }),
      { kind: 'failed', failure: { message: 'no', nonRetryable: true } },
      { state: 'done', outcome: 'failed' },
    ],
    [
      'does not wait past the execution timeout',
      aLeased({ retry, executionTimeoutMs: 1040 }),
      failed,
      { state: 'done', outcome: 'failed' },
    ],
    [
      'retries an attempt out of time',
      aLeased({ retry }),
      { kind: 'timedOut', limit: 'attempt' },
      { state: 'waiting', availableAt: later(1050) },
    ],
    [
      'times out the last attempt',
      aLeased(),
      { kind: 'timedOut', limit: 'attempt' },
      { outcome: 'timedOut' },
    ],
    [
      'times out the run',
      aLeased({ retry }),
      { kind: 'timedOut', limit: 'execution' },
      { outcome: 'timedOut' },
    ],
    [
      'gives back as if never begun',
      aLeased(),
      { kind: 'released' },
      { state: 'waiting', attempt: 0, startedAt: null, worker: '', availableAt: now },
    ],
    [
      'gives back uncounted what has begun, and keeps when that was',
      aLeased(),
      { kind: 'released', begun: true },
      { state: 'waiting', attempt: 0, startedAt: aLeased().startedAt, worker: '' },
    ],
    [
      'does not retry what is cancelled',
      { ...aLeased({ retry }), cancel: 'cancel' },
      failed,
      { outcome: 'cancelled' },
    ],
    [
      'ends what is cancelled and given back',
      { ...aLeased(), cancel: 'cancel' },
      { kind: 'released' },
      { outcome: 'cancelled' },
    ],
  ])('%s', (_, run, conclusion, expected) => {
    const next = conclude(run, conclusion, now);
    expect(next).toMatchObject(expected);
    if (next.state === 'done')
      expect(next).toMatchObject({ finishedAt: now, checkAt: null, worker: run.worker });
  });
});

describe('a lapse', () => {
  const lapsedAt = later(30_000);
  test.each<[string, RunRow, Instant, Partial<RunRow>]>([
    [
      'of a first lease goes on at once',
      aLeased(),
      lapsedAt,
      { state: 'waiting', availableAt: lapsedAt, leaseToken: '' },
    ],
    [
      'of a later one is slowed down',
      aLeased({}, 2),
      lapsedAt,
      { state: 'waiting', availableAt: later(31_000) },
    ],
    ['too many times out', aLeased({}, 4), lapsedAt, { state: 'done', outcome: 'timedOut' }],
    [
      'with no takeovers times out',
      aLeased({ takeovers: 0 }),
      lapsedAt,
      { state: 'done', outcome: 'timedOut' },
    ],
    ['of a cancelled run cancels it', { ...aLeased(), cancel: 'cancel' }, lapsedAt, { outcome: 'cancelled' }],
    ['of the attempt times out', aLeased({ attemptTimeoutMs: 10 }), later(10), { outcome: 'timedOut' }],
    [
      'of the execution times out',
      aLeased({ executionTimeoutMs: 10, retry: { attempts: 9 } }),
      later(10),
      { outcome: 'timedOut' },
    ],
    [
      'of a waiting run times out',
      aRun({ executionTimeoutMs: 10 }),
      later(10),
      { state: 'done', outcome: 'timedOut' },
    ],
    ['that is none changes nothing', aLeased(), later(29_999), { state: 'leased', checkAt: later(30_000) }],
    [
      'of a waiting run that has not waited long looks again when it has',
      { ...aRun(), checkAt: t0 },
      t0,
      { state: 'waiting', checkAt: later(3_600_000) },
    ],
    [
      'of a waiting run that may wait for ever forgets the check',
      { ...aRun({ unclaimedMs: 0 }), checkAt: t0 },
      t0,
      { state: 'waiting', checkAt: null },
    ],
    [
      'of a waiting run whose worker is alive waits on',
      aRun({ unclaimedMs: 1000 }),
      later(1000),
      { state: 'waiting', checkAt: later(2000) },
    ],
  ])('%s', (_, run, now, expected) => {
    expect(lapse(run, now)).toMatchObject(expected);
  });
});

test('a run that no living worker knows ends when it has waited as long as it may', () => {
  const ended = lapse(aRun({ unclaimedMs: 1000 }), later(1000), () => false);
  expect(ended).toMatchObject({ state: 'done', outcome: 'timedOut' });
  expect(JSON.parse(ended.result ?? '')).toMatchObject({ type: 'NoWorker', startFailed: true });
});

describe('ending from outside', () => {
  test('a cancel ends what waits and asks what runs', () => {
    const waiting = requestCancel(aRun(), { reason: 'enough' }, later(5));
    expect(waiting).toMatchObject({ state: 'done', outcome: 'cancelled', finishedAt: later(5) });
    expect(messageOf(waiting)).toBe('enough');
    expect(requestCancel(aLeased(), { reason: 'enough' }, later(5))).toMatchObject({
      state: 'leased',
      cancel: 'cancel',
    });
  });

  test('a terminate ends either and takes the lease', () => {
    for (const run of [aRun(), aLeased()]) {
      const ended = terminate(run, { reason: 'now' }, later(5));
      expect(ended).toMatchObject({
        state: 'done',
        outcome: 'terminated',
        leaseToken: '',
        cancel: 'terminate',
      });
    }
  });

  test('what is done stays as it is', () => {
    const done = conclude(aLeased(), { kind: 'completed', result: null }, later(1));
    expect(requestCancel(done, { reason: '' }, later(2))).toBe(done);
    expect(terminate(done, { reason: '' }, later(2))).toBe(done);
    expect(lapse(done, later(99_999))).toBe(done);
  });
});

describe('a report', () => {
  const run = aLeased({ retry: { attempts: 2 } });
  const report = { id: 'r', token: run.leaseToken, conclusion: failed };
  test('counts once and is acknowledged again', () => {
    const { outcome, next } = applyReport(run, report, t0);
    expect(outcome).toBe('ok');
    expect(applyReport(next, report, later(1))).toEqual({ outcome: 'ok' });
  });

  test('is stale after a lapse, another claim, or for no run', () => {
    const lapsed = lapse(run, later(30_000));
    const taken = claim(lapsed, { worker: 'b', token: 'z', now: later(40_000), lease: briefLease });
    for (const other of [undefined, lapsed, taken, terminate(run, { reason: '' }, t0)]) {
      expect(applyReport(other, report, t0)).toEqual({ outcome: 'stale' });
    }
  });
});

describe('a choice of claims', () => {
  test('respects places by queue, names and time', () => {
    const run = (id: string, queue: string, name: string, options: RunOptions = {}) =>
      aRun(options, { id, queue, name });
    const runs = [
      run('1', 'a', 'x'),
      run('2', 'a', 'x'),
      run('3', 'b', 'unknown'),
      run('4', 'b', 'x', { executionTimeoutMs: 5 }),
      run('5', 'b', 'x'),
    ];
    const free = new Map([
      ['a', 1],
      ['b', 9],
    ]);
    const { take, skipped } = chooseClaims(runs, { free, knows: ({ name }) => name === 'x', now: later(5) });
    expect(take.map(({ id }) => id)).toEqual(['1', '5']);
    expect(skipped.map(({ id }) => id)).toEqual(['3', '4']);
  });
});

describe('the pieces', () => {
  test('priorities: names lie around zero, numbers as they are, nonsense is refused', () => {
    expect([priorityOf('high'), priorityOf(), priorityOf('low'), priorityOf(7)]).toEqual([100, 0, -100, 7]);
    for (const bad of [1.5, Number.NaN, 1e9, 'urgent', 'toString']) {
      expect(() => priorityOf(bad as number)).toThrow('invalid priority');
    }
  });

  test('ids sort by time, repeat for one identity, and differ for others', () => {
    expect(runId(later(1), 'a') > runId(t0, 'z')).toBe(true);
    expect(runId(instant(9_999_999_999_999), 'a') > runId(instant(1_800_000_000_000), 'a')).toBe(true);
    expect(runId(t0, 'a/auto/1')).toBe(runId(t0, 'a/auto/1'));
    const ids = new Set(Array.from({ length: 200_000 }, (_, index) => runId(t0, `schedule-${index}/auto`)));
    expect(ids.size).toBe(200_000);
  });

  test('backoff doubles up to its bound and survives absurd attempts', () => {
    const policy = { attempts: 0, initialMs: 100, maxMs: 1000, coefficient: 2 };
    expect([1, 2, 3, 4, 5, 5000].map((n) => backoffMs(policy, n, 'run'))).toEqual([
      100, 200, 400, 800, 1000, 1000,
    ]);
  });

  test('failures hold anything thrown, within bounds', () => {
    expect(failureOf('text')).toEqual({ message: 'text' });
    expect(failureOf(undefined)).toEqual({ message: 'undefined' });
    expect(failureOf(new NonRetryable('no', { details: { a: 1 } }))).toMatchObject({
      type: 'NonRetryable',
      nonRetryable: true,
      details: { a: 1 },
    });
    expect(failureOf(new Error('x'.repeat(9999))).message).toHaveLength(longestMessage);
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect(failureOf(cyclic)).toEqual({ message: '[object Object]' });
  });

  test('results that cannot be stored fail clearly', () => {
    expect(conclusionOfResult(undefined)).toEqual({ kind: 'completed', result: null });
    expect(conclusionOfResult({ a: 1 })).toEqual({ kind: 'completed', result: '{"a":1}' });
    expect(conclusionOfResult('x'.repeat(longestResult))).toMatchObject({
      failure: { type: 'BadResult', nonRetryable: true },
    });
    const family: { child?: unknown } = {};
    family.child = { parent: family };
    for (const [value, message] of [
      [1n, 'the result is not JSON at result: a bigint cannot be stored'],
      [{ rows: [{ id: 1n }] }, 'the result is not JSON at result.rows[0].id: a bigint'],
      [family, 'the result is not JSON at result.child.parent: it contains itself'],
    ] as const) {
      const failure = { type: 'BadResult', nonRetryable: true, message: expect.stringContaining(message) };
      expect(conclusionOfResult(value)).toMatchObject({ kind: 'failed', failure });
    }
  });

  test('the execution timeout counts from first availability', () => {
    expect(aRun({ executionTimeoutMs: 10 }, { availableAt: later(100) }).checkAt).toBe(later(110));
  });
});
