/** Schemas of the answers about workflows on hosts. */
import { eventStates, runOutcomes } from 'carillon/internal/service';
import { z } from 'zod';
import { slot, time } from './schemas.ts';

const count = z.int().min(0);
const last = z
  .strictObject({
    runId: z.string(),
    startedAt: time,
    endedAt: time,
    outcome: z.enum(['committed', 'failed', 'suspended']),
    empty: z.boolean().meta({ description: 'it committed, but reserved nothing' }),
    error: z.string().nullable(),
  })
  .nullable()
  .meta({ id: 'HostLastRun' });

const summaryFields = {
  namespace: z.string(),
  id: z.string(),
  status: z.enum([
    'idle',
    'running',
    'retrying',
    'reconciling',
    'paused',
    'blocked',
    'quarantined',
    'closed',
  ]),
  attention: z.string().nullable().meta({ description: 'what a person must do; null: nothing' }),
  pending: count,
  reserved: count,
  oldestAt: time.nullable().meta({ description: 'since when the oldest event is pending' }),
  stale: z.boolean().meta({ description: 'that is longer than the host allows' }),
  next: time.nullable().meta({ description: 'the next due time of a producer' }),
  lastRunAt: time.nullable(),
  lastOutcome: z.enum(['committed', 'failed', 'suspended']).nullable(),
  waitsForNodeSince: time.nullable().meta({
    description: 'since when no node that knows the workflow has taken its run; null: no run waits',
  }),
  version: z.int().meta({ description: 'how often a deployment changed it' }),
  deployedAt: time,
};

export const hostSummary = z.strictObject(summaryFields).meta({ id: 'HostSummary' });

const topic = z
  .strictObject({
    name: z.string(),
    pending: count,
    reserved: count,
    oldestAt: time.nullable(),
    stale: z.boolean(),
    consumer: z.string().nullable(),
    publishers: z.array(z.string()),
    orphaned: z
      .boolean()
      .meta({ description: 'a deployment removed the topic or its consumer; its events are kept' }),
  })
  .meta({ id: 'HostTopic' });

const producer = z
  .strictObject({
    name: z.string(),
    schedule: z.union([
      z.strictObject({ interval: z.string() }),
      z.strictObject({ cron: z.string(), timezone: z.string().optional() }),
    ]),
    publishes: z.array(z.string()),
    onBusy: z.enum(['skip', 'queueOne']),
    state: z.enum(['idle', 'running', 'waiting']),
    next: time.nullable(),
    skipped: count.meta({ description: 'due times that found the workflow busy' }),
    skippedInARow: count,
    starving: z.boolean(),
    last,
  })
  .meta({ id: 'HostProducer' });

const consumer = z
  .strictObject({
    name: z.string(),
    subscribe: z.array(z.string()),
    publishes: z.array(z.string()),
    phases: z.array(z.enum(['prepare', 'mutate', 'next'])),
    state: z.enum(['idle', 'ready', 'running', 'sleeping']),
    sleepingSince: time.nullable(),
    sleepingUntil: time.nullable(),
    wakesOn: z.array(z.string()).meta({ description: 'topics whose next event ends its sleep' }),
    wokenBy: z.enum(['event', 'timeout', 'person']).nullable(),
    asked: z.boolean(),
    pending: count,
    last,
  })
  .meta({ id: 'HostConsumer' });

const work = z
  .strictObject({
    kind: z.enum(['producer', 'consumer']),
    handler: z.string(),
    runId: z.string().nullable(),
    previousRunId: z.string().nullable(),
    chain: z.string().meta({ description: 'its first run' }),
    task: z.enum(['run', 'reconcile', 'continue']),
    phase: z.enum(['pending', 'prepared', 'mutating', 'mutated']),
    attempt: z.int(),
    since: time,
    retryAt: time.nullable(),
    manual: z.boolean(),
    change: z
      .strictObject({
        name: z.string(),
        key: z.string(),
        outcome: z.enum(['uncertain', 'applied', 'skipped']),
        canReconcile: z.boolean(),
      })
      .nullable(),
    waitsForNode: z.boolean().meta({ description: 'no node that knows the workflow has taken its run yet' }),
  })
  .meta({ id: 'HostWork' });

export const host = z
  .strictObject({
    ...summaryFields,
    topics: z.array(topic),
    producers: z.array(producer),
    consumers: z.array(consumer),
    work: work.nullable(),
    paused: z.strictObject({ by: z.string(), note: z.string(), at: time }).nullable(),
    block: z
      .strictObject({
        kind: z.enum(['failed', 'uncertain']),
        since: time,
        runId: z.string(),
        message: z.string(),
      })
      .nullable(),
    settings: z.record(z.string(), z.union([z.number(), z.boolean()])),
    incident: z.string().nullable(),
  })
  .meta({ id: 'Host' });

export const hostEvent = z
  .strictObject({
    topic: z.string(),
    id: z.string(),
    sequence: z.int(),
    state: z.enum(eventStates),
    runId: z.string().nullable(),
    publishedBy: z.string().nullable(),
    attempt: z.int(),
    publishedAt: time,
    changedAt: time,
    payload: z.unknown(),
    skippedBy: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'HostEvent' });

export const hostRun = z
  .looseObject({
    id: z.string(),
    state: z.enum(['waiting', 'leased', 'done']),
    outcome: z.enum(runOutcomes).nullable(),
    kind: z.enum(['producer', 'consumer']),
    handler: z.string(),
    task: z.enum(['run', 'reconcile', 'continue']),
    workAttempt: z.int(),
    retryOf: z.string().nullable(),
    chain: z.string(),
    summary: z.record(z.string(), z.unknown()).nullable(),
    failureClass: z
      .enum(['transient', 'logic', 'refused', 'unknown', 'interrupted', 'crashed', 'stopped'])
      .nullable(),
  })
  .meta({ id: 'HostRun', description: 'the fields of a run, and what it did for its workflow' });

export const hostSlot = z
  .strictObject({
    ...slot.shape,
    run: z
      .strictObject({
        id: z.string(),
        state: z.enum(['waiting', 'leased', 'done']),
        outcome: z.enum(runOutcomes).nullable(),
        tookMs: z.number().nullable(),
        untaken: z
          .boolean()
          .meta({ description: 'no node that knows the workflow has taken it for a while' }),
      })
      .nullable()
      .meta({ description: 'the last run of the work that it started; null: none, or it is no longer kept' }),
  })
  .meta({ id: 'HostSlot' });

export const hostExplanation = z
  .strictObject({
    about: z.enum(['producer', 'consumer', 'event']),
    name: z.string(),
    answer: z.string().meta({ description: 'a stable word' }),
    text: z.string(),
    at: time.nullable(),
    runId: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'HostExplanation' });
