/**
 * The recorded answers that Carillon does not give, on purpose. Each names the row of the table 'Differences, on purpose'
 * in `docs/temporal.md` that says why; a test checks that the row is there.
 */
export interface Deliberate {
  /** The first cell of the row. */
  readonly row: string;
  /** Carillon's own answer, in the form that the replaying test compares. */
  readonly ours: unknown;
}

const strictRetry = {
  row: 'an invalid retry policy or priority is accepted, and the start fails',
  ours: 'INVALID_ARGUMENT',
};
const strictBackfill = {
  row: 'a backfill without times, upside down or under an unknown policy does nothing',
  ours: 'INVALID_ARGUMENT',
};
const strictPolicy = {
  row: 'an unknown overlap policy and a malformed catch-up window, jitter, start or end time are accepted',
  ours: 'INVALID_ARGUMENT',
};

/** By name of the case; `ours` is the gRPC status. */
export const deliberateErrors: Readonly<Record<string, Deliberate>> = {
  createReusedRequestIdAfterDelete: {
    row: 'creating again with the request id of a deleted schedule says it worked',
    ours: 'FAILED_PRECONDITION',
  },
  actRetryNegAttempts: strictRetry,
  actRetryBadCoefficient: strictRetry,
  actRetryNegInitial: strictRetry,
  specExclBad: { row: 'structured exclusions are not checked', ours: 'INVALID_ARGUMENT' },
  specTzLocal: {
    row: '`Local` is a zone, and `posix/…` and `right/…` are where the host has such files',
    ours: 'INVALID_ARGUMENT',
  },
  polBadOverlap: strictPolicy,
  polMixedCatchup: strictPolicy,
  stateNegRemaining: { row: 'a negative number of remaining actions is an internal error', ours: 'OK' },
  patchBackfillNoTimes: strictBackfill,
  patchBackfillReversed: strictBackfill,
  patchBackfillBadPolicy: strictBackfill,
  patchTriggerBadPolicy: strictBackfill,
  matchingDeleted: { row: 'matching times of a deleted schedule are an invalid argument', ours: 'NOT_FOUND' },
};

/** By query. */
export const deliberateQueries: Readonly<Record<string, Deliberate>> = {
  'TemporalScheduleId STARTS_WITH "STEM"': {
    row: '`TemporalScheduleId` is refused in queries',
    ours: { ids: 'abcdefgh', count: 8 },
  },
  'ScheduleId STARTS_WITH "STEM" AND T1Time = \'2026-01-01T00:00:00Z\'': {
    row: 'equality of a time finds nothing (SQLite)',
    ours: { ids: 'a', count: 1 },
  },
};

const comparedIds = '`ScheduleId > …` finds everything (SQLite)';

/** By query; `ours` are the ids. */
export const deliberateOperators: Readonly<Record<string, Deliberate>> = {
  "ScheduleId < 'Qb'": { row: comparedIds, ours: 'Qa' },
  "ScheduleId <= 'Qb'": { row: comparedIds, ours: 'Qa,Qb' },
};

/** By schedule and beginning of the window, or `described` for the form of the spec. */
export const deliberateTimes: Readonly<Record<string, Omit<Deliberate, 'ours'>>> = Object.fromEntries(
  [
    {
      row: '`1-7` in the day of the week loses Sunday',
      cases: [
        'm-dow17 2026-03-01T00:00:00Z',
        'm-dow17 2026-10-20T00:00:00Z',
        'm-dow17 2026-01-01T00:00:00Z',
        'm-dow17 described',
      ],
    },
    {
      row: 'a start time with a fraction of a second admits the second before it',
      cases: ['m-boundsFraction 2026-03-01T00:00:00Z', 'm-boundsFraction 2026-01-01T00:00:00Z'],
    },
    {
      row: 'repeated local times are lost or misplaced at and east of Greenwich',
      cases: [
        'm-dstBerlin0230 2026-10-20T00:00:00Z',
        'm-dstBerlin0230 2026-01-01T00:00:00Z',
        'm-dstBerlinHourly 2026-10-20T00:00:00Z',
        'm-dstBerlinHourly 2026-01-01T00:00:00Z',
        'm-dstLordHowe 2026-01-01T00:00:00Z',
        'm-dstLordHowe0215 2026-01-01T00:00:00Z',
        'm-dstLondon 2026-10-20T00:00:00Z',
        'm-dstLondon 2026-01-01T00:00:00Z',
        'm-dstTroll 2026-10-20T00:00:00Z',
        'm-dstTroll 2026-01-01T00:00:00Z',
      ],
    },
    {
      row: 'matching times leave out a slot whose nominal time is the beginning of the range',
      cases: [
        'm-jitInterval 2026-03-01T00:00:00Z',
        'm-jitInterval 2026-10-20T00:00:00Z',
        'm-jitInterval 2026-01-01T00:00:00Z',
        'm-jitEnd 2026-03-01T00:00:00Z',
      ],
    },
  ].flatMap(({ row, cases }) => cases.map((name) => [name, { row }])),
);

/** By name of the case; `ours` is Carillon's answer. */
export const deliberateBehaviours: Readonly<Record<string, Deliberate>> = {
  trigger_scheduledTime: {
    row: '`scheduledTime` of a trigger is ignored',
    ours: [{ id: 'ID-wf-2026-02-03T04:05:06Z', sched: 'given' }],
  },
  keep_original: { row: '`keepOriginalWorkflowId` is ignored', ours: ['ID-wf'] },
};
