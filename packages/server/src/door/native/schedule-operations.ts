/** The operations that create, read, replace, change, delete and list schedules. */

import { given, ServiceError } from 'carillon/internal/base';
import type { ScheduleName } from 'carillon/internal/service';
import {
  filteredQuery,
  pageJson,
  patchDefinition,
  queuedWork,
  readScheduleInput,
  scheduleInput,
  scheduleJson,
  summaryJson,
  writeScheduleInput,
} from 'carillon/internal/service';
import { z } from 'zod';
import { listedSchedule } from './insight-schemas.ts';
import { countQuery, type ListFilters, listQuery } from './list-filter.ts';
import type { Call, Operation, Reader } from './operation.ts';
import { defineOperation } from './operation.ts';
import { reader } from './read.ts';
import { rehearsal } from './rehearsal.ts';
import * as shape from './schemas.ts';

/** Over HTTP a handler is given by name; only in process can it be a function. */
const handlerName = z.string().min(1).max(1000);
const fields = scheduleInput.extend({ run: handlerName.optional() });
const wireInput = fields.meta({ id: 'ScheduleInput' });
const patchInput = fields.partial().meta({ id: 'SchedulePatch' });
const createInput = fields.extend({ id: z.string() }).meta({ id: 'NewSchedule' });

const deleteQuery = reader(z.strictObject({ waiting: z.enum(['cancel', 'keep']).optional() }));

type Sent = Readonly<Record<string, unknown>>;

/** Checks only that the body is an object, because the service checks definitions and says how to correct them. */
const definitionReader = (schema: z.ZodType): Reader<Sent> => ({
  schema,
  read: (sent) => {
    if (typeof sent === 'object' && sent !== null && !Array.isArray(sent))
      return withNamedHandler(sent as Sent);
    throw ServiceError.invalid([
      {
        path: '',
        reason: 'NOT_AN_OBJECT',
        message: 'the body must be a JSON object',
        fix: 'see /api/v1/docs',
      },
    ]);
  },
});

function withNamedHandler(sent: Sent): Sent {
  if (typeof sent.run !== 'object' || sent.run === null) return sent;
  const fix = 'write the name of a handler, and its queue as queue';
  throw ServiceError.invalid([{ path: 'run', reason: 'INVALID_TYPE', message: 'not a text', fix }]);
}

export const nameOf = ({ namespace, path }: Call<unknown, unknown>): ScheduleName => ({
  namespace,
  id: path.id as string,
});

