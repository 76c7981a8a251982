import { describe, expect, test } from 'vitest';
import { binsOf, changesOf, countsOf, lookOf, slotsOf, stepOf, stretchesOf } from './from-answers.ts';
import type { TimelineAnswer } from './wire.ts';

const empty: TimelineAnswer = {
  from: '2026-11-01T00:00:00Z',
  to: '2026-11-02T00:00:00Z',
  now: '2026-11-01T12:00:00Z',
  zone: 'UTC',
  slots: [],
  runs: [],
  ruledOut: [],
  projected: [],
  p50Ms: null,
  p95Ms: null,
};
const run = { id: 'r1', at: '2026-11-01T03:00:00Z', createdAt: '2026-11-01T03:00:00Z' };
const time = (text: string) => Date.parse(text);

describe('slots', () => {
  test('a started slot looks as its run ended', () => {
    const slots = [{ at: '2026-11-01T03:00:00Z', verdict: 'started', runId: 'r1' }];
    const looks = (
      [
        { state: 'done', outcome: 'completed' },
        { state: 'done', outcome: 'failed' },
        { state: 'running' },
      ] as const
    ).map((how) => slotsOf({ ...empty, slots, runs: [{ ...run, ...how, startedAt: run.at }] })[0]?.look);
    expect(looks).toEqual(['started', 'failed', 'running']);
  });

  test('a slot whose run is no longer kept does not look like a success', () => {
    const [slot] = slotsOf({ ...empty, slots: [{ at: run.at, verdict: 'started', runId: 'gone' }] });
    expect(slot?.look).toBe('outcomeForgotten');
  });

  test('a run that no worker takes has no body', () => {
    const slots = [{ at: run.at, verdict: 'started', runId: 'r1' }];
    const [slot] = slotsOf({ ...empty, slots, runs: [{ ...run, state: 'waiting', untaken: true }] });
    expect(slot).toEqual({ at: time(run.at), look: 'untaken' });
  });

  test('coming slots of a pause will be passed over', () => {
    const projected = [{ at: run.at, passedOver: true }, { at: '2026-11-01T04:00:00Z' }];
    expect(slotsOf({ ...empty, projected }).map(({ look }) => look)).toEqual(['passedOver', 'notYet']);
  });

  test('a late slot keeps its lateness when its run completed', () => {
    const slots = [
      { at: '2026-11-01T03:00:00Z', verdict: 'startedLate', runId: 'r1', detail: { lateByMs: 660_000 } },
    ];
    const [slot] = slotsOf({
      ...empty,
      slots,
      runs: [{ ...run, state: 'done', outcome: 'completed', startedAt: run.at }],
    });
    expect(slot).toMatchObject({ look: 'startedLate', lateMs: 660_000 });
  });

  test('relations lead to the run in the way and to the slot that ran instead', () => {
    const [skipped, merged] = slotsOf({
      ...empty,
      slots: [
        { at: '2026-11-01T03:30:00Z', verdict: 'skippedOverlap', detail: { blockedBy: 'r1' } },
        { at: '2026-11-01T09:30:00Z', verdict: 'coalesced', detail: { ranAs: time('2026-11-01T10:30:00Z') } },
      ],
    });
    expect(skipped?.blockedBy).toBe('r1');
    expect(merged?.ranAs).toBe(time('2026-11-01T10:30:00Z'));
  });

  test('a stretch becomes one mark per slot, at the times of its spec when they are known', () => {
    const slots = [
      { at: '2026-11-01T07:00:00Z', until: '2026-11-01T08:30:00Z', count: 4, verdict: 'paused' },
    ];
    expect(slotsOf({ ...empty, slots }).map((slot) => new Date(slot.at).toISOString().slice(11, 16))).toEqual(
      ['07:00', '07:30', '08:00', '08:30'],
    );
    const exact = slotsOf({ ...empty, slots }, () => [
      time('2026-11-01T07:00:00Z'),
      time('2026-11-01T07:05:00Z'),
    ]);
    expect(exact.map((slot) => slot.at)).toEqual([
      time('2026-11-01T07:00:00Z'),
      time('2026-11-01T07:05:00Z'),
    ]);
  });

  test('a projection that three of ten runs would not leave room for is likely to be skipped, one of ten is not', () => {
    const projected = [
      { at: '2026-11-01T13:00:00Z', tooLong: { runs: 1, of: 10 } },
      { at: '2026-11-01T13:30:00Z', tooLong: { runs: 3, of: 10 } },
    ];
    expect(slotsOf({ ...empty, projected }).map(({ look }) => look)).toEqual(['notYet', 'likelySkip']);
  });

  test('what no table knows is still drawn', () => {
    expect(slotsOf({ ...empty, slots: [{ at: empty.from, verdict: 'newVerdict' }] })[0]?.look).toBe(
      'notInSpec',
    );
  });
});

