/** Schemas of the answers. They only describe; tests check real answers against them. */

import { policyShape, runOutcomes } from 'carillon/internal/service';
import { z } from 'zod';
import { roles } from '../access.ts';

export const time = z.string().meta({ description: 'RFC 3339 in UTC', format: 'date-time' });
const anything = z.unknown();
const record = z.record(z.string(), z.unknown());

export const occurrence = z
  .strictObject({ nominal: time, actual: time })
  .meta({ id: 'Occurrence', description: '`actual` is `nominal` plus jitter' });

const outcome = z.enum(runOutcomes);

const start = z
  .strictObject({
    nominal: time,
    actual: time,
    cause: z.string(),
    manual: z.boolean(),
    state: z.enum(['pending', 'deferred', 'ready', 'running', 'backingOff', 'completed']),
    runId: z.string().nullable(),
    attempt: z.int().nullable(),
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    outcome: outcome.nullable(),
  })
  .meta({ id: 'Start', description: 'one slot on its way to a finished run' });

const paused = z
  .strictObject({ at: time, by: z.string(), note: z.string(), until: time.nullable() })
  .nullable();

const common = {
  namespace: z.string(),
  id: z.string(),
  incarnation: z.string(),
  status: z.enum(['running', 'paused', 'ended', 'closed', 'quarantined']),
  spec: record.meta({ description: 'as in carillon/spec; times are milliseconds since 1970' }),
  words: z.string().meta({ description: 'the spec in plain words' }),
  action: record,
  policy: policyShape,
  paused,
  note: z.string(),
  description: z.string(),
  owner: z.string(),
  declaredBy: z.string().meta({ description: 'which declaration of the owner made it; empty: made by hand' }),
  tags: z.array(z.string()),
  attributes: record,
  token: z.int().meta({ description: 'conflict token; also the ETag' }),
  remaining: z.int().nullable(),
  createdAt: time,
  updatedAt: time,
  closedAt: time.nullable(),
  closesAt: time
    .nullable()
    .meta({ description: 'when idleClose closes it if nothing happens to it; null: it stays' }),
  counters: z.strictObject({
    actions: z.int(),
    overlapSkipped: z.int(),
    missedCatchupWindow: z.int(),
    bufferDropped: z.int(),
  }),
  failures: z.int().meta({ description: 'failures in a row' }),
  next: time.nullable().meta({ description: 'when it next acts by itself' }),
  incident: z.string().nullable(),
  unreadable: z
    .string()
    .nullable()
    .meta({ description: 'why this node can show only a part of it; null when it is shown whole' }),
  timeZoneVersion: z.string(),
};

export const summary = z
  .strictObject({ ...common, runningCount: z.int(), waitingCount: z.int() })
  .meta({ id: 'ScheduleSummary' });

export const schedule = z
  .strictObject({
    ...common,
    runningCount: z.int(),
    waitingCount: z.int(),
    memo: record,
    future: z.array(occurrence),
    waiting: z.array(start),
    running: z.array(start),
    recent: z.array(start),
    backfills: z.array(
      z.strictObject({
        id: z.string(),
        from: time,
        to: time,
        handed: z.int(),
        total: z.int().nullable(),
        createdAt: time,
      }),
    ),
    lastResult: anything,
    lastFailure: anything,
    stateBytes: z.int(),
  })
  .meta({ id: 'Schedule' });

export const changed = z.strictObject({ token: z.int() }).meta({ id: 'Changed' });

const problem = z.strictObject({
  path: z.string(),
  reason: z.string(),
  message: z.string(),
  fix: z.string().optional(),
});

/** Absent when there are no warnings. */
export const warnings = z
  .array(problem)
  .optional()
  .meta({ description: 'advice about what was stored, such as a secret in plain text' });

export const isChanged = z
  .boolean()
  .meta({ description: 'false: nothing had to change, and the token is the same' });

export const written = z.strictObject({ token: z.int(), isChanged, warnings }).meta({ id: 'Written' });

export const run = z
  .strictObject({
    id: z.string(),
    namespace: z.string(),
    queue: z.string(),
    name: z.string(),
    workflowId: z.string().nullable(),
    schedule: z.string().nullable(),
    scheduledAt: time.nullable(),
    dueAt: time.nullable().meta({ description: 'when its slot was due: the nominal time and its jitter' }),
    cause: z.string().nullable(),
    againOf: z
      .string()
      .nullable()
      .meta({ description: 'the run that it repeats at the request of a person' }),
    priority: z.int(),
    state: z.enum(['waiting', 'leased', 'done']),
    outcome: outcome.nullable(),
    attempt: z.int(),
    createdAt: time,
    availableAt: time,
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    freedAt: time
      .nullable()
      .meta({ description: 'when the run of the same schedule ended that this one had to wait for' }),
    sinceFreedMs: z.number().nullable().meta({ description: 'from that end to its own first attempt' }),
    worker: z.string(),
    input: anything,
    progress: anything,
    result: anything,
    failure: record.nullable(),
  })
  .meta({ id: 'Run' });

export const attempt = z
  .strictObject({
    attempt: z.int(),
    startedAt: time,
    finishedAt: time.nullable().meta({ description: 'null while it goes on' }),
    worker: z.string(),
    error: z.string().nullable().meta({ description: 'why it failed' }),
  })
  .meta({ id: 'Attempt' });

