/** The operations on a schedule besides its definition: pause, resume, trigger and so on. */

import { formatInstant, given } from 'carillon/internal/base';
import { occurrenceJson } from 'carillon/internal/service';
import { z } from 'zod';
import { missedField, noteField, overlapField, pageFields, timeField, timeText } from './fields.ts';
import type { Operation, OperationAnswer } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';
import { rehearsal } from './rehearsal.ts';
import { nameOf } from './schedule-operations.ts';
import * as shape from './schemas.ts';

/** An object of optional fields, whose body may be left out. */
function optionalBody<S extends z.ZodRawShape>(fields: S) {
  const schema = z.strictObject(fields);
  return { schema, read: (sent: unknown) => reader(schema).read(sent ?? {}) };
}

const pauseBody = optionalBody({ note: noteField, until: timeField.optional() });
const resumeBody = optionalBody({ note: noteField, missed: missedField });
const triggerBody = optionalBody({
  note: noteField,
  overlap: overlapField,
  scheduledAt: timeField.optional(),
});
const range = { from: timeField, to: timeField };
/** The most slots in the effects of a backfill. */
const mostLeftOut = 200;
const backfillBody = reader(
  z.strictObject({
    ...range,
    note: noteField,
    overlap: overlapField.meta({ description: 'default bufferAll: one after the other, all of them' }),
    ratePerMinute: z.int().min(1).optional(),
    except: z.array(timeField).max(mostLeftOut).optional().meta({ description: 'slots to leave out' }),
  }),
);
const previewQuery = reader(z.strictObject({ from: timeText, to: timeText, limit: pageFields.limit }));

type Read<R> = R extends { read(sent: unknown): infer T } ? T : never;

const noted = (note: string | undefined) => (note === undefined ? {} : { note });

const answer = <T extends { readonly token: number }>(changed: T): OperationAnswer => ({
  body: changed,
  token: changed.token,
});

export const scheduleVerbs: readonly Operation[] = [
  defineOperation<undefined, Read<typeof pauseBody>>({
    id: 'pauseSchedule',
    method: 'POST',
    path: '/schedules/{id}',
    verb: 'pause',
    summary: 'Pause, with a note and until when',
    role: 'operator',
    body: pauseBody,
    ...rehearsal((call) => ({ name: nameOf(call) })),
    isConditional: 'match',
    status: 200,
    response: shape.changed,
    handle: async (call) => {
      const { note, until } = call.body;
      const by = { ...call.caller, ...noted(note), ...(until === undefined ? {} : { until }) };
      return answer(await call.services.schedules.pause(nameOf(call), by));
    },
  }),
  defineOperation<undefined, Read<typeof resumeBody>>({
    id: 'resumeSchedule',
    method: 'POST',
    path: '/schedules/{id}',
    verb: 'resume',
    summary: 'Resume; `missed` says what becomes of the slots of the pause (default skip)',
    role: 'operator',
    body: resumeBody,
    ...rehearsal((call) => ({ name: nameOf(call) })),
    isConditional: 'match',
    status: 200,
    response: shape.changed.extend({ isChanged: shape.isChanged }),
    handle: async (call) => {
      const { note, missed } = call.body;
      const by = { ...call.caller, ...noted(note), ...(missed === undefined ? {} : { missed }) };
      return answer(await call.services.schedules.resume(nameOf(call), by));
    },
  }),
  defineOperation<undefined, Read<typeof triggerBody>>({
    id: 'triggerSchedule',
    method: 'POST',
    path: '/schedules/{id}',
    verb: 'trigger',
    summary: 'Start a run now, regardless of the spec and of a pause',
    role: 'operator',
    body: triggerBody,
    ...rehearsal((call) => ({ name: nameOf(call) })),
    isConditional: 'match',
    status: 200,
    response: z.strictObject({
      token: z.int(),
      cause: z.string(),
      verdict: z
        .string()
        .nullable()
        .meta({ description: 'what became of it: started, skippedOverlap, buffered, …' }),
      runId: z.string().nullable().meta({ description: 'the run it started, or the run that is in the way' }),
    }),
    handle: async (call) => {
      const { note, overlap, scheduledAt } = call.body;
      const request = {
        ...given({ overlap, scheduledAt }),
      };
      const by = { ...call.caller, ...noted(note) };
      return answer(await call.services.schedules.trigger(nameOf(call), request, by));
    },
  }),
  defineOperation<undefined, Read<typeof backfillBody>>({
    id: 'backfillSchedule',
    method: 'POST',
    path: '/schedules/{id}',
    verb: 'backfill',
    summary: 'Run the slots of a range, both ends included',
    role: 'operator',
    body: backfillBody,
    ...rehearsal((call) => ({ name: nameOf(call), range: call.body })),
    isConditional: 'match',
    status: 202,
    response: z.strictObject({ token: z.int(), id: z.string() }),
    handle: async (call) => {
      const { note, overlap = 'bufferAll', ...range } = call.body;
      const request = { overlap, ...given(range) };
      const by = { ...call.caller, ...noted(note) };
      return answer(await call.services.schedules.backfill(nameOf(call), request, by));
    },
  }),
  defineOperation<Read<typeof previewQuery>>({
    id: 'previewBackfill',
    method: 'GET',
    path: '/schedules/{id}/backfills/preview',
    summary: 'The exact slots a backfill would run',
    role: 'viewer',
    query: previewQuery,
    status: 200,
    response: z.strictObject({
      items: z.array(shape.occurrence),
      truncated: z.boolean(),
      gaveUpAt: z
        .string()
        .optional()
        .meta({ description: 'complete only up to here: the search cost too much' }),
    }),
    handle: async (call) => {
      const { from, to, limit } = call.query;
      const { times, truncated, gaveUpAt } = await call.services.schedules.previewBackfill(
        nameOf(call),
        { from, to },
        limit,
      );
      const end = gaveUpAt === undefined ? {} : { gaveUpAt: formatInstant(gaveUpAt) };
      return { body: { items: times.map(occurrenceJson), truncated, ...end } };
    },
  }),
  defineOperation({
    id: 'cancelBackfill',
    method: 'DELETE',
    path: '/schedules/{id}/backfills/{backfill}',
    summary: 'Cancel what a backfill has not started yet',
    role: 'operator',
    ...rehearsal((call) => ({ name: nameOf(call) })),
    isConditional: 'match',
    status: 200,
    response: z.strictObject({ token: z.int(), cancelled: z.int().nullable() }),
    handle: async (call) => {
      const { services, path, caller } = call;
      return answer(await services.schedules.cancelBackfill(nameOf(call), path.backfill as string, caller));
    },
  }),
  defineOperation({
    id: 'releaseSchedule',
    method: 'POST',
    path: '/schedules/{id}',
    verb: 'release',
    summary: 'Let a quarantined schedule go on where it stopped',
    role: 'admin',
    ...rehearsal((call) => ({ name: nameOf(call) })),
    isConditional: 'match',
    status: 204,
    handle: async (call) => {
      await call.services.schedules.release(nameOf(call), call.caller);
      return {};
    },
  }),
];
