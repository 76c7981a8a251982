/** The operations that read runs, stop them and enqueue runs without a schedule, and the one that describes the server. */

import { given } from 'carillon/internal/base';
import type { ActionInput } from 'carillon/internal/service';
import {
  attemptJson,
  logLineJson,
  runJson,
  runListQuery,
  runPageJson,
  timeJson,
} from 'carillon/internal/service';
import { z } from 'zod';
import { pageFields, runsQuery, timeField } from './fields.ts';
import type { Call, Operation, Reader } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';
import { runRehearsal } from './rehearsal.ts';
import { enqueueInput } from './schedule-operations.ts';
import * as shape from './schemas.ts';
import { itemsOf } from './schemas.ts';

const waitQuery = z.strictObject({
  waitMs: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .meta({ description: 'delay the answer until the run has ended, for at most this time' }),
});

const logQuery = z.strictObject({
  ...waitQuery.shape,
  attempt: z.coerce.number().int().min(1).optional(),
  ...pageFields,
});

const enqueueBody = z.strictObject({
  ...enqueueInput.shape,
  at: timeField.optional().meta({ description: 'not before' }),
});

const stopSchema = z.strictObject({ reason: z.string().max(1000).optional() });
type StopBody = z.output<typeof stopSchema>;
const stopBody: Reader<StopBody> = {
  schema: stopSchema,
  read: (sent) => reader(stopSchema).read(sent ?? {}),
};

const runName = ({ namespace, path }: Call<unknown, unknown>) => ({ namespace, id: path.run as string });

export const runOperations: readonly Operation[] = [
  defineOperation<z.output<typeof runsQuery>>({
    id: 'listRuns',
    method: 'GET',
    path: '/runs',
    summary: 'List runs, newest first by start or by slot, filtered',
    role: 'viewer',
    query: reader(runsQuery),
    status: 200,
    response: shape.pageOf(shape.listedRun),
    handle: async ({ services, namespace, query }) => {
      const asked = runListQuery(query);
      return { body: runPageJson(await services.runs.list({ namespace, ...asked }), asked.include) };
    },
  }),
  defineOperation<undefined, z.output<typeof enqueueBody>>({
    id: 'enqueueRun',
    method: 'POST',
    path: '/runs',
    summary: 'Queue work without a schedule',
    role: 'operator',
    body: reader(enqueueBody),
    ...runRehearsal(),
    status: 201,
    response: shape.run,
    handle: async ({ services, namespace, body, caller }) => {
      const { at, ...action } = body;
      const work = {
        // The cast is safe: the schema leaves optional fields out when they are not given, as the type requires.
        action: action as ActionInput,
        ...(at === undefined ? {} : { at }),
        ...(caller.requestId === undefined ? {} : { requestId: caller.requestId }),
      };
      const run = await services.runs.enqueue(namespace, work, caller);
      return { body: runJson(run), location: `/runs/${encodeURIComponent(run.id)}` };
    },
  }),
  defineOperation<z.output<typeof waitQuery>>({
    id: 'getRun',
    method: 'GET',
    path: '/runs/{run}',
    summary:
      'Describe a run by its id, or by a beginning that no other id has: its input, progress, result or failure',
    role: 'viewer',
    query: reader(waitQuery),
    status: 200,
    response: shape.run,
    handle: async (call) => {
      const run = await call.services.runs.find(runName(call));
      const { waitMs } = call.query;
      if (waitMs === undefined || run.state === 'done') return { body: runJson(run) };
      const limits = { forMs: waitMs, signal: call.signal };
      return { body: runJson(await call.watch.untilDone(run, limits)) };
    },
  }),
  defineOperation({
    id: 'listAttempts',
    method: 'GET',
    path: '/runs/{run}/attempts',
    summary: 'The attempts of a run, oldest first: when each began and ended, where, and why it failed',
    role: 'viewer',
    status: 200,
    response: itemsOf(shape.attempt),
    handle: async (call) => {
      const attempts = await call.services.runs.attempts(runName(call));
      return { body: { items: attempts.map(attemptJson) } };
    },
  }),
  defineOperation<z.output<typeof logQuery>>({
    id: 'readRunLog',
    method: 'GET',
    path: '/runs/{run}/log',
    summary: 'The lines that the attempts of a run logged, oldest first',
    role: 'viewer',
    query: reader(logQuery),
    status: 200,
    response: shape.logPage,
    handle: async (call) => {
      const { waitMs, attempt, after, limit } = call.query;
      const query = { limit, ...given({ attempt, after }) };
      const waiting = waitMs === undefined ? undefined : { forMs: waitMs, signal: call.signal };
      const { items, ...page } = await call.services.runs.log(runName(call), query, waiting);
      return { body: { items: items.map(logLineJson), ...page } };
    },
  }),
  defineOperation({
    id: 'runAgain',
    method: 'POST',
    path: '/runs/{run}',
    verb: 'again',
    summary: 'Start the work of a finished run again, with the same input, as a new run',
    role: 'operator',
    ...runRehearsal(),
    status: 201,
    response: shape.run,
    handle: async (call) => {
      const run = await call.services.runs.again(runName(call), call.caller);
      return { body: runJson(run), location: `/runs/${encodeURIComponent(run.id)}` };
    },
  }),
  defineOperation<undefined, StopBody>({
    id: 'cancelRun',
    method: 'POST',
    path: '/runs/{run}',
    verb: 'cancel',
    summary: 'Ask a run to stop; one that waits ends at once',
    role: 'operator',
    body: stopBody,
    ...runRehearsal(),
    status: 200,
    response: shape.stopped,
    handle: async (call) => {
      const { reason = `cancelled by ${call.caller.actor}` } = call.body;
      return { body: { stopped: await call.services.runs.cancel(runName(call), reason, call.caller) } };
    },
  }),
  defineOperation<undefined, StopBody>({
    id: 'terminateRun',
    method: 'POST',
    path: '/runs/{run}',
    verb: 'terminate',
    summary: 'End a run at once; the result of its handler is ignored',
    role: 'operator',
    body: stopBody,
    ...runRehearsal(),
    status: 200,
    response: shape.stopped,
    handle: async (call) => {
      const { reason = `terminated by ${call.caller.actor}` } = call.body;
      return { body: { stopped: await call.services.runs.terminate(runName(call), reason, call.caller) } };
    },
  }),
  defineOperation({
    id: 'deleteRun',
    method: 'DELETE',
    path: '/runs/{run}',
    summary: 'Forget a finished run with its log before retention does; refused for one that has not ended',
    role: 'operator',
    ...runRehearsal(),
    status: 200,
    response: z.strictObject({ ok: z.literal(true) }),
    handle: async (call) => {
      await call.services.runs.remove(runName(call), call.caller);
      return { body: { ok: true } };
    },
  }),
  defineOperation({
    id: 'about',
    method: 'GET',
    path: '/about',
    summary: 'Version, store and clock of this server, and what the caller may do',
    role: 'viewer',
    status: 200,
    response: shape.about,
    handle: async ({ services, identity: { role } }) => ({
      body: { ...services.about, now: timeJson(services.now()), role },
    }),
  }),
];
