/** The operations of workers: claim runs, keep their leases, report their ends. They translate `services.workers`. */

import { given, stopwatch } from 'carillon/internal/base';
import type { LeaseReport } from 'carillon/internal/service';
import { longestProgress, longestResult, workerLimits } from 'carillon/internal/service';
import { z } from 'zod';
import { demandQueues } from '../access.ts';
import { timeField } from './fields.ts';
import type { Call, Operation } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';
import * as shape from './schemas.ts';
import { claimedRun, conclusionOf, jsonText, workerJson } from './worker-wire.ts';

const { claimed, queues, names, leases, shortestLeaseMs, longestLeaseMs, longestWaitMs } = workerLimits;

const name = z.string().min(1).max(1000);
const waitMs = z
  .int()
  .min(0)
  .max(longestWaitMs)
  .optional()
  .meta({ description: 'delay the answer until there is something to tell, for at most this time' });

const claimBody = reader(
  z.strictObject({
    queues: z.array(name).min(1).max(queues),
    names: z.array(name).max(names).optional().meta({ description: 'handlers it has; absent: all runs' }),
    limit: z.int().min(1).max(claimed).default(1),
    leaseMs: z
      .int()
      .min(shortestLeaseMs)
      .max(longestLeaseMs)
      .optional()
      .meta({ description: 'how long it may be silent about a run; default 30000' }),
    waitMs,
    name: z.string().max(255).optional().meta({ description: 'a name for people' }),
    client: z.string().max(255).optional().meta({ description: 'the library and its version' }),
    slots: z.int().min(1).max(100_000).optional().meta({ description: 'how many runs it works on at once' }),
  }),
);

const line = z.strictObject({
  place: z.int().min(0).max(1_000_000).meta({ description: 'the number of the line in its attempt, from 0' }),
  at: timeField,
  text: z.string().max(8192),
});
const lease = {
  runId: z.string().min(1).max(1000),
  token: z.string().min(1).max(1000),
  progress: z.unknown().optional().meta({ description: 'JSON for people and for the next attempt' }),
  log: z.array(line).max(2001).optional().meta({ description: 'lines that were not sent yet' }),
};

const heartbeatBody = reader(z.strictObject({ leases: z.array(z.strictObject(lease)).max(leases), waitMs }));

const failure = z.looseObject({
  message: z.string(),
  type: z.string().optional(),
  stack: z.string().optional(),
  details: z.unknown().optional(),
  nonRetryable: z.boolean().optional(),
  retryAfterMs: z.number().min(0).optional(),
  retryInMs: z
    .number()
    .min(0)
    .optional()
    .meta({ description: 'the pause before the next attempt, instead of the policy' }),
});
const reportBody = reader(
  z.strictObject({
    reports: z
      .array(
        z.strictObject({
          ...lease,
          end: z
            .union([
              z.strictObject({ completed: z.strictObject({ result: z.unknown().optional() }) }),
              z.strictObject({ failed: failure }),
              z.strictObject({ cancelled: z.strictObject({ message: z.string().optional() }) }),
              z.strictObject({
                released: z.strictObject({
                  afterMs: z.number().min(0).optional(),
                  begun: z.boolean().optional(),
                }),
              }),
            ])
            .meta({
              description:
                'released gives the run back without counting the attempt; cancelled counts only after a request',
            }),
        }),
      )
      .min(1)
      .max(leases),
  }),
);

type Read<R> = R extends { read(sent: unknown): infer T } ? T : never;

const nameOf = ({ namespace, path }: Call<unknown, unknown>) => ({ namespace, id: path.worker as string });

