/** The operations of `/api/scheduler`. */
import { isServiceError, ServiceError } from 'carillon/internal/base';
import { adminOperations, heldNote } from './admin-operations.ts';
import { bulkOperations } from './bulk-operations.ts';
import { scheduleNotFound } from './errors.ts';
import { executionsOf, searchExecutions } from './execution-search.ts';
import type { Call, Operation } from './operation.ts';
import { preview } from './preview.ts';
import { intOf, refused, textOf } from './query-parameter.ts';
import { scheduleAnswer } from './schedule-answer.ts';
import { readScheduleBody } from './schedule-body.ts';
import { draftOf } from './schedule-draft.ts';
import { listSchedules, schedulesByTag, searchSchedules } from './schedule-search.ts';
import { pauseSchedule, resumeSchedule } from './schedule-verbs.ts';
import { tagOperations } from './tag-operations.ts';
import { timesAhead } from './times-ahead.ts';

export const scheduleOperations: readonly Operation[] = [
  { methods: ['GET'], path: '/schedules', role: 'viewer', handle: (call) => listSchedules(call.query, call) },
  { methods: ['POST'], path: '/schedules', role: 'operator', changes: true, handle: save },
  {
    methods: ['GET'],
    path: '/schedules/search',
    role: 'viewer',
    handle: (call) => searchSchedules(call.query, call),
  },
  { methods: ['GET'], path: '/schedules/{name}', role: 'viewer', handle: read },
  { methods: ['DELETE'], path: '/schedules/{name}', role: 'operator', changes: true, handle: remove },
  {
    methods: ['PUT', 'GET'],
    path: '/schedules/{name}/pause',
    role: 'operator',
    changes: true,
    handle: async (call) => await pauseSchedule(call.name, call, reasonOf(call)),
  },
  {
    methods: ['PUT', 'GET'],
    path: '/schedules/{name}/resume',
    role: 'operator',
    changes: true,
    handle: async (call) => await resumeSchedule(call.name, call),
  },
  { methods: ['GET'], path: '/schedules/{name}/executions', role: 'viewer', handle: executions },
  { methods: ['GET'], path: '/schedules/{name}/next-execution-times', role: 'viewer', handle: timesAhead },
  ...tagOperations,
  {
    methods: ['GET'],
    path: '/nextFewSchedules',
    role: 'viewer',
    handle: ({ query, services, settings }) =>
      preview(query, { now: services.now(), zone: settings.schedulerTimeZone }),
  },
  {
    methods: ['GET'],
    path: '/search/executions',
    role: 'viewer',
    handle: (call) => searchExecutions(call.query, call),
  },
  ...adminOperations,
  ...bulkOperations,
];

async function save(call: Call): Promise<object> {
  const { services, namespace, settings, caller } = call;
  const sent = readScheduleBody(call.body(), settings.schedulerTimeZone);
  const isHeld = await services.hold.isOn(namespace);
  const draft = draftOf(sent, { settings, ...(isHeld ? { held: heldNote } : {}) });
  try {
    await services.schedules.upsert({ namespace, id: sent.name }, draft, caller);
  } catch (error) {
    throw nameProblem(error);
  }
  return await shown(sent.name, call);
}

/** The service calls the name of a schedule its id. */
function nameProblem(error: unknown): unknown {
  if (!isServiceError(error) || !error.problems.some(({ path }) => path === 'id')) return error;
  return ServiceError.invalid(
    error.problems.map((each) => (each.path === 'id' ? { ...each, path: 'name' } : each)),
  );
}

async function shown(name: string, { services, namespace }: Call): Promise<object> {
  const [outline] = await services.schedules.outlines(namespace, [name]);
  if (outline === undefined) throw scheduleNotFound(name);
  return scheduleAnswer(outline);
}

/** A search by tag shares its path with the schedule of that name. */
async function read(call: Call): Promise<object> {
  const tag = textOf(call.query, 'tag');
  return call.name === 'tags' && tag !== undefined
    ? await schedulesByTag(tag, call)
    : await shown(call.name, call);
}

/** Deleting what is not there succeeds, as in the original. */
async function remove({ services, namespace, name, caller }: Call): Promise<undefined> {
  const [open] = await services.schedules.named(namespace, [name]);
  if (open === undefined) return;
  try {
    await services.schedules.delete({ namespace, id: name }, caller);
  } catch (error) {
    if (!isServiceError(error) || (error.reason !== 'EXECUTION_CLOSED' && error.reason !== 'NOT_FOUND'))
      throw error;
  }
}

async function executions(call: Call): Promise<readonly object[]> {
  const limit = intOf(call.query, 'limit') ?? 10;
  if (limit < 0) throw refused('limit', 'must not be negative');
  await shown(call.name, call);
  return await executionsOf(call.name, limit, call);
}

function reasonOf({ query }: Call): string | undefined {
  const { reason } = query;
  return typeof reason === 'string' ? reason : textOf(query, 'reason');
}