describe('bins', () => {
  test('a failed run is counted once', () => {
    expect(countsOf({ started: 10, skippedOverlap: 2 }, { completed: 8, failed: 2 })).toEqual({
      started: 8,
      skippedOverlap: 2,
      failed: 2,
    });
  });

  test('a run that waits, is running or is no longer stored is not counted as a success', () => {
    const counts = countsOf(
      { started: 9, startedLate: 1, noWorker: 2 },
      { completed: 3, failed: 1, timedOut: 2 },
      { unfinished: { untaken: 1, running: 1 }, forgotten: 3 },
    );
    expect(counts).toEqual({
      started: 3,
      startedLate: 1,
      noWorker: 2,
      failed: 1,
      untaken: 1,
      running: 1,
      outcomeForgotten: 3,
    });
  });

  test('carry durations and projections', () => {
    const [bin] = binsOf({
      bins: [
        {
          from: empty.from,
          to: empty.to,
          verdicts: { started: 1 },
          outcomes: { completed: 1 },
          replaced: 0,
          unfinished: {},
          forgotten: 0,
          projected: 3,
          passedOver: 2,
          medianMs: 5,
          longestMs: 9,
        },
      ],
    });
    expect(bin).toMatchObject({
      counts: { started: 1, notYet: 3, passedOver: 2 },
      medianMs: 5,
      longestMs: 9,
    });
  });
});

describe('stretches and changes', () => {
  const answer = {
    createdAt: '2026-10-01T00:00:00Z',
    forgottenUntil: '2026-10-05T00:00:00Z',
    pauses: [{ from: '2026-11-01T06:40:00Z', to: null, by: 'jonas', note: 'migration', until: null }],
    versions: [
      { number: 1, at: '2026-10-01T00:00:00Z', by: 'ana', note: '', changes: [] },
      {
        number: 8,
        at: '2026-11-01T06:17:00Z',
        by: 'mara',
        note: 'catch up once',
        changes: [{ path: 'policy.missed' }],
      },
    ],
    silences: [{ from: '2026-11-01T09:20:00Z', to: '2026-11-01T10:41:00Z' }],
    clockChanges: [{ at: '2026-11-01T06:00:00Z', zone: 'America/New_York', byMinutes: -60 }],
    zoneTables: [],
    ruledOut: [{ from: '2026-11-01T20:00:00Z', to: '2026-11-01T21:00:00Z', count: 3, verdict: 'excluded' }],
  };
  test('a pause without an end reaches into the future, and the time before the ledger is marked', () => {
    const stretches = stretchesOf(answer, time('2026-09-01T00:00:00Z'));
    expect(stretches.map(({ kind, label }) => `${kind}: ${label}`)).toEqual([
      'forgotten: Before it was created',
      'forgotten: Older than the ledger',
      'outage: No node alive',
      'pause: Paused by jonas',
      'excluded: Excluded',
    ]);
    expect(stretches[3]?.to).toBe(Number.POSITIVE_INFINITY);
  });

  test('a ledger that has every slot since the creation has forgotten nothing', () => {
    const whole = { ...answer, forgottenUntil: null };
    expect(stretchesOf(whole, time('2026-09-01T00:00:00Z')).map(({ label }) => label)).not.toContain(
      'Older than the ledger',
    );
  });

  test('versions and clock changes are named', () => {
    expect(changesOf(answer).map(({ label, text }) => `${label}: ${text}`)).toEqual([
      'created: Created by ana',
      'v8: Version 8 by mara: policy.missed. “catch up once”',
      'clock back 1 h: The clock of America/New_York is set back 1 h.',
    ]);
  });
});

test('runs that the overlap policy stopped are told apart from those that a person stopped', () => {
  expect(countsOf({ started: 5 }, { cancelled: 3, completed: 2 }, { replaced: 2 })).toMatchObject({
    started: 2,
    runStopped: 1,
    runReplaced: 2,
  });
  const slot = { verdict: 'started', runId: 'a' };
  const run = { id: 'a', at: '', state: 'done', outcome: 'cancelled', createdAt: '' };
  expect(lookOf(slot, run)).toBe('runStopped');
  expect(lookOf(slot, { ...run, replaced: true })).toBe('runReplaced');
});

test('the usual step is the median distance', () => {
  expect(stepOf([0, 30, 60, 90, 500], 1)).toBe(30);
  expect(stepOf([5], 77)).toBe(77);
});