export const workerOperations: readonly Operation[] = [
  defineOperation({
    id: 'listWorkers',
    method: 'GET',
    path: '/workers',
    summary: 'The workers outside the server that were heard of within a day',
    role: 'viewer',
    status: 200,
    response: shape.itemsOf(shape.worker),
    handle: async ({ services, namespace }) => ({
      body: { items: (await services.workers.list(namespace)).map(workerJson) },
    }),
  }),
  defineOperation<undefined, Read<typeof claimBody>>({
    id: 'claimRuns',
    method: 'POST',
    path: '/workers/{worker}',
    verb: 'claim',
    summary: 'Lease runs of some queues to a worker; the id of the worker is new for each start of it',
    role: 'worker',
    body: claimBody,
    status: 200,
    response: z.strictObject({
      items: z.array(shape.claimedRun),
      waitedMs: z.number().meta({ description: 'how long the request was held before the runs were leased' }),
    }),
    handle: async (call) => {
      const { body, services, signal, leaving } = call;
      demandQueues(call.identity, body.queues);
      const since = stopwatch();
      const { queues: asked, names: known, limit, leaseMs } = body;
      const runs = await services.workers.claim(
        nameOf(call),
        {
          queues: asked,
          limit,
          about: given({ name: body.name, client: body.client, slots: body.slots }),
          ...given({
            names: known,
            lease: leaseMs === undefined ? undefined : ({ by: 'heartbeat', ms: leaseMs } as const),
          }),
        },
        { forMs: body.waitMs ?? 0, signal, leaving },
      );
      return {
        body: { items: runs.map(claimedRun), waitedMs: Math.max(0, Math.trunc(stopwatch() - since)) },
      };
    },
  }),
  defineOperation<undefined, Read<typeof heartbeatBody>>({
    id: 'keepLeases',
    method: 'POST',
    path: '/workers/{worker}',
    verb: 'heartbeat',
    summary: 'Extend leases, store progress and lines, and learn which runs have to stop',
    role: 'worker',
    body: heartbeatBody,
    status: 200,
    response: shape.itemsOf(shape.heldLease),
    handle: async (call) => {
      const { body, services, namespace, signal, leaving } = call;
      const beats = body.leases.map(({ progress, log, ...each }) => ({
        ...each,
        ...given({ log, progress: jsonText(progress, 'progress', longestProgress) }),
      }));
      const held = await services.workers.heartbeat(namespace, beats);
      const states = new Map(beats.map(({ runId }, place) => [runId, held[place]]));
      const isQuiet = held.every(({ state }) => state === 'held');
      if (isQuiet && body.waitMs !== undefined && body.waitMs > 0) {
        const waiting = { forMs: body.waitMs, signal, leaving };
        for (const stop of await services.workers.stops(namespace, beats, waiting))
          states.set(stop.runId, stop.held);
      }
      return { body: { items: [...states].map(([runId, state]) => ({ runId, ...state })) } };
    },
  }),
  defineOperation<undefined, Read<typeof reportBody>>({
    id: 'reportRuns',
    method: 'POST',
    path: '/workers/{worker}',
    verb: 'report',
    summary:
      'End attempts under their leases; a repeated report is ok, one after the lease is stale and changes nothing',
    role: 'worker',
    body: reportBody,
    status: 200,
    response: shape.itemsOf(shape.reported),
    handle: async ({ body, services, namespace }) => {
      const reports = body.reports.map(({ end, progress, log, ...each }): LeaseReport => {
        const conclusion = conclusionOf(end, longestResult);
        return {
          ...each,
          conclusion,
          ...given({ log, progress: jsonText(progress, 'progress', longestProgress) }),
        };
      });
      const outcomes = await services.workers.report(namespace, reports);
      return {
        body: { items: reports.map(({ runId }, place) => ({ runId, outcome: outcomes[place] })) },
      };
    },
  }),
  defineOperation({
    id: 'leaveWorker',
    method: 'POST',
    path: '/workers/{worker}',
    verb: 'leave',
    summary: 'Say that a worker takes nothing new; its leases go on',
    role: 'worker',
    status: 204,
    handle: async (call) => {
      await call.services.workers.leave(nameOf(call));
      return {};
    },
  }),
];