export const scheduleOperations: readonly Operation[] = [
  defineOperation<ListFilters>({
    id: 'listSchedules',
    method: 'GET',
    path: '/schedules',
    summary: 'List schedules by id, filtered',
    role: 'viewer',
    query: reader(listQuery),
    status: 200,
    response: shape.pageOf(listedSchedule),
    handle: async ({ services, namespace, query }) => {
      const { after, limit, include, sort = 'id', strip = false, attention } = query;
      // A list in a given order also has the attention of schedules. Closed schedules have none, so they are only in lists by id.
      const isByReason = sort !== 'id' || strip || attention !== undefined;
      if (isByReason || (query.sort === 'id' && isOpenOnly(query))) {
        demandOpen(query);
        const { filter, quarantined } = filteredQuery(query, services.now());
        const chosen = given({ after, filter, quarantined, attention });
        return { body: await services.insight.list({ namespace, limit, sort, strip, ...chosen }) };
      }
      const page = await services.schedules.list({
        namespace,
        limit,
        ...given({ after, include }),
        ...filteredQuery(query, services.now()),
      });
      return { body: pageJson(page, summaryJson) };
    },
  }),
  defineOperation<z.output<typeof countQuery>>({
    id: 'countSchedules',
    method: 'GET',
    path: '/schedules',
    verb: 'count',
    summary: 'Count schedules, filtered',
    role: 'viewer',
    query: reader(countQuery),
    status: 200,
    response: z.strictObject({ count: z.int() }),
    handle: async ({ services, namespace, query }) => {
      const count = await services.schedules.count({
        namespace,
        ...filteredQuery(query, services.now()),
      });
      return { body: { count } };
    },
  }),
  defineOperation<undefined, Sent>({
    id: 'createSchedule',
    method: 'POST',
    path: '/schedules',
    summary: 'Create a schedule; refused when the id is taken',
    role: 'operator',
    body: definitionReader(createInput),
    ...rehearsal(({ namespace, body }) => ({ name: { namespace, id: String(body.id) } })),
    status: 201,
    response: z.strictObject({ id: z.string(), token: z.int(), warnings: shape.warnings }),
    handle: async ({ services, namespace, body, caller }) => {
      const { id, ...definition } = body;
      if (typeof id !== 'string') {
        const fix = 'write a short name such as nightly-report';
        throw ServiceError.invalid([{ path: 'id', reason: 'INVALID_TYPE', message: 'not a text', fix }]);
      }
      const { token, warnings } = await services.schedules.create(
        { namespace, id },
        readScheduleInput(definition),
        caller,
      );
      return {
        body: { id, token, ...(warnings === undefined ? {} : { warnings }) },
        token,
        location: `/schedules/${encodeURIComponent(id)}`,
      };
    },
  }),
  defineOperation({
    id: 'getSchedule',
    method: 'GET',
    path: '/schedules/{id}',
    summary: 'Describe a schedule: its definition, what runs, what waits, what comes',
    role: 'viewer',
    status: 200,
    response: shape.schedule,
    handle: async (call) => {
      const schedule = await call.services.schedules.describe(nameOf(call));
      return { body: scheduleJson(schedule), token: schedule.token };
    },
  }),
  defineOperation({
    id: 'getDefinition',
    method: 'GET',
    path: '/schedules/{id}/definition',
    summary: 'The definition in the words of create and update, to be changed and sent back',
    role: 'viewer',
    status: 200,
    response: wireInput,
    handle: async (call) => {
      const schedule = await call.services.schedules.describe(nameOf(call));
      return { body: writeScheduleInput(schedule), token: schedule.token };
    },
  }),
  defineOperation<undefined, Sent>({
    id: 'putSchedule',
    method: 'PUT',
    path: '/schedules/{id}',
    summary: 'Create or replace; with If-Match only replace, with If-None-Match: * only create',
    role: 'operator',
    body: definitionReader(wireInput),
    ...rehearsal((call) => ({ name: nameOf(call) })),
    isConditional: true,
    status: 200,
    statusWhenCreated: 201,
    response: z.strictObject({
      token: z.int(),
      created: z.boolean(),
      isChanged: shape.isChanged,
      warnings: shape.warnings,
    }),
    handle: async (call) => {
      const { services, caller, precondition } = call;
      const draft = readScheduleInput(call.body);
      const name = nameOf(call);
      const { match, isNew } = precondition;
      if (isNew === true) {
        try {
          const written = await services.schedules.create(name, draft, caller);
          return { status: 201, body: { ...written, created: true, isChanged: true }, token: written.token };
        } catch (error) {
          throw preconditionFailed(error);
        }
      }
      if (match !== undefined) {
        const guarded = match === 'any' ? caller : { ...caller, token: match };
        const written = await services.schedules.update(name, draft, guarded);
        return { body: { ...written, created: false }, token: written.token };
      }
      const written = await services.schedules.upsert(name, draft, caller);
      return { status: written.created ? 201 : 200, body: written, token: written.token };
    },
  }),
  defineOperation<undefined, Sent>({
    id: 'patchSchedule',
    method: 'PATCH',
    path: '/schedules/{id}',
    summary: 'Change some fields (JSON merge patch); null takes a field back to its default',
    role: 'operator',
    body: definitionReader(patchInput),
    ...rehearsal((call) => ({ name: nameOf(call) })),
    isConditional: 'match',
    status: 200,
    response: shape.written,
    handle: async (call) => {
      const { services, caller, body, precondition } = call;
      const { match } = precondition;
      const guarded = typeof match === 'number' ? { ...caller, token: match } : caller;
      // The merge happens inside the transaction, so that a concurrent change by another caller is not lost.
      const written = await services.schedules.update(
        nameOf(call),
        (before) => patchDefinition(before, body),
        guarded,
      );
      return { body: written, token: written.token };
    },
  }),
  defineOperation<{ readonly waiting?: 'cancel' | 'keep' | undefined }>({
    id: 'deleteSchedule',
    method: 'DELETE',
    path: '/schedules/{id}',
    summary:
      'Close a schedule; runs that have begun continue, others are cancelled unless waiting=keep. With If-Match only when it has not changed since',
    role: 'operator',
    ...rehearsal((call) => ({ name: nameOf(call) })),
    isConditional: 'match',
    query: deleteQuery,
    status: 200,
    response: z.strictObject({
      cancelled: z.int().meta({ description: 'runs that had not begun and were cancelled' }),
    }),
    handle: async (call) => {
      const { waiting = 'cancel' } = call.query;
      return { body: await call.services.schedules.delete(nameOf(call), { ...call.caller, waiting }) };
    },
  }),
];

/** Whether a filter excludes closed schedules, which have no attention and no strip and can be sorted by id only. */
function isOpenOnly({ state, includeClosed, include }: ListFilters): boolean {
  return state !== 'closed' && includeClosed !== true && include === undefined;
}

function demandOpen(query: ListFilters): void {
  if (isOpenOnly(query)) return;
  const { state, includeClosed } = query;
  const path = state === 'closed' ? 'state' : includeClosed === true ? 'includeClosed' : 'include';
  const fix = 'leave it out, or list without sort and strip';
  throw ServiceError.invalid([
    { path, reason: 'NOT_SORTABLE', message: 'cannot be combined with sort or strip', fix },
  ]);
}

function preconditionFailed(error: unknown): unknown {
  const { reason, message } = ServiceError.from(error);
  if (reason !== 'ALREADY_EXISTS') return error;
  return new ServiceError({ code: 'failedPrecondition', reason: 'PRECONDITION_FAILED', message });
}

export const enqueueInput = z.strictObject({ ...queuedWork, run: handlerName });