export const listedRun = run
  .extend({ input: anything.optional(), progress: anything.optional(), result: anything.optional() })
  .meta({ id: 'ListedRun', description: 'input, progress and result are there with include=payloads' });

export const slot = z
  .strictObject({
    cause: z.string(),
    nominal: time,
    until: time,
    count: z.int(),
    verdict: z.string(),
    at: time,
    runId: z.string().nullable(),
    detail: record.nullable(),
  })
  .meta({ id: 'Slot', description: 'the verdict over one nominal time, or over a stretch of equal ones' });

export const history = z
  .strictObject({
    incarnation: z.string(),
    now: time,
    createdAt: time,
    closedAt: time.nullable(),
    incident: z.string().nullable(),
    cursor: time.meta({ description: 'every slot up to here has its verdict' }),
    waiting: z.array(z.strictObject({ nominal: time, cause: z.string() })),
    versions: z.array(
      z.strictObject({
        stamp: z.int(),
        at: time.meta({ description: 'from when it was in force' }),
        spec: record,
        policy: policyShape,
        paused,
        remaining: z.int().nullable().meta({ description: 'as asked for; null: without limit' }),
        seed: z.string(),
        timeZoneVersion: z.string(),
      }),
    ),
  })
  .meta({ id: 'ScheduleHistory', description: 'oldest version first' });

export const explanation = z
  .strictObject({
    at: time,
    answer: z.string().meta({ description: 'a verdict, or why there is none' }),
    cause: z.string(),
    text: z.string(),
    detail: record.nullable(),
    stamp: z.int().nullable(),
    decidedAt: time.nullable(),
    run: run.nullable(),
    previous: time.nullable(),
    next: time.nullable(),
  })
  .meta({ id: 'Explanation' });

export const fieldChange = z
  .strictObject({ path: z.string(), before: anything.optional(), after: anything.optional() })
  .meta({ id: 'FieldChange', description: 'a value is absent where the field was' });

export const audit = z
  .strictObject({
    namespace: z.string(),
    target: z.string(),
    actor: z.string(),
    door: z.string(),
    action: z.string(),
    note: z.string(),
    at: time,
    before: anything,
    after: anything,
    changes: z.array(fieldChange).meta({ description: 'the fields that differ' }),
  })
  .meta({ id: 'AuditEntry' });

export const logPage = z
  .strictObject({
    items: z.array(z.strictObject({ attempt: z.int(), at: time, text: z.string() })),
    cursor: z
      .string()
      .nullable()
      .meta({ description: 'send it as `after` for what follows, also when more may come' }),
    isComplete: z.boolean().meta({ description: 'the run has ended and nothing follows' }),
  })
  .meta({ id: 'LogPage' });

export const worker = z
  .strictObject({
    id: z.string(),
    namespace: z.string(),
    name: z.string(),
    state: z.enum(['alive', 'leaving', 'silent']),
    queues: z.array(z.string()),
    names: z.array(z.string()).nullable().meta({ description: 'handlers it has; null: it takes every run' }),
    client: z.string().nullable(),
    slots: z.int().nullable(),
    startedAt: time,
    seenAt: time,
  })
  .meta({ id: 'Worker' });

export const claimedRun = z
  .strictObject({
    runId: z.string(),
    token: z.string().meta({ description: 'the lease: send it with heartbeats and the report' }),
    leaseEndsAt: time.nullable().meta({ description: 'unless a heartbeat extends it' }),
    namespace: z.string(),
    queue: z.string(),
    name: z.string(),
    attempt: z.int(),
    priority: z.int(),
    input: anything,
    scheduledAt: time,
    dueAt: time,
    schedule: z.string().nullable(),
    cause: z.string().nullable(),
    lastResult: anything,
    lastFailure: anything,
    previousFailure: anything,
    progress: anything,
    attemptTimeoutMs: z.number().nullable(),
  })
  .meta({ id: 'ClaimedRun' });

export const heldLease = z
  .strictObject({
    runId: z.string(),
    state: z
      .enum(['held', 'cancel', 'lost', 'terminated'])
      .meta({ description: 'cancel: still held, but it has to stop; terminated: the run is over' }),
    reason: z.string(),
  })
  .meta({ id: 'HeldLease' });

export const reported = z
  .strictObject({ runId: z.string(), outcome: z.enum(['ok', 'stale']) })
  .meta({ id: 'Reported' });

export const stopped = z
  .strictObject({ stopped: z.enum(['ended', 'requested', 'done', 'notFound']) })
  .meta({ id: 'Stopped' });

export const about = z
  .strictObject({
    version: z.string(),
    store: z.string(),
    now: time,
    role: z.enum(roles).meta({ description: 'what the caller may do' }),
  })
  .meta({ id: 'About' });

export const error = z
  .strictObject({
    error: z.strictObject({
      code: z.string(),
      reason: z.string().meta({ description: 'a stable word to switch on' }),
      message: z.string(),
      problems: z.array(problem),
      requestId: z.string(),
    }),
  })
  .meta({ id: 'Error' });

export function pageOf(item: z.ZodType) {
  return z.strictObject({ items: z.array(item), next: z.string().nullable() });
}

export function itemsOf(item: z.ZodType) {
  return z.strictObject({ items: z.array(item) });
}
